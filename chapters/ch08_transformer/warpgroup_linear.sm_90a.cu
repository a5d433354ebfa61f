/// \file
/// Products of the bf16 pass by warpgroups, with what follows them in their epilogue. Code for
/// sm_90a, which runs on no other GPU.

#include "../ch06_tensor_cores/persistent_product.h"
#include "base/algorithm.h"
#include "gpt.h"
#include "half_linear.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

using tensor::Cut;
using tensor::TileSums;
using tensor::Work;

/// Chapter 6's cuts, chosen as there: many tiles; few tiles of few steps; few tiles of many.
using Many = Cut<128, 128, 6, 8, Work::in_turns>;
using Low = Cut<64, 192, 6, 8, Work::in_turns>;
using Deep = Cut<128, 192, 5, 4, Work::together, 1>;

/// Adds the bias to the sums in registers and applies an activation; they leave by boxes as numbers
/// of type Out.
/// @tparam Act its of(x) is the activation.
template <class T, class Out, class Act>
struct FinishBoxes {
  const CUtensorMap& map_y;
  const float* bias;  ///< N, or null
  int N;

  /// @param[in,out] sums of the warpgroup, whose products have ended.
  __device__ void operator()(TileSums<T>& sums, unsigned char* boxes, int row, int column) const {
    if (bias != nullptr) add_bias(sums, column);
    if constexpr (sizeof(Out) == 4)
      sums.store(boxes, map_y, row, column);
    else
      store_halves(sums, boxes, row, column);
  }

 private:
  //! [add_bias]
  __device__ void add_bias(TileSums<T>& sums, int column) const {
    const int first = column + threadIdx.x % 4 * 2;
#pragma unroll
    for (int group = 0; group < T::block_n / 8; ++group) {
      // Columns past the end are not stored: any number will do for them.
      const int at = min(first + group * 8, N - 2);
      const float2 two = *reinterpret_cast<const float2*>(bias + at);
#pragma unroll
      for (int i = 0; i < T::parts; ++i) {
        float* value = &sums.part[i].value[group * 4];
        value[0] += two.x, value[1] += two.y, value[2] += two.x, value[3] += two.y;
      }
    }
  }
  //! [add_bias]

  static __device__ unsigned pair(float first, float second) {
    const __nv_bfloat162 two = __floats2bfloat162_rn(Act::of(first), Act::of(second));
    return *reinterpret_cast<const unsigned*>(&two);
  }

  /// As TileSums::store, but a box is 16 rows of 64 numbers: eight lanes of a column of the
  /// fragment write eight different chunks, so that no two meet in a bank.
  __device__ void store_halves(const TileSums<T>& sums, unsigned char* boxes, int row,
                               int column) const {
    const int lane = threadIdx.x % 32, warp = threadIdx.x % tensor::warpgroup_threads / 32;
    const int down = lane / 4;
#pragma unroll
    for (int i = 0; i < T::parts; ++i) {
#pragma unroll
      for (int q = 0; q < T::block_n / 64; ++q) {
        unsigned char* box = boxes + q % T::boxes * T::box_bytes;
        if (lane == 0) tensor::wait_for_stores<T::boxes - 1>();
        // The copy engine has read what the box held.
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          const float* v = &sums.part[i].value[(q * 8 + j) * 4];
          unsigned char* to = box + down * 128 + (j ^ down) * 16 + lane % 4 * 4;
          *reinterpret_cast<unsigned*>(to) = pair(v[0], v[1]);
          *reinterpret_cast<unsigned*>(to + 8 * 128) = pair(v[2], v[3]);
        }
        tensor::show_to_tensor_core();  // and to the copy engine
        // All lanes have written their part.
        __syncwarp();
        if (lane == 0) {
          tensor::start_store(map_y, column + q * 64, row + i * tensor::wgmma_m + warp * 16,
                              tensor::shared_address(box));
        }
      }
    }
  }
};

/// y = x * W^T + bias, then an activation. @param map_x, map_w of (M, K) and (N, K) in boxes of
/// block_m and block_n rows. @param map_y of (M, N) in boxes of 16 rows. @param[in] bias N, or
/// null.
/// @pre as tensor::product_by_boxes. @cost as there. @source chapter 6, chosen by shape.
template <class T, class Out, class Act>
__global__ void __launch_bounds__(T::threads, 1)
    linear_by_boxes(const __grid_constant__ CUtensorMap map_x,
                    const __grid_constant__ CUtensorMap map_w,
                    const __grid_constant__ CUtensorMap map_y, const float* bias, int M, int N,
                    int K) {
  tensor::product_of_block<T>(map_x, map_w, map_y, M, N, K,
                              FinishBoxes<T, Out, Act>{map_y, bias, N});
}

int sms_of_device() {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return sms;
}

template <class T>
int tiles_of(const HalfLinear& l) {
  return ceil_div(l.M, T::block_m) * ceil_div(l.N, T::block_n);
}

CUtensorMap map_of_y(bf16* y, const HalfLinear& l) { return tensor::tensor_map(y, l.M, l.N, 16); }
CUtensorMap map_of_y(float* y, const HalfLinear& l) { return tensor::tensor_map_of_c(y, l.M, l.N); }

template <class T, class Out, class Act>
void launch(const HalfLinear& l, cudaStream_t stream) {
  const auto* kernel = reinterpret_cast<const void*>(linear_by_boxes<T, Out, Act>);
  const int tiles = tiles_of<T>(l);
  // A block per SM. Where there are few tiles a block takes two, so that a small problem shows
  // what a large one does.
  const int blocks = tiles > 8 ? std::min(tiles, sms_of_device()) : (tiles + 1) / 2;
  const lesson::Shape shape{.grid = static_cast<unsigned>(blocks),
                            .block = T::threads,
                            .shared_bytes = T::shared_bytes,
                            .stream = stream};
  lesson::bind_launch(kernel, shape,
                      std::tuple(tensor::tensor_map(l.x, l.M, l.K, T::block_m),
                                 tensor::tensor_map(l.w, l.N, l.K, T::block_n),
                                 map_of_y(static_cast<Out*>(l.y), l), l.bias, l.M, l.N, l.K))();
}

template <class T>
void start_cut(const HalfLinear& l, Leaves leaves, cudaStream_t stream) {
  with_leaves(leaves,
              [&](auto out, auto act) { launch<T, decltype(out), decltype(act)>(l, stream); });
}

}  // namespace

void start_warpgroups(const HalfLinear& l, Leaves leaves, cudaStream_t stream) {
  constexpr int many_waves = 5, many_steps = 32;
  const int sms = sms_of_device();
  if (tiles_of<Many>(l) >= many_waves * sms) return start_cut<Many>(l, leaves, stream);
  // Low tiles are twice as many, which counts where there are fewer than SMs.
  const bool deep = ceil_div(l.K, Deep::block_k) >= many_steps && 2 * tiles_of<Deep>(l) > sms;
  if (deep && leaves == Leaves::floats) return launch<Deep, float, AsIs>(l, stream);
  start_cut<Low>(l, leaves, stream);
}

}  // namespace gpt
