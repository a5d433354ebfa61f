#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tutor/commands/compare.h"
#include "tutor/commands/comparison.h"
#include "tutor/course/names.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson as_json(std::optional<double> value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

}  // namespace

std::string compare_json(const Context& context, const Exercise& exercise) {
  const Comparison both = compare(context, exercise);
  OrderedJson counts = OrderedJson::array(), differing = OrderedJson::array();
  for (const ComparedRow& row : both.rows) {
    counts.push_back({{"group", row.group},
                      {"name", row.name},
                      {"yours", as_json(row.yours)},
                      {"solution", as_json(row.solution)}});
  }
  for (const ComparedRow& row : differences(both)) differing.push_back(difference_text(row));
  const OrderedJson whole{
      {"exercise", exercise.id()},
      {"yours", {{"verdict", both.yours_state}, {"size", both.yours_size}}},
      {"solution", {{"verdict", both.solution_state}, {"size", both.solution_size}}},
      {"counts", counts},
      {"differences", differing},
      {"conclusion", conclusion(both)}};
  return whole.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

int compare_command(const Context& context, const std::string& name, bool json) {
  const Course course = read_course(context.root);
  const Found found = find(course, name);
  if (found.exercise == nullptr) {
    throw Failure(status_usage,
                  fmt::format("{} is a chapter: name one of its exercises", found.chapter->name));
  }
  const Exercise& exercise = *found.exercise;
  fmt::print("{}", json ? compare_json(context, exercise) : compare_text(context, exercise));
  return status_ok;
}

}  // namespace warpwise::tutor
