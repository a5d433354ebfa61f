/// \file
/// The pass in bf16: products and attention on tensor cores, the residual stream in fp32.
///
/// The question: an fp32 pass may be wrong by its last digits alone. Which numbers say whether a
/// pass in bf16 is right?
///
///     build/ch08_transformer --only bf16
#include <algorithm>
#include <cmath>
#include <memory>

#include "../ch07_attention/attention_problem.h"
#include "half_pass.h"
#include "lesson/numbers.h"
#include "recorded.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

/// Distances of log-probabilities, over all rows and tokens.
struct Likelihoods {
  double mean = 0, largest = 0;
  double divergence = 0;  ///< mean over the rows of sum p (log p - log q), nats.
  double of_logit = 0;    ///< largest distance of a logit.
  int same = 0, rows = 0;
};

Likelihoods compare(const Dimensions& d, const std::vector<float>& got,
                    const std::vector<double>& right) {
  const int V = d.tokens;
  Likelihoods all;
  all.rows = static_cast<int>(got.size() / d.padded_tokens);
  for (int row = 0; row < all.rows; ++row) {
    const float* ours = &got[std::size_t(row) * d.padded_tokens];
    const double* theirs = &right[std::size_t(row) * d.padded_tokens];
    const double total = log_of_sum(ours, V), their_total = log_of_sum(theirs, V);
    for (int v = 0; v < V; ++v) {
      const double log_p = theirs[v] - their_total, log_q = ours[v] - total;
      const double error = std::fabs(log_p - log_q);
      keep_largest(all.largest, error);
      keep_largest(all.of_logit, std::fabs(ours[v] - theirs[v]));
      all.mean += error / (double(V) * all.rows);
      all.divergence += std::exp(log_p) * (log_p - log_q) / all.rows;
    }
    all.same +=
        std::max_element(ours, ours + V) - ours == std::max_element(theirs, theirs + V) - theirs;
  }
  return all;
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2e", value);
  return text;
}

constexpr const char* by_pipelines = "mma.sync, pipelines";
constexpr const char* needs_sm_80 = "bf16 products need compute capability 8.0";

/// The rung against the fp32 one, in units that mean something.
lesson::Demonstration bf16_logits() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const Dimensions& d = model.dimensions;
  const std::vector<int> tokens = tokens_of(d, B, T);
  const std::vector<double> right = reference(model, tokens, T).at({0, Stage::logits});
  lesson::Demonstration table{
      .title = "Logits and log-probabilities, 2 x 33 tokens, against double on the host",
      .columns = {"pass", "largest error of a logit", "of a log-probability", "mean", "KL, nats",
                  "same most likely token"},
      .rows = {}};
  const auto add_row = [&](const char* name, const std::vector<float>& logits) {
    const Likelihoods found = compare(d, logits, right);
    table.rows.push_back({name, digits(found.of_logit), digits(found.largest), digits(found.mean),
                          digits(found.divergence),
                          std::to_string(found.same) + " of " + std::to_string(found.rows)});
    return found;
  };
  const OwnPass own(model, tokens, B, T);
  std::string absent;
  start(operations_of(Rung::attention, own.pass(), absent));
  add_row("fp32, fused attention", own.logits());
  if (attention::compute_capability_major() < 8) {
    table.note = needs_sm_80;
    return table;
  }
  const OwnHalfPass half(model, tokens, B, T);
  const Operations operations = half_operations_of(half.pass());
  start(operations);
  const std::vector<float> by_launches = half.logits();
  const Likelihoods found = add_row("bf16, tensor cores", by_launches);
  const Recorded graph([&](cudaStream_t stream) { start(operations, stream); });
  graph.launch();
  if (half.logits() != by_launches) {
    throw lesson::Stop(lesson::something_wrong, "bf16: the graph's logits differ from launches");
  }
  // Several times what rounding gives here; a lost key or a lost bias gives far more.
  if (!(found.divergence <= 1e-3) || !(found.largest <= 0.5)) {
    throw lesson::Stop(lesson::something_wrong, "bf16: a log-probability is off by " +
                                                    digits(found.largest) + ", the divergence is " +
                                                    digits(found.divergence));
  }
  table.note = "A graph of the bf16 pass gave the same bits.";
  return table;
}

/// Every stage of every layer, relative to the stage's largest number.
lesson::Demonstration bf16_activations() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const std::vector<int> tokens = tokens_of(model.dimensions, B, T);
  lesson::Demonstration table{
      .title = "bf16: largest error of each result, over the largest number of that result",
      .columns = {"result", "error"},
      .rows = {}};
  if (attention::compute_capability_major() < 8) {
    table.note = needs_sm_80;
    return table;
  }
  // Some ten roundings of 2^-9 in sequence.
  constexpr double most = 0.02;
  const OwnHalfPass half(model, tokens, B, T);
  const std::map<Stage, double> errors =
      errors_of("bf16", half_operations_of(half.pass()), reference(model, tokens, T), most, true);
  for (const auto& [stage, error] : errors) table.rows.push_back({name_of(stage), digits(error)});
  table.note = "One rounding to bf16 is at most 2^-9 = 1.95e-03 of a number.";
  return table;
}

/// Bytes and flops of the pass.
lesson::Needs half_needs(const lesson::Size& size) {
  const Checkpoint shape{model_for(size[1]).dimensions, {}};
  HalfPass half;
  half.pass.B = size[0], half.pass.T = size[1];
  half.pass.weights = {shape.dimensions, &shape, nullptr};
  lesson::Needs needs{.tensor_cores = true};
  for (const Operation& operation : half_operations_of(half)) {
    needs.bytes += operation.bytes;
    needs.flops += operation.flops;
  }
  return needs;
}

void half_rungs(lesson::Trial& run) {
  const Checkpoint& model = model_for(run.size()[1]);
  const std::vector<int> tokens = tokens_of(model.dimensions, run.size()[0], run.size()[1]);
  if (attention::compute_capability_major() < 8) return run.skip(by_pipelines, needs_sm_80);
  HalfPass half{pass_of(run, model, tokens), run.input("weights in bf16", rounded(model.values))};
  const std::size_t numbers = tokens.size() * model.dimensions.channels;
  half.a = run.input("a in bf16", std::vector<bf16>(numbers));
  half.b = run.input("b in bf16", std::vector<bf16>(4 * numbers));
  // What rounding moves a logit by, several times; the tables of this file look closer.
  half.pass.buffers.logits = run.output("logits", expected_logits(model, tokens, half.pass),
                                        {.absolute = 0.25}, model.dimensions.padded_tokens);
  const Operations operations = half_operations_of(half);
  run.work(by_pipelines, [operations] { start(operations); });
  const auto graph =
      std::make_shared<Recorded>([&](cudaStream_t stream) { start(operations, stream); });
  run.work("one graph", [graph] { graph->launch(); });
}

lesson::Demonstration half_picture(const warpwise::occupancy::Gpu& gpu) {
  constexpr int B = 4, T = 1024;
  const std::string title = "GPT-2 124M, B 4, T 1024, bf16";
  if (!has_gpu()) {
    const Checkpoint shape{warpwise::models::gpt2_124m, {}};
    HalfPass half;
    half.pass.B = B, half.pass.T = T;
    half.pass.weights = {shape.dimensions, &shape, nullptr};
    return shares_table(title, half_operations_of(half), gpu, nullptr);
  }
  const Checkpoint& model = model_for(T);
  const OwnHalfPass half(model, tokens_of(model.dimensions, B, T), B, T);
  lesson::Timer timer(std::size_t{64} << 20);
  return shares_table(title, half_operations_of(half.pass()), gpu, &timer);
}

}  // namespace
}  // namespace gpt

void tensor_pass_tables(lesson::Run& run) {
  run.table("bf16_activations", gpt::bf16_activations);
  run.table("bf16_logits", gpt::bf16_logits);
  run.table("bf16_picture", [&] { return gpt::half_picture(run.limits()); });
  run.ladder({.name = "bf16",
              .title = "GPT-2 from tokens to logits, bf16, B x T",
              .full = {4, 1024},
              .small = {2, 33},
              .awkward = {{1, 1}, {3, 2}, {1, 31}, {1, 65}},
              .needs = gpt::half_needs,
              .limit = gpt::by_pipelines},
             gpt::half_rungs);
}
