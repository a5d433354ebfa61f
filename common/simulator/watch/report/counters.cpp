#include "simulator/watch/report/counters.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "simulator/isa/fast_loops.h"
#include "simulator/watch/report/coalescing.h"

namespace warpwise::watch {
namespace {

std::string access_name(const code::Site& site, bool is_shared) {
  std::string space = is_shared ? "shared" : "global";
  return space + (site.is_atomic ? " atomic" : site.is_store ? " store" : " load");
}

/// True where several lanes all have the same address.
bool meet_at_one_address(const std::uint64_t* addresses, std::uint32_t mask) {
  const std::uint64_t first = addresses[std::countr_zero(mask)];
  if (std::has_single_bit(mask)) return false;
  for (; mask; mask &= mask - 1)
    if (addresses[std::countr_zero(mask)] != first) return false;
  return true;
}

}  // namespace

Counters::Counters(const code::Program& program)
    : program_(&program),
      sites_(program.sites.size()),
      costs_(program.sites.size()),
      fences_(program.system_fences.size()),
      blocks_(program.block_sizes.size()),
      have_met_(program.code.size()) {
  for (const code::Program::Decider& decider : program.deciders) deciders_.push_back({decider});
}

bool Counters::is_in_doubt(std::uint32_t branch) const {
  return std::any_of(deciders_.begin(), deciders_.end(), [&](const Decider& decider) {
    return decider.branch == branch && decider.is_in_doubt;
  });
}

void Counters::bypassing_copy(std::uint32_t site, std::uint32_t mask, const std::uint64_t* from,
                              const std::uint64_t* to) {
  if (program_->sites[site].is_bypassing) sites_[site].sectors += bypassing_sectors(from, to, mask);
}

void Counters::repeat_since(const Mark& mark, std::uint64_t times) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i].warps += times * (blocks_[i].warps - mark[i].warps);
    blocks_[i].lanes += times * (blocks_[i].lanes - mark[i].lanes);
  }
}

WARPWISE_FAST_LOOPS void Counters::access(const AccessEvent& event, AddressShape::Pattern pattern) {
  const code::Site& site = program_->sites[event.site];
  if (!site.is_counted || event.site == left_out_) return;
  SiteCounts& counts = sites_[event.site];
  counts.requests += event.times;
  bool is_merged = site.bytes != event.bytes;
  std::uint64_t merged[32];
  const std::uint64_t* addresses = event.addresses;
  if (is_merged) {
    for (int lane = 0; lane < 32; ++lane)
      merged[lane] =
          event.addresses[lane] + static_cast<std::uint64_t>(std::int64_t{site.merged_offset});
    addresses = merged;
  }
  auto cost = [&](auto compute) {
    return costs_[event.site].cost(pattern, addresses[std::countr_zero(event.mask)],
                                   event.is_shared, compute);
  };
  if (event.is_shared) {
    counts.shared_requests += event.times;
    counts.during_copies += event.is_during_copy ? event.times : 0;
    unsigned ideal = ideal_wavefronts(event.mask, site.bytes);
    unsigned needed = ideal, counted = ideal;
    if (!event.is_consecutive || is_merged) {
      const bool is_load = !site.is_store && !site.is_matrix_row;
      const unsigned both = cost([&] {
        const unsigned real = wavefronts(addresses, event.mask, site.bytes, is_load);
        const bool is_wide = is_load && site.bytes > 4;
        return real | (is_wide ? counted_wavefronts(addresses, event.mask, site.bytes) : real) << 8;
      });
      needed = both & 0xFF;
      counted = both >> 8;
    }
    counts.wavefronts += event.times * needed;
    counts.counted_wavefronts += event.times * counted;
    counts.has_unknown |= counted == 0;
    // Lanes that share addresses may need less than the ideal of lanes that do not.
    counts.ideal_wavefronts += event.times * std::min(ideal, needed);
    if (site.is_update_loop) {
      const UpdateLoop loop = update_loop(addresses, event.mask);
      counts.loop_loads += event.times * loop.loads;
      counts.loop_wavefronts += event.times * loop.wavefronts;
    }
  } else if (site.is_atomic) {
    constexpr unsigned unknown = 0x100;
    const bool do_meet = meet_at_one_address(addresses, event.mask);
    const bool are_joined = site.joining == code::Joining::always ||
                            (site.joining == code::Joining::of_whole_warps && event.mask == ~0u);
    if (are_joined && (do_meet || std::has_single_bit(event.mask))) {
      counts.sectors += event.times;
      return;
    }
    const unsigned count = cost([&] {
      const AtomicSectors sectors = atomic_sectors(addresses, event.mask);
      return sectors.count | (sectors.is_known ? 0 : unknown);
    });
    counts.sectors += event.times * (count & ~unknown);
    counts.has_unknown |= (count & unknown) != 0 || are_joined;
    counts.is_uniform |= do_meet && site.joining == code::Joining::unknown;
  } else if (site.is_bypassing) {
    return;
  } else if (event.is_consecutive) {
    std::uint64_t first = addresses[0], last = addresses[31] + event.bytes - 1;
    counts.sectors += event.times * (last / sector_bytes - first / sector_bytes + 1);
  } else {
    counts.sectors +=
        event.times * cost([&] { return sectors(addresses, event.mask, event.bytes); });
  }
}

void Counters::add(const Counters& other) {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    sites_[i].requests += other.sites_[i].requests;
    sites_[i].shared_requests += other.sites_[i].shared_requests;
    sites_[i].sectors += other.sites_[i].sectors;
    sites_[i].wavefronts += other.sites_[i].wavefronts;
    sites_[i].counted_wavefronts += other.sites_[i].counted_wavefronts;
    sites_[i].has_unknown |= other.sites_[i].has_unknown;
    sites_[i].ideal_wavefronts += other.sites_[i].ideal_wavefronts;
    sites_[i].during_copies += other.sites_[i].during_copies;
    sites_[i].loop_loads += other.sites_[i].loop_loads;
    sites_[i].loop_wavefronts += other.sites_[i].loop_wavefronts;
    sites_[i].is_uniform |= other.sites_[i].is_uniform;
  }
  for (std::size_t i = 0; i < fences_.size(); ++i) fences_[i] += other.fences_[i];
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    blocks_[i].warps += other.blocks_[i].warps;
    blocks_[i].lanes += other.blocks_[i].lanes;
  }
  for (std::size_t i = 0; i < have_met_.size(); ++i)
    if (other.have_met_[i]) have_met_[i] = true;
  for (std::size_t i = 0; i < deciders_.size(); ++i)
    deciders_[i].is_in_doubt |= other.deciders_[i].is_in_doubt;
  have_parted_for_longer_ |= other.have_parted_for_longer_;
  has_library_calls_ |= other.has_library_calls_;
  have_updates_met_ |= other.have_updates_met_;
  have_copies_met_ |= other.have_copies_met_;
  divergent_branches_ += other.divergent_branches_;
  barriers_ += other.barriers_;
  matrix_products_ += other.matrix_products_;
}

void Counters::write(LaunchReport& report) const {
  write_totals(report);
  write_atomics(report);
  write_lines(report);
}

/// Where ptxas has unrolled a loop, lanes that leave it before others may pass other copies of an
/// access than those that stay: more requests.
/// Behind a side exit of a loop lanes meet here that may go on alone on the GPU.
bool Counters::is_confirmed(const code::Site& site, const SiteCounts& counts) const {
  // Moved to another block it is another number only where a warp, or lanes that cost more, stay
  // away.
  const bool is_cheapest = counts.requests == counts.sectors + counts.counted_wavefronts;
  const auto changes = [&](const code::Site::Move& move) {
    const BlockCounts &from = blocks_[move.from], &to = blocks_[move.to];
    return from.warps != to.warps || (from.lanes != to.lanes && !is_cheapest);
  };
  return std::none_of(site.moves.begin(), site.moves.end(), changes) && site.is_confirmed &&
         !site.depends_on_others && !site.may_be_skipped &&
         std::none_of(site.deciders.begin(), site.deciders.end(),
                      [&](std::uint32_t at) { return is_in_doubt(at); }) &&
         std::none_of(site.side_exits.begin(), site.side_exits.end(),
                      [&](std::uint32_t at) { return have_met_[at]; });
}

/// Code that has not run here may run where others come first.
bool Counters::might_have_run(const code::Site& site) const {
  return site.is_counted &&
         std::any_of(site.choices.begin(), site.choices.end(),
                     [&](std::uint32_t block) { return blocks_[block].warps > 0; });
}

Counters::SiteCounts Counters::counts_of_fence(std::size_t fence) const {
  SiteCounts counts;
  counts.requests = counts.sectors = fences_[fence];
  return counts;
}

/// Nsight Compute's names where every access of the kind is confirmed; else the same with a prefix
/// that says whose count it is.
void Counters::write_totals(LaunchReport& report) const {
  bool confirmed[2][2];
  for (int shared : {0, 1})
    for (int store : {0, 1})
      confirmed[shared][store] = !program_->has_unseen[shared][store] && !have_parted_for_longer_ &&
                                 (shared || !has_library_calls_);
  SiteCounts totals[2][2];
  bool are_sectors_known = true;            // of loads
  std::uint64_t matrix_wavefronts[2] = {};  // which Nsight Compute's metric leaves out
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const code::Site& site = program_->sites[i];
    const SiteCounts& counts = sites_[i];
    // Debug builds have the loop in a function of its own, without lines.
    if (site.adds_by_loop && !site.is_update_loop && counts.shared_requests)
      confirmed[1][0] = false;
    if (counts.loop_loads) {
      SiteCounts& loads = totals[1][0];
      loads.requests += counts.loop_loads;
      loads.wavefronts += counts.loop_wavefronts;
      loads.counted_wavefronts += counts.loop_wavefronts;
      loads.ideal_wavefronts += counts.loop_loads;
      if (!is_confirmed(site, counts) || have_updates_met_) confirmed[1][0] = false;
    }
    if (site.is_atomic || site.space == code::Space::local) continue;
    if (counts.requests == 0) {
      if (might_have_run(site)) confirmed[site.space == code::Space::shared][site.is_store] = false;
      continue;
    }
    // A generic pointer may lead to both.
    SiteCounts &global = totals[0][site.is_store], &shared = totals[1][site.is_store];
    if (!is_confirmed(site, counts)) {
      if (counts.shared_requests) confirmed[1][site.is_store] = false;
      if (counts.requests > counts.shared_requests) confirmed[0][site.is_store] = false;
    }
    global.requests += counts.requests - counts.shared_requests;
    global.sectors += counts.sectors;
    if (site.is_bypassing && have_copies_met_) are_sectors_known = false;
    shared.requests += counts.shared_requests;
    shared.wavefronts += counts.wavefronts;
    shared.counted_wavefronts += counts.counted_wavefronts;
    if (counts.has_unknown) confirmed[1][site.is_store] = false;
    shared.ideal_wavefronts += counts.ideal_wavefronts;
    if (site.is_matrix_row) matrix_wavefronts[site.is_store] += counts.wavefronts;
  }
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    const code::Site& fence = program_->system_fences[i];
    const SiteCounts counts = counts_of_fence(i);
    if (counts.requests ? !is_confirmed(fence, counts) : might_have_run(fence))
      confirmed[0][true] = false;
    totals[0][true].requests += counts.requests;
    totals[0][true].sectors += counts.sectors;
  }
  for (int store : {0, 1}) {
    std::string op = store ? "_op_st" : "_op_ld";
    auto put = [&](bool is_shared, const std::string& name, std::uint64_t value) {
      report.counts.counters[(confirmed[is_shared][store] ? "" : "ptx__") + name] =
          static_cast<double>(value);
    };
    put(false, "l1tex__t_requests_pipe_lsu_mem_global" + op + ".sum", totals[0][store].requests);
    confirmed[0][store] &= store || are_sectors_known;
    put(false, "l1tex__t_sectors_pipe_lsu_mem_global" + op + ".sum", totals[0][store].sectors);
    put(true, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared" + op + ".sum",
        totals[1][store].counted_wavefronts - matrix_wavefronts[store]);
    report.counts.counters["warpwise__shared_wavefronts" + op] =
        static_cast<double>(totals[1][store].wavefronts);
    // The hardware's count of instructions includes those that no lane takes part in.
    report.counts.counters["warpwise__shared_requests" + op] =
        static_cast<double>(totals[1][store].requests);
    report.counts.counters["warpwise__shared_bank_conflicts" + op] =
        static_cast<double>(totals[1][store].wavefronts - totals[1][store].ideal_wavefronts);
  }
  double lanes = 0, warps = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    lanes += static_cast<double>(blocks_[i].lanes) * program_->block_sizes[i];
    warps += static_cast<double>(blocks_[i].warps) * program_->block_sizes[i];
  }
  report.counts.counters["ptx__thread_instructions"] = lanes;
  report.counts.counters["ptx__warp_instructions"] = warps;
  report.counts.counters["ptx__divergent_branches"] = static_cast<double>(divergent_branches_);
  report.counts.counters["ptx__barriers"] = static_cast<double>(barriers_);
  report.counts.counters["ptx__matrix_products"] = static_cast<double>(matrix_products_);
}

/// Atomics in global memory, those that only reduce by themselves. Where all lanes meet at one
/// address ptxas may let one lane do it for all: not confirmed where its instructions do not tell.
void Counters::write_atomics(LaunchReport& report) const {
  // Atomics inside of printf and malloc have results.
  bool confirmed[2] = {!have_parted_for_longer_, !have_parted_for_longer_ && !has_library_calls_};
  SiteCounts totals[2];
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const code::Site& site = program_->sites[i];
    if (!site.is_atomic) continue;
    if (sites_[i].requests == sites_[i].shared_requests) {
      if (site.space != code::Space::shared && might_have_run(site))
        confirmed[site.has_result] = false;
      continue;
    }
    if (!is_confirmed(site, sites_[i]) || sites_[i].is_uniform) confirmed[site.has_result] = false;
    SiteCounts& total = totals[site.has_result];
    total.requests += sites_[i].requests;
    total.sectors += sites_[i].sectors;
    total.has_unknown |= sites_[i].has_unknown;
  }
  for (int has_result : {0, 1}) {
    const SiteCounts& total = totals[has_result];
    if (total.requests == 0) continue;
    const std::string op = has_result ? "_op_atom.sum" : "_op_red.sum";
    const auto put = [&](const std::string& unit, bool is_confirmed, std::uint64_t value) {
      report.counts.counters[(is_confirmed ? "l1tex__t_" : "ptx__l1tex__t_") + unit +
                             "_pipe_lsu_mem_global" + op] = static_cast<double>(value);
    };
    put("requests", confirmed[has_result], total.requests);
    put("sectors", confirmed[has_result] && !total.has_unknown, total.sectors);
  }
}

void Counters::write_lines(LaunchReport& report) const {
  std::map<std::tuple<std::string, unsigned, std::string>, LineCounts> lines;
  const auto line_of = [&](const code::Site& site, const SiteCounts& counts,
                           const std::string& access) -> LineCounts& {
    const code::Place& place = program_->places[site.place];
    auto [entry, is_new] = lines.try_emplace({place.file, place.line, access});
    LineCounts& line = entry->second;
    if (is_new) {
      line.file = place.file;
      line.line = place.line;
      line.access = access;
      line.compiled = line.confirmed = true;
    }
    line.compiled &= site.is_confirmed && !site.may_be_skipped;
    line.confirmed &= is_confirmed(site, counts);
    return line;
  };
  const auto add = [&](const code::Site& site, bool is_shared, const SiteCounts& counts) {
    LineCounts& line = line_of(site, counts, access_name(site, is_shared));
    line.requests += is_shared ? counts.shared_requests : counts.requests - counts.shared_requests;
    if (!is_shared) {
      line.sectors += counts.sectors;
      line.loads_in_flight = std::max<double>(line.loads_in_flight, site.loads_in_flight);
      line.confirmed &= !site.is_bypassing || !have_copies_met_;
      line.confirmed &= !site.is_atomic || !(counts.has_unknown || counts.is_uniform);
      return;
    }
    line.wavefronts += counts.wavefronts;
    line.ideal_wavefronts += counts.ideal_wavefronts;
    line.during_copies += counts.during_copies;
  };
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    if (!fences_[i]) continue;
    const SiteCounts counts = counts_of_fence(i);
    LineCounts& line = line_of(program_->system_fences[i], counts, "system fence");
    line.requests += counts.requests;
    line.sectors += counts.sectors;
  }
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const code::Site& site = program_->sites[i];
    if (site.space == code::Space::local) continue;
    if (sites_[i].shared_requests) add(site, true, sites_[i]);
    if (sites_[i].loop_loads) {
      LineCounts& line = line_of(site, sites_[i], "shared load");
      line.confirmed &= !have_updates_met_;
      line.requests += sites_[i].loop_loads;
      line.wavefronts += sites_[i].loop_wavefronts;
      line.ideal_wavefronts += sites_[i].loop_loads;
    }
    if (sites_[i].requests > sites_[i].shared_requests) add(site, false, sites_[i]);
  }
  for (auto& [key, line] : lines) report.counts.lines.push_back(std::move(line));
}

}  // namespace warpwise::watch
