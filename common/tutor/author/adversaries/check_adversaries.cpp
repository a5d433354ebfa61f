#include "tutor/author/adversaries/check_adversaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "tutor/attempt/compile.h"
#include "tutor/attempt/verdict.h"
#include "tutor/author/adversaries/adversaries.h"
#include "tutor/author/adversaries/program_adversaries.h"
#include "tutor/course/kind.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

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

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

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
  if (!compiled.ok) {
    return {.words = fmt::format("not tried, it does not compile: {} ({})",
                                 first_line(compiled.error), shown(source))};
  }
  const Verdict verdict = judge(context, exercise, image, {"--device", "sim"});
  if (verdict.verdict == "pass") {
    return {.passes = true,
            .words = fmt::format("PASSES, though {}: {}", adversary.what, shown(source))};
  }
  return {.judged = true,
          .words = verdict.kind.empty() ? verdict.verdict : verdict.verdict + " " + verdict.kind};
}

// An adversary of which the check says that it does the same as the solution passes, and has to.
End as_the_check_says(End end, const std::string& reason) {
  if (reason.empty()) return end;
  if (end.passes) return {.judged = true, .words = "equal, " + reason};
  return {.passes = true,
          .words = fmt::format("{}, though the check says: equal, {}", end.words, reason)};
}

Finding look(const Context& context, const Exercise& exercise,
             const std::vector<Adversary>& adversaries) {
  const std::map<std::string, std::string> equal = reasons_for_equal(read_file(exercise.check));
  std::string text;
  bool passes = false, judged = false;
  for (const Adversary& adversary : adversaries) {
    const auto reason = equal.find(adversary.name);
    const End end = as_the_check_says(end_of(context, exercise, adversary),
                                      reason == equal.end() ? std::string() : reason->second);
    passes |= end.passes;
    judged |= end.judged;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", adversary.name, end.words);
  }
  if (!judged && !passes) return failed("no adversary was tried: " + text);
  return {passes ? Finding::Result::failed : Finding::Result::passed, text};
}

Finding look(const Context& context, const Exercise& exercise) {
  const std::string solution = read_file(exercise.frame);
  if (kind_of(exercise) != "exercise")
    return look(context, exercise, program_adversaries_of(solution));
  const int most = most_of(context, exercise);
  if (most == 0) return failed("the solution cannot be judged");
  return look(context, exercise, adversaries_of(solution, read_file(exercise.check), most));
}

}  // namespace

CheckItem adversary_item(const Context& context, const Exercise& exercise) {
  return {exercise.id(), "no adversary passes", [=]() -> Finding {
            if (exercise.exported) {
              return {Finding::Result::skipped, std::string(without_solutions)};
            }
            if (kind_of(exercise) == "arithmetic") {
              return {Finding::Result::skipped, "not applicable: the blank uses no GPU"};
            }
            return look(context, exercise);
          }};
}

}  // namespace warpwise::tutor
