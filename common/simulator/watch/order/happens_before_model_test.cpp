// Random threads that fence, publish, look and meet, against a clock of each thread for each other.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

#include "simulator/watch/order/happens_before.h"

namespace happens_before_model_test {

using namespace warpwise::watch;
using warpwise::code::Order;
using warpwise::code::Scope;

constexpr unsigned blocks = 3, warps = 2, per_block = warps * 32, threads = blocks * per_block;
constexpr std::uint32_t all = ~0u;

/// The past, by thread; empty: nothing was made ready.
using Clocks = std::vector<std::uint32_t>;

void learn(Clocks& into, const Clocks& more) {
  if (into.empty()) into = more;
  for (std::size_t i = 0; i < more.size(); ++i) into[i] = std::max(into[i], more[i]);
}

/// The rules as HappensBefore states them, thread by thread.
struct Model {
  struct Thread {
    Clocks known = Clocks(threads), seen[2], fenced[2];
    std::uint32_t time = 1;
  };
  struct Point {
    Clocks by_scope[2];
    unsigned block = 0;
  };

  Clocks now(unsigned t) const {
    Clocks clocks = of[t].known;
    clocks[t] = of[t].time;
    return clocks;
  }
  void meet(unsigned first, unsigned count) {
    Thread joined;
    for (unsigned t = first; t < first + count; ++t) {
      learn(joined.known, now(t));
      for (int scope : {0, 1}) {
        learn(joined.known, of[t].seen[scope]);
        learn(joined.fenced[scope], of[t].fenced[scope]);
      }
    }
    for (unsigned t = first; t < first + count; ++t) {
      joined.time = of[t].time + 1;
      of[t] = joined;
    }
  }
  void fence(unsigned t, Scope scope) {
    Thread& one = of[t];
    learn(one.known, one.seen[0]);
    if (scope != Scope::cta) learn(one.known, one.seen[1]);
    one.fenced[0] = now(t);
    if (scope != Scope::cta) {
      one.fenced[1] = one.fenced[0];
      one.seen[0] = one.seen[1] = {};
    }
    ++one.time;
  }
  void access(unsigned t, const AccessEvent& event) {
    Thread& one = of[t];
    const std::uint64_t address = event.addresses[t % 32];
    const unsigned block = t / per_block;
    const bool acquires = event.order == Order::acquire || event.order == Order::acquire_release;
    const bool releases = event.order == Order::release || event.order == Order::acquire_release;
    const bool reaches_far = event.scope != Scope::cta;
    if ((!event.is_store || event.is_atomic) && points.count(address)) {
      const Point& point = points[address];
      if (point.block == block)
        for (int scope : {0, 1}) learn(acquires ? one.known : one.seen[0], point.by_scope[scope]);
      else if (reaches_far)
        learn(acquires ? one.known : one.seen[1], point.by_scope[1]);
    }
    if (!event.is_store) return;
    const Clocks ready[2] = {releases ? now(t) : one.fenced[0], !reaches_far ? Clocks{}
                                                                : releases   ? now(t)
                                                                             : one.fenced[1]};
    if (releases) ++one.time;
    if (ready[0].empty()) {
      if (!event.is_atomic) points.erase(address);
      return;
    }
    Point& point = points[address];
    if (!event.is_atomic) point = {};
    if (point.block != block) point.by_scope[0] = {};
    point.block = block;
    for (int scope : {0, 1}) learn(point.by_scope[scope], ready[scope]);
  }

  std::vector<Thread> of = std::vector<Thread>(threads);
  std::map<std::uint64_t, Point> points;
};

TEST_CASE("random threads know of each other exactly what the rules say") {
  unsigned ordered = 0, unordered = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    Model model;
    SyncPoints points;
    std::vector<HappensBefore> order;
    for (unsigned b = 0; b < blocks; ++b) order.emplace_back(warps), order[b].start_block(b);
    struct Mark {
      unsigned thread;
      std::uint32_t clock, time;
    };
    std::vector<Mark> marks;
    for (int step = 0; step < 80; ++step) {
      const unsigned block = random() % blocks, warp = random() % warps, what = random() % 12;
      const unsigned first = block * per_block + warp * 32;
      const std::uint32_t mask = random() % 3 == 0 ? all : 1u << random() % 4 | 1u << random() % 4;
      auto each = [&](auto visit) {
        for (unsigned lane = 0; lane < 32; ++lane)
          if (mask >> lane & 1) visit(first + lane);
      };
      each([&](unsigned t) {
        if (t % 32 < 4) marks.push_back({t, order[block].clock(warp), model.of[t].time});
      });
      if (what == 0) {
        order[block].block_barrier(3);
        model.meet(block * per_block, per_block);
      } else if (what == 1) {
        order[block].warp_barrier(warp, all, true);
        model.meet(first, 32);
      } else if (what < 5) {
        const Scope scope = random() % 3 ? Scope::gpu : Scope::cta;
        order[block].fence(warp, mask, scope);
        each([&](unsigned t) { model.fence(t, scope); });
      } else {
        std::array<std::uint64_t, 32> addresses;
        const std::uint64_t start = random() % 3 * 4, apart = random() % 3 ? 0 : 4;
        for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = start + lane % 3 * apart;
        AccessEvent event{};
        event.mask = mask;
        event.addresses = addresses.data();
        event.bytes = 4;
        event.is_store = random() % 2;
        event.is_atomic = event.is_store && random() % 3;
        const bool is_ordered = random() % 4 == 0;
        event.order = !is_ordered       ? Order::relaxed
                      : event.is_atomic ? Order::acquire_release
                      : event.is_store  ? Order::release
                                        : Order::acquire;
        event.scope = random() % 3 ? Scope::gpu : Scope::cta;
        // Several equal looks at once have to give what they give one after another.
        for (unsigned times = random() % 2 ? 1 : 3; times; --times) {
          if (event.order == Order::acquire_release) times = 1;
          order[block].synchronize(warp, event, points);
          each([&](unsigned t) { model.access(t, event); });
        }
      }
      for (unsigned asked = 0; asked < 40 && !marks.empty(); ++asked) {
        const Mark& mark = marks[random() % marks.size()];
        const unsigned t = random() % blocks * per_block + random() % warps * 32 + random() % 6;
        if (t == mark.thread) continue;
        CAPTURE(seed);
        CAPTURE(step);
        CAPTURE(t);
        CAPTURE(mark.thread);
        const bool is_before =
            order[t / per_block].unordered_in_grid(t / 32 % warps, 1u << t % 32, mark.thread / 32,
                                                   mark.thread % 32, mark.clock) == 0;
        REQUIRE(is_before == (model.of[t].known[mark.thread] >= mark.time));
        (is_before ? ordered : unordered) += 1;
      }
    }
  }
  CHECK(ordered > 100000);
  CHECK(unordered > 100000);
}

}  // namespace happens_before_model_test
