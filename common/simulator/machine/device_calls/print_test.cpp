// Device printf, assert and trap.

#include <cstdio>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace print_test {

const std::string source = R"(
#include <cstdio>
#include <cassert>
extern "C" __global__ void all_conversions(double d, long long l, const char* text) {
  int i = -42;
  printf("%d|%5d|%-5d|%05d|%+d|%i|%u|%x|%X|%#x|%o\n", i, i, i, 42, 42, i, 42u, 255u, 255u, 255u, 8u);
  printf("%f|%.2f|%8.3f|%-9.1f|%e|%G|%g\n", d, d, d, d, d, d, 0.0001f);
  printf("%lld|%ld|%llu|%llx|%hd\n", l, (long)l, (unsigned long long)l, l, 70000);
  printf("%c%c|%s|%10s|%-10s|%.2s|%%|%*d|%-*d|\n", 'a', 66, "text", "right", "left", "cut", 6, i, 4, 7);
  printf("%p %p\n", (void*)0x1234, (void*)text);
  printf("none\n");
  printf("100%%");
}
extern "C" __global__ void not_known(unsigned long n, signed char c, double d, int* counts) {
  counts[0] = printf("%zu bytes\n", n);       // expect: uninitialized
  counts[1] = printf("%hhd and %d\n", c, 7);  // expect: uninitialized
  counts[2] = printf("%.*f\n", 2, d);         // expect: uninitialized
  counts[3] = printf("%k, 100%% %hd\n", 5);
}
extern "C" __global__ void too_wide(long long x, int a, double d) {
  printf("%d\n", x);           // expect: uninitialized
  printf("%d %d\n", a, x);     // expect: uninitialized
  printf("%d %d %f\n", x, a, d);  // expect: uninitialized
  printf("%d\n", a, a);        // expect: uninitialized
}
extern "C" __global__ void as_wide(long long x, int a, double d, char c, bool b, short h, int* y) {
  float v[4];
  for (int k = 0; k < 4; ++k) v[k] = d * k;
  printf("%d %d\n", 1, 2);
  printf("%c %d %hd %f %f %p %llu %x\n", c, b, h, d, v[a & 3], (void*)0x10, x, 3u);
  printf("%*d|%s|%5.2f\n", 6, a, "txt", d);
  printf("%s %d %d\n", a ? "x" : "yy", 1, 1);
  if (a > 2) printf("%f %d\n", v[a & 3], a);
  for (int k = 0; k < 2; ++k) printf("%d %lld %d\n", k, x, a);
  y[0] = a;
}
extern "C" __global__ void without_format(const char* format, int* counts) {
  counts[0] = printf(format);
}
extern "C" __global__ void forty(int* counts) {
  counts[0] = printf("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d, %d and %s\n",
                     0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8,
                     9, 0, 1, 2, "text");
}
extern "C" __global__ void from_everywhere(int* counts) {
  __shared__ char shared[8];
  char local[6];
  for (int k = 0; k < 5; ++k) local[k] = 'a' + (threadIdx.x + k * counts[0]) % 26;
  local[5] = 0;
  if (threadIdx.x == 0) { shared[0] = 's'; shared[1] = 0; }
  __syncthreads();
  counts[threadIdx.x] = printf("%s %s %d\n", local, shared, threadIdx.x);
}
extern "C" __global__ void names(const char* name, int n) {
  if (n == 0) printf("[%s] [%9s] [%.3s] [%.6s]\n", name, name, name, name);
  if (n == 1) printf("%s\n", name);  // expect: bad
  if (n == 2) printf("%.3s %6.4s\n", name, name);
}
extern "C" __global__ void counts_beside(int* sum, int* out, int n) {
  out[threadIdx.x] = atomicAdd(sum, threadIdx.x + 1);
  if (n) printf("%d\n", n);
}
extern "C" __global__ void by_block() {
  if (threadIdx.x % 16 == 3) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
}
extern "C" __global__ void too_much() {
  for (int k = 0; k < 200; ++k)
    printf("%0100d\n", blockIdx.x * 1000 + k);
}
extern "C" __global__ void asserts(const int* in) {
  int t = threadIdx.x;
  assert(in[t] < 40 && "small numbers");  // expect: assert
}
extern "C" __global__ void traps(int n) {
  if (threadIdx.x >= n)
    __trap();  // expect: trap
}
)";

Device& device() {
  static Device made(source);
  made.output.clear();
  return made;
}

template <class... Arguments>
std::string text(const char* format, Arguments... arguments) {
  char buffer[2048];
  int length = std::snprintf(buffer, sizeof buffer, format, arguments...);
  return std::string(buffer, static_cast<std::size_t>(length));
}

TEST_CASE("conversions, flags, widths and precisions print as the host's printf does") {
  const double d = 3.14159265;
  const long long l = -123456789012345;
  Device& on = device();
  on.run_clean("all_conversions", {1, 1, 1}, {1, 1, 1}, d, l, std::uint64_t{0});
  int i = -42;
  std::string want = text("%d|%5d|%-5d|%05d|%+d|%i|%u|%x|%X|%#x|%o\n", i, i, i, 42, 42, i, 42u,
                          255u, 255u, 255u, 8u) +
                     text("%f|%.2f|%8.3f|%-9.1f|%e|%G|%g\n", d, d, d, d, d, d, double{0.0001f}) +
                     text("%lld|%ld|%llu|%llx|%hd\n", l, static_cast<long>(l),
                          static_cast<unsigned long long>(l), l, static_cast<short>(70000)) +
                     text("%c%c|%s|%10s|%-10s|%.2s|%%|%*d|%-*d|\n", 'a', 66, "text", "right",
                          "left", "cut", 6, i, 4, 7) +
                     "0x1234 (nil)\nnone\n100%";
  CHECK(on.output == want);
}

TEST_CASE("what C's printf knows and a GPU's does not is a note that says what to write") {
  Device& on = device();
  auto counts = on.upload(std::vector<int>(4, -5));
  const auto report =
      on.run("not_known", {1, 1, 1}, {1, 1, 1}, std::uint64_t{80}, char{3}, 2.5, counts);
  CHECK_FALSE(report.faulted);
  CHECK(Device::found(report) == on.expected("not_known"));
  for (const auto& diagnosis : report.diagnoses) CHECK(diagnosis.severity == watch::Severity::note);
  REQUIRE(report.diagnoses.size() == 3);
  auto says = [&](std::size_t i, const char* words) {
    return report.diagnoses[i].message.find(words) != std::string::npos;
  };
  CHECK(says(0, "does not know %zu"));
  CHECK(says(0, "Write %llu and pass static_cast<unsigned long long>(...)"));
  CHECK(says(1, "does not know %hhd"));
  CHECK(says(2, "does not know %.*f"));
  // The kernel passes the first argument for the %d; the host takes it for the %hhd, and the
  // format's text for the %d.
  CHECK(on.output == "%zu bytes\n3 and " + std::to_string(0x64686825) + "\n%.*f\n%k, 100% 5\n");
  CHECK(difference(on.download<int>(counts, 4), std::vector<int>{0, 1, 0, 1}) == "");
}

TEST_CASE("arguments that are wider than their conversions, or too many, are a note") {
  Device& on = device();
  const auto report = on.run("too_wide", {1, 1, 1}, {1, 1, 1}, 7ll, 3, 1.5);
  CHECK_FALSE(report.faulted);
  CHECK(Device::found(report) == on.expected("too_wide"));
  REQUIRE(report.diagnoses.size() == 4);
  for (const auto& diagnosis : report.diagnoses) CHECK(diagnosis.severity == watch::Severity::note);
  CHECK(report.diagnoses[1].message.find("have 16 bytes, and its conversions take 8.") !=
        std::string::npos);
  auto y = on.upload(std::vector<int>(1, 0));
  on.run_clean("as_wide", {1, 1, 1}, {1, 1, 1}, 7ll, 3, 1.5, 'c', true, short{4}, y);
}

TEST_CASE("no format gives -1; conversions after the 32nd argument are text") {
  Device& on = device();
  auto counts = on.upload(std::vector<int>(1, -5));
  on.run_clean("without_format", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0}, counts);
  CHECK(on.output == "");
  CHECK(on.download<int>(counts, 1)[0] == -1);
  on.run_clean("forty", {1, 1, 1}, {1, 1, 1}, counts);
  CHECK(on.output == "01234567890123456789012345678901, %d and %s\n");
  CHECK(on.download<int>(counts, 1)[0] == 32);
}

TEST_CASE("strings come from constant, shared and local memory, and the result counts arguments") {
  Device& on = device();
  auto counts = on.upload(std::vector<int>(4, 1));
  on.run_clean("from_everywhere", {1, 1, 1}, {4, 1, 1}, counts);
  CHECK(on.output == "abcde s 0\nbcdef s 1\ncdefg s 2\ndefgh s 3\n");
  CHECK(difference(on.download<int>(counts, 4), std::vector<int>(4, 3)) == "");
}

TEST_CASE("a null pointer is printed as the host's C library prints it") {
  Device& on = device();
  on.run_clean("names", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0}, 0);
  CHECK(on.output == "[(null)] [   (null)] [] [(null)]\n");
}

TEST_CASE("a string that is nowhere on the device ends the launch") {
  const auto kind_of = [](std::uint64_t address) {
    const auto report = device().run("names", {1, 1, 1}, {1, 1, 1}, address, 1);
    REQUIRE(report.diagnoses.size() == 1);
    CHECK(report.faulted);
    CHECK(report.diagnoses[0].message.find("thread (0, 0, 0) reads ") == 0);
    return report.diagnoses[0].kind;
  };
  static const char text[] = "of the host";
  CHECK(kind_of(reinterpret_cast<std::uint64_t>(text)) == "host-pointer");
  CHECK(kind_of(0x10) == "null-pointer");
  // Neither this process nor a sanitizer has anything there.
  CHECK(kind_of(std::uint64_t{1} << 46) == "out-of-bounds");
}

TEST_CASE("a string that does not end in its memory is reported, unless it is cut off") {
  Device& on = device();
  const auto endless = on.upload(std::vector<char>(4, 'x'));
  const auto report = on.run("names", {1, 1, 1}, {1, 1, 1}, endless, 1);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK_FALSE(report.faulted);
  CHECK(report.diagnoses[0].kind == "out-of-bounds");
  CHECK(report.diagnoses[0].message.find("none of the 4 bytes from there") != std::string::npos);
  CHECK(on.output == "xxxx\n");
  on.run_clean("names", {1, 1, 1}, {1, 1, 1}, endless, 2);
  CHECK(on.output == "xxxx\nxxx   xxxx\n");
}

TEST_CASE("output comes in the order of blocks and threads with any number of host threads") {
  std::string want;
  for (int b = 0; b < 20; ++b)
    for (int t : {3, 19, 35, 51}) want += text("block %d thread %d\n", b, t);
  for (unsigned threads : {1u, 2u, 4u}) {
    Device& on = device();
    on.options().threads = threads;
    on.run_clean("by_block", {20, 1, 1}, {64, 1, 1});
    CHECK(on.output == want);
  }
  device().options().threads = 1;
}

TEST_CASE("what printf does in global memory leaves no count of the kernel's own confirmed") {
  Device& on = device();
  const std::uint64_t sum = on.upload<int>({0}), out = on.upload(std::vector<int>(32));
  const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
  for (const int prints : {0, 1}) {
    const auto counters =
        on.run("counts_beside", {1, 1, 1}, {32, 1, 1}, sum, out, prints).counts.counters;
    for (const std::string kind : {"st", "atom"}) {
      const std::string name = requests + kind + ".sum";
      CHECK(counters.contains(name) == !prints);
      CHECK(counters.contains("ptx__" + name) == bool{prints != 0});
    }
  }
}

TEST_CASE("what does not fit into the buffer of 1 MiB is lost, always the same") {
  std::string first;
  for (unsigned threads : {1u, 2u, 4u}) {
    Device& on = device();
    on.options().threads = threads;
    on.run_clean("too_much", {100, 1, 1}, {1, 1, 1});
    CHECK(on.output.size() == 1 << 20);
    if (first.empty()) first = on.output;
    CHECK((on.output == first));
  }
  CHECK(first.substr(101 * 200, 101) == text("%0100d\n", 1000));
  device().options().threads = 1;
}

TEST_CASE("a failed assertion names the lowest thread, the line and the condition") {
  Device& on = device();
  auto report = on.run("asserts", {2, 1, 1}, {64, 1, 1}, on.upload(numbers<int>(64)));
  CHECK(report.faulted);
  CHECK(Device::found(report) == on.expected("asserts"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].thread == watch::Index3{40, 0, 0});
  CHECK(report.diagnoses[0].block == watch::Index3{0, 0, 0});
  CHECK(report.diagnoses[0].count == 24);
  CHECK(report.diagnoses[0].message.find("in[t] < 40 && \"small numbers\"") != std::string::npos);
}

TEST_CASE("a trap stops the launch") {
  Device& on = device();
  auto report = on.run("traps", {2, 1, 1}, {64, 1, 1}, 37);
  CHECK(report.faulted);
  CHECK(Device::found(report) == on.expected("traps"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].thread == watch::Index3{37, 0, 0});
  CHECK(on.run("traps", {2, 1, 1}, {64, 1, 1}, 64).diagnoses.empty());
}

}  // namespace print_test
