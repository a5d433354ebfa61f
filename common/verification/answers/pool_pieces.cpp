// The memory that a pool holds of the device, from when to when; and whose memory is used again.
#include <initializer_list>

#include "answers.h"

using namespace answers;

namespace {

constexpr std::size_t MB = 1 << 20;

struct Pool {
  cudaMemPool_t pool = nullptr;
  cudaStream_t stream = nullptr, other = nullptr;

  explicit Pool(bool own = false) {
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    if (!own) {
      cudaDeviceGetDefaultMemPool(&pool, 0);
      return;
    }
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPoolCreate(&pool, &props);
  }
  void* take(std::size_t bytes, cudaStream_t where) const {
    void* fresh = nullptr;
    const cudaError_t error = cudaMallocFromPoolAsync(&fresh, bytes, pool, where);
    if (error != cudaSuccess) std::printf("  %s\n", cudaGetErrorName(error));
    cudaGetLastError();
    return fresh;
  }
  void* take(std::size_t bytes) const { return take(bytes, stream); }
  void give(void* pointer) const { cudaFreeAsync(pointer, stream); }
  void set(cudaMemPoolAttr attribute, unsigned long long value) const {
    cudaMemPoolSetAttribute(pool, attribute, &value);
  }
  unsigned long long get(cudaMemPoolAttr attribute) const {
    unsigned long long value = 0;
    cudaMemPoolGetAttribute(pool, attribute, &value);
    return value;
  }
  void tell(const char* when) const {
    std::printf("%s: used %llu, at most %llu; reserved %llu, at most %llu\n", when,
                get(cudaMemPoolAttrUsedMemCurrent), get(cudaMemPoolAttrUsedMemHigh),
                get(cudaMemPoolAttrReservedMemCurrent), get(cudaMemPoolAttrReservedMemHigh));
  }
};

/// Frees one of 5000 bytes, and says after each step what the pool holds.
void ways_to_wait(bool own) {
  const Pool pool(own);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  const auto once = [&](const char* how, const std::function<void()>& wait) {
    void* p = pool.take(5000);
    cudaDeviceSynchronize();
    pool.give(p);
    cudaEventRecord(event, pool.stream);
    wait();
    pool.tell(how);
    cudaDeviceSynchronize();
    pool.tell("  and the device waited for");
    cudaMemPoolTrimTo(pool.pool, 0);
    pool.tell("  and trimmed");
  };
  once("cudaStreamSynchronize", [&] { cudaStreamSynchronize(pool.stream); });
  once("cudaDeviceSynchronize", [&] { cudaDeviceSynchronize(); });
  once("cudaEventSynchronize", [&] { cudaEventSynchronize(event); });
  once("cudaStreamQuery", [&] {
    while (cudaStreamQuery(pool.stream) == cudaErrorNotReady) continue;
  });
  once("cudaEventQuery", [&] {
    while (cudaEventQuery(event) == cudaErrorNotReady) continue;
  });
  once("cudaStreamSynchronize of another", [&] {
    while (cudaEventQuery(event) == cudaErrorNotReady) continue;
    cudaStreamSynchronize(pool.other);
  });
  once("cudaMemcpy", [&] {
    int host = 0;
    cudaMemcpyFromSymbol(&host, counter, 4, 0, cudaMemcpyDeviceToHost);
  });
  once("cudaFree of null", [&] { cudaFree(nullptr); });
  once("cudaFree of another", [&] {
    void* other = nullptr;
    cudaMalloc(&other, 100);
    cudaFree(other);
  });
  once("cudaStreamDestroy of another", [&] {
    cudaStream_t fresh = nullptr;
    cudaStreamCreate(&fresh);
    cudaStreamSynchronize(fresh);
    cudaStreamDestroy(fresh);
  });
}

}  // namespace

SUBJECT(pool_pieces) {
  apart("sizes", [] {
    const Pool pool;
    pool.tell("at first");
    void* a = pool.take(1000);
    pool.tell("1000");
    void* b = pool.take(31 * MB);
    pool.tell("31 MB more");
    void* c = pool.take(2 * MB);
    pool.tell("2 MB more");
    void* d = pool.take(100 * MB);
    pool.tell("100 MB more");
    void* e = pool.take(32 * MB);
    pool.tell("32 MB more");
    void* f = pool.take(32 * MB + 1);
    pool.tell("32 MB and 1 more");
    pool.give(d);
    pool.tell("without the 100 MB");
    cudaStreamSynchronize(pool.stream);
    pool.tell("waited");
    pool.give(b);
    cudaStreamSynchronize(pool.stream);
    pool.tell("without the 31 MB");
    for (void* one : {a, c, e, f}) pool.give(one);
    pool.tell("all given back");
    cudaStreamSynchronize(pool.stream);
    pool.tell("waited");
    pool.set(cudaMemPoolAttrUsedMemHigh, 0);
    pool.set(cudaMemPoolAttrReservedMemHigh, 0);
    pool.tell("marks set to 0");
  });
  apart("one size alone", [] {
    const Pool pool;
    for (const std::size_t bytes :
         {std::size_t{1}, 2 * MB, 16 * MB, 32 * MB - 1, 32 * MB, 32 * MB + 1, 33 * MB, 40 * MB,
          63 * MB, 64 * MB, 65 * MB, 100 * MB, 1000 * MB}) {
      void* p = pool.take(bytes);
      std::printf("%zu bytes: reserved %llu", bytes, pool.get(cudaMemPoolAttrReservedMemCurrent));
      pool.give(p);
      cudaStreamSynchronize(pool.stream);
      std::printf(", then %llu\n", pool.get(cudaMemPoolAttrReservedMemCurrent));
    }
  });
  apart("a threshold", [] {
    const Pool pool;
    for (const std::size_t threshold : {1 * MB, 32 * MB, 40 * MB, 64 * MB, 100 * MB}) {
      pool.set(cudaMemPoolAttrReleaseThreshold, threshold);
      void* all[5];
      for (void*& one : all) one = pool.take(20 * MB);
      std::printf("threshold %zu\n", threshold);
      pool.tell("five of 20 MB");
      for (void* one : all) pool.give(one);
      pool.tell("given back");
      cudaStreamSynchronize(pool.stream);
      pool.tell("waited");
      cudaMemPoolTrimTo(pool.pool, 50 * MB);
      pool.tell("trimmed to 50 MB");
      cudaMemPoolTrimTo(pool.pool, 0);
      pool.tell("trimmed to 0");
    }
  });
  apart("trimmed early", [] {
    const Pool pool;
    void *a = pool.take(20 * MB), *b = pool.take(20 * MB);
    cudaDeviceSynchronize();
    pool.tell("two of 20 MB");
    cudaMemPoolTrimTo(pool.pool, 0);
    pool.tell("trimmed");
    cudaLaunchKernel(slow, 1, 1, nullptr, 0, pool.stream);
    pool.give(a);
    cudaMemPoolTrimTo(pool.pool, 0);
    pool.tell("one given back after a kernel, trimmed");
    cudaStreamSynchronize(pool.stream);
    pool.tell("waited");
    pool.give(b);
    cudaStreamSynchronize(pool.stream);
    pool.tell("the other also");
  });
  apart("the standard pool", [] { ways_to_wait(false); });
  apart("a pool of one's own", [] { ways_to_wait(true); });
  apart("cudaFree", [] {
    const Pool pool;
    void* p = pool.take(5000);
    cudaDeviceSynchronize();
    cudaFree(p);
    pool.tell("cudaFree");
    cudaStreamSynchronize(pool.stream);
    pool.tell("cudaStreamSynchronize");
    cudaStreamSynchronize(nullptr);
    pool.tell("of the standard stream");
    cudaDeviceSynchronize();
    pool.tell("cudaDeviceSynchronize");
    p = pool.take(700);
    pool.tell("another taken");
    cudaFree(p);
    void* q = pool.take(800);
    pool.tell("given back, another taken");
    SHOW(p == q);
    cudaMemPoolTrimTo(pool.pool, 0);
    pool.tell("trimmed");
  });
  apart("memory of the device", [] {
    const Pool pool;
    std::size_t before = 0, now = 0, total = 0;
    cudaMemGetInfo(&before, &total);
    const auto gone = [&] {
      cudaMemGetInfo(&now, &total);
      return static_cast<long long>(before - now);
    };
    void* p = pool.take(5000);
    SHOW(gone());
    pool.give(p);
    SHOW(gone());
    cudaStreamSynchronize(pool.stream);
    SHOW(gone());
    p = pool.take(100 * MB);
    SHOW(gone());
    pool.give(p);
    cudaStreamSynchronize(pool.stream);
    SHOW(gone());
  });
  apart("a largest size", [] {
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    for (const std::size_t most : {MB, 32 * MB, 40 * MB, 64 * MB}) {
      props.maxSize = most;
      Pool pool;
      ASK(cudaMemPoolCreate(&pool.pool, &props));
      std::printf("of %zu\n", most);
      pool.take(1000);
      pool.tell("1000");
      pool.take(20 * MB);
      pool.tell("20 MB");
      pool.take(20 * MB);
      pool.tell("20 MB");
      pool.take(20 * MB);
      pool.tell("20 MB");
    }
  });
}

SUBJECT(pool_reuse) {
  apart("in the same stream", [] {
    const Pool pool;
    void* a = pool.take(1000);
    pool.give(a);
    void* b = pool.take(1000);
    SHOW(a == b);
    pool.give(b);
    void* c = pool.take(500);
    SHOW(a == c);
    pool.give(c);
    void* d = pool.take(100000);
    SHOW(a == d);
    void* e = pool.take(1000);
    cudaLaunchKernel(slow, 1, 1, nullptr, 0, pool.stream);
    pool.give(e);
    SHOW(pool.take(1000) == e);
  });
  const auto between = [](const char* how, bool dependencies, bool opportunistic, bool events,
                          const std::function<void(const Pool&)>& between_them) {
    apart(how, [&] {
      const Pool pool;
      pool.set(cudaMemPoolReuseAllowInternalDependencies, dependencies);
      pool.set(cudaMemPoolReuseAllowOpportunistic, opportunistic);
      pool.set(cudaMemPoolReuseFollowEventDependencies, events);
      void* a = pool.take(1000);
      cudaDeviceSynchronize();
      cudaLaunchKernel(slow, 1, 1, nullptr, 0, pool.stream);
      pool.give(a);
      between_them(pool);
      SHOW(pool.take(1000, pool.other) == a);
      pool.tell("taken in another stream");
    });
  };
  const auto nothing_else = [](const Pool&) {};
  const auto event = [](const Pool& pool) {
    cudaEvent_t made = nullptr;
    cudaEventCreate(&made);
    cudaEventRecord(made, pool.stream);
    cudaStreamWaitEvent(pool.other, made, 0);
  };
  const auto wait = [](const Pool& pool) { cudaStreamSynchronize(pool.stream); };
  between("in another, all allowed", true, true, true, nothing_else);
  between("in another, nothing allowed", false, false, false, nothing_else);
  between("in another, after an event", false, false, true, event);
  between("in another, after an event that does not count", false, false, false, event);
  between("in another, waited", false, true, false, wait);
  between("in another, waited, which counts not", false, false, false, wait);
}
