/// \file
/// Products of the bf16 pass by chapter 6's pipeline of mma.sync, with what follows them in their
/// epilogue.
#include "gpt.h"
#include "half_linear.h"
#include "tensor_linear.h"

namespace lesson = warpwise::lesson;

namespace tensor {

// How the products are cut: wide ones, and those of few columns.
using WidePipeline = Tiling<128, 128, 32, 2, 64, 64, 2>;
using NarrowPipeline = Tiling<64, 64, 64, 2, 32, 32, 2>;

}  // namespace tensor

namespace gpt {
namespace {

using WideCut = tensor::WidePipeline;
using NarrowCut = tensor::NarrowPipeline;

constexpr int narrow = 1024;

template <class T, class Out, class Act>
void start_as(const HalfLinear& l, cudaStream_t stream) {
  const lesson::Shape shape{.grid = ceil_div(l.M, T::block_m) * ceil_div(l.N, T::block_n),
                            .block = T::threads,
                            .shared_bytes = T::shared_bytes,
                            .stream = stream};
  lesson::bind_launch(reinterpret_cast<const void*>(linear_pipelined<T, Out, Act>), shape,
                      std::tuple(l.x, l.w, l.bias, static_cast<Out*>(l.y), l.M, l.N, l.K))();
}

using BySigmoid = attention::Sigmoid;
using ByErf = attention::Erf;

template <class T>
void start_cut(const HalfLinear& l, Leaves leaves, cudaStream_t stream) {
  switch (leaves) {
    case Leaves::halves:
      return start_as<T, bf16, AsIs>(l, stream);
    case Leaves::halves_after_tanh_gelu:
      return start_as<T, bf16, BySigmoid>(l, stream);
    case Leaves::halves_after_erf_gelu:
      return start_as<T, bf16, ByErf>(l, stream);
    case Leaves::floats:
      return start_as<T, float, AsIs>(l, stream);
  }
}

}  // namespace

void start_pipeline(const HalfLinear& l, Leaves leaves, cudaStream_t stream) {
  l.N <= narrow ? start_cut<NarrowCut>(l, leaves, stream) : start_cut<WideCut>(l, leaves, stream);
}

}  // namespace gpt
