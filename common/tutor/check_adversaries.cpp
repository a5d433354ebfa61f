#include "tutor/check_adversaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tutor/adversaries.h"
#include "tutor/compile.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/kind.h"
#include "tutor/verdict.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// The largest number of "256x128".
int largest_extent(std::string_view size) {
  int largest = 1;
  for (const char *at = size.data(), *end = at + size.size(); at < end; ++at) {
    int extent = 0;
    at = std::from_chars(at, end, extent).ptr;
    largest = std::max(largest, extent);
  }
  return largest;
}

// Twice the largest extent at which the gates count.
int most_of(const Context& context, const Exercise& exercise) {
  const fs::path image = context.build / "adversaries" / exercise.id() / "_solution.image";
  const Compiled compiled = refresh_image(context, exercise, exercise.frame, image);
  if (!compiled.ok) return 0;
  const Verdict verdict = judge(context, exercise, image, {"--device", "sim"});
  return 2 * largest_extent(verdict.counted_size);
}

// How an adversary ends.
struct End {
  bool passes = false, judged = false;
  std::string words;  ///< "gate sectors", "does not apply (a block is one warp)"
};

End end_of(const Context& context, const Exercise& exercise, const Adversary& adversary) {
  if (adversary.text.empty())
    return {.words = fmt::format("not applicable, {}", adversary.why_not)};
  const fs::path source = context.build / "adversaries" / exercise.id() / (adversary.name + ".cu");
  fs::path image = source;
  image.replace_extension(".image");
  make_folder(source.parent_path());
  write_if_changed(source, adversary.text);
  const Compiled compiled = refresh_image(context, exercise, source, image);
  if (!compiled.ok) return {.words = fmt::format("does not compile: {}", shown(source))};
  const Verdict verdict = judge(context, exercise, image, {"--device", "sim"});
  if (verdict.verdict == "pass") {
    return {.passes = true,
            .words = fmt::format("PASSES, though {}: {}", adversary.what, shown(source))};
  }
  return {.judged = true,
          .words = verdict.kind.empty() ? verdict.verdict : verdict.verdict + " " + verdict.kind};
}

Finding look(const Context& context, const Exercise& exercise) {
  const int most = most_of(context, exercise);
  if (most == 0) return failed("the solution cannot be judged");
  std::string text;
  bool passes = false, judged = false;
  for (const Adversary& adversary :
       adversaries_of(read_file(exercise.frame), read_file(exercise.check), most)) {
    const End end = end_of(context, exercise, adversary);
    passes |= end.passes;
    judged |= end.judged;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", adversary.name, end.words);
  }
  if (!judged && !passes) return failed("no adversary was judged: " + text);
  return {passes ? Finding::Result::failed : Finding::Result::passed, text};
}

}  // namespace

CheckItem adversary_item(const Context& context, const Exercise& exercise) {
  return {exercise.id(), "no adversary passes", [=]() -> Finding {
            if (exercise.exported) {
              return {Finding::Result::skipped, std::string(without_solutions)};
            }
            if (kind_of(exercise) != "exercise") {
              return {Finding::Result::skipped, "not applicable: the blank is in no kernel"};
            }
            return look(context, exercise);
          }};
}

}  // namespace warpwise::tutor
