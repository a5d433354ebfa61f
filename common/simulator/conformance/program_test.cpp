#include <doctest/doctest.h>

#include <set>

#include "simulator/conformance/fixture.h"
#include "simulator/conformance/replay.h"

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
  // An executor that runs a wrong program wherever it sees popc.
  class Wrong : public Executor {
   public:
    void load(const std::string& ptx) override {
      std::string text = ptx;
      for (std::size_t at = 0; (at = text.find("popc.b32", at)) != std::string::npos;)
        text.replace(at, 8, "brev.b32");
      machine_->load(text);
    }
    Bytes run(const Launch& launch) override { return machine_->run(launch); }
    std::string name() const override { return "wrong"; }

   private:
    std::unique_ptr<Executor> machine_ = simulator();
  };
  auto machine = simulator();
  Wrong wrong;
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
