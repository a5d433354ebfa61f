/// \file
/// What a right pass has to show besides its logits: every activation, the prefix test, and the
/// debug state that a training program wrote.
///
///     build/ch08_transformer --only activations
///     build/ch08_transformer --only prefix
///     build/ch08_transformer --only debug_state --debug-state FILE
#include <cuda_bf16.h>

#include <cmath>
#include <cstring>

#include "base/numbers.h"
#include "given.h"
#include "likelihoods.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw lesson::Stop(lesson::something_wrong, what);
}

/// Copies a result to the host, widened.
std::vector<float> on_host(const Result& result, std::size_t count) {
  std::vector<float> numbers(count);
  if (result.values != nullptr) {
    lesson::check(cudaMemcpy(numbers.data(), result.values, 4 * count, cudaMemcpyDeviceToHost));
    return numbers;
  }
  std::vector<__nv_bfloat16> halves(count);
  lesson::check(cudaMemcpy(halves.data(), result.halves, 2 * count, cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < count; ++i) numbers[i] = __bfloat162float(halves[i]);
  return numbers;
}

/// Every stage of every layer of every own rung.
lesson::Demonstration activations() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const std::vector<int> tokens = tokens_of(model.dimensions, B, T);
  const Activations expected = reference(model, tokens, T);
  std::vector<std::map<Stage, double>> errors;
  for (const Rung rung : own_rungs) {
    const OwnPass own(model, tokens, B, T);
    std::string absent;
    errors.push_back(errors_of(name_of(rung), operations_of(rung, own.pass(), absent), expected,
                               most_fp32_error));
  }
  return errors_table("Largest error of each result, all layers, against double on the host",
                      errors);
}

std::vector<float> logits_of(Rung rung, const std::vector<int>& tokens, int T) {
  const OwnPass own(model_for(T), tokens, static_cast<int>(tokens.size()) / T, T);
  std::string absent;
  start(operations_of(rung, own.pass(), absent));
  return own.logits();
}

/// Logits of 33 tokens are the first 33 rows of those of 64, bit for bit.
lesson::Demonstration prefix() {
  constexpr int shorter = 33, longer = 64;
  lesson::Demonstration table{.title = "Logits for 33 tokens against the first 33 rows for 64",
                              .columns = {"rung", "numbers", "that differ in a bit"},
                              .rows = {}};
  const Dimensions& d = model_for(longer).dimensions;
  for (const Rung rung : own_rungs) {
    const std::vector<float> a = logits_of(rung, tokens_of(d, 1, shorter), shorter);
    const std::vector<float> b = logits_of(rung, tokens_of(d, 1, longer), longer);
    int differ = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differ += std::memcmp(&a[i], &b[i], 4) != 0;
    table.rows.push_back({name_of(rung), std::to_string(a.size()), std::to_string(differ)});
    if (differ > 0) fail(std::string("prefix test: ") + name_of(rung) + " differs");
  }
  return table;
}

/// Logits and loss of the file's tokens, as another program computed them.
lesson::Demonstration against_debug_state() {
  const Checkpoint& model = model_for(1);
  const models::DebugState state = given_debug_state();
  lesson::Demonstration table{
      .title = "The debug state of the training program: " + std::to_string(state.B) + " x " +
               std::to_string(state.T) + " tokens, loss " + lesson::decimal(state.loss, 6),
      .columns = {"rung", "largest error of a logit", "of a log-probability", "loss"},
      .rows = {}};
  for (const Rung rung : own_rungs) {
    const OwnPass own(model, state.x, state.B, state.T);
    std::string absent;
    start(operations_of(rung, own.pass(), absent));
    const Likelihoods found = compare(model.dimensions, own.logits(), state);
    table.rows.push_back({name_of(rung), scientific(found.of_logit), scientific(found.largest),
                          lesson::decimal(found.loss, 6)});
    if (!(found.of_logit <= 1e-3) || !(std::fabs(found.loss - state.loss) <= 1e-4)) {
      fail(std::string("debug state: ") + name_of(rung) + ": a logit is off by " +
           scientific(found.of_logit) + ", the loss is " + lesson::decimal(found.loss, 6));
    }
  }
  return table;
}

}  // namespace

std::map<Stage, double> errors_of(const std::string& name, const Operations& operations,
                                  const Activations& expected, double most, bool relative) {
  std::map<Stage, double> worst;
  bool has_layers = false;
  for (const Operation& operation : operations) {
    operation.start(nullptr);
    lesson::check(cudaGetLastError());
    for (const Result& result : operation.results) {
      const Stage stage = result.stage;
      // A layer's last operation normalises for the next one.
      const bool of_next = stage == Stage::norm_1 && has_layers;
      const bool of_pass = stage == Stage::embedding || stage == Stage::norm_f;
      const int layer = of_pass ? 0 : operation.layer + of_next;
      const std::vector<double>& right = expected.at({layer, stage});
      const std::vector<float> got = on_host(result, right.size());
      double unit = relative ? 0 : 1;
      for (const double value : right) unit = relative ? std::max(unit, std::fabs(value)) : 1;
      double& largest = worst[stage];
      for (std::size_t i = 0; i < got.size(); ++i) {
        keep_largest(largest, std::fabs(got[i] - right[i]) / unit);
      }
      // The first wrong one in the order of the pass: what follows is wrong because of it.
      if (!(largest <= most)) {
        fail(name + ": " + name_of(stage) + " of layer " + std::to_string(layer) + " is off by " +
             scientific(largest) + "; " + scientific(most) + " is allowed");
      }
      has_layers |= stage == Stage::qkv;
    }
  }
  return worst;
}

lesson::Demonstration errors_table(const std::string& title,
                                   const std::vector<std::map<Stage, double>>& errors) {
  lesson::Demonstration table{.title = title, .columns = {"result"}, .rows = {}};
  for (const Rung rung : own_rungs) table.columns.emplace_back(name_of(rung));
  for (int i = 0; i <= static_cast<int>(Stage::logits); ++i) {
    const auto stage = static_cast<Stage>(i);
    std::vector<std::string> row{name_of(stage)};
    for (const auto& of_rung : errors) {
      const auto found = of_rung.find(stage);
      row.push_back(found == of_rung.end() ? "-" : scientific(found->second));
    }
    table.rows.push_back(row);
  }
  table.note = "A dash: the rung keeps that result in registers.";
  return table;
}

}  // namespace gpt

void model_checks(lesson::Run& run) {
  run.table("activations", gpt::activations);
  run.table("prefix", gpt::prefix);
  run.table("debug_state", gpt::against_debug_state);
}
