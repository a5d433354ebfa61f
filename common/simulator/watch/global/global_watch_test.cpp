#include "simulator/watch/global/global_watch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "simulator/watch/shared/block_steps_fixture.h"

namespace global_watch_test {

using namespace block_steps;

constexpr std::size_t large_log = 1 << 20;

/// Blocks of two warps on some host threads, as GlobalWatch sees them and as those see them that
/// always look closely, cell by cell.
class Launch {
 public:
  /// @param sharers of logs as long as the memory that is touched.
  Launch(unsigned shift, unsigned workers, std::size_t small_log, unsigned sharers = 1u << 30)
      : shift_(shift), inter_block_(shift), listed_inter_block_(shift), listed_(shift, true) {
    memory_.resize(std::size_t{1} << 20, std::byte{0xff});
    for (unsigned i = 0; i < workers; ++i)
      watches_.push_back(
          std::make_unique<GlobalWatch>(shift, 2, &inter_block_, true, small_log, sharers));
  }

  /// Runs a block by one of the workers.
  void run(unsigned worker, unsigned block, const std::vector<Step>& steps) {
    GlobalWatch& watch = *watches_[worker];
    HappensBefore order(2);
    order.start_block(block);
    watch.start_block();
    listed_.start_block();
    for (const Step& step : steps) {
      if (step.is_barrier) {
        order.block_barrier(3);
        continue;
      }
      const StepAccess access(step, shift_, memory_);
      const bool reported =
          watch.access(order, step.warp, access.event, AddressShape(access.event), access.values)
              .has_value();
      REQUIRE(
          reported ==
          listed_.access(order, step.warp, access.event, AddressShape(access.event), access.values)
              .has_value());
      within += reported;
    }
    closely += watch.looks_closely();
    ++blocks;
    watch.finish_block(block);
    listed_inter_block_.add(block, listed_);
  }

  /// Where blocks met, which both say.
  unsigned settle(bool everything = false) {
    std::vector<GlobalWatch*> all;
    for (const auto& watch : watches_) all.push_back(watch.get());
    GlobalWatch::settle(all, everything);
    const auto met = meetings(inter_block_);
    REQUIRE(met == meetings(listed_inter_block_));
    return static_cast<unsigned>(met.size());
  }

  const InterBlockRaces& inter_block() const { return inter_block_; }
  unsigned within = 0, closely = 0, blocks = 0;

 private:
  unsigned shift_;
  std::vector<std::byte> memory_;
  InterBlockRaces inter_block_, listed_inter_block_;
  std::vector<std::unique_ptr<GlobalWatch>> watches_;
  GlobalRaces listed_;
};

/// The steps of a right block: each thread has cells of its own, which it may read again and write,
/// between two barriers; all read what no thread writes. Now and then it goes astray.
Step tidy_step(std::mt19937& random, unsigned block, unsigned barriers, unsigned astray) {
  Step step{};
  step.warp = random() % 2;
  step.site = random() % 4;
  step.is_barrier = random() % 5 == 0;
  step.is_store = random() % 2;
  step.is_atomic = step.is_store && random() % 8 == 0;
  step.words = step.is_atomic ? 1 : 1u << barriers % 3;  // cells of all widths start at one place
  step.mask = random() % 3 ? ~0u : random() | 1;
  const unsigned shape = random() % 5;
  const bool is_astray = astray && random() % astray == 0;
  const std::uint64_t own = 4096 + block % 4 * 4096 + (is_astray ? random() % 2 * 4096 : 0);
  const std::uint64_t shared = 40960 + random() % 64 * 4, updated = 61440;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t thread = (step.warp * 32 + lane) ^ (is_astray ? 1 : 0);
    // The owner of a cell changes with each barrier.
    const std::uint64_t place = (thread + barriers * 7) % 64;
    step.cells[lane] = step.is_atomic                 ? updated + random() % 256 * 4
                       : shape == 0 && !step.is_store ? shared + random() % 512 * 4
                       : shape == 1                   ? own + 2048 + place * 16
                       : shape == 2                   ? own + place * 4
                       : shape == 3                   ? own + 1024 + (place * 29 % 64) * 12
                                                      : own + place * 4;
    step.values[lane] = random() % 2 ? 7 : random() % 100;
  }
  if (shape == 4 && !step.is_atomic && barriers % 64 == 0)
    for (unsigned lane = 0; lane < 32; ++lane)
      step.cells[lane] = own + 512 + (step.warp * 32 + lane) * step.words;
  return step;
}

std::vector<Step> tidy_block(std::mt19937& random, unsigned block, unsigned astray) {
  std::vector<Step> steps;
  unsigned barriers = 0;
  for (unsigned count = 4 + random() % 24; count > 0; --count) {
    steps.push_back(tidy_step(random, block, barriers, astray));
    barriers += steps.back().is_barrier;
  }
  return steps;
}

TEST_CASE("a first look at global memory: the reports are those of a close look at all") {
  unsigned within = 0, met = 0, quiet = 0, close = 0, blocks = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const unsigned workers = 1 + random() % 3;
    Launch launch(seed % 5 ? 2 : random() % 3, workers, random() % 4 ? large_log : random() % 4096);
    std::array<unsigned, 6> numbers = {0, 1, 2, 3, 4, 5};
    std::shuffle(numbers.begin(), numbers.end(), random);
    for (unsigned block : numbers) {
      std::vector<Step> steps;
      for (unsigned count = 1 + random() % 12; count > 0; --count)
        steps.push_back(random_step(random, static_cast<Mostly>(seed % 3)));
      launch.run(random() % workers, block, steps);
    }
    const unsigned pairs = launch.settle(random() % 8 == 0);
    met += pairs;
    quiet += pairs == 0;
    within += launch.within;
    close += launch.closely;
    blocks += launch.blocks;
  }
  CHECK(within > 1000);
  CHECK(met > 1000);
  CHECK(quiet > 300);
  CHECK(close > 1000);
  CHECK(blocks - close > 1000);
}

TEST_CASE("a first look is enough for blocks whose threads keep to their cells") {
  unsigned within = 0, met = 0, quiet = 0, close = 0, blocks = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const unsigned workers = 1 + random() % 2, astray = seed % 2 ? 0 : 16;
    Launch launch(seed % 3, workers, random() % 4 ? large_log : random() % 8192);
    for (unsigned block = 0; block < 4; ++block)
      launch.run(random() % workers, block, tidy_block(random, block, astray));
    const unsigned pairs = launch.settle();
    if (astray) {
      met += pairs;
      within += launch.within;
      continue;
    }
    CHECK(launch.within == 0);
    quiet += pairs == 0;
    close += launch.closely;
    blocks += launch.blocks;
  }
  CHECK(met > 300);
  CHECK(within > 300);
  CHECK(quiet == 1000);
  // Reads that wait may get owners of later cells than theirs: then a close look clears that up.
  CHECK(close < blocks / 10);
}

TEST_CASE("a footprint is complete though no block met another") {
  Launch launch(2, 2, large_log);
  std::mt19937 random(1);
  for (unsigned block = 0; block < 4; ++block)
    launch.run(block % 2, block, tidy_block(random, block, 0));
  CHECK(launch.closely == 0);
  CHECK(launch.inter_block().footprint().pieces(LineAccess::write).empty());
  CHECK(launch.settle(true) == 0);
  CHECK(!launch.inter_block().footprint().pieces(LineAccess::write).empty());
}

TEST_CASE("blocks that touch scattered cells in one way alone meet those that do in another") {
  auto block_of = [](unsigned kind) {
    Step step{};
    step.is_store = kind != LineAccess::read;
    step.is_atomic = kind == LineAccess::strong;
    step.words = 1;
    step.mask = ~0u;
    for (unsigned lane = 0; lane < 32; ++lane) {
      step.cells[lane] = 4096 + lane * 29 % 32 * 1040;
      step.values[lane] = kind;
    }
    return std::vector<Step>{step};
  };
  for (unsigned workers : {1u, 2u})
    for (unsigned first = 0; first < 3; ++first)
      for (unsigned second = 0; second < 3; ++second) {
        CAPTURE(first);
        CAPTURE(second);
        Launch launch(2, workers, large_log);
        launch.run(0, 0, block_of(first));
        launch.run(workers - 1, 1, block_of(second));
        CHECK(launch.closely == 0);
        CHECK(launch.settle() == (first != second));  // equal values do not race
      }
}

TEST_CASE("threads may come back to scattered cells of theirs, and no block need be gone through") {
  for (const bool reads : {false, true}) {
    CAPTURE(reads);
    Launch launch(2, 1, large_log);
    for (unsigned block = 0; block < 4; ++block) {
      std::vector<Step> steps;
      for (unsigned time = 0; time < 2; ++time) {
        Step step{};
        step.is_store = time == 0 || !reads;
        step.words = 1;
        step.mask = ~0u;
        for (unsigned lane = 0; lane < 32; ++lane)
          step.cells[lane] = 4096 + lane * 29 % 32 * 1040 + block * 4;
        steps.push_back(step);
      }
      launch.run(0, block, steps);
    }
    CHECK(launch.closely == 0);
    CHECK(launch.settle() == 0);
    CHECK(launch.inter_block().footprint().pieces(LineAccess::write).empty());
  }
}

TEST_CASE("a log may be as long as the memory that its accesses touch") {
  constexpr unsigned piece = 4096, blocks = 64;
  Launch launch(2, 1, 1024, 1);
  auto is_gone_through = [&] {
    return !launch.inter_block().footprint().pieces(LineAccess::read).empty();
  };
  auto read = [&](unsigned block, unsigned first) {
    Step step{};
    step.words = 1;
    step.mask = ~0u;
    for (unsigned lane = 0; lane < 32; ++lane) step.cells[lane] = first + lane * 4;
    launch.run(0, block, std::vector<Step>(8, step));
  };
  for (unsigned block = 0; block < blocks; ++block) read(block, (block + 1) * piece);
  CHECK(launch.closely == 0);
  CHECK(!is_gone_through());
  // Again and again in one piece.
  for (unsigned block = blocks; block < 64 * blocks && !launch.closely; ++block) read(block, piece);
  CHECK(launch.closely == 1);
  CHECK(is_gone_through());
}

}  // namespace global_watch_test
