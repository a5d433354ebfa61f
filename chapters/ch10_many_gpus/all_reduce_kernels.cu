/// \file
/// All-reduce by kernels that read and write the memory of other devices: no copies at all.

#include "all_reduce.h"
#include "base/algorithm.h"
#include "lesson/device/error.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1056;  // eight blocks for each of 132 SMs; the loop does the rest

/// An array of each device, as a kernel's argument.
template <class T>
struct OfAll {
  T* of[Devices::most];
};

template <class T>
OfAll<T> pointers(const Shared<T>* arrays, int n) {
  OfAll<T> all{};
  for (int d = 0; d < n; ++d) all.of[d] = arrays[d].get();
  return all;
}

/// The sum over all devices at one place; in the order of devices, so that every device gets the
/// same bits.
template <class T>
__device__ T sum_of_all(const OfAll<T>& x, int n, long long i) {
  float sum = 0;
  for (int d = 0; d < n; ++d) sum += static_cast<float>(x.of[d][i]);
  return static_cast<T>(sum);
}

//! [read]
/// sums[i] = the sum of x.of[d][i] over all devices. @param[in] x count elements on each of n
/// devices, which this device has access to. @param[out] sums count elements of this device, none
/// of x. @pre one dimension. @cost (n - 1) count elements over the link.
template <class T>
__global__ void all_reduce_5_read(OfAll<T> x, int n, T* sums, long long count) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    sums[i] = sum_of_all(x, n, i);
  }
}
//! [read]

//! [chunk]
/// x.of[d][i] = the sum over all devices, for each d and each i of [first, end). @param[in,out] x
/// arrays of n devices, which this device has access to; no other device touches [first, end)
/// meanwhile. @pre one dimension. @cost 2 (n - 1) (end - first) elements over the link.
template <class T>
__global__ void all_reduce_6_chunk(OfAll<T> x, int n, long long first, long long end) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = first + static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < end;
       i += step) {
    const T sum = sum_of_all(x, n, i);
    for (int d = 0; d < n; ++d) x.of[d][i] = sum;
  }
}
//! [chunk]

int blocks_for(long long count) {
  return static_cast<int>(std::min<long long>((count + threads - 1) / threads, most_blocks));
}

}  // namespace

template <class T>
void read_all_peers(const AllReduce<T>& a) {
  const OfAll<T> x = pointers(a.x, a.n());
  a.devices->each([&](int d) {
    all_reduce_5_read<<<blocks_for(a.count), threads, 0, a.devices->stream(d)>>>(
        x, a.n(), a.sums[d].get(), a.count);
    lesson::check(cudaGetLastError());
  });
}

template <class T>
void chunk_to_all_peers(const AllReduce<T>& a) {
  const OfAll<T> x = pointers(a.x, a.n());
  a.devices->each([&](int d) {
    const long long first = chunk_begin(d, a.n(), a.count);
    const long long end = chunk_begin(d + 1, a.n(), a.count);
    if (first == end) return;
    all_reduce_6_chunk<<<blocks_for(end - first), threads, 0, a.devices->stream(d)>>>(x, a.n(),
                                                                                      first, end);
    lesson::check(cudaGetLastError());
  });
}

#define WARPWISE_FOR(T)                              \
  template void read_all_peers(const AllReduce<T>&); \
  template void chunk_to_all_peers(const AllReduce<T>&);
WARPWISE_FOR(float)
WARPWISE_FOR(__nv_bfloat16)
#undef WARPWISE_FOR
