#include "simulator/watch/global/first_accessors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "simulator/watch/global/inter_block_races.h"
#include "simulator/watch/shared/block_steps_fixture.h"

using namespace warpwise::watch;
using namespace block_steps;

namespace {

/// Blocks of two warps. Where cells have one byte, nothing is only noted down.
class Launch {
 public:
  Launch(unsigned shift, unsigned blocks) : inter_block(shift), shift_(shift), races_(shift, true) {
    memory_.resize(std::size_t{1} << 20, std::byte{0xff});
    for (unsigned b = 0; b < blocks; ++b) order_.push_back(std::make_unique<HappensBefore>(2));
  }
  /// @return for each step, whether it races with another of its block.
  std::vector<bool> run(unsigned block, const std::vector<Step>& steps) {
    std::vector<bool> reported;
    HappensBefore& order = *order_[block];
    order.start_block(block);
    races_.start_block();
    for (const Step& step : steps) {
      if (step.is_barrier) order.block_barrier(3);
      reported.push_back(!step.is_barrier && access(order, step));
    }
    inter_block.add(block, races_);
    for (LineAccess::Kind kind : {LineAccess::read, LineAccess::write, LineAccess::strong})
      noted[kind] += !races_.noted(kind).empty();
    return reported;
  }
  InterBlockRaces inter_block;
  unsigned noted[3] = {};  ///< blocks, by kind

 private:
  bool access(HappensBefore& order, const Step& step) {
    const StepAccess access(step, shift_, memory_);
    return races_.access(order, step.warp, access.event, AddressShape(access.event), access.values)
        .has_value();
  }

  unsigned shift_;
  GlobalRaces races_;
  std::vector<std::unique_ptr<HappensBefore>> order_;
  std::vector<std::byte> memory_;
};

/// An access to words by all lanes of the mask.
/// @param values that it stores, by lane; null: it reads.
void note(NotedAccesses& noted, const std::array<std::uint64_t, 32>& addresses, std::uint32_t mask,
          unsigned warp, unsigned site, unsigned bytes, const std::uint32_t* values = nullptr) {
  AccessEvent event{};
  event.site = site;
  event.mask = mask;
  event.addresses = addresses.data();
  event.bytes = bytes;
  event.is_store = values != nullptr;
  StoredValues stored;
  stored.data[0] = reinterpret_cast<const std::byte*>(values);
  stored.register_bytes[0] = 4;
  const AddressShape shape(event);
  const TouchedPieces::Reach reach(event, shape);
  REQUIRE(noted.add({Epoch{}, warp, false}, event, shape, reach, TouchedPieces(), stored));
}

}  // namespace

TEST_CASE("accesses that are only noted down: the reports are those of lists of all accesses") {
  constexpr unsigned blocks = 4;
  unsigned within = 0, between = 0, between_stores = 0, with_atomics = 0, quiet = 0,
           by_kind[3] = {};
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    Launch noted(2, blocks), listed(0, blocks);
    std::array<unsigned, blocks> numbers = {0, 1, 2, 3};
    std::shuffle(numbers.begin(), numbers.end(), random);
    for (unsigned block : numbers) {
      std::vector<Step> steps;
      for (unsigned count = 1 + random() % 12; count > 0; --count)
        steps.push_back(random_step(random, static_cast<Mostly>(seed % 3)));
      const std::vector<bool> reported = noted.run(block, steps);
      REQUIRE(reported == listed.run(block, steps));
      within += static_cast<unsigned>(std::count(reported.begin(), reported.end(), true));
    }
    const auto met = meetings(noted.inter_block);
    REQUIRE(met == meetings(listed.inter_block));
    for (const auto& [who, cells] : met) {
      const bool reads_there =
          std::get<2>(who) == LineAccess::read || std::get<3>(who) == LineAccess::read;
      (reads_there ? between : between_stores) += 1;
      with_atomics +=
          std::get<2>(who) == LineAccess::strong || std::get<3>(who) == LineAccess::strong;
    }
    quiet += met.empty();
    for (int kind = 0; kind < 3; ++kind) {
      by_kind[kind] += noted.noted[kind];
      REQUIRE(listed.noted[kind] == 0);
    }
  }
  CHECK(within > 1000);
  CHECK(between > 1000);
  CHECK(between_stores > 1000);
  CHECK(with_atomics > 1000);
  CHECK(quiet > 300);
  for (unsigned noted : by_kind) CHECK(noted > 1000);
}

TEST_CASE("a barrier after reads orders what follows, not the reads among each other") {
  for (unsigned shift : {0u, 2u})
    for (bool is_ordered : {false, true}) {
      std::vector<Step> steps;
      auto access = [&](unsigned warp, unsigned site, bool is_store) {
        Step step{};
        step.warp = warp;
        step.site = site;
        step.is_store = is_store;
        step.mask = 1;
        steps.push_back(step);
      };
      // More than are kept without asking which of them later ones speak for.
      for (unsigned site = 0; site < 20; ++site) access(0, site, false);
      if (is_ordered) steps.emplace_back().is_barrier = true;
      for (unsigned site = 0; site < 20; ++site) access(1, site, false);
      access(1, 20, true);
      CHECK(Launch(shift, 1).run(0, steps).back() == !is_ordered);
    }
}

TEST_CASE("the two lowest blocks that read a cell, whatever the order and the host threads") {
  constexpr unsigned blocks = 24;
  std::mt19937 random(5);
  std::vector<std::unique_ptr<NotedAccesses>> all_noted;
  std::map<std::uint64_t, std::set<std::tuple<unsigned, unsigned, unsigned>>> readers;  // by cell
  for (unsigned block = 0; block < blocks; ++block) {
    NotedAccesses& noted =
        *all_noted.emplace_back(std::make_unique<NotedAccesses>(LineAccess::read, 1000));
    for (unsigned reads = 0; reads < 60; ++reads) {
      std::array<std::uint64_t, 32> addresses;
      const unsigned warp = random() % 4, site = random() % 5, words = 1u << random() % 3;
      const std::uint32_t mask = random() | 1;
      for (std::uint64_t& address : addresses)
        address = (std::uint64_t{1} << 33) + (random() % 3 << 20) + random() % 256 * 16;
      note(noted, addresses, mask, warp, site, words * 4);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned word = 0; word < words && (mask >> lane & 1); ++word)
          readers[addresses[lane] / 4 + word].insert({block, site, warp * 32 + lane});
    }
  }
  for (unsigned threads : {1u, 2u, 4u}) {
    FirstAccessors kept(threads > 1);
    std::vector<unsigned> numbers(blocks);
    for (unsigned block = 0; block < blocks; ++block) numbers[block] = block;
    std::shuffle(numbers.begin(), numbers.end(), random);
    std::vector<std::thread> workers;
    for (unsigned worker = 0; worker < threads; ++worker)
      workers.emplace_back([&, worker] {
        for (unsigned i = worker; i < blocks; i += threads)
          kept.add(numbers[i], *all_noted[numbers[i]]);
      });
    for (std::thread& worker : workers) worker.join();
    for (const auto& [cell, all] : readers) {
      REQUIRE((kept.cells(cell / 32) >> cell % 32 & 1));
      std::vector<std::tuple<unsigned, unsigned, unsigned>> expected = {*all.begin()}, found;
      for (const auto& reader : all)
        if (std::get<0>(reader) != std::get<0>(expected[0])) {
          expected.push_back(reader);
          break;
        }
      for (const FirstAccessors::BlockAccess& reader : kept.accesses(cell / 32, cell % 32))
        found.emplace_back(reader.block, reader.site, reader.thread);
      REQUIRE(found == expected);
    }
    CHECK(kept.cells(0) == 0);
    std::map<std::uint64_t, std::tuple<unsigned, unsigned, unsigned>> lowest;
    kept.for_runs([&](std::uint64_t cell, std::uint64_t count,
                      const FirstAccessors::BlockAccess& reader, unsigned last_thread) {
      const unsigned step = last_thread != reader.thread;
      CHECK(last_thread == reader.thread + step * (count - 1));
      for (unsigned i = 0; i < count; ++i)
        REQUIRE(lowest.insert({cell + i, {reader.block, reader.site, reader.thread + step * i}})
                    .second);
    });
    REQUIRE(lowest.size() == readers.size());
    for (const auto& [cell, all] : readers) REQUIRE(lowest.at(cell) == *all.begin());
  }
}

TEST_CASE("scattered stores of one, two and four words: footprint and differing values") {
  struct Shape {
    unsigned words;
    bool is_alone;  ///< each lane; else four are adjacent
  };
  for (auto [words, is_alone] :
       {Shape{1, true}, {2, true}, {4, true}, {1, false}, {2, false}, {4, false}}) {
    Launch launch(2, 3);
    std::map<std::uint64_t, std::array<unsigned, 2>> lowest;  // by cell: block and thread
    std::map<std::uint64_t, std::set<std::uint32_t>> values;  // by cell
    std::mt19937 random(words);
    for (unsigned block : {2u, 0u, 1u}) {
      std::vector<Step> steps(1);
      Step& step = steps[0];
      step.is_store = true;
      step.words = words;
      step.warp = 1;
      step.mask = 0xfffffff7;
      for (unsigned lane = 0; lane < 32; ++lane) {
        step.cells[lane] = is_alone ? (lane * 1237u + block % 2 * 17) % 640 * 4
                                    : lane / 4 * 52 + block % 2 * 28 + lane % 4 * words;
        step.values[lane] = random() % 2 ? 5 : 6;
        if (lane == 3) continue;
        for (unsigned word = 0; word < words; ++word) {
          const std::uint64_t cell = step.cells[lane] + word;
          values[cell].insert(step.values[lane]);
          auto [at, is_new] = lowest.try_emplace(cell, std::array{block, 32 + lane});
          if (!is_new) at->second = std::min(at->second, {block, 32 + lane});
        }
      }
      CHECK(launch.run(block, steps) == std::vector{false});
    }
    CHECK(launch.noted[LineAccess::write] == 3);
    std::map<std::uint64_t, std::array<unsigned, 2>> found;
    const Footprint footprint = launch.inter_block.footprint();
    for (const Footprint::Piece& piece : footprint.pieces(LineAccess::write)) {
      CHECK(piece.first_hash != Footprint::Piece::none);
      const unsigned apart = piece.last_thread != piece.first_thread;
      for (std::uint64_t cell = piece.begin / 4; cell < piece.end / 4; ++cell)
        found[cell] = {piece.block,
                       piece.first_thread + apart * static_cast<unsigned>(cell - piece.begin / 4)};
    }
    CHECK(found == lowest);
    unsigned differing = 0, races = 0;
    for (const auto& [cell, stored] : values) differing += stored.size() > 1;
    launch.inter_block.for_races([&](const auto& race) {
      races += race.cells;
      CHECK(race.lower.block == 0);
      CHECK(race.higher.block == 2);
    });
    CHECK(differing > 0);
    CHECK(races == differing);
  }
}

TEST_CASE("stores that differ are found whatever the order and the host threads") {
  constexpr unsigned blocks = 16;
  std::mt19937 random(9);
  std::vector<std::unique_ptr<NotedAccesses>> all_noted;
  std::map<std::uint64_t, std::set<std::uint32_t>> values;  // by cell
  for (unsigned block = 0; block < blocks; ++block) {
    NotedAccesses& noted =
        *all_noted.emplace_back(std::make_unique<NotedAccesses>(LineAccess::write, 1000));
    std::array<std::uint64_t, 32> addresses;
    std::array<std::uint32_t, 32> stored;
    const unsigned apart = block % 3 ? 64 : 1;  // within eight lanes
    std::uint64_t start = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (apart > 1 || lane % 8 == 0) start = random() % 8;
      addresses[lane] = (std::uint64_t{1} << 33) + (lane / 8 * 512 + lane % 8 * apart + start) * 4;
      stored[lane] = random() % 2;
      values[addresses[lane] / 4].insert(stored[lane]);
    }
    note(noted, addresses, ~0u, block % 4, 0, 4, stored.data());
  }
  for (unsigned threads : {1u, 2u, 4u}) {
    FirstAccessors kept(threads > 1);
    std::vector<std::thread> workers;
    for (unsigned worker = 0; worker < threads; ++worker)
      workers.emplace_back([&, worker] {
        for (unsigned block = worker; block < blocks; block += threads)
          kept.add(block, *all_noted[block]);
      });
    for (std::thread& worker : workers) worker.join();
    unsigned differing = 0;
    for (const auto& [cell, stored] : values) {
      REQUIRE((kept.differing(cell / 32) >> cell % 32 & 1) == (stored.size() > 1));
      differing += stored.size() > 1;
    }
    CHECK(differing > 20);
    CHECK(kept.differing(0) == 0);
  }
}
