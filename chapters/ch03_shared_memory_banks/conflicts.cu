/// \file
/// Bank conflicts, counted: how many wavefronts one request of a warp takes.
///
/// The question: shared memory has 32 banks of 4 bytes. Lane i reads word i * stride. For which
/// strides is one wavefront enough, and what changes when the words have 8 or 16 bytes?
///
///     build/ch03_shared_memory_banks --only conflicts
///     build/ch03_shared_memory_banks --only arrangements
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int warp_size = 32;
constexpr int block_threads = 256;
constexpr int rounds = 32;
constexpr int widest_stride = 33;
/// Words that the widest stride reaches in all rounds.
constexpr int words = (warp_size - 1) * widest_stride + rounds;

__device__ float total(float word) { return word; }
__device__ float total(float2 word) { return word.x + word.y; }
__device__ float total(float4 word) { return (word.x + word.y) + (word.z + word.w); }

/// Copies x into the block's shared memory. @pre all threads of the block call it.
template <class Word>
__device__ void fill(Word (&tile)[words], const float* x) {
  for (int t = threadIdx.x; t < words; t += block_threads) {
    tile[t] = reinterpret_cast<const Word*>(x)[t];
  }
  // The tile is complete before anybody reads it.
  __syncthreads();
}

// ---- the sweep ----

/// Lane i of each warp reads word i * stride, then the one after it, and so on: every round moves
/// all lanes by the same distance, so that all rounds conflict alike.
/// @tparam Word float, float2 or float4.
/// @param[in] x as many words as the tile, device. @param[out] y n floats, device: a thread's sum.
/// @pre blocks of 256 threads; a thread for each element of y; stride <= 33.
/// @cost 32 requests of shared memory a warp.
template <class Word>
__global__ void strided_reads(const float* x, float* y, int n, int stride) {
  __shared__ Word tile[words];
  fill(tile, x);
  const int i = blockIdx.x * block_threads + threadIdx.x;
  const int first = threadIdx.x % warp_size * stride;
  float sum = 0;
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) sum += total(tile[first + round]);
  if (i < n) y[i] = sum;
}

template <class Word>
void stride_point(lesson::Trial& run, const char* series) {
  constexpr int floats = sizeof(Word) / sizeof(float);
  const int n = run.size()[0];
  const std::vector<float> host = lesson::whole_numbers(words * floats, 8);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    const int first = i % warp_size * run.value() * floats;
    for (int k = 0; k < rounds * floats; ++k) expected[i] += host[first + k];
  }
  const float* x = run.input("x", host);
  float* y = run.output("y", std::move(expected), {});
  run.variant(series, strided_reads<Word>,
              {.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, x, y, n,
              run.value());
}

// ---- arrangements: broadcast, and what the compiler merges ----

/// Which word of the tile a lane reads in the first round.
struct OneEach {
  static __host__ __device__ int word(int lane) { return lane; }
};
struct OneForAll {
  static __host__ __device__ int word(int) { return 0; }
};
struct OneForEachHalf {
  static __host__ __device__ int word(int lane) { return lane / 16 * 7; }
};
struct PairsShare {
  static __host__ __device__ int word(int lane) { return lane / 2; }
};
struct TwoWordsOfOneBank {
  static __host__ __device__ int word(int lane) { return lane % 2 * 32; }
};
struct OneBank {
  static __host__ __device__ int word(int lane) { return lane * 32; }
};

/// In each round all lanes move on by `step` words. That it is 1 the compiler does not know: it
/// would merge neighbouring rounds into wider loads.
/// @param[in] x the tile, device. @param[out] y n floats, device: a thread's sum.
/// @pre blocks of 256 threads; a thread for each element of y; step is 1.
/// @cost 32 requests of shared memory a warp.
template <class Arrangement>
__global__ void arranged_reads(const float* x, float* y, int n, int step) {
  __shared__ float tile[words];
  fill(tile, x);
  const int i = blockIdx.x * block_threads + threadIdx.x;
  const int lane = threadIdx.x % warp_size;
  float sum = 0;
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    sum += tile[Arrangement::word(lane) + round * step];
  }
  if (i < n) y[i] = sum;
}

/// Four neighbouring floats of each lane, written as four loads. PTX has four, 16 bytes apart from
/// lane to lane; ptxas sees that they are on a 16-byte boundary and makes one load of them.
/// @param[in] x the tile, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each element of y.
/// @cost 8 requests of shared memory a warp in the machine code, 32 in PTX.
__global__ void neighbours_by_field(const float* x, float* y, int n) {
  __shared__ alignas(16) float tile[words];
  fill(tile, x);
  const int i = blockIdx.x * block_threads + threadIdx.x;
  const int lane = threadIdx.x % warp_size;
  float sum = 0;
#pragma unroll
  for (int round = 0; round < rounds / 4; ++round) {
    const int first = 4 * (lane + round);
    sum += (tile[first] + tile[first + 1]) + (tile[first + 2] + tile[first + 3]);
  }
  if (i < n) y[i] = sum;
}

/// The problem of an arrangement: the output and what it should be.
/// @param word (lane, round).
struct Arranged {
  template <class Word>
  Arranged(lesson::Trial& run, Word&& word) : n(run.size()[0]) {
    const std::vector<float> host = lesson::whole_numbers(words, 8);
    std::vector<double> expected(n);
    for (int i = 0; i < n; ++i) {
      for (int round = 0; round < rounds; ++round) expected[i] += host[word(i % warp_size, round)];
    }
    x = run.input("x", host);
    y = run.output("y", std::move(expected), {});
    shape = {.grid = lesson::ceil_div(n, block_threads), .block = block_threads};
  }

  int n;
  const float* x = nullptr;
  float* y = nullptr;
  lesson::Shape shape;
};

void arrangement_rungs(lesson::Trial& run) {
  const auto rung = [&](const char* name, auto arrangement) {
    using Arrangement = decltype(arrangement);
    const Arranged problem(run,
                           [](int lane, int round) { return Arrangement::word(lane) + round; });
    run.variant(name, arranged_reads<Arrangement>, problem.shape, problem.x, problem.y, problem.n,
                1);
  };
  rung("a word each", OneEach());
  rung("one word for all", OneForAll());
  rung("one for each half", OneForEachHalf());
  rung("pairs share a word", PairsShare());
  rung("two words of one bank", TwoWordsOfOneBank());
  rung("32 words of one bank", OneBank());
  const Arranged fields(run,
                        [](int lane, int round) { return 4 * (lane + round / 4) + round % 4; });
  run.variant("four fields, merged", neighbours_by_field, fields.shape, fields.x, fields.y,
              fields.n);
}

/// Little moves in device memory, and it does not matter here.
lesson::Needs nothing(const lesson::Size&) { return {}; }

}  // namespace

void conflict_sweep(lesson::Run& run) {
  using lesson::Shown;
  run.sweep({.parameter = "stride, words",
             .values = lesson::from_to(1, widest_stride),
             .shows = {Shown::shared_load_wavefronts, Shown::time_us}},
            {.name = "conflicts",
             .title = "lane i of a warp reads word i * stride of shared memory",
             .full = {1 << 22},
             .small = {1 << 10},
             .awkward = {{1}, {300}},
             .needs = nothing},
            [](lesson::Trial& trial) {
              stride_point<float>(trial, "4 bytes");
              stride_point<float2>(trial, "8 bytes");
              stride_point<float4>(trial, "16 bytes");
            });
  run.ladder({.name = "arrangements",
              .title = "32 reads of shared memory by each lane",
              .full = {1 << 22},
              .small = {1 << 12},
              .awkward = {{1}, {300}},
              .needs = nothing},
             arrangement_rungs);
}
