/// \file
/// Decode: one new query per sequence against a cache of its keys and values.
///
/// The question: the cache is read once, and nothing else is large. Which rate does it arrive at
/// when there are 12 heads and 132 SMs?
///
///     build/ch07_attention --only decode
///     build/ch07_attention --only decode --size 3x197x128      # B x Tmax x C
///
/// The rungs of `decode` and `decode_one`, as the tables list them:
///
///      1  a block per head             decode_parts, decode_combine
///      2  a head over many blocks      the same kernels
///      3  the last block combines      decode_parts_and_combine<false>
///      4  the next keys in flight      decode_parts_and_combine<true>
///      5  two blocks for each SM       the same, and a block that is alone needs no parts
///      6  keys by bulk copies          decode_bulk.cu
///      7  keys evicted first           the same, with a hint to the L2 cache

#include "attention_problem.h"
#include "base/algorithm.h"
#include "decode.h"
#include "decode_part.h"
#include "lesson/device/launch.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

/// The keys and values of a head, as one lane sees them.
struct Rows {
  const uint4 *keys, *values;
  int end;  ///< of the block's piece

  __device__ Rows(const Cache& cache, int n, int end)
      : keys(chunks_of(cache.keys, cache, n)),
        values(chunks_of(cache.values, cache, n)),
        end(end) {}

  /// The key of request i of a batch that begins at `key`, for this lane.
  __device__ static int at(int key, int i) {
    return key + i * warps * keys_of_warp + threadIdx.x % 32 / lanes_of_key;
  }
  /// Zeros past the end.
  __device__ Batch load(int key) const {
    Batch batch;
#pragma unroll
    for (int i = 0; i < ahead; ++i) {
      const bool inside = at(key, i) < end;
      batch.k[i] = inside ? keys[at(key, i) * lanes_of_key] : uint4{};
      batch.v[i] = inside ? values[at(key, i) * lanes_of_key] : uint4{};
    }
    return batch;
  }

 private:
  __device__ static const uint4* chunks_of(const bf16* rows, const Cache& cache, int n) {
    return reinterpret_cast<const uint4*>(rows) +
           static_cast<std::size_t>(n) * cache.Tmax * lanes_of_key + threadIdx.x % lanes_of_key;
  }
};

/// What the keys of a block's piece give: in the first eight threads, eight columns each.
/// @tparam early the next batch is loaded before this one is used.
/// @param of_warp shared. @pre all 128 threads call it.
template <bool early>
__device__ Part part_of_piece(const Cache& cache, int n, int splits, float scale,
                              Part (&of_warp)[warps][lanes_of_key]) {
  constexpr int step = ahead * warps * keys_of_warp;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int column = lane % lanes_of_key;
  const int keys = cache.position[n / cache.H] + 1;
  const int piece = (keys + splits - 1) / splits;
  const int first = blockIdx.x * piece, end = min(keys, first + piece);
  const Rows rows(cache, n, end);
  const Eight q = widened(reinterpret_cast<const uint4*>(cache.q)[n * lanes_of_key + column]);
  Part own;
  Batch batch, next;
  if (early) next = rows.load(first + warp * keys_of_warp);
  for (int key = first + warp * keys_of_warp; key < end; key += step) {
    batch = early ? next : rows.load(key);
    if (early) next = rows.load(key + step);
    bool inside[ahead];
#pragma unroll
    for (int i = 0; i < ahead; ++i) inside[i] = Rows::at(key, i) < end;
    attend(own, q, batch, inside, scale);
  }
  return joined_in_block(own, scale, of_warp);
}

/// A block takes one of `splits` pieces of a head's cache: its largest score, its sum, its values.
/// A piece past the position is empty: minus infinity, 0, zeros.
/// @param[in] cache device. @param[out] parts (N, splits, 66) floats, device.
/// @pre blocks of 128 threads, grid (splits, N).
/// @cost reads 4 d bytes per key; 4 d flops.
/// @source Dao and others, "Flash-Decoding for long-context inference".
__global__ void __launch_bounds__(threads)
    decode_parts(Cache cache, float* parts, int splits, float scale) {
  __shared__ Part of_warp[warps][lanes_of_key];
  const Part own = part_of_piece<false>(cache, blockIdx.y, splits, scale, of_warp);
  leave_part(parts + (static_cast<std::size_t>(blockIdx.y) * splits + blockIdx.x) * part_floats,
             own);
}

/// The parts of a head as one result: a thread per column.
/// @param[in] parts (N, splits, 66) floats, device. @param[out] out (N, 64), device.
/// @pre blocks of 64 threads, grid N. @cost reads 264 bytes per part.
__global__ void __launch_bounds__(head_size)
    decode_combine(const float* parts, bf16* out, int splits, float scale) {
  const std::size_t n = blockIdx.x;
  out[n * head_size + threadIdx.x] =
      __float2bfloat16(combined(parts + n * splits * part_floats, splits, scale, threadIdx.x));
}

/// As both, in one launch: the block of a head that arrives last combines the parts.
/// @tparam early as of part_of_piece.
/// @param[in,out] arrived (N), zeros before and after, device.
/// \copydetails decode_parts
/// @source CUDA C++ Programming Guide, memory fence functions.
template <bool early>
__global__ void __launch_bounds__(threads)
    decode_parts_and_combine(Cache cache, float* parts, unsigned* arrived, bf16* out, int splits,
                             float scale) {
  __shared__ Part of_warp[warps][lanes_of_key];
  const Part own = part_of_piece<early>(cache, blockIdx.y, splits, scale, of_warp);
  store_or_combine(own, parts, arrived, out, splits, scale);
}

// ---- the problem ----

/// Small caches have sequences of different lengths, at the edges of every piece; large ones are
/// full, so that their bytes are known.
std::vector<int> positions(int B, int Tmax) {
  const int edges[] = {Tmax - 1, 0, 1, 62, 63, 64, Tmax / 2};
  std::vector<int> position;
  for (int b = 0; b < B; ++b) {
    position.push_back(Tmax < 1024 ? std::min(edges[b % 7], Tmax - 1) : Tmax - 1);
  }
  return position;
}

/// (B, H, Tmax, 64) of one third of a qkv (B, Tmax, 3C). @param part 1 keys, 2 values
std::vector<bf16> cache_of(const std::vector<float>& qkv, const Extents& e, int part) {
  std::vector<bf16> cache;
  cache.reserve(static_cast<std::size_t>(e.N()) * e.T * head_size);
  for (int n = 0; n < e.N(); ++n) {
    for (int t = 0; t < e.T; ++t) {
      const std::size_t row = (static_cast<std::size_t>(n / e.H) * e.T + t) * e.pitch() +
                              part * e.C() + n % e.H * head_size;
      for (int i = 0; i < head_size; ++i) cache.push_back(__float2bfloat16(qkv[row + i]));
    }
  }
  return cache;
}

/// One query per head in double.
std::vector<double> decode_reference(const std::vector<float>& qkv, const Extents& e,
                                     const std::vector<int>& position, float scale) {
  std::vector<double> out(static_cast<std::size_t>(e.N()) * head_size);
  for (int n = 0; n < e.N(); ++n) {
    const int b = n / e.H;
    const float* row = &qkv[static_cast<std::size_t>(b) * e.T * e.pitch() + n % e.H * head_size];
    const float* q = row + static_cast<std::size_t>(position[b]) * e.pitch();
    std::vector<double> score(position[b] + 1);
    for (int t = 0; t <= position[b]; ++t) {
      const float* k = row + static_cast<std::size_t>(t) * e.pitch() + e.C();
      for (int i = 0; i < head_size; ++i) score[t] += static_cast<double>(q[i]) * k[i];
    }
    const double largest = *std::max_element(score.begin(), score.end());
    double l = 0;
    double* o = &out[static_cast<std::size_t>(n) * head_size];
    for (int t = 0; t <= position[b]; ++t) {
      const double p = std::exp2((score[t] - largest) * scale);
      const float* v = row + static_cast<std::size_t>(t) * e.pitch() + 2 * e.C();
      l += p;
      for (int i = 0; i < head_size; ++i) o[i] += p * v[i];
    }
    for (int i = 0; i < head_size; ++i) o[i] /= l;
  }
  return out;
}

void decode_rungs(lesson::Trial& run) {
  const Extents e = extents_of(run.size());
  const float scale = scale_log2(Numbers::exact);
  const std::vector<float> qkv = attention_input(e, Numbers::exact);
  const std::vector<int> position = positions(e.B, e.T);
  std::vector<bf16> q;
  for (int n = 0; n < e.N(); ++n) {
    const std::size_t token = static_cast<std::size_t>(n / e.H) * e.T + position[n / e.H];
    for (int i = 0; i < head_size; ++i) {
      q.push_back(__float2bfloat16(qkv[token * e.pitch() + n % e.H * head_size + i]));
    }
  }
  const Cache cache = {run.input("q", q),
                       run.input("keys", cache_of(qkv, e, 1)),
                       run.input("values", cache_of(qkv, e, 2)),
                       run.input("position", position),
                       e.H,
                       e.T};
  bf16* out = run.output<bf16>("out", decode_reference(qkv, e, position, scale),
                               {.relative = 0x1p-8}, head_size);
  const auto rung = [&](const char* name, int splits) {
    float* parts = run.input(
        "parts", std::vector<float>(static_cast<std::size_t>(e.N()) * splits * part_floats));
    run.work(name, [=] { start_decode(cache, parts, out, e.N(), splits, scale); });
  };
  rung("a block per head", 1);
  const int splits = splits_of(e);
  rung("a head over many blocks", splits);
  float* parts = run.input(
      "parts", std::vector<float>(static_cast<std::size_t>(e.N()) * splits * part_floats));
  unsigned* arrived = run.input("arrived", std::vector<unsigned>(e.N()));
  const auto one_launch = [&](const char* name, auto* kernel, int pieces) {
    run.variant(name, kernel, {.grid = dim3(pieces, e.N()), .block = threads}, cache, parts,
                arrived, out, pieces, scale);
  };
  one_launch("the last block combines", decode_parts_and_combine<false>, splits);
  one_launch("the next keys in flight", decode_parts_and_combine<true>, splits);
  one_launch("two blocks for each SM", decode_parts_and_combine<true>, splits_of(e, 2));
  decode_bulk_rungs(run, cache, parts, arrived, out, e, scale);
}

lesson::Ladder ladder(const char* name, const char* title, int B) {
  return {.name = name,
          .title = title,
          .full = {B, 1024, 768},
          .small = {2, 256, 128},
          .awkward = {{1, 1, 64}, {7, 65, 64}, {7, 197, 128}, {3, 257, 64}},
          .needs = [](const lesson::Size& size) {
            const double numbers = static_cast<double>(size.elements());
            return lesson::Needs{.bytes = 4 * numbers, .flops = 4 * numbers};
          }};
}

}  // namespace

int splits_of(const Extents& e, int blocks_of_sm) {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return std::clamp(ceil_div(blocks_of_sm * sms, e.N()), 1, std::max(1, e.T / 64));
}

void start_decode(const Cache& cache, float* parts, bf16* out, int N, int splits, float scale) {
  decode_parts<<<dim3(splits, N), threads>>>(cache, parts, splits, scale);
  decode_combine<<<N, head_size>>>(parts, out, splits, scale);
  lesson::check(cudaGetLastError());
}

void start_decode_in_one(const Cache& cache, float* parts, unsigned* arrived, bf16* out, int N,
                         int splits, float scale, cudaStream_t stream) {
  decode_parts_and_combine<true>
      <<<dim3(splits, N), threads, 0, stream>>>(cache, parts, arrived, out, splits, scale);
  lesson::check(cudaGetLastError());
}

}  // namespace attention

void decode_ladder(lesson::Run& run) {
  using namespace attention;
  run.ladder(ladder("decode", "one query per head against a cache, B x Tmax x C, bf16", 32),
             decode_rungs);
  lesson::Ladder one = ladder("decode_one", "the same for one sequence", 1);
  one.awkward = {};
  run.ladder(one, decode_rungs);
}
