// Sectors and wavefronts of patterns with known counts, and of random ones by a model written
// differently.

#include "simulator/watch/report/coalescing.h"

#include <doctest/doctest.h>

#include <bitset>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace warpwise::watch;

namespace {

constexpr std::uint32_t all = ~0u;

/// Addresses of 32 lanes from their index.
std::vector<std::uint64_t> addresses(const std::function<std::uint64_t(std::uint64_t)>& of_lane) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t lane = 0; lane < 32; ++lane) result.push_back(of_lane(lane));
  return result;
}

unsigned sectors_of(std::uint32_t mask, unsigned bytes,
                    const std::function<std::uint64_t(std::uint64_t)>& of_lane) {
  return sectors(addresses(of_lane).data(), mask, bytes);
}

unsigned wavefronts_of(unsigned bytes, const std::function<std::uint64_t(std::uint64_t)>& of_lane,
                       std::uint32_t mask = all) {
  // Stores: loads of shared addresses may be served faster than the bank model says.
  return wavefronts(addresses(of_lane).data(), mask, bytes, false);
}

/// Bit by bit: every byte of every lane marks its sector.
unsigned sectors_byte_by_byte(const std::vector<std::uint64_t>& at, std::uint32_t mask,
                              unsigned bytes) {
  std::set<std::uint64_t> touched;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned byte = 0; byte < bytes && (mask >> lane & 1); ++byte)
      touched.insert((at[lane] + byte) >> 5);
  return static_cast<unsigned>(touched.size());
}

/// Serves a store wavefront by wavefront: each takes at most one word of every bank.
unsigned wavefronts_by_serving(const std::vector<std::uint64_t>& at, std::uint32_t mask,
                               unsigned bytes) {
  unsigned lanes = bytes == 16 ? 8 : bytes == 8 ? 16 : 32, served = 0;
  for (unsigned first = 0; first < 32; first += lanes) {
    std::set<std::uint64_t> wanted;
    for (unsigned lane = first; lane < first + lanes; ++lane)
      for (unsigned byte = 0; byte < bytes && (mask >> lane & 1); ++byte)
        wanted.insert((at[lane] + byte) >> 2);
    while (!wanted.empty()) {
      std::bitset<32> busy;
      for (auto word = wanted.begin(); word != wanted.end();) {
        bool free = !busy[*word & 31];
        busy.set(*word & 31);
        word = free ? wanted.erase(word) : std::next(word);
      }
      ++served;
    }
  }
  return served;
}

}  // namespace

TEST_CASE("lanes that update one address send its sector again and again") {
  auto atomic = [](std::uint32_t mask, const std::function<std::uint64_t(std::uint64_t)>& of_lane) {
    return atomic_sectors(addresses(of_lane).data(), mask).count;
  };
  CHECK(atomic(all, [](std::uint64_t i) { return 4 * i; }) == 4);
  CHECK(atomic(all, [](std::uint64_t) { return 64; }) == 32);
  CHECK(atomic(all, [](std::uint64_t i) { return 4 * (i & 30); }) == 8);
  CHECK(atomic(all, [](std::uint64_t i) { return 8 * (i & 28); }) == 32);
  CHECK(atomic(all, [](std::uint64_t i) { return 4 * (i % 4); }) == 8);
  CHECK(atomic(0xaaaaaaaa, [](std::uint64_t) { return 64; }) == 16);
  // One address has three lanes, another of the same sector two.
  CHECK(atomic(0x1f, [](std::uint64_t i) { return i < 3 ? 0 : 8; }) == 3);
}

TEST_CASE("random atomics send each sector as often as the most updated address in it") {
  std::mt19937 random(13);
  unsigned unknown = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::uint32_t mask = round % 3 ? random() : all;
    const unsigned range = 1u << random() % 10, bytes = 2u << random() % 3;
    const auto at = addresses([&](std::uint64_t) { return random() % range * bytes; });
    std::map<std::uint64_t, std::map<std::uint64_t, unsigned>> lanes;  // by sector and address
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) ++lanes[at[lane] / 32][at[lane]];
    unsigned count = 0;
    bool is_address_shared = false, is_sector_shared = false;
    for (const auto& [sector, of_sector] : lanes) {
      unsigned most = 0;
      for (const auto& [address, updates] : of_sector) most = std::max(most, updates);
      count += most;
      is_address_shared |= most > 1;
      is_sector_shared |= of_sector.size() > 1;
    }
    const AtomicSectors told = atomic_sectors(at.data(), mask);
    REQUIRE(told.count == count);
    REQUIRE(told.is_known == (lanes.size() <= 12 || !is_address_shared || !is_sector_shared));
    unknown += !told.is_known;
  }
  CHECK(unknown > 500);
}

TEST_CASE("which atomics may send more sectors than the rule says") {
  const auto known = [](const std::function<std::uint64_t(std::uint64_t)>& of_lane) {
    return atomic_sectors(addresses(of_lane).data(), all).is_known;
  };
  CHECK(known([](std::uint64_t) { return 64; }));
  CHECK(known([](std::uint64_t i) { return 4 * i; }));
  CHECK(known([](std::uint64_t i) { return 256 * (i / 2); }));
  CHECK(known([](std::uint64_t i) { return 32 * (i / 2) + 4 * (i & 1); }));
  // An H200 sent 25 sectors for this request.
  const std::uint64_t words[32] = {75,  230, 156, 192, 81, 122, 102, 55, 224, 170, 14,
                                   133, 212, 11,  158, 46, 126, 234, 0,  0,   206, 169,
                                   128, 0,   0,   52,  78, 0,   0,   90, 8,   216};
  CHECK(
      atomic_sectors(addresses([&](std::uint64_t i) { return 4 * words[i]; }).data(), all).count ==
      23);
  CHECK_FALSE(known([&](std::uint64_t i) { return 4 * words[i]; }));
}

TEST_CASE("sums of floats that an H200 was measured with") {
  const auto loop = [](const std::function<std::uint64_t(std::uint64_t)>& element,
                       std::uint32_t mask = all) {
    const UpdateLoop found =
        update_loop(addresses([&](std::uint64_t lane) { return 4 * element(lane); }).data(), mask);
    return std::pair(found.loads, found.wavefronts);
  };
  const auto stride = [](std::uint64_t stride) {
    return [stride](std::uint64_t lane) { return lane * stride; };
  };
  CHECK(loop(stride(1)) == std::pair(1U, 1U));
  CHECK(loop(stride(0)) == std::pair(32U, 32U));
  CHECK(loop(stride(2)) == std::pair(2U, 3U));
  CHECK(loop(stride(8)) == std::pair(8U, 36U));
  CHECK(loop(stride(32)) == std::pair(32U, 528U));
  CHECK(loop(stride(33)) == std::pair(1U, 1U));
  CHECK(loop(stride(0), 0xAAAAAAAA) == std::pair(16U, 16U));
  CHECK(loop([](std::uint64_t lane) { return lane % 8 * 32; }) == std::pair(32U, 228U));
  CHECK(loop([](std::uint64_t lane) { return lane * lane % 64; }) == std::pair(8U, 15U));
  CHECK(loop([](std::uint64_t lane) { return lane * lane * 16 % 1024; }, 0x7FFFFFFE) ==
        std::pair(15U, 85U));
}

TEST_CASE("random sums of floats agree with a model that goes round by round") {
  std::mt19937 random(11);
  for (int round = 0; round < 5000; ++round) {
    const unsigned range = 1U << random() % 9;
    const std::uint32_t mask = random() | 1U << random() % 32;
    const auto at = addresses([&](std::uint64_t) { return 4 * (random() % range); });
    unsigned loads = 0, needed = 0;
    for (std::uint32_t left = mask; left; ++loads) {
      needed += wavefronts(at.data(), left, 4, true);
      std::set<std::uint64_t> banks;
      for (unsigned lane = 0; lane < 32; ++lane)
        if (left >> lane & 1 && banks.insert(at[lane] / 4 % 32).second) left &= ~(1U << lane);
    }
    const UpdateLoop found = update_loop(at.data(), mask);
    REQUIRE(found.loads == loads);
    REQUIRE(found.wavefronts == needed);
  }
}

TEST_CASE("copies past L1 count pairs of a sector written and a line read") {
  auto copied = [](std::uint32_t mask, auto read, auto write) {
    auto from = addresses([&](std::uint64_t i) { return 4096 + 16 * read(i); }),
         to = addresses([&](std::uint64_t i) { return 1024 + 16 * write(i); });
    return bypassing_sectors(from.data(), to.data(), mask);
  };
  auto lane = [](std::uint64_t i) { return i; };
  auto times = [](std::uint64_t factor) { return [=](std::uint64_t i) { return factor * i; }; };
  auto plus_one = [](std::uint64_t i) { return i + 1; };
  CHECK(copied(all, lane, lane) == 16);
  CHECK(copied(all, lane, times(3)) == 32);
  CHECK(copied(all, times(2), lane) == 16);
  CHECK(copied(all, times(2), plus_one) == 24);
  CHECK(copied(all, lane, plus_one) == 20);
  CHECK(copied(all, plus_one, lane) == 20);
  CHECK(copied(all, plus_one, plus_one) == 17);
  CHECK(copied(all, lane, [](std::uint64_t i) { return i ^ 1; }) == 16);
  CHECK(copied(all, lane, times(0)) == 1);
  CHECK(copied(all, times(0), lane) == 16);
  CHECK(copied(0xffff, lane, lane) == 8);
  CHECK(copied(0x2000, lane, lane) == 1);
}

TEST_CASE("sectors of the global patterns that an H200 was measured with") {
  const std::uint64_t base = 0x7f0000000000;
  CHECK(sectors_of(all, 4, [&](auto lane) { return base + 4 * lane; }) == 4);
  CHECK(sectors_of(all, 4, [&](auto lane) { return base + 8 * lane; }) == 8);
  CHECK(sectors_of(all, 4, [&](auto lane) { return base + 128 * lane; }) == 32);
  CHECK(sectors_of(all, 4, [&](auto lane) { return base + 4 * lane + 4; }) == 5);
  CHECK(sectors_of(all, 16, [&](auto lane) { return base + 16 * lane; }) == 16);
  CHECK(sectors_of(all, 4, [&](auto) { return base; }) == 1);
}

TEST_CASE("sectors of narrow, reversed, masked and straddling accesses") {
  CHECK(sectors_of(all, 1, [](auto lane) { return lane; }) == 1);
  CHECK(sectors_of(all, 2, [](auto lane) { return 2 * lane; }) == 2);
  CHECK(sectors_of(all, 4, [](auto lane) { return 4 * (31 - lane); }) == 4);
  CHECK(sectors_of(1u << 13, 4, [](auto lane) { return 4 * lane; }) == 1);
  CHECK(sectors_of(0xff, 4, [](auto lane) { return 4 * lane; }) == 1);
  CHECK(sectors_of(0xaaaaaaaa, 4, [](auto lane) { return 4 * lane; }) == 4);
  CHECK(sectors_of(0x00010001, 4, [](auto lane) { return 4 * lane; }) == 2);
  CHECK(sectors_of(1, 8, [](auto) { return std::uint64_t{28}; }) == 2);
}

TEST_CASE("wavefronts of the shared patterns that an H200 was measured with") {
  CHECK(wavefronts_of(4, [](auto lane) { return 4 * lane; }) == 1);
  CHECK(wavefronts_of(4, [](auto lane) { return 8 * lane; }) == 2);
  CHECK(wavefronts_of(4, [](auto lane) { return 32 * lane; }) == 8);
  CHECK(wavefronts_of(4, [](auto lane) { return 128 * lane; }) == 32);
  CHECK(wavefronts_of(4, [](auto lane) { return 132 * lane; }) == 1);
  CHECK(wavefronts_of(4, [](auto) { return std::uint64_t{400}; }) == 1);
  CHECK(wavefronts_of(16, [](auto lane) { return 16 * lane; }) == 4);
  CHECK(wavefronts_of(16, [](auto lane) { return 32 * lane; }) == 8);
  CHECK(wavefronts_of(8, [](auto lane) { return 8 * lane; }) == 2);
}

TEST_CASE("wavefronts of narrow and partly masked accesses") {
  CHECK(wavefronts_of(1, [](auto lane) { return lane; }) == 1);
  CHECK(wavefronts_of(2, [](auto lane) { return 2 * lane; }) == 1);
  CHECK(wavefronts_of(1, [](auto lane) { return 128 * lane + lane % 4; }) == 32);
  CHECK(wavefronts_of(
            4, [](auto lane) { return 128 * lane; }, 0x0000ff00) == 8);
  CHECK(wavefronts_of(
            16, [](auto lane) { return 16 * lane; }, 0xff) == 1);
  CHECK(wavefronts_of(
            16, [](auto lane) { return 16 * lane; }, 0x01010101) == 4);
  CHECK(wavefronts_of(
            8, [](auto lane) { return 8 * lane; }, 0xffff0000) == 1);
  CHECK(ideal_wavefronts(all, 4) == 1);
  CHECK(ideal_wavefronts(all, 8) == 2);
  CHECK(ideal_wavefronts(all, 16) == 4);
  CHECK(ideal_wavefronts(1u << 31, 16) == 1);
  CHECK(ideal_wavefronts(0x00ffff00, 16) == 2);
  CHECK(ideal_wavefronts(0x0001ffff, 8) == 2);
}

TEST_CASE("loads take two parts at a time where neighbours share addresses") {
  auto at = [](const std::function<std::uint64_t(std::uint64_t)>& of_lane, unsigned bytes,
               bool is_load) { return wavefronts(addresses(of_lane).data(), all, bytes, is_load); };
  auto one_word = [](std::uint64_t) { return std::uint64_t{64}; };
  CHECK(at(one_word, 16, true) == 2);
  CHECK(at(one_word, 16, false) == 4);
  CHECK(at([](std::uint64_t lane) { return lane / 2 * 8; }, 8, true) == 1);
  CHECK(at([](std::uint64_t lane) { return lane / 2 * 8; }, 8, false) == 2);
  CHECK(at([](std::uint64_t lane) { return lane * 8; }, 8, true) == 2);
}

TEST_CASE("what Nsight Compute makes of wide loads in which lanes share addresses") {
  const auto counted = [](unsigned bytes,
                          const std::function<std::uint64_t(std::uint64_t)>& element,
                          std::uint32_t mask = all) {
    const auto at = addresses([&](std::uint64_t lane) { return bytes * element(lane); });
    return counted_wavefronts(at.data(), mask, bytes);
  };
  const auto one_word = [](std::uint64_t) { return std::uint64_t{0}; };
  const auto pairs = [](std::uint64_t lane) { return lane / 2; };
  const auto unit = [](std::uint64_t lane) { return lane; };
  CHECK(counted(16, unit) == 4);
  CHECK(counted(16, pairs) == 2);
  CHECK(counted(16, one_word) == 2);
  CHECK(counted(16, one_word, 0xFFFF) == 1);
  CHECK(counted(16, one_word, 1U | 1U << 31) == 1);
  CHECK(counted(16, one_word, 0x1FFFF) == 2);
  CHECK(counted(16, pairs, 0x3FFFF) == 2);
  CHECK(counted(16, pairs, ~8U) == 0);
  CHECK(counted(16, unit, ~8U) == 4);
  CHECK(counted(8, pairs) == 1);
  // Joined by the hardware alone: two words in one bank.
  const auto far = [](std::uint64_t lane) { return lane % 2 * 32; };
  CHECK(counted(8, far) == 4);
  CHECK(wavefronts(addresses([&](std::uint64_t lane) { return 8 * far(lane); }).data(), all, 8,
                   true) == 2);
}

TEST_CASE("random accesses agree with models that go byte by byte") {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    unsigned bytes = 1u << random() % 5;
    std::uint32_t mask = random() | 1u << random() % 32;
    if (round % 3 == 0) mask = all;
    unsigned range = 1u << (3 + random() % (round % 5 ? 8 : 18));
    std::uint64_t base = random() % 100 * bytes;
    bool straddles = round % 11 == 0 && bytes <= 4;
    auto at = addresses([&](std::uint64_t lane) {
      std::uint64_t index = round % 2 ? random() % range : lane * (range / 8 + 1);
      return base + index * bytes + (straddles ? random() % 4 : 0);
    });
    CAPTURE(bytes);
    CAPTURE(mask);
    REQUIRE(sectors(at.data(), mask, bytes) == sectors_byte_by_byte(at, mask, bytes));
    REQUIRE(wavefronts(at.data(), mask, bytes, false) == wavefronts_by_serving(at, mask, bytes));
    REQUIRE(wavefronts(at.data(), mask, bytes, true) <= wavefronts(at.data(), mask, bytes, false));
  }
}

TEST_CASE("copies that bypass L1 count pairs of sectors and lines, as a set of them does") {
  std::mt19937 random(11);
  for (int round = 0; round < 5000; ++round) {
    const std::uint32_t mask = round % 3 ? random() | 1u << random() % 32 : all;
    const unsigned range = 1u << (2 + random() % 6), swizzle = round % 4 ? random() % 8 : 0;
    const auto from = addresses([&](std::uint64_t lane) {
      return 16 * (round % 2 ? random() % range : lane / 8 * 64 + lane % 8);
    });
    const auto to = addresses(
        [&](std::uint64_t lane) { return 16 * (round % 5 ? lane ^ swizzle : random() % range); });
    std::map<std::uint64_t, std::uint64_t> written;  // the last lane's line counts
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1) written[to[lane]] = from[lane] / 128;
    std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
    for (const auto& [address, line] : written) pairs.insert({address / 32, line});
    REQUIRE(bypassing_sectors(from.data(), to.data(), mask) == pairs.size());
  }
}
