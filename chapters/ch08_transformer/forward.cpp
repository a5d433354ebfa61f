/// \file
/// GPT-2's forward pass: from tokens to logits, by the layer kernels of chapters 2 to 7.
///
/// The question: a pass is 171 launches in llm.c. How do they become 27 milliseconds, and which of
/// them was worth the work?
///
///     build/ch08_transformer --only forward
///     build/ch08_transformer --only forward --size 2x100     # B x T
///
/// The rungs of `forward`, as the table lists them:
///
///      1  first version              first_layers.h, attention by a warp per query
///      2  cuBLAS and a bias kernel   the library's products, the rest of rung 1
///      3  own products by shape      register_linear.h, row_norms.h
///      4  fused neighbours           bias and GELU in the product, residual with LayerNorm
///      5  fused attention            chapter 7's tiles of 64 keys
///      6  weights turned once        chapter 4's asynchronous tiles
///      7  one graph                  rung 6, recorded once, one launch
#include <memory>

#include "../ch07_attention/attention_problem.h"
#include "gpt.h"
#include "recorded.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

void forward_rungs(lesson::Trial& run) {
  const Checkpoint& model = model_for(run.size()[1]);
  const Dimensions& d = model.dimensions;
  const std::vector<int> tokens = tokens_of(d, run.size()[0], run.size()[1]);
  Pass pass = pass_of(run, model, tokens);
  // Two layers of 128 channels lose 2e-6 of a logit; 12 of 768 some 1e-5, at logits of size 4.
  pass.buffers.logits = run.output("logits", expected_logits(model, tokens, pass),
                                   {.absolute = 2e-4, .relative = 1e-5}, d.padded_tokens);
  whole_pass_rungs(
      run, [&](Rung rung, std::string& absent) { return operations_of(rung, pass, absent); });
}

}  // namespace

std::vector<double> expected_logits(const Checkpoint& model, const std::vector<int>& tokens,
                                    const Pass& pass) {
  constexpr double most_on_host = 1e9;
  const double multiplications =
      static_cast<double>(model.values.size()) * static_cast<double>(tokens.size());
  if (multiplications > most_on_host) return device_reference(pass);
  return reference(model, tokens, pass.T)[{0, Stage::logits}];
}

Pass pass_of(lesson::Trial& run, const Checkpoint& model, const std::vector<int>& tokens) {
  const Dimensions& d = model.dimensions;
  Pass pass;
  pass.B = run.size()[0], pass.T = run.size()[1];
  pass.weights = {d, &model, run.input("weights", model.values),
                  run.input("turned weights", turned_weights(model))};
  pass.tokens = run.input("tokens", tokens);
  const std::size_t numbers = tokens.size() * d.channels;
  const auto room = [&](const char* name, std::size_t count) {
    return run.input(name, std::vector<float>(count));
  };
  pass.buffers = {room("x", numbers), room("a", numbers), room("b", 4 * numbers),
                  room("y", numbers), nullptr};
  return pass;
}

void whole_pass_rungs(lesson::Trial& run,
                      const std::function<Operations(Rung, std::string&)>& make) {
  const auto whole = [&](Rung rung) {
    std::string absent;
    const Operations operations = make(rung, absent);
    if (rung == Rung::cublas) {
      lesson::LibraryCall call{{}, absent};
      if (absent.empty()) call.launch = [operations] { start(operations); };
      run.yardstick(name_of(rung), call);
    } else {
      run.work(name_of(rung), [operations] { start(operations); });
    }
    return operations;
  };
  for (const Rung rung : {Rung::first, Rung::cublas, Rung::by_shape, Rung::fused}) whole(rung);
  Operations best = whole(Rung::attention);
  if (attention::compute_capability_major() >= 8)
    best = whole(Rung::turned);
  else
    run.skip(name_of(Rung::turned), "asynchronous copies begin with sm_80");
  const auto graph = std::make_shared<Recorded>([&](cudaStream_t stream) { start(best, stream); });
  run.work("one graph", [graph] { graph->launch(); });
}

}  // namespace gpt

void forward_ladder(lesson::Run& run) {
  run.ladder({.name = "forward",
              .title = "GPT-2 from tokens to logits, fp32, B x T",
              .full = {4, 1024},
              .small = {2, 33},
              .awkward = {{1, 1}, {3, 2}, {1, 31}, {1, 65}},
              .needs =
                  [](const lesson::Size& size) {
                    return gpt::pass_needs(gpt::dimensions_for(size[1]), size[0], size[1]);
                  },
              .limit = "cuBLAS and a bias kernel"},
             gpt::forward_rungs);
}
