// Copies of boxes of tensors, by maps as the driver makes them: what they give, and what is
// refused.

#include "simulator/machine/copies/tensor_box.h"
#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;
using machine::TensorBox;
using machine::TensorMap;

namespace tensor_copies_test {

const std::string source = R"(
typedef unsigned long long u64;
struct alignas(64) Map { u64 words[16]; };
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void load(const void* map, unsigned* to, int x, int y, int bytes) {
  __shared__ u64 bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(&bar)) : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at(&bar)) : "memory");
}
extern "C" __global__ void box(const __grid_constant__ Map map, unsigned* y, int c0, int c1, int bytes, int offset) {
  __shared__ alignas(1024) unsigned s[288];
  load(&map, s + offset / 4, c0, c1, bytes);
  for (int i = threadIdx.x; i < bytes / 4; i += 32) y[i] = s[offset / 4 + i];
}
extern "C" __global__ void by_value(Map map, unsigned* y) {
  __shared__ alignas(1024) unsigned s[256];
  load(&map, s, 0, 0, 512);
  y[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void by_pointer(const Map* map, unsigned* y) {
  __shared__ alignas(1024) unsigned s[256];
  load(map, s, 0, 0, 512);
  y[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void stored(const __grid_constant__ Map map, unsigned first, int c0, int c1) {
  __shared__ alignas(128) unsigned s[128];
  for (int i = threadIdx.x; i < 128; i += 32) s[i] = first + i;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(&map), "r"(c0), "r"(c1), "r"(at(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
extern "C" __global__ void added(const __grid_constant__ Map map, unsigned value) {
  __shared__ alignas(128) unsigned s[128];
  for (int i = threadIdx.x; i < 128; i += 32) s[i] = value;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(&map), "r"(0), "r"(0), "r"(at(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
)";

Device& device() {
  static Device made(source);
  return made;
}

struct alignas(64) Map {
  std::array<std::byte, TensorMap::bytes> bytes;
};

/// 64 x 16 words in rows of 256 bytes, and a box of 16 x 8.
TensorMap words_at(std::uint64_t address) {
  TensorMap map;
  map.address = address;
  map.element = TensorMap::Element::u32;
  map.rank = 2;
  map.dims = {64, 16, 1, 1, 1};
  map.strides = {4, 256};
  map.box = {16, 8, 1, 1, 1};
  map.steps = {1, 1, 1, 1, 1};
  return map;
}

Map packed(const TensorMap& map) { return {map.packed()}; }

std::uint64_t numbers_on_device() {
  std::vector<unsigned> values(1024);
  for (unsigned i = 0; i < 1024; ++i) values[i] = i;
  return device().upload(values);
}

std::uint64_t output() {
  static const std::uint64_t y = device().upload(std::vector<unsigned>(1024));
  return y;
}

/// The diagnosis of a load of the box.
std::string kind_of(const Map& map, int x, int y, int offset = 0) {
  const auto report = device().run("box", {1, 1, 1}, {32, 1, 1}, map, output(), x, y, 512, offset);
  return report.diagnoses.empty() ? "" : report.diagnoses[0].kind;
}

TEST_CASE("a tensor map is known by its bytes, and other bytes are not a map") {
  TensorMap map = words_at(0x7f00);
  map.swizzle_bytes = 64;
  map.fills_with_nan = true;
  map.dims[1] = 1ull << 32;
  map.steps[1] = 3;
  Map bytes = packed(map);
  const auto known = TensorMap::unpacked(bytes.bytes);
  REQUIRE(known);
  CHECK(known->address == 0x7f00);
  CHECK(known->dims == map.dims);
  CHECK(known->strides == map.strides);
  CHECK(known->box == map.box);
  CHECK(known->steps == map.steps);
  CHECK(known->swizzle_bytes == 64);
  CHECK(known->fills_with_nan);
  for (const std::size_t at : {0, 9, 17, 40, 80}) {
    Map changed = bytes;
    changed.bytes[at] ^= std::byte{1};
    CHECK_FALSE(TensorMap::unpacked(changed.bytes));
  }
  // Well-formed, and no driver's.
  for (auto change :
       {+[](TensorMap& m) {
          m.box = {65535, 65535, 65535, 65535, 65535};
        },
        +[](TensorMap& m) { m.box[0] = 3; }, +[](TensorMap& m) { m.steps[1] = 0; },
        +[](TensorMap& m) { m.swizzle_bytes = 255; }, +[](TensorMap& m) { m.is_im2col = true; }}) {
    TensorMap odd = words_at(0);
    change(odd);
    CHECK_FALSE(TensorMap::unpacked(odd.packed()));
  }
}

TEST_CASE("rows of a box, where they are inside, and where a swizzle puts them") {
  TensorMap map = words_at(0x1000);
  std::vector<std::array<std::uint64_t, 3>> rows;
  TensorBox(map, {-4, 14}).for_rows([&](const TensorBox::Row& row) {
    rows.push_back({row.offset, row.bytes, row.address});
  });
  CHECK(rows == std::vector<std::array<std::uint64_t, 3>>{{16, 48, 0x1e00}, {80, 48, 0x1f00}});

  // Rows narrower than their swizzle start as far from each other as it is wide.
  map.swizzle_bytes = 128;
  std::vector<std::uint32_t> places;
  TensorBox(map, {0, 0}).for_chunks(1024, [&](std::uint32_t, std::uint32_t at) {
    places.push_back(at);
  });
  REQUIRE(places.size() == 32);
  CHECK(places[0] == 0);
  CHECK(places[3] == 48);
  CHECK(places[4] == 128 + 16);
  CHECK(places[31] == 7 * 128 + (3 ^ 7) * 16);
  // By the address, not by the row.
  std::vector<std::uint32_t> moved;
  TensorBox(map, {0, 0}).for_chunks(1024 + 128, [&](std::uint32_t, std::uint32_t at) {
    moved.push_back(at);
  });
  CHECK(moved[0] == 16);
}

TEST_CASE("a load gives the box, zeros outside, and tells the barrier of all of it") {
  const auto words = numbers_on_device();
  device().run_clean("box", {1, 1, 1}, {32, 1, 1}, packed(words_at(words)), output(), 56, -2, 512,
                     0);
  const auto got = device().download<unsigned>(output(), 128);
  for (unsigned i = 0; i < 128; ++i) {
    const int row = static_cast<int>(i / 16) - 2;
    const unsigned column = 56 + i % 16;
    CHECK(got[i] == (row >= 0 && column < 64 ? 64u * static_cast<unsigned>(row) + column : 0u));
  }
  const auto pointed = device().upload(std::vector<Map>{packed(words_at(words))});
  device().run_clean("by_pointer", {1, 1, 1}, {32, 1, 1}, pointed, output());
  CHECK(device().download<unsigned>(output(), 32)[17] == 65);
}

TEST_CASE("a store writes what is inside, to the end of the last 16 bytes") {
  TensorMap map = words_at(device().upload(std::vector<unsigned>(1024, 7)));
  map.dims = {62, 16, 1, 1, 1};
  device().run_clean("stored", {1, 1, 1}, {32, 1, 1}, packed(map), 100u, 52, 14);
  const auto got = device().download<unsigned>(map.address, 1024);
  for (unsigned i = 0; i < 1024; ++i) {
    const unsigned row = i / 64, column = i % 64;
    CHECK(got[i] == (row >= 14 && column >= 52 ? 100 + (row - 14) * 16 + column - 52 : 7));
  }
}

TEST_CASE("sums of f32 keep subnormal numbers, unless the type says otherwise") {
  const unsigned subnormal = 0x00000003;
  for (const bool flushes : {false, true}) {
    TensorMap map = words_at(device().upload(std::vector<unsigned>(1024, subnormal)));
    map.element = flushes ? TensorMap::Element::f32_ftz : TensorMap::Element::f32;
    device().run_clean("added", {1, 1, 1}, {32, 1, 1}, packed(map), subnormal);
    CHECK(device().download<unsigned>(map.address, 1)[0] == (flushes ? 0 : 6));
  }
}

TEST_CASE("what the hardware refuses is reported by kind") {
  const TensorMap map = words_at(numbers_on_device());
  CHECK(kind_of(packed(map), 0, 0) == "");
  CHECK(kind_of(packed(map), 2, 0) == "invalid-tensor-copy");
  CHECK(kind_of({}, 0, 0) == "invalid-tensor-copy");
  CHECK(kind_of(packed(map), 0, 0, 64) == "misaligned");
  CHECK(kind_of(packed(map), 0, 0, 1024) == "out-of-bounds");
  TensorMap other = map;
  other.rank = 3;
  CHECK(kind_of(packed(other), 0, 0) == "invalid-tensor-copy");
  other = map;
  other.dims[1] = 20;
  CHECK(kind_of(packed(other), 0, 8) == "");
  CHECK(kind_of(packed(other), 0, 9) == "out-of-bounds");

  const auto kind = [](const watch::LaunchReport& report) {
    return report.diagnoses.empty() ? std::string() : report.diagnoses[0].kind;
  };
  CHECK(kind(device().run("by_value", {1, 1, 1}, {32, 1, 1}, packed(map), output())) ==
        "invalid-object");
  CHECK(kind(device().run("by_pointer", {1, 1, 1}, {32, 1, 1}, std::uint64_t{0}, output())) ==
        "null-pointer");
  const auto maps = device().upload(std::vector<Map>(2, packed(map)));
  CHECK(kind(device().run("by_pointer", {1, 1, 1}, {32, 1, 1}, maps + 32, output())) ==
        "misaligned");
  CHECK(kind(device().run("by_pointer", {1, 1, 1}, {32, 1, 1}, maps + 192, output())) ==
        "out-of-bounds");
  for (const std::uint64_t wild : {~63ull, 1ull << 58, (1ull << 59) - 64, 1ull << 56, 1ull << 60})
    CHECK(kind(device().run("by_pointer", {1, 1, 1}, {32, 1, 1}, wild, output())) != "");
  CHECK(kind(device().run("stored", {1, 1, 1}, {32, 1, 1}, packed(map), 0u, 0, -1)) ==
        "invalid-tensor-copy");
  other = map;
  other.element = TensorMap::Element::s64;
  other.strides = {8, 256};
  other.box = {8, 8, 1, 1, 1};
  other.dims = {32, 16, 1, 1, 1};
  CHECK(kind(device().run("added", {1, 1, 1}, {32, 1, 1}, packed(other), 1u)) ==
        "invalid-tensor-copy");
}

}  // namespace tensor_copies_test
