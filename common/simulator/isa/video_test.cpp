#include <array>
#include <fstream>
#include <sstream>
#include <vector>

#include "simulator/isa/isa_fixture.h"

using namespace warpwise::isa;

namespace {
using u32 = std::uint32_t;
using s32 = std::int32_t;

/// The inputs of the H200: all triples of some edges, then a sequence of words.
std::vector<std::array<u32, 3>> recorded_inputs() {
  constexpr std::array<u32, 8> edge = {0,          1,          0x7fffffff, 0x80000000,
                                       0xffffffff, 0x7f80ff80, 0x8000ffff, 0x10000};
  u32 state = 5;
  auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return state ^ state >> 13;
  };
  std::vector<std::array<u32, 3>> inputs;
  for (unsigned i = 0; i < 1200; ++i) {
    if (i < 512)
      inputs.push_back({edge[i % 8], edge[i / 8 % 8], edge[i / 64]});
    else
      inputs.push_back({next(), next(), next()});
  }
  return inputs;
}

/// "-a.b0": the sign and the part, as a row needs them.
std::string selector_of(const std::string& source) {
  const auto point = source.find('.');
  return (source.starts_with('-') ? "-" : "") +
         (point == source.npos ? "" : source.substr(point + 1));
}
}  // namespace

TEST_CASE("video instructions pick bytes and halves and extend them") {
  CHECK(run_selected<s32>("vadd.s32.s32.u32", {"", "b3", "h0"}, 0x80000000u, 0x1234ffffu) ==
        -128 + 0xffff);
  CHECK(run<s32>("vsub.s32.u32.u32", 3u, 5u) == -2);
  CHECK(run<u32>("vsub.u32.u32.u32.sat", 3u, 5u) == 0);
  CHECK(run<s32>("vadd.s32.s32.s32.sat", INT32_MAX, 1) == INT32_MAX);
  CHECK(run<u32>("vabsdiff.u32.s32.s32", INT32_MIN, INT32_MAX) == ~0u);
  CHECK(run<s32>("vabsdiff.s32.s32.s32.sat", INT32_MIN, INT32_MAX) == INT32_MAX);
  CHECK(run<s32>("vmin.s32.s32.u32", -1, 5u) == -1);
  CHECK(run<u32>("vmax.u32.s32.u32", -1, 5u) == 5);
  CHECK(run<u32>("vset.s32.u32.lt", -1, 0u) == 1);
}

TEST_CASE("video instructions have a second operation") {
  CHECK(run<s32>("vadd.s32.s32.s32.add", 1, 2, 10) == 13);
  CHECK(run<s32>("vadd.s32.s32.s32.max", 1, 2, -10) == 3);
  CHECK(run<u32>("vadd.u32.u32.u32.max", 1u, 2u, 0xfffffff0u) == 0xfffffff0u);
  CHECK(run<s32>("vmax.s32.s32.s32.min", 7, 2, 3) == 3);
  CHECK(run_selected<u32>("vadd.u32.u32.u32.sat", {"b1"}, 200u, 100u, 0x11223344u) == 0x1122ff44u);
  // A sum below the smallest signed one also counts as large, as on an H200.
  CHECK(run_selected<s32>("vadd.s32.s32.s32.sat", {"b2"}, INT32_MIN, INT32_MIN, 0x11223344) ==
        0x117f3344);
  CHECK(run_selected<u32>("vadd.u32.u32.u32", {"h1"}, 0x10000u, 5u, 0x11223344u) == 0x00013344u);
  CHECK(run_selected<u32>("vset.s32.s32.ge", {"b0"}, 3, 3, 0x11223344u) == 0x11223301u);
}

TEST_CASE("video products are added to, scaled and saturated") {
  CHECK(run<u32>("vmad.u32.u32.u32", 3u, 5u, 7u) == 22);
  CHECK(run<u32>("vmad.u32.u32.u32.po", 3u, 5u, 7u) == 23);
  CHECK(run<u32>("vmad.u32.u32.u32.shr15", 0x80000000u, 0x10000u, 0x8000u) == 1);
  CHECK(run<u32>("vmad.u32.u32.u32.sat", 0x7fffffffu, 3u, 0u) == ~0u);
  CHECK(run<s32>("vmad.s32.s32.s32.sat", INT32_MIN, 2, 5) == INT32_MIN);
  CHECK(run<s32>("vmad.s32.s32.u32.sat.shr7", -1000, 64u, 0) == -500);
  CHECK(run_selected<s32>("vmad.s32.s32.u32", {"", "b3", "h0", ""}, 0x80000000u, 0x12340003u, 10) ==
        -128 * 3 + 10);
  CHECK(run_selected<s32>("vmad.s32.u32.u32", {"", "-", "", ""}, 3u, 5u, 7) == -8);
  CHECK(run_selected<s32>("vmad.s32.u32.u32", {"", "-b0", "-h1", ""}, 0xff02u, 0x30000u, 7) == 13);
  CHECK(run_selected<s32>("vmad.s32.u32.u32.sat", {"", "", "", "-"}, 3u, 5u, 20) == -5);
}

TEST_CASE("video products of every type, scale, sign and part are an H200's") {
  std::ifstream file(WARPWISE_SOURCE_DIR "/common/verification/recorded/vmad_on_h200.txt");
  const auto inputs = recorded_inputs();
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    u32 recorded = 0;
    std::string opcode, a, b, c;
    words >> std::hex >> recorded >> opcode >> a >> b >> c;
    const std::string parts[] = {"", selector_of(a), selector_of(b), selector_of(c)};
    u32 hash = 0;
    for (const auto& [x, y, z] : inputs)
      hash =
          hash * 31 + run_selected<u32>(opcode, {parts[0], parts[1], parts[2], parts[3]}, x, y, z);
    CHECK_MESSAGE(hash == recorded, line);
    ++rows;
  }
  CHECK(rows == 288);
}

TEST_CASE("scalar video instructions of every type and second operation are an H200's") {
  constexpr std::array<u32, 8> edges = {0,          1,          0x8001,     0x7fffffff,
                                        0x80000000, 0x80000001, 0xf73f4860, 0xffffffff};
  std::ifstream file(WARPWISE_SOURCE_DIR "/common/verification/recorded/video_on_h200.txt");
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    u32 recorded = 0, hash = 0;
    std::string opcode;
    words >> std::hex >> recorded >> opcode;
    const bool has_second =
        opcode.ends_with(".add") || opcode.ends_with(".min") || opcode.ends_with(".max");
    for (u32 a : edges)
      for (u32 b : edges)
        for (u32 c : edges)
          hash = hash * 31 + (has_second ? run<u32>(opcode, a, b, c) : run<u32>(opcode, a, b));
    CHECK_MESSAGE(hash == recorded, line);
    ++rows;
  }
  CHECK(rows == 320);
}

TEST_CASE("video shifts clamp or wrap") {
  CHECK(run<u32>("vshl.u32.u32.u32.clamp", 3u, 32u) == 0);
  CHECK(run<u32>("vshl.u32.u32.u32.wrap", 3u, 33u) == 6);
  CHECK(run<s32>("vshr.s32.s32.u32.clamp", -8, 40u) == -1);
  CHECK(run<u32>("vshl.u32.u32.u32.sat.clamp", 0x80000000u, 1u) == ~0u);
  CHECK(run<u32>("vshr.u32.u32.u32.wrap.add", 0x80000000u, 31u, 6u) == 7);
}

TEST_CASE("video instructions on two and four parts") {
  u32 a = 0x01ff8000, b = 0x02017f01, c = 0xaabbccdd;
  CHECK(run<u32>("vadd4.u32.u32.u32", a, b, c) == 0x0300ff01u);
  CHECK(run<u32>("vadd4.u32.u32.u32.sat", a, b, c) == 0x03ffff01u);
  CHECK(run<u32>("vsub2.s32.s32.s32.sat", 0x80000005u, 0x00010007u, c) == 0x8000fffeu);
  CHECK(run<u32>("vabsdiff4.u32.u32.u32", a, b, c) == 0x01fe0101u);
  CHECK(run<u32>("vabsdiff4.u32.u32.u32.add", a, b, 1000u) == 1000 + 1 + 0xfe + 1 + 1);
  CHECK(run<u32>("vabsdiff4.s32.s32.s32.add", a, b, 0u) == 1 + 2 + 255 + 1);
  CHECK(run<u32>("vmax4.s32.s32.s32", a, b, c) == 0x02017f01u);
  CHECK(run<u32>("vmin2.u32.u32.u32", a, b, c) == 0x01ff7f01u);
  CHECK(run<u32>("vset4.u32.u32.gt", a, b, c) == 0x00010100u);
  CHECK(run<u32>("vset2.s32.s32.gt.add", a, b, 5u) == 5);
  CHECK(run<u32>("vavrg4.u32.u32.u32", a, b, c) == 0x02808001u);
  CHECK(run<u32>("vavrg2.s32.s32.s32", 0xfffdfffeu, 0u, c) == 0xfffeffffu);
  CHECK_FALSE(find_row("vadd4.u32.u32.u32.sat.add"));
}

TEST_CASE("video parts are picked from both sources and masked") {
  CHECK(run_selected<u32>("vadd2.u32.u32.u32", {"h0", "h32", "h10"}, 0x00010002u, 0x00030004u,
                          0xaaaa0000u) == 0xaaaa0006u);
  CHECK(run_selected<u32>("vadd4.u32.u32.u32", {"b20", "b7777", "b0000"}, 1u, 0x05000000u,
                          0xffffffffu) == 0xff06ff06u);
  CHECK(run_selected<u32>("vabsdiff4.u32.u32.u32.add", {"b1"}, 0x0900u, 0u, 1u) == 10);
}
