/// \file
/// Patterns of accesses of 8 and 16 bytes to shared memory in which lanes share addresses or do not
/// take part, whose counts are recorded on hardware.
///
/// Every launch is one warp with one access. A pattern says for each lane which element it reaches.
/// With a single warp nothing arbitrates: the counter of the pipe shows what the hardware does, and
/// the counter of the instructions what Nsight Compute makes of the same addresses.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

struct Pattern {
  std::uint32_t lanes;         ///< that take part
  std::uint16_t elements[32];  ///< by lane
};

#define ACCESS(NAME, BYTES, ...)                                                            \
  __global__ void shared_wide_##NAME(Pattern p) {                                           \
    extern __shared__ __align__(16) char memory[];                                          \
    const std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(memory)) + \
                             p.elements[threadIdx.x] * BYTES;                               \
    if (p.lanes >> threadIdx.x & 1) asm volatile(__VA_ARGS__ ::"r"(at) : "memory");         \
  }
ACCESS(ld_8, 8, "{ .reg .b64 x; ld.volatile.shared.b64 x, [%0]; }")
ACCESS(ld_16, 16, "{ .reg .b32 x, y, z, w; ld.volatile.shared.v4.b32 {x, y, z, w}, [%0]; }")
ACCESS(st_8, 8, "{ .reg .b64 x; mov.b64 x, 1; st.volatile.shared.b64 [%0], x; }")
ACCESS(st_16, 16, "{ .reg .b32 x; mov.b32 x, 1; st.volatile.shared.v4.b32 [%0], {x, x, x, x}; }")

/// Numbers without an order, the same everywhere.
std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7FEB352DU;
  x = (x ^ x >> 15) * 0x846CA68BU;
  return x ^ x >> 16;
}

using Element = std::function<std::uint32_t(std::uint32_t lane)>;

class Patterns {
 public:
  void launch(const std::string& name, std::uint32_t lanes, const Element& element) {
    Pattern pattern = {lanes, {}};
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      pattern.elements[lane] = static_cast<std::uint16_t>(element(lane));
    void* arguments[] = {&pattern};
    cudaLaunchKernel(kernel_, dim3(1), dim3(32), arguments, 33 * 1024, nullptr);
    std::printf("shared_wide_%s: %s\n", kernel_name_, name.c_str());
  }
  void use(const char* name, const void* kernel) {
    kernel_name_ = name;
    kernel_ = kernel;
  }

 private:
  const char* kernel_name_ = nullptr;
  const void* kernel_ = nullptr;
};

std::uint32_t first(int count) { return count == 32 ? ~0U : (1U << count) - 1; }

/// The first so many lanes, all but one, and a few of each quarter; neighbours that share or do
/// not.
void plain(Patterns& patterns) {
  const struct {
    const char* name;
    Element element;
  } shapes[] = {{"one word", [](std::uint32_t) { return 0; }},
                {"two words in turn", [](std::uint32_t lane) { return lane % 2; }},
                {"four words in turn", [](std::uint32_t lane) { return lane % 4; }},
                {"pairs share", [](std::uint32_t lane) { return lane / 2; }},
                {"fours share", [](std::uint32_t lane) { return lane / 4; }},
                {"two apart share", [](std::uint32_t lane) { return lane & ~2U; }},
                {"halves share", [](std::uint32_t lane) { return lane / 16; }},
                {"unit", [](std::uint32_t lane) { return lane; }}};
  for (const auto& [name, element] : shapes) {
    const auto launch = [&, name = std::string(name), &element = element](
                            const char* part, int number, std::uint32_t lanes) {
      patterns.launch(name + ", " + part + " " + std::to_string(number), lanes, element);
    };
    for (int count : {1, 2, 4, 7, 8, 9, 12, 16, 18, 20, 24, 26, 28, 30, 31, 32})
      launch("first", count, first(count));
    for (int count : {1, 4, 8, 16, 17, 24}) launch("not the first", count, ~first(count));
    for (int lane : {0, 3, 15, 18, 30}) launch("all but", lane, ~(1U << lane));
    for (int shift : {0, 1, 3}) {
      launch("a lane of each quarter", shift, 0x01010101U << shift);
      launch("four of each quarter", shift, 0x0F0F0F0FU << shift);
      launch("every other", shift, 0x55555555U << shift);
    }
  }
}

/// Lanes that share by chance, and conflicts of banks among them.
void mixed_up(Patterns& patterns) {
  for (std::uint32_t round = 0; round < 150; ++round) {
    const std::uint32_t seed = mixed(round + 77), few = mixed(seed) & mixed(seed + 2);
    const std::uint32_t lanes = round % 5 < 2   ? ~0U
                                : round % 5 < 4 ? mixed(seed) | mixed(seed + 1)
                                                : few | 1U << seed % 32;
    const std::uint32_t ranges[] = {2, 4, 8, 16, 33, 64, 128, 500}, range = ranges[seed >> 8 & 7];
    const std::uint32_t shares = round % 3 == 0 ? ~0U : round % 3 == 1 ? ~1U : ~2U;
    patterns.launch("mixed " + std::to_string(round), lanes,
                    [&](std::uint32_t lane) { return mixed(seed * 33 + (lane & shares)) % range; });
  }
}

int main() {
  Patterns patterns;
  const struct {
    const char* name;
    const void* kernel;
    bool is_load;
  } kernels[] = {{"ld_8", reinterpret_cast<const void*>(shared_wide_ld_8), true},
                 {"ld_16", reinterpret_cast<const void*>(shared_wide_ld_16), true},
                 {"st_8", reinterpret_cast<const void*>(shared_wide_st_8), false},
                 {"st_16", reinterpret_cast<const void*>(shared_wide_st_16), false}};
  for (const auto& [name, kernel, is_load] : kernels) {
    patterns.use(name, kernel);
    // Stores go by halves and quarters, whichever lanes share.
    if (is_load) plain(patterns);
    mixed_up(patterns);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
