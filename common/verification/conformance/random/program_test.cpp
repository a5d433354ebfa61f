#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "verification/conformance/fixture.h"
#include "verification/conformance/replay.h"
#include "verification/conformance/wrong_executor.h"

namespace warpwise::conformance {
namespace {

const Palette& palette() {
  static const Palette made(palette_keys([](auto& key) {
    // Without asking ptxas: rows whose every form it takes.
    for (const char* kept : {"add.s", "mul.lo", "xor", "setp.l", "selp", "fma.rn", "popc", "shf"})
      if (key.starts_with(kept)) return false;
    return true;
  }));
  return made;
}

TEST_CASE("a seed always makes the same program, another seed another") {
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Program program = random_program(seed, palette());
    CHECK(program.hash() == random_program(seed, palette()).hash());
    CHECK(hashes.insert(program.hash()).second);
  }
}

TEST_CASE("random programs have every construction") {
  std::string all;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    all += random_program(seed, palette()).kernel("p");
  for (const char* part : {"st.local", "red.shared", "red.global", "atom.global.cas", "bar.sync",
                           "shfl.sync.bfly", "vote.sync.ballot", "@!%q0 bra", "@%p", "@!%p",
                           "ld.global.v4.b32", "fma.rn.f64", "tile[1280", "tile[1536"})
    CHECK_MESSAGE(all.find(part) != std::string::npos, std::string(part));
}

TEST_CASE(
    "what random programs compute with has no second NaN, and nothing is shifted by what shows") {
  const Palette wide({"add.rn.f64", "fma.rz.f64", "max.f64", "min.f32", "shl.b32", "div.s32"});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::istringstream lines(random_program(seed, wide).kernel("p"));
    for (std::string line; std::getline(lines, line);) {
      auto sources_of = [&](const char* opcode) {
        std::vector<std::string> sources;
        std::size_t at = line.find(std::string("  ") + opcode + " ");
        if (at != 0 && line.find('@') != 2) return sources;
        at = line.find(std::string(opcode) + " ");
        while (at != line.npos && (at = line.find(", ", at)) != line.npos)
          sources.push_back(line.substr(at += 2, 3));
        return sources;
      };
      for (const char* opcode : {"add.rn.f64", "fma.rz.f64", "max.f64"}) {
        std::set<std::string> shown;
        for (const std::string& source : sources_of(opcode))
          if (source.starts_with("%d")) shown.insert(source);
        CHECK_MESSAGE(shown.size() <= 1, line);
      }
      for (const char* opcode : {"max.f64", "min.f32", "shl.b32"}) {
        auto sources = sources_of(opcode);
        if (sources.size() == 2) CHECK_MESSAGE(!sources[1].starts_with("%r"), line);
        if (sources.size() == 2) CHECK_MESSAGE(!sources[1].starts_with("%d"), line);
      }
    }
  }
}

TEST_CASE("what set gives as a number is hidden, and no chain begins with a carry that is known") {
  const Palette set({"set.eq.f32.u32", "set.lt.f16.f16", "set.ne.u32.u32"});
  std::size_t results = 0, chains = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::istringstream lines(random_program(seed, set).kernel("p"));
    std::string before;
    for (std::string line; std::getline(lines, line); before = line) {
      if (before.find("  set.eq.f32") == 0 || before.find("  set.lt.f16") == 0) {
        ++results;
        CHECK_MESSAGE(line.find("  xor.b") == 0, before << line);
      }
      if (before.find("  set.ne.u32") == 0) CHECK_MESSAGE(line.find("  cvt") == 0, line);
      bool begins = false;
      for (const char* opcode : {"  add.cc.", "  sub.cc.", "  mad.lo.cc.", "  mad.hi.cc."})
        begins |= line.starts_with(opcode);
      if (!begins) continue;
      ++chains;
      CHECK_MESSAGE(line.find('%', line.find(',')) != line.npos, line);
    }
  }
  CHECK(results > 100);
  CHECK(chains > 50);
}

TEST_CASE("nothing that a compiler may fuse or approximate is in the palette") {
  std::set<std::string> keys;
  for (const std::string& key : palette_keys([](auto&) { return false; })) keys.insert(key);
  CHECK(keys.count("add.rn.f32") == 1);
  CHECK(keys.count("add.s32") == 1);
  CHECK(keys.count("fma.rn.f64") == 1);
  CHECK(keys.count("add.f32") == 0);
  CHECK(keys.count("mul.ftz.f32") == 0);
  CHECK(keys.count("sin.approx.f32") == 0);
  CHECK(keys.count("div.full.f32") == 0);
  CHECK_THROWS(Palette({"add.s33"}));
}

TEST_CASE("a program that differs shrinks to the instruction that does") {
  auto machine = simulator();
  WrongExecutor wrong;
  bool shrunk = false;
  for (std::uint64_t seed = 0; seed < 20 && !shrunk; ++seed) {
    Program program = random_program(seed, palette());
    std::string rest = shrink(program, *machine, wrong);
    if (rest.empty()) continue;
    shrunk = true;
    std::size_t first = rest.find("popc.b32");
    CHECK(first != std::string::npos);
    CHECK(rest.find("popc.b32", first + 1) == std::string::npos);
    CHECK(rest.find("fma.rn") == std::string::npos);
  }
  CHECK(shrunk);
  CHECK(shrink(random_program(1, palette()), *machine, *machine) == "");
}

}  // namespace
}  // namespace warpwise::conformance
