#include "simulator/watch/launches/grid_races.h"

#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <vector>

#include "simulator/watch/shared/block_steps_fixture.h"

namespace grid_races_test {

using namespace block_steps;
using warpwise::code::Scope;

constexpr unsigned blocks = 3, warps = 2;

/// The flaw of a grid's barriers.
enum class Flaw {
  none,
  one_does_not_wait,
  no_fence,
  arrives_early,
  plain_threads_go_on,
  atomics_go_on
};

/// The state of a launch.
struct World {
  World(unsigned shift, bool forgets) : races(shift, blocks, warps, forgets) {}

  void start_block(unsigned block) {
    order.emplace_back(warps);
    order.back().start_block(block);
    races.start_block(block);
  }
  void meet(unsigned block) {
    order[block].block_barrier(3);
    const auto past = races.meet(order[block]);
    if (!past) return;
    Forgetting forgetting(*past);
    for (HappensBefore& one : order) one.forget(forgetting);
    points.forget(forgetting);
  }
  bool access(unsigned block, unsigned warp, const StepAccess& made) {
    const auto race =
        races.access(order[block], warp, made.event, AddressShape(made.event), made.values);
    if (made.event.is_strong()) order[block].synchronize(warp, made.event, points);
    return race.has_value();
  }

  GridRaces races;
  std::deque<HappensBefore> order;
  SyncPoints points;
};

/// A launch of blocks that take turns at random, and meet at barriers of the grid that they make of
/// an atomic and a look at it. Two watch: one that forgets what comes before barriers, and one that
/// does not.
class Launch {
 public:
  Launch(unsigned seed, unsigned shift, Flaw flaw)
      : random_(seed), shift_(shift), flaw_(flaw), forgets_(shift, true), remembers_(shift, false) {
    memory_.resize(std::size_t{1} << 21, std::byte{0xff});
    for (unsigned b = 0; b < blocks; ++b) {
      for (World* world : {&forgets_, &remembers_}) world->start_block(b);
    }
  }

  void run(unsigned phases) {
    for (unsigned b = 0; b < blocks; ++b)
      for (unsigned phase = 0; phase < phases; ++phase) write_phase(b, phase);
    for (;;) {
      unsigned waiting = 0;
      for (const auto& acts : todo_) waiting += acts.empty();
      if (waiting == blocks) return;
      const unsigned b = random_() % blocks;
      if (!todo_[b].empty() && act(b, todo_[b].front())) {
        todo_[b].pop_front();
        if (!todo_[b].empty()) continue;
        for (World* world : {&forgets_, &remembers_}) world->races.finish_block(b);
      }
    }
  }
  std::uint64_t forgotten() const { return forgets_.races.forgotten(); }
  unsigned reported = 0;

 private:
  struct Act {
    enum What { access, meet, fence, arrive, wait } what;
    Step step{};
    unsigned arrivals = 0;  ///< that end the wait
  };

  void write_phase(unsigned block, unsigned phase) {
    std::deque<Act>& acts = todo_[block];
    const bool is_flawed = phase % 2 == 1 && block == 1;
    const unsigned count = 3 + random_() % 6;
    auto add_steps = [&](unsigned steps) {
      for (unsigned i = 0; i < steps; ++i) acts.push_back({Act::access, step(block, phase)});
    };
    add_steps(count);
    if (!(is_flawed && flaw_ == Flaw::arrives_early)) acts.push_back({Act::meet});
    if (!(is_flawed && flaw_ == Flaw::no_fence)) acts.push_back({Act::fence});
    acts.push_back({Act::arrive});
    if (is_flawed && flaw_ == Flaw::arrives_early) add_steps(2);
    if (is_flawed && flaw_ == Flaw::plain_threads_go_on) {
      acts.push_back({Act::access, step(block, phase + 1)});
      acts.back().step.warp = 1;
    }
    if (is_flawed && flaw_ == Flaw::atomics_go_on) {
      Step of_next = step(block + 1, phase + 1);
      of_next.warp = 1;
      of_next.is_store = of_next.is_atomic = true;
      acts.push_back({Act::access, of_next});
    }
    if (!(is_flawed && flaw_ == Flaw::one_does_not_wait))
      acts.push_back({Act::wait, {}, (phase + 1) * blocks});
    acts.push_back({Act::fence});
    acts.push_back({Act::meet});
  }

  /// Cells change hands with each phase.
  Step step(unsigned block, unsigned phase) {
    Step step{};
    step.warp = random_() % warps;
    step.site = random_() % 4;
    step.is_store = random_() % 2;
    step.is_atomic = step.is_store && random_() % 6 == 0;
    step.mask = random_() % 3 ? ~0u : random_() | 1;
    step.words = 1;
    const unsigned shape = random_() % 4;
    const std::uint64_t own = 4096 + (block + phase) % blocks * 4096;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint64_t place = step.warp * 32 + lane;
      step.cells[lane] = step.is_atomic                 ? 40960 + random_() % 256
                         : shape == 0 && !step.is_store ? 61440 + random_() % 512
                         : shape == 1                   ? own + place
                         : shape == 2                   ? own + 64 + place * 32
                                                        : own + 2200 + place * 29;
      step.values[lane] = 1 + random_() % 1000;
    }
    return step;
  }

  /// @return false where a wait goes on.
  bool act(unsigned block, const Act& what) {
    switch (what.what) {
      case Act::access:
        access(block, what.step);
        return true;
      case Act::meet:
        for (World* world : {&forgets_, &remembers_}) world->meet(block);
        return true;
      case Act::fence:
        for (World* world : {&forgets_, &remembers_}) world->order[block].fence(0, 1, Scope::gpu);
        return true;
      case Act::arrive:
        access(block, flag(true));
        ++arrived_;
        return true;
      case Act::wait:
        access(block, flag(false));
        return arrived_ >= what.arrivals;
    }
    return true;
  }

  static Step flag(bool is_store) {
    Step step{};
    step.site = 9 + is_store;
    step.is_store = step.is_atomic = is_store;
    step.mask = 1;
    return step;
  }

  void access(unsigned block, const Step& step) {
    StepAccess made(step, shift_, memory_);
    if (step.site == 9) made.event.order = warpwise::code::Order::relaxed;
    const bool is_reported = remembers_.access(block, step.warp, made);
    REQUIRE(forgets_.access(block, step.warp, made) == is_reported);
    reported += is_reported;
  }

  std::mt19937 random_;
  unsigned shift_;
  Flaw flaw_;
  World forgets_, remembers_;
  std::vector<std::byte> memory_;
  std::deque<Act> todo_[blocks];
  unsigned arrived_ = 0;
};

TEST_CASE("what came before a barrier of the grid is forgotten, and no race with it") {
  for (const Flaw flaw : {Flaw::none, Flaw::one_does_not_wait, Flaw::no_fence, Flaw::arrives_early,
                          Flaw::plain_threads_go_on, Flaw::atomics_go_on}) {
    unsigned reported = 0;
    std::uint64_t forgotten = 0;
    constexpr unsigned seeds = 400, phases = 6;
    for (unsigned seed = 0; seed < seeds; ++seed) {
      CAPTURE(seed);
      CAPTURE(static_cast<int>(flaw));
      Launch launch(seed, seed % 4 ? 2 : seed % 3, flaw);
      launch.run(phases);
      reported += launch.reported;
      forgotten += launch.forgotten();
    }
    CAPTURE(static_cast<int>(flaw));
    CHECK(forgotten > (flaw == Flaw::none ? 4 * seeds : seeds));
    CHECK((reported == 0) == (flaw == Flaw::none));
  }
}

}  // namespace grid_races_test
