/// \file
/// The five products of a GPT-2 layer, for 4096 tokens: which kernel for which shape?
///
/// The question: at K = 768 a tile is multiplied in twelve steps, and then stored. A third of the
/// time would be the store. Two of the five have so few columns that large tiles leave SMs without
/// work. Which cut is the right one where?
///
///     build/ch06_tensor_cores --only layer_qkv
///     build/ch06_tensor_cores --only ping-pong
#include <string>

#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

void rungs_of_layer(lesson::Trial& run) {
  if (!has_wgmma()) return run.skip("layer", needs_sm_90a);
  const Product p(run);
  layer_rungs(run, p);
  run.yardstick("cuBLAS bf16",
                lesson::cublas_product(lesson::CublasPrecision::bf16, p.M, p.N, p.depth, p.a_bf16,
                                       p.b_bf16, p.c, lesson::SecondMatrix::transposed));
}

struct Layer {
  const char *name, *what;
  int N, K;
  lesson::Size small;
};

}  // namespace
}  // namespace tensor

void layer_ladders(lesson::Run& run) {
  constexpr int tokens = 4096;
  const tensor::Layer layers[] = {
      {"layer_qkv", "queries, keys and values of attention", 2304, 768, {256, 384, 192}},
      {"layer_attproj", "attention's output", 768, 768, {128, 192, 192}},
      {"layer_fc", "the first half of the feed-forward layer", 3072, 768, {256, 256, 192}},
      {"layer_fcproj", "its second half", 768, 3072, {128, 192, 320}},
      {"layer_logits", "the logits of all words", 50304, 768, {128, 640, 192}},
  };
  for (const tensor::Layer& layer : layers) {
    run.ladder({.name = layer.name,
                .title = std::string("C = A * B^T, M x N x K: ") + layer.what,
                .full = {tokens, layer.N, layer.K},
                .small = layer.small,
                .awkward = {{130, 68, 100}},
                .needs = [](const lesson::Size& size) { return tensor::product_needs(size, 2); },
                .limit = "cuBLAS bf16"},
               tensor::rungs_of_layer);
  }
}
