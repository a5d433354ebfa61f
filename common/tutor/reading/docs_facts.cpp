#include "tutor/reading/docs_facts.h"

#include <nlohmann/json.hpp>

#include "base/frame.h"
#include "occupancy/gpu_facts.h"
#include "occupancy/gpu_table.h"
#include "tutor/author/mistakes.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string written(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

OrderedJson as_json(const occupancy::Gpu& gpu) {
  OrderedJson facts = OrderedJson::array();
  for (const occupancy::Fact& fact : occupancy::facts_of(gpu)) {
    facts.push_back({{"name", fact.name}, {"value", fact.value}});
  }
  return {{"id", gpu.id},
          {"name", gpu.name},
          {"architecture", occupancy::architecture_name(gpu)},
          {"sms", gpu.sms},
          {"warps_per_sm", gpu.warps_per_sm},
          {"shared_bytes_per_sm", gpu.shared_bytes_per_sm},
          {"memory_gbps", gpu.memory_gbps},
          {"fp32_tflops", gpu.fp32_tflops},
          {"bf16_tensor_tflops", gpu.bf16_tensor_tflops},
          {"facts", facts}};
}

OrderedJson as_json(const Exercise& exercise) {
  // A course exported without solutions has a stub in the frame's place, and no mistakes.
  const std::string solution = exercise.exported ? "" : read_file(exercise.frame);
  OrderedJson mistakes = OrderedJson::array();
  for (const lesson::Mistake& mistake : read_mistakes(exercise)) {
    mistakes.push_back({{"name", mistake.name},
                        {"description", mistake.description},
                        {"expectation", mistake.expectation},
                        {"text", mistake.filling.text}});
  }
  return {{"id", exercise.id()},
          {"name", exercise.name},
          {"stub", stub_of(exercise)},
          {"solution", solution},
          {"mistakes", mistakes}};
}

}  // namespace

std::string gpus_json() {
  OrderedJson gpus = OrderedJson::array();
  for (const occupancy::Gpu& gpu : occupancy::gpu_table()) gpus.push_back(as_json(gpu));
  return written(gpus);
}

std::string course_json(const Course& course) {
  OrderedJson chapters = OrderedJson::array();
  for (const Chapter& chapter : course.chapters) {
    OrderedJson exercises = OrderedJson::array();
    for (const Exercise& exercise : chapter.exercises) {
      try {
        exercises.push_back(as_json(exercise));
      } catch (const lesson::FrameError& error) {
        throw Failure(status_wrong, shown(exercise.frame) + ": " + error.what());
      }
    }
    chapters.push_back({{"id", chapter.name}, {"title", title(chapter)}, {"exercises", exercises}});
  }
  return written({{"chapters", chapters}});
}

void write_docs_facts(const Context& context, const std::filesystem::path& folder) {
  make_folder(folder);
  write_atomically(folder / "gpus.json", gpus_json());
  write_atomically(folder / "course.json", course_json(read_public_course(context.root)));
  const std::string program = "simulator/conformance";
  context.make(context, {program});
  const Outcome isa = run_captured(
      {.words = {(context.build / program).string(), "isa",
                 (context.root / "common/verification/recorded/conformance").string()}});
  if (isa.status != 0) {
    throw Failure(status_wrong, "the table of instructions cannot be made: " + isa.err);
  }
  write_atomically(folder / "isa.txt", isa.out);
}

}  // namespace warpwise::tutor
