/// \file
/// All-reduce by copies and a kernel that adds: over the host, over device 0, around a ring.
#include <string>
#include <vector>

#include "all_reduce.h"
#include "base/algorithm.h"
#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1056;  // eight blocks for each of 132 SMs; the loop does the rest

/// x[i] += y[i]. @param[in,out] x count elements, device. @param[in] y count elements, device.
/// @pre one dimension. @cost 3 count elements.
template <class T>
__global__ void add_to(T* x, const T* y, long long count) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    x[i] += y[i];
  }
}

/// Launches add_to on the current device; nothing for an empty chunk.
template <class T>
void add(T* x, const T* y, long long count, cudaStream_t stream) {
  if (count == 0) return;
  const long long blocks = (count + threads - 1) / threads;
  add_to<<<static_cast<int>(std::min<long long>(blocks, most_blocks)), threads, 0, stream>>>(x, y,
                                                                                             count);
  lesson::check(cudaGetLastError());
}

/// `count` elements from one device to another, in a stream of the receiver.
template <class T>
void copy(T* to, int receiver, const T* from, int sender, long long count, cudaStream_t stream) {
  if (count == 0) return;
  lesson::check(cudaMemcpyPeerAsync(to, receiver, from, sender, count * sizeof(T), stream));
}

/// Elements [first, first + count) of all arrays, around a ring in the streams `which`.
template <class T>
struct Ring {
  const AllReduce<T>& a;
  long long first;
  long long count;
  int which;

  T* chunk(const Shared<T>* arrays, int device, int c) const {
    return arrays[device].get() + first + chunk_begin(c, a.n(), count);
  }
  long long length(int c) const {
    return chunk_begin(c + 1, a.n(), count) - chunk_begin(c, a.n(), count);
  }

  //! [step]
  /// In step s device d - 1 sends chunk c = (d - 1 - s) mod n to device d, which adds it.
  void reduce_scatter(int s) const {
    begin_step();
    a.devices->each([&](int d) {
      const int sender = (d + a.n() - 1) % a.n();
      const int c = (sender + a.n() - s) % a.n();
      const cudaStream_t stream = a.devices->stream(d, which);
      copy(chunk(a.arrived, d, c), d, chunk(a.x, sender, c), sender, length(c), stream);
      add(chunk(a.x, d, c), chunk(a.arrived, d, c), length(c), stream);
      a.devices->record(d, which);
    });
  }
  //! [step]

  /// In step s device d - 1 sends chunk c = (d - s) mod n, which has the sums already.
  void all_gather(int s) const {
    begin_step();
    a.devices->each([&](int d) {
      const int sender = (d + a.n() - 1) % a.n();
      const int c = (d + a.n() - s) % a.n();
      copy(chunk(a.x, d, c), d, chunk(a.x, sender, c), sender, length(c),
           a.devices->stream(d, which));
      a.devices->record(d, which);
    });
  }

 private:
  /// Each device waits for its sender's step before. All waits are issued before the first new
  /// record: a wait uses the latest one.
  void begin_step() const {
    for (int d = 0; d < a.n(); ++d) a.devices->wait(d, which, (d + a.n() - 1) % a.n(), which);
  }
};

/// All rings step by step, so that the copies of one run beside the additions of the others.
template <class T>
void run(const std::vector<Ring<T>>& all, const AllReduce<T>& a) {
  for (const Ring<T>& one : all) {
    for (int d = 0; d < a.n(); ++d) a.devices->record(d, one.which);
  }
  for (int s = 0; s < a.n() - 1; ++s) {
    for (const Ring<T>& one : all) one.reduce_scatter(s);
  }
  for (int s = 0; s < a.n() - 1; ++s) {
    for (const Ring<T>& one : all) one.all_gather(s);
  }
}

}  // namespace

template <class T>
AllReduce<T>::AllReduce(const Devices& all, int elements) : devices(&all), count(elements) {
  const std::size_t bytes = std::size_t{sizeof(T)} * static_cast<std::size_t>(elements);
  const auto on_device = [&](int d, const char* name) {
    auto array = std::static_pointer_cast<T>(device_memory(d, bytes));
    lesson::name_array(array.get(), std::string(name) + " of device " + std::to_string(d));
    return array;
  };
  for (int d = 0; d < n(); ++d) {
    x[d] = on_device(d, "x");
    sums[d] = on_device(d, "sums");
    arrived[d] = on_device(d, "arrived");
    initial[d] = on_device(d, "initial");
    host[d] = std::static_pointer_cast<T>(pinned_memory(bytes));
  }
}

template <class T>
void over_the_host(const AllReduce<T>& a) {
  const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(a.count);
  a.devices->each([&](int d) {
    lesson::check(cudaMemcpyAsync(a.host[d].get(), a.x[d].get(), bytes, cudaMemcpyDeviceToHost,
                                  a.devices->stream(d)));
  });
  for (int d = 0; d < a.n(); ++d) lesson::check(cudaStreamSynchronize(a.devices->stream(d)));
  T* sums = a.host[0].get();
  for (int d = 1; d < a.n(); ++d) {
    const T* more = a.host[d].get();
    for (int i = 0; i < a.count; ++i) {
      sums[i] = static_cast<T>(static_cast<float>(sums[i]) + static_cast<float>(more[i]));
    }
  }
  a.devices->each([&](int d) {
    lesson::check(
        cudaMemcpyAsync(a.x[d].get(), sums, bytes, cudaMemcpyHostToDevice, a.devices->stream(d)));
  });
}

template <class T>
void over_device_0(const AllReduce<T>& a) {
  const cudaStream_t stream = a.devices->stream(0);
  for (int d = 1; d < a.n(); ++d) {
    copy(a.arrived[0].get(), 0, a.x[d].get(), d, a.count, stream);
    add(a.x[0].get(), a.arrived[0].get(), a.count, stream);
  }
  a.devices->record(0);
  for (int d = 1; d < a.n(); ++d) {
    a.devices->wait(d, 0, 0, 0);
    copy(a.x[d].get(), d, a.x[0].get(), 0, a.count, a.devices->stream(d));
  }
}

template <class T>
void ring_of(const AllReduce<T>& a, long long first, long long count, int which) {
  run<T>({{a, first, count, which}}, a);
}

template <class T>
void ring(const AllReduce<T>& a) {
  ring_of(a, 0, a.count, 0);
}

template <class T>
void two_rings(const AllReduce<T>& a) {
  const long long half = a.count / 2;
  run<T>({{a, 0, half, 0}, {a, half, a.count - half, 1}}, a);
}

#define WARPWISE_FOR(T)                                                  \
  template struct AllReduce<T>;                                          \
  template void over_the_host(const AllReduce<T>&);                      \
  template void over_device_0(const AllReduce<T>&);                      \
  template void ring(const AllReduce<T>&);                               \
  template void ring_of(const AllReduce<T>&, long long, long long, int); \
  template void two_rings(const AllReduce<T>&);
WARPWISE_FOR(float)
WARPWISE_FOR(__nv_bfloat16)
#undef WARPWISE_FOR
