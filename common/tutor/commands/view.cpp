#include "tutor/commands/view.h"

#include <fmt/format.h>

#include "tutor/attempt/attempt.h"
#include "tutor/course/kind.h"
#include "tutor/course/names.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {

namespace {

struct View {
  bool pictured = false;
  std::string text;
};

View view(const Context& context, const Exercise& exercise) {
  const Attempt yours =
      attempt(context, exercise, {}, [&] { context.make(context, targets_of(exercise)); });
  if (!yours.judged) return {false, yours.text};
  const Verdict verdict =
      judge(context, exercise, learner_image(context, exercise), {"--device", "sim", "--view"});
  return {verdict.verdict != "signature", verdict.text};
}

}  // namespace

std::string view_text(const Context& context, const Exercise& exercise) {
  return view(context, exercise).text;
}

int view_command(const Context& context, const std::string& name) {
  const Course course = read_course(context.root);
  const Found found = find(course, name);
  if (found.exercise == nullptr) {
    throw Failure(status_usage,
                  fmt::format("{0} is a chapter: name one of its exercises, or ./learn run {0} "
                              "--view RUNG for the picture of a rung",
                              found.chapter->name));
  }
  if (kind_of(*found.exercise) == "arithmetic") {
    throw Failure(status_usage, fmt::format("{} is arithmetic: it makes no memory accesses",
                                            found.exercise->id()));
  }
  const View seen = view(context, *found.exercise);
  fmt::print("{}", seen.text);
  return seen.pictured ? status_ok : status_wrong;
}

}  // namespace warpwise::tutor
