// Functions: by name and through pointers, recursion, what is passed, the stack and the heap.

#include <functional>

#include "simulator/image/cubin.h"
#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine;
using test::Device;

namespace calls_test {

const std::string source = R"(
#include <new>
struct Big { int a[20]; double d; char c; };
__device__ __noinline__ Big changed(Big b, int i) { b.a[i] += 1; b.d *= 2; b.c = 'x'; return b; }
__device__ __noinline__ int picked(const Big b, int i) { return b.a[i & 15]; }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
__device__ void quicksort(int* first, int* last) {
  if (last - first < 2) return;
  int pivot = *first, *store = first;
  for (int* p = first + 1; p < last; ++p)
    if (*p < pivot) { int t = *++store; *store = *p; *p = t; }
  *first = *store; *store = pivot;
  quicksort(first, store);
  quicksort(store + 1, last);
}
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation table[3] = {add, subtract, multiply};
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float s;
  __device__ Square(float s) : s(s) {}
  __device__ float area() const override { return s * s; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3 * r * r; }
};

extern "C" __global__ void structs(Big b, int* out, int n) {
  Big c = changed(b, threadIdx.x % 20);
  int sum = int(c.d) + c.c;
  for (int i = 0; i < n; ++i) sum += c.a[i] * (i + 1);
  out[threadIdx.x] = sum * 100 + picked(c, threadIdx.x);
}
extern "C" __global__ void grid_constant(const __grid_constant__ Big b, int* out) {
  const Big* p = &b;
  out[threadIdx.x] = p->a[threadIdx.x % 20] + picked(*p, threadIdx.x);
}
extern "C" __global__ void recursion(int* out) {
  out[threadIdx.x] = fibonacci(threadIdx.x % 16) * 1000 + ackermann(2, threadIdx.x % 5);
}
extern "C" __global__ void sort(int* values, int n) {
  int* mine = values + threadIdx.x * n;
  quicksort(mine, mine + n);
}
extern "C" __global__ void pointers(int* out, Operation chosen) {
  int t = threadIdx.x;
  int r = table[t % 3](t, 5);
  if (t & 1) r += chosen(r, 2);
  out[t] = r + __popc(__activemask());
}
extern "C" __global__ void get_pointer(Operation* out) { *out = multiply; }
extern "C" __global__ void virtuals(float* out) {
  Shape* s;
  if (threadIdx.x & 1) s = new Square(threadIdx.x);
  else s = new Circle(threadIdx.x);
  out[threadIdx.x] = s->area();
  delete s;
}
extern "C" __global__ void dynamic_array(int* out, const int* sizes) {
  int n = sizes[threadIdx.x];
  int* p = static_cast<int*>(__builtin_alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) p[i] = i * n;
  int s = 0;
  for (int i = n; i--;) s += p[i] ^ i;
  out[threadIdx.x] = s;
}
__device__ __noinline__ void fill(int* p, int n) { for (int i = 0; i < n; ++i) p[i] += i; }
extern "C" __global__ void locals_of_caller(int* out, int k) {
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  fill(values, 8);
  fill(values + k, 4);
  int s = 0;
  for (int i = 0; i < 8; ++i) s = s * 3 + values[i];
  out[threadIdx.x] = s;
}
extern "C" __global__ void spaces(int* out, int* global) {
  __shared__ int shared[4];
  int local[4] = {global[0]};
  int* p = global[threadIdx.x & 1] ? shared : local;
  p[threadIdx.x & 3] = 7;
  out[threadIdx.x] = __isGlobal(global) + 2 * __isShared(p) + 4 * __isLocal(p) + 8 * __isShared(global);
  if (threadIdx.x == 0) out[32] = p[0];
}
__device__ __noinline__ bool leaves(int t) { if (t % 3 == 0) asm volatile("exit;"); return t % 2; }
extern "C" __global__ void exits(int* out) {
  out[threadIdx.x] = 1;
  bool odd = leaves(threadIdx.x);
  out[threadIdx.x] = odd ? 3 : 2;
}
__device__ __noinline__ int warp_sum(int v) {
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
extern "C" __global__ void collective(int* out) { out[threadIdx.x] = warp_sum(threadIdx.x); }
__device__ __noinline__ int of_lane_0(int v) { return __shfl_sync(0xffffffffu, v, 0); }
// One lane waits for another warp, so long that the others go on without it, into the call.
extern "C" __global__ void late(int* out) {
  __shared__ volatile int flag;
  int t = threadIdx.x, v = t;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 0) {
    while (flag == 0) {}
    v = flag;
  }
  if (t == 32) {
    for (int i = 0; i < 200; ++i) { __threadfence(); out[64] = i; }
    flag = 7;
  }
  out[t] = of_lane_0(v) + t;
}
extern "C" __global__ void meet_again(int* out) {
  int t = threadIdx.x, r = table[t % 3](t, 1);
  out[t] = r + 1000 * __popc(__ballot_sync(__activemask(), true));
}
extern "C" __global__ void heap(long long* out, int bytes) {
  char* p = static_cast<char*>(malloc(bytes));
  out[threadIdx.x] = p != nullptr;
  if (p) { p[bytes - 1] = 1; free(p); }
}

extern "C" __global__ void endless(int* out) {
  struct Local { static __device__ int down(int n) {
    return n < 0 ? 0 : down(n + 1) * 3 + n;  // expect: out-of-bounds
  } };
  out[0] = Local::down(out[0]);
}
extern "C" __global__ void deep(int* out, int n) {
  struct Local { static __device__ int nested(int n, int x) {
    volatile int kept[8];
    kept[n & 7] = x;
    return n == 0 ? kept[0] : nested(n - 1, x * 3) + kept[n & 7];  // expect: out-of-bounds
  } };
  out[threadIdx.x] = Local::nested(n, n);
}
extern "C" __global__ void deep_with_array(int* out, int n) {
  struct Local { static __device__ int nested(int n, int x) {
    volatile int kept[8];
    kept[n & 7] = x;
    return n == 0 ? kept[0] : nested(n - 1, x * 3) + kept[n & 7];  // expect: out-of-bounds
  } };
  volatile int own[32];
  own[n & 31] = n;
  out[threadIdx.x] = Local::nested(n, n) + own[n & 31];
}
extern "C" __global__ void large_once(int* out, int n) {
  struct Local { static __device__ __noinline__ int large(int n) {
    volatile int kept[1000];
    kept[n] = n;
    return kept[n] + 1;
  } };
  out[threadIdx.x] = Local::large(n);
}
template <int words> __device__ __noinline__ int large(int n) {
  volatile int kept[words];
  kept[n] = n;
  return kept[n] + words;
}
__device__ int (*larges[2])(int) = {large<1000>, large<50>};
extern "C" __global__ void large_by_address(int* out, int n) {
  out[threadIdx.x] = larges[threadIdx.x % 2](n);
}
extern "C" __global__ void written_parameter(const __grid_constant__ Big b, int* out) {
  struct Local { static __device__ __noinline__ int written(const int* p) {
    *const_cast<volatile int*>(p) = -5;  // expect: out-of-bounds
    return *static_cast<const volatile int*>(p);
  } };
  out[threadIdx.x] = Local::written(b.a + threadIdx.x % 20) * 1000 + b.a[3];
}
extern "C" __global__ void beyond_parameters(const __grid_constant__ Big b, int* out) {
  out[threadIdx.x] = b.a[threadIdx.x + 20];  // expect: out-of-bounds
}
extern "C" __global__ void null_function(int* out, Operation f) {
  out[0] = f(1, 2);  // expect: null-pointer
}
extern "C" __global__ void host_function(int* out, Operation f) {
  out[0] = f(1, 2);  // expect: host-pointer
}
__device__ __noinline__ void store(int* p, int i);
extern "C" __global__ void in_function(int* out, int i) { store(out, i); }
__device__ void store(int* p, int i) {
  p[i] = 1;  // expect: out-of-bounds
}
extern "C" __global__ void after_free(int* out) {
  int* p = new int(3);
  delete p;
  out[0] = *p;  // expect: use-after-free
}
extern "C" __global__ void freed_twice() {
  void* p = malloc(4);
  free(p);
  free(p);  // expect: invalid-free
}
extern "C" __global__ void frees_another(int* p) {
  free(p + 1);  // expect: invalid-free
}
extern "C" __global__ void beyond_heap(int n) {
  int* p = new int[n];
  p[n] = 1;  // expect: out-of-bounds
}
extern "C" __global__ void beyond_alloca(int* out, int n) {
  int* p = static_cast<int*>(__builtin_alloca(n * sizeof(int)));
  for (int i = 0; i <= n; ++i)
    p[i * 4] = i;  // expect: out-of-bounds
  out[0] = p[out[1]];
}
)";

const std::string debug_options =
    "-fatbin -std=c++20 -G -gencode 'arch=compute_90,code=[compute_90,sm_90]'";

Device& device() {
  static Device made(source);
  return made;
}

/// Built without optimisation: no call is inlined, all accesses are generic.
Device& debug_device() {
  static Device made(source, debug_options);
  return made;
}

struct Big {
  int a[20];
  double d;
  char c;
};

Big big() {
  Big b{};
  for (int i = 0; i < 20; ++i) b.a[i] = i * i - 7;
  b.d = 2.5;
  b.c = 'q';
  return b;
}

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

/// Runs a test on the optimised and on the debug build.
void on_both(const std::function<void(Device&)>& test) {
  SUBCASE("optimised") { test(device()); }
  SUBCASE("debug") { test(debug_device()); }
}

TEST_CASE("structs go in and come out") {
  on_both([](Device& d) {
    std::uint64_t out = d.upload(std::vector<int>(32));
    d.run_clean("structs", {1, 1, 1}, {32, 1, 1}, big(), out, 20);
    auto want = test::made(32, [](int t) {
      Big b = big();
      b.a[t % 20] += 1;
      int sum = int(b.d * 2) + 'x';
      for (int i = 0; i < 20; ++i) sum += b.a[i] * (i + 1);
      return sum * 100 + b.a[t & 15];
    });
    CHECK(test::difference(d.download<int>(out, 32), want) == "");
    d.run_clean("grid_constant", {1, 1, 1}, {32, 1, 1}, big(), out);
    want = test::made(32, [](int t) { return big().a[t % 20] + big().a[t & 15]; });
    CHECK(test::difference(d.download<int>(out, 32), want) == "");
  });
}

// As on an H100: what a pointer reads there is new, the parameter itself is as it was.
TEST_CASE("a write to a parameter through a pointer is reported, and the thread goes on") {
  Device& d = device();
  std::uint64_t out = d.upload(std::vector<int>(32));
  const auto report = d.run("written_parameter", {1, 1, 1}, {32, 1, 1}, big(), out);
  CHECK(Device::found(report) == d.expected("written_parameter"));
  CHECK_FALSE(report.faulted);
  CHECK(report.diagnoses[0].message.find("can only be read") != std::string::npos);
  CHECK(d.download<int>(out, 32) == std::vector<int>(32, -5000 + big().a[3]));
  d.run_clean("grid_constant", {1, 1, 1}, {32, 1, 1}, big(), out);
  CHECK(d.download<int>(out, 1)[0] == 2 * big().a[0]);
  CHECK(d.run("beyond_parameters", {1, 1, 1}, {32, 1, 1}, big(), out).faulted);
}

TEST_CASE("recursion, with lanes of different depth") {
  on_both([](Device& d) {
    std::uint64_t out = d.upload(std::vector<int>(64));
    d.run_clean("recursion", {1, 1, 1}, {64, 1, 1}, out);
    auto want = test::made(64, [](int t) { return fibonacci(t % 16) * 1000 + 2 * (t % 5) + 3; });
    CHECK(test::difference(d.download<int>(out, 64), want) == "");
    std::vector<int> values(32 * 20);
    auto random = test::scrambled(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(random[i] >> 8);
    std::uint64_t at = d.upload(values);
    d.run_clean("sort", {1, 1, 1}, {32, 1, 1}, at, 20);
    for (int t = 0; t < 32; ++t) std::sort(values.begin() + t * 20, values.begin() + t * 20 + 20);
    CHECK(test::difference(d.download<int>(at, values.size()), values) == "");
  });
}

TEST_CASE("functions through pointers: tables, arguments, virtual functions") {
  on_both([](Device& d) {
    std::uint64_t out = d.upload(std::vector<int>(32)), pointer = d.upload(std::vector<long>(1));
    d.run_clean("get_pointer", {1, 1, 1}, {1, 1, 1}, pointer);
    auto multiply = d.download<std::uint64_t>(pointer, 1)[0];
    d.run_clean("pointers", {1, 1, 1}, {32, 1, 1}, out, multiply);
    auto want = test::made(32, [](int t) {
      int r = t % 3 == 0 ? t + 5 : t % 3 == 1 ? t - 5 : t * 5;
      return (t & 1 ? r + r * 2 : r) + 32;
    });
    CHECK(test::difference(d.download<int>(out, 32), want) == "");
    d.run_clean("meet_again", {1, 1, 1}, {32, 1, 1}, out);
    want = test::made(32, [](int t) {
      return (t % 3 == 0 ? t + 1 : t % 3 == 1 ? t - 1 : t) + 32000;
    });
    CHECK(test::difference(d.download<int>(out, 32), want) == "");
    d.run_clean("virtuals", {1, 1, 1}, {32, 1, 1}, out);
    auto areas = test::made(32, [](int t) { return float(t & 1 ? t * t : 3 * t * t); });
    CHECK(test::difference(d.download<float>(out, 32), areas) == "");
    CHECK(d.memory().heap_bytes() == 0);
  });
}

TEST_CASE("the stack: arrays of the caller, arrays whose size is known at run time") {
  on_both([](Device& d) {
    std::uint64_t out = d.upload(std::vector<int>(33));
    std::vector<int> sizes = test::made(32, [](int t) { return t * 7 % 13; });
    d.run_clean("dynamic_array", {1, 1, 1}, {32, 1, 1}, out, d.upload(sizes));
    auto want = test::made(32, [&](int t) {
      int s = 0;
      for (int i = 0; i < sizes[t]; ++i) s += (i * sizes[t]) ^ i;
      return s;
    });
    CHECK(test::difference(d.download<int>(out, 32), want) == "");
    d.run_clean("locals_of_caller", {1, 1, 1}, {32, 1, 1}, out, 2);
    int values[8], s = 0;
    for (int i = 0; i < 8; ++i) values[i] = 1 + 2 * i + (i >= 2 && i < 6 ? i - 2 : 0);
    for (int v : values) s = s * 3 + v;
    CHECK(d.download<int>(out, 32) == std::vector<int>(32, s));
    d.run_clean("spaces", {1, 1, 1}, {32, 1, 1}, out, d.upload(std::vector<int>{0, 1}));
    want = test::made(32, [](int t) { return t & 1 ? 3 : 5; });
    want.push_back(7);
    CHECK(test::difference(d.download<int>(out, 33), want) == "");
  });
}

TEST_CASE("lanes that exit inside a function, and warps that work together in one") {
  on_both([](Device& d) {
    std::uint64_t out = d.upload(std::vector<int>(32));
    d.run_clean("exits", {1, 1, 1}, {32, 1, 1}, out);
    auto want = test::made(32, [](int t) { return t % 3 == 0 ? 1 : t % 2 ? 3 : 2; });
    CHECK(test::difference(d.download<int>(out, 32), want) == "");
    d.run_clean("collective", {3, 1, 1}, {32, 1, 1}, out);
    CHECK(d.download<int>(out, 32) == std::vector<int>(32, 31 * 16));
  });
}

TEST_CASE("lanes that come late to a call meet in it those that wait for them") {
  on_both([](Device& d) {
    auto out = d.upload(std::vector<int>(65));
    d.run_clean("late", {1, 1, 1}, {64, 1, 1}, out);
    auto want = test::made(64, [](int t) { return (t < 32 ? 7 : 32) + t; });
    CHECK(test::difference(d.download<int>(out, 64), want) == "");
  });
}

TEST_CASE("the heap has the size that was asked for, and gives null beyond it") {
  Device& d = device();
  std::uint64_t out = d.upload(std::vector<long long>(4));
  d.options().heap_bytes = 1 << 20;
  d.run_clean("heap", {1, 1, 1}, {4, 1, 1}, out, 400'000);
  CHECK(d.download<long long>(out, 4) == std::vector<long long>{1, 1, 0, 0});
  d.options().heap_bytes = 8 << 20;
  d.run_clean("heap", {1, 1, 1}, {4, 1, 1}, out, 400'000);
  CHECK(d.download<long long>(out, 4) == std::vector<long long>(4, 1));
}

TEST_CASE("mistakes with functions, the stack and the heap are named") {
  Device& d = device();
  std::uint64_t out = d.upload(std::vector<int>(32));
  auto check = [&](const std::string& kernel, const watch::LaunchReport& report) {
    INFO(kernel);
    CHECK(report.unsupported == "");
    CHECK(Device::found(report) == d.expected(kernel));
  };
  auto run = [&](const std::string& kernel, auto... arguments) {
    auto report = d.run(kernel, {1, 1, 1}, {1, 1, 1}, arguments...);
    check(kernel, report);
    return report;
  };
  auto report = run("endless", out);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].message.find("Does the recursion end") != std::string::npos);
  // Arrays and return addresses of 40 calls do not fit; those of 4 do.
  d.options().stack_bytes = 512;
  const auto compiled =
      image::read_cubin(image::test::compile("-cubin -std=c++20 -arch=sm_90", source));
  // A call takes what compiled code takes, and as many fit as on a GPU. An H100 needs limits of
  // 848, 1184 and 1520 bytes for 1, 2 and 3 calls with frames of 336, where the kernel's own has
  // 512.
  for (const char* kernel : {"deep", "deep_with_array"}) {
    report = run(kernel, out, 40);
    CHECK(report.diagnoses[0].message.find("its stack has 512") != std::string::npos);
    const image::KernelFacts& facts = compiled.at(kernel);
    REQUIRE(facts.frame_bytes.size() == 1);
    const std::uint32_t frame = facts.frame_bytes.begin()->second, own = facts.local_bytes;
    CHECK((own >= 128) == (kernel == std::string("deep_with_array")));
    const std::uint32_t calls = (512 - own) / frame + 1;
    CHECK_MESSAGE(report.diagnoses[0].message.find(
                      fmt::format("needs {} bytes of stack or more, {} calls deep",
                                  own + calls * frame, calls)) != std::string::npos,
                  report.diagnoses[0].message << " with frames of " << own << " and " << frame);
  }
  d.run_clean("deep", {1, 1, 1}, {32, 1, 1}, out, 4);
  // ptxas knows how much a function needs that does not call itself, be it called by its address;
  // so does the driver that compiles PTX.
  d.run_clean("large_once", {1, 1, 1}, {32, 1, 1}, out, 4);
  d.run_clean("large_by_address", {1, 1, 1}, {32, 1, 1}, out, 4);
  CHECK(d.download<int>(out, 32) == test::made(32, [](int t) { return t % 2 ? 54 : 1004; }));
  d.options().stack_bytes = 512 << 10;
  run("null_function", out, std::uint64_t{0});
  run("host_function", out, std::uint64_t{0x7fff12345678});
  run("after_free", out);
  run("freed_twice");
  run("frees_another", out);
  run("beyond_heap", 10);
  run("beyond_alloca", out, 10);
  run("in_function", out, 32);
}

}  // namespace calls_test
