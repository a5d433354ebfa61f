/// \file
/// What a right pass has to show besides its logits: every activation, the prefix test, and the
/// debug state that a training program wrote.
///
///     build/ch08_transformer --only activations
///     build/ch08_transformer --only prefix
///     build/ch08_transformer --only debug_state --debug-state FILE
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "gpt.h"
#include "lesson/numbers.h"
#include "lesson/paths.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {
namespace {

constexpr Rung own_rungs[] = {Rung::first, Rung::by_shape, Rung::fused, Rung::attention};

std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

[[noreturn]] void fail(const std::string& what) {
  throw lesson::Stop(lesson::something_wrong, what);
}

/// What an activation may be off by; their rounding comes to a tenth of it.
constexpr double most_error = 1e-4;

/// Largest errors of one rung by stage, each operation compared as soon as it has run.
std::map<Stage, double> errors_of(Rung rung, const OwnPass& own, const Activations& expected) {
  std::string absent;
  std::map<Stage, double> worst;
  bool has_layers = false;
  for (const Operation& operation : operations_of(rung, own.pass(), absent)) {
    operation.start(nullptr);
    lesson::check(cudaGetLastError());
    for (const auto& [stage, where] : operation.results) {
      // A layer's last operation normalises for the next one.
      const bool of_next = stage == Stage::norm_1 && has_layers;
      const bool of_pass = stage == Stage::embedding || stage == Stage::norm_f;
      const int layer = of_pass ? 0 : operation.layer + of_next;
      const std::vector<double>& right = expected.at({layer, stage});
      std::vector<float> got(right.size());
      lesson::check(cudaMemcpy(got.data(), where, 4 * got.size(), cudaMemcpyDeviceToHost));
      double& largest = worst[stage];
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double error = std::fabs(got[i] - right[i]);
        // A NaN is not above anything.
        if (!(error <= largest)) largest = error;
      }
      // The first wrong one in the order of the pass: what follows is wrong because of it.
      if (!(largest <= most_error)) {
        fail(std::string(name_of(rung)) + ": " + name_of(stage) + " of layer " +
             std::to_string(layer) + " is off by " + scientific(largest) + "; " +
             scientific(most_error) + " is allowed");
      }
      has_layers |= stage == Stage::qkv;
    }
  }
  return worst;
}

/// Every stage of every layer of every own rung.
lesson::Demonstration activations() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const std::vector<int> tokens = tokens_of(model.dimensions, B, T);
  const Activations expected = reference(model, tokens, T);
  lesson::Demonstration table{
      .title = "Largest error of each result, all layers, against double on the host",
      .columns = {"result"},
      .rows = {}};
  std::vector<std::map<Stage, double>> all;
  for (const Rung rung : own_rungs) {
    const OwnPass own(model, tokens, B, T);
    all.push_back(errors_of(rung, own, expected));
    table.columns.push_back(name_of(rung));
  }
  for (int i = 0; i <= static_cast<int>(Stage::logits); ++i) {
    const auto stage = static_cast<Stage>(i);
    std::vector<std::string> row{name_of(stage)};
    for (const auto& errors : all) {
      const auto found = errors.find(stage);
      row.push_back(found == errors.end() ? "-" : scientific(found->second));
    }
    table.rows.push_back(row);
  }
  table.note = "A dash: the rung keeps that result in registers.";
  return table;
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

double log_of_sum(const float* logits, int V) {
  double largest = -INFINITY, sum = 0;
  for (int v = 0; v < V; ++v) largest = std::max<double>(largest, logits[v]);
  for (int v = 0; v < V; ++v) sum += std::exp(logits[v] - largest);
  return largest + std::log(sum);
}

models::DebugState debug_state(const Dimensions& d) {
  const char* given = std::getenv("WARPWISE_DEBUG_STATE");
  try {
    return models::read_debug_state(
        given ? std::filesystem::path(given)
              : lesson::repository() / "chapters/ch08_transformer/models/course_debug.bin",
        d);
  } catch (const std::exception& error) {
    throw lesson::Stop(lesson::bad_environment, error.what());
  }
}

/// Logits and loss of the file's tokens, as another program computed them.
lesson::Demonstration against_debug_state() {
  const Checkpoint& model = model_for(1);
  const int V = model.dimensions.tokens, Vp = model.dimensions.padded_tokens;
  const models::DebugState state = debug_state(model.dimensions);
  lesson::Demonstration table{
      .title = "The debug state of the training program: " + std::to_string(state.B) + " x " +
               std::to_string(state.T) + " tokens, loss " + lesson::decimal(state.loss, 6),
      .columns = {"rung", "largest error of a logit", "of a log-probability", "loss"},
      .rows = {}};
  for (const Rung rung : own_rungs) {
    const OwnPass own(model, state.x, state.B, state.T);
    std::string absent;
    start(operations_of(rung, own.pass(), absent));
    const std::vector<float> logits = own.logits();
    double of_logit = 0, of_probability = 0, loss = 0;
    for (std::size_t row = 0; row < state.x.size(); ++row) {
      // Our rows have padded columns, the file's have not.
      const float *ours = &logits[row * Vp], *theirs = &state.logits[row * V];
      const double total = log_of_sum(ours, V), their_total = log_of_sum(theirs, V);
      for (int v = 0; v < V; ++v) {
        const double error = std::fabs(ours[v] - theirs[v]);
        if (!(error <= of_logit)) of_logit = error;
        of_probability =
            std::max(of_probability, std::fabs((ours[v] - total) - (theirs[v] - their_total)));
      }
      loss += (total - ours[state.y[row]]) / static_cast<double>(state.x.size());
    }
    table.rows.push_back({name_of(rung), scientific(of_logit), scientific(of_probability),
                          lesson::decimal(loss, 6)});
    if (!(of_logit <= 1e-3) || !(std::fabs(loss - state.loss) <= 1e-4)) {
      fail(std::string("debug state: ") + name_of(rung) + ": a logit is off by " +
           scientific(of_logit) + ", the loss is " + lesson::decimal(loss, 6));
    }
  }
  return table;
}

}  // namespace
}  // namespace gpt

void model_checks(lesson::Run& run) {
  run.table("activations", gpt::activations);
  run.table("prefix", gpt::prefix);
  run.table("debug_state", gpt::against_debug_state);
}
