/// \file
/// The pass in bf16: products and attention on tensor cores, the residual stream in fp32.
///
/// The question: an fp32 pass may be wrong by its last digits alone. Which numbers say whether a
/// pass in bf16 is right?
///
///     build/ch08_transformer --only bf16
///
/// The rungs of `bf16`, as the table lists them:
///
///      1  mma.sync, pipelines   chapter 6's rung 8, chapter 7's rung 5
///      2  wgmma, bulk copies    chapter 6's cuts by shape, chapter 7's rung 7
///      3  one graph             the best of them, recorded once
#include <memory>

#include "../ch07_attention/attention_problem.h"
#include "base/numbers.h"
#include "given.h"
#include "half_pass.h"
#include "likelihoods.h"
#include "recorded.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

std::string digits(double value) { return scientific(value, 2); }

/// The debug state again, in units that mean something.
lesson::Demonstration bf16_logits() {
  const Checkpoint& model = model_for(1);
  const warpwise::models::DebugState state = given_debug_state();
  const int B = state.B, T = state.T;
  lesson::Demonstration table{
      .title = "Logits and log-probabilities of the debug state, " + std::to_string(B) + " x " +
               std::to_string(T) + " tokens",
      .columns = {"pass", "largest error of a logit", "of a log-probability", "mean", "KL, nats",
                  "same most likely token"},
      .rows = {}};
  const auto add_row = [&](const char* name, const std::vector<float>& logits) {
    const Likelihoods found = compare(model.dimensions, logits, state);
    table.rows.push_back({name, digits(found.of_logit), digits(found.largest), digits(found.mean),
                          digits(found.divergence),
                          std::to_string(found.same) + " of " + std::to_string(found.rows)});
    return found;
  };
  const OwnPass own(model, state.x, B, T);
  std::string absent;
  start(operations_of(Rung::attention, own.pass(), absent));
  add_row("fp32, fused attention", own.logits());
  for (const NamedRung& named : half_rungs) {
    if (!runs(named)) {
      table.note += std::string(named.name) + ": " + named.needs + ". ";
      continue;
    }
    const OwnHalfPass half(model, state.x, B, T);
    const Operations operations = half_operations_of(named.rung, half.pass());
    start(operations);
    const std::vector<float> by_launches = half.logits();
    const Likelihoods found = add_row((std::string("bf16, ") + named.name).c_str(), by_launches);
    const Recorded graph([&](cudaStream_t stream) { start(operations, stream); });
    graph.launch();
    if (half.logits() != by_launches) {
      throw lesson::Stop(lesson::something_wrong, "bf16: the graph's logits differ from launches");
    }
    // Several times what rounding gives here; a lost key or a lost bias gives far more.
    if (!(found.divergence <= 1e-3) || !(found.largest <= 0.5)) {
      throw lesson::Stop(lesson::something_wrong,
                         std::string(named.name) + ": a log-probability is off by " +
                             digits(found.largest) + ", the divergence is " +
                             digits(found.divergence));
    }
  }
  table.note += "Graphs of the bf16 passes gave the same bits.";
  return table;
}

/// Every stage of every layer.
lesson::Demonstration bf16_activations() {
  constexpr int B = 2, T = 33;
  const Checkpoint& model = model_for(T);
  const std::vector<int> tokens = tokens_of(model.dimensions, B, T);
  const Activations expected = reference(model, tokens, T);
  return half_errors_table(
      "bf16: largest error of each result, over the largest number of that result",
      [&](const NamedRung& named) {
        const OwnHalfPass half(model, tokens, B, T);
        return errors_of(named.name, half_operations_of(named.rung, half.pass()), expected,
                         most_bf16_error, true);
      });
}

/// Bytes and flops of the pass.
lesson::Needs half_needs(const lesson::Size& size) {
  const Checkpoint shape{dimensions_for(size[1]), {}};
  return sum_of(half_operations_of(HalfRung::pipelines, {shape_of(shape, size[0], size[1])}));
}

void half_pass_rungs(lesson::Trial& run) {
  const Checkpoint& model = model_for(run.size()[1]);
  const std::vector<int> tokens = tokens_of(model.dimensions, run.size()[0], run.size()[1]);
  if (!runs(half_rungs[0])) return run.skip(half_rungs[0].name, half_rungs[0].needs);
  HalfPass half{pass_of(run, model, tokens), run.input("weights in bf16", rounded(model.values))};
  const std::size_t numbers = tokens.size() * model.dimensions.channels;
  half.a = run.input("a in bf16", std::vector<bf16>(numbers));
  half.b = run.input("b in bf16", std::vector<bf16>(4 * numbers));
  // What rounding moves a logit by, several times; the tables of this file look closer.
  half.pass.buffers.logits = run.output("logits", expected_logits(model, tokens, half.pass),
                                        {.absolute = 0.25}, model.dimensions.padded_tokens);
  Operations best;
  for (const NamedRung& named : half_rungs) {
    if (!runs(named)) {
      run.skip(named.name, named.needs);
      continue;
    }
    best = half_operations_of(named.rung, half);
    run.work(named.name, [operations = best] { start(operations); });
  }
  const auto graph = std::make_shared<Recorded>([&](cudaStream_t stream) { start(best, stream); });
  run.work("one graph", [graph] { graph->launch(); });
}

lesson::Demonstration half_picture(const warpwise::occupancy::Gpu& gpu, const NamedRung& named) {
  constexpr int B = 4, T = 1024;
  const std::string title = std::string("GPT-2 124M, B 4, T 1024, bf16: ") + named.name;
  if (!has_gpu() || !runs(named)) {
    const Checkpoint shape{warpwise::models::gpt2_124m, {}};
    const HalfPass half{shape_of(shape, B, T)};
    return shares_table(title, half_operations_of(named.rung, half), gpu, nullptr);
  }
  const Checkpoint& model = model_for(T);
  const OwnHalfPass half(model, tokens_of(model.dimensions, B, T), B, T);
  lesson::Timer timer(std::size_t{64} << 20);
  return shares_table(title, half_operations_of(named.rung, half.pass()), gpu, &timer);
}

}  // namespace

bool runs(const NamedRung& named) {
  const int major = attention::compute_capability_major();
  return named.rung == HalfRung::warpgroups ? major == 9 : major >= 8;
}

lesson::Demonstration half_errors_table(
    const std::string& title,
    const std::function<std::map<Stage, double>(const NamedRung&)>& errors) {
  lesson::Demonstration table{.title = title, .columns = {"result"}, .rows = {}};
  std::vector<std::map<Stage, double>> all;
  for (const NamedRung& named : half_rungs) {
    if (!runs(named)) {
      table.note += std::string(named.name) + ": " + named.needs + ". ";
      continue;
    }
    all.push_back(errors(named));
    table.columns.emplace_back(named.name);
  }
  if (!all.empty()) {
    for (const auto& [stage, error] : all.front()) {
      std::vector<std::string> row{name_of(stage)};
      for (const auto& of_rung : all) row.push_back(digits(of_rung.at(stage)));
      table.rows.push_back(row);
    }
  }
  table.note += "One rounding to bf16 is at most 2^-9 = 1.95e-03 of a number.";
  return table;
}

}  // namespace gpt

void tensor_pass_tables(lesson::Run& run) {
  run.table("bf16_activations", gpt::bf16_activations);
  run.table("bf16_logits", gpt::bf16_logits);
  run.table("bf16_picture_pipelines",
            [&] { return gpt::half_picture(run.limits(), gpt::half_rungs[0]); });
  run.table("bf16_picture", [&] { return gpt::half_picture(run.limits(), gpt::half_rungs[1]); });
  run.ladder({.name = "bf16",
              .title = "GPT-2 from tokens to logits, bf16, B x T",
              .full = {4, 1024},
              .small = {2, 33},
              .awkward = {{1, 1}, {3, 2}, {1, 31}, {1, 65}},
              .needs = gpt::half_needs,
              .limit = gpt::half_rungs[0].name},
             gpt::half_pass_rungs);
}
