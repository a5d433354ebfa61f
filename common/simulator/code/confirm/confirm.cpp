#include "simulator/code/confirm/confirm.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace warpwise::code {
namespace {

using Widths = std::map<unsigned, std::size_t>;  ///< bytes per lane -> how many instructions

/// Accesses are compared within one line, one kind of memory and one direction.
struct Key {
  std::string file;
  unsigned line;
  bool is_shared;
  bool is_store;
  bool is_atomic;
  auto operator<=>(const Key&) const = default;
  /// Of the atomics at the same line.
  Key of_atomics() const { return {file, line, is_shared, true, true}; }
};

struct Group {
  std::vector<std::uint32_t> sites;
  Widths compiled;
  std::size_t atomics = 0, reductions = 0;           ///< of these
  std::map<image::ActingLanes, std::size_t> acting;  ///< likewise
  bool has_guarded = false;                          ///< likewise
  unsigned loads_in_flight = 0;                      ///< at most, of these
};

std::optional<Key> key_of(const image::MemoryInstruction& instruction) {
  using Space = image::MemoryInstruction::Space;
  using Kind = image::MemoryInstruction::Access;
  if (instruction.space == Space::local || instruction.space == Space::constant)
    return std::nullopt;
  // The width of a bulk copy is not in the instruction.
  const bool is_copy = instruction.access == Kind::async_copy && instruction.width_bytes;
  bool is_load =
      is_copy || instruction.access == Kind::load || instruction.access == Kind::matrix_load;
  bool is_store = instruction.access == Kind::store || instruction.access == Kind::matrix_store;
  bool is_atomic = instruction.access == Kind::atomic || instruction.access == Kind::reduction;
  if (!is_load && !is_store && !is_atomic) return std::nullopt;
  const bool is_shared = instruction.space == Space::shared && !is_copy;
  return Key{instruction.file, instruction.line, is_shared, !is_load, is_atomic};
}

bool is_counted_space(const Site& site) { return site.space != Space::local; }

/// The compiled code may repeat what the text shows once (unrolled loops), not drop it.
bool same_widths(const Widths& text, const Widths& compiled) {
  if (text.size() != compiled.size()) return false;
  return std::all_of(text.begin(), text.end(), [&](const auto& entry) {
    auto found = compiled.find(entry.first);
    return found != compiled.end() && found->second >= entry.second;
  });
}

Widths widths_of(const Program& program, const std::vector<std::uint32_t>& sites) {
  Widths widths;
  for (std::uint32_t site : sites)
    if (program.sites[site].is_counted) ++widths[program.sites[site].bytes];
  return widths;
}

/// A shared access that ptxas could join with its neighbours: its place and the bytes it reaches.
struct Candidate {
  std::uint32_t site;
  std::uint32_t run;  ///< accesses of one run have no barrier, branch or store between them
  Slot base;
  LowBits base_bits;
  std::int64_t offset;
  unsigned bytes;

  /// Whether an access of this width, a power of two, may begin here, judged by the known bits of
  /// its registers.
  bool is_aligned(unsigned width) const {
    const std::int64_t start = offset + (base == no_slot ? 0 : base_bits.rest);
    return (base == no_slot || base_bits.modulus >= width) && start % width == 0;
  }
};

/// The evidence by which the merge takes an address to be aligned.
enum class Alignment {
  known,    ///< by its low bits
  guessed,  ///< the first access of a run at a register begins at a multiple of 16: ptxas may know
            ///< the register's caller or array, which this code does not
};

std::vector<Candidate> candidates_of(const Program& program,
                                     const std::set<std::uint32_t>& wanted) {
  std::vector<Candidate> candidates;
  std::uint32_t run = 0;
  for (const Instruction& instruction : program.code) {
    bool is_access = instruction.op == Op::load || instruction.op == Op::store;
    if (instruction.op == Op::enter || instruction.op == Op::barrier ||
        instruction.op == Op::warp_barrier)
      ++run;
    if (!is_access || instruction.guard != no_slot) continue;
    const Access& access = program.accesses[instruction.access];
    bool can_merge = !access.is_strong() && !access.is_part;
    if (access.space == Space::shared && can_merge && wanted.count(access.site))
      candidates.push_back(
          {access.site, run, access.base, access.base_low_bits, access.offset, access.bytes()});
  }
  return candidates;
}

/// Leaves out loads of bytes that another load of the run also reads: ptxas reuses that load.
/// @param candidates in order; those left out are gone afterwards.
void leave_out_covered(Program& program, std::vector<Candidate>& candidates) {
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates) {
    const bool is_covered =
        !kept.empty() && !program.sites[candidate.site].is_store &&
        kept.back().run == candidate.run && kept.back().base == candidate.base &&
        candidate.offset + candidate.bytes <= kept.back().offset + kept.back().bytes;
    if (is_covered)
      program.sites[candidate.site].is_counted = false;
    else
      kept.push_back(candidate);
  }
  candidates = std::move(kept);
}

/// Joins runs of neighbouring accesses into aligned ones of 16, then 8 bytes, as ptxas does.
void merge(Program& program, std::vector<Candidate> candidates, Alignment alignment) {
  // Of accesses that begin at one place, the widest comes first.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return std::tie(a.run, a.base, a.offset, b.bytes) <
                            std::tie(b.run, b.base, b.offset, a.bytes);
                   });
  leave_out_covered(program, candidates);
  auto neighbours = [](const Candidate& a, const Candidate& b) {
    return a.run == b.run && a.base == b.base && a.bytes == b.bytes &&
           a.offset + a.bytes == b.offset;
  };
  std::int64_t aligned = 0;  ///< an offset guessed to be a multiple of 16
  for (std::size_t i = 0; i < candidates.size();) {
    bool same_base = i > 0 && candidates[i - 1].run == candidates[i].run &&
                     candidates[i - 1].base == candidates[i].base;
    if (!same_base) aligned = candidates[i].base == no_slot ? 0 : candidates[i].offset;
    std::size_t taken = 1;
    for (unsigned width : {16u, 8u}) {
      std::size_t count = width / candidates[i].bytes;
      const bool is_aligned = alignment == Alignment::known
                                  ? candidates[i].is_aligned(width)
                                  : (candidates[i].offset - aligned) % width == 0;
      if (count < 2 || !is_aligned || i + count > candidates.size()) continue;
      bool joined = true;
      for (std::size_t k = 1; k < count; ++k)
        joined &= neighbours(candidates[i + k - 1], candidates[i + k]);
      if (!joined) continue;
      // The first instruction in the text represents all.
      std::uint32_t leader = candidates[i].site;
      for (std::size_t k = 0; k < count; ++k) leader = std::min(leader, candidates[i + k].site);
      for (std::size_t k = 0; k < count; ++k) {
        Site& site = program.sites[candidates[i + k].site];
        site.is_counted = candidates[i + k].site == leader;
        if (!site.is_counted) continue;
        site.bytes = static_cast<std::uint8_t>(width);
        site.merged_offset =
            static_cast<std::int32_t>(candidates[i].offset - candidates[i + k].offset);
      }
      taken = count;
      break;
    }
    i += taken;
  }
}

/// Where the compiled code repeats a merged access, each copy is as wide as the first: a copy that
/// it could not merge would be there as narrow ones. So it repeats all widths as often, or has not
/// more of the narrow ones than the text.
bool all_copies_merge(const Program& program, const Group& group) {
  const bool has_merged =
      std::any_of(group.sites.begin(), group.sites.end(), [&](std::uint32_t site) {
        return !program.sites[site].is_counted || program.sites[site].merged_offset != 0;
      });
  const Widths text = widths_of(program, group.sites);
  if (!has_merged || text.empty()) return true;
  const unsigned widest = text.rbegin()->first;
  const std::size_t wide = text.at(widest), copies = group.compiled.at(widest) / wide;
  const bool are_all_repeated = std::all_of(text.begin(), text.end(), [&](const auto& entry) {
    return group.compiled.at(entry.first) == entry.second * copies;
  });
  return are_all_repeated || std::all_of(text.begin(), text.end(), [&](const auto& entry) {
           return entry.first == widest || group.compiled.at(entry.first) == entry.second;
         });
}

/// Tries the merge on these sites and keeps it only where the widths then agree.
bool confirm_merged(Program& program, const Group& group) {
  const std::vector<Site> kept = program.sites;
  const auto candidates = candidates_of(program, {group.sites.begin(), group.sites.end()});
  for (const Alignment alignment : {Alignment::known, Alignment::guessed}) {
    merge(program, candidates, alignment);
    if (same_widths(widths_of(program, group.sites), group.compiled) &&
        all_copies_merge(program, group))
      return true;
    program.sites = kept;
  }
  return false;
}

/// The pairs of instructions, for whole warps and for others, that are one in the text.
std::size_t pairs(const Group& group) {
  const auto count = [&](image::ActingLanes lanes) {
    const auto found = group.acting.find(lanes);
    return found == group.acting.end() ? 0 : found->second;
  };
  return std::min(count(image::ActingLanes::last_of_whole_warp),
                  count(image::ActingLanes::all_of_partial_warp));
}

/// The way in which all atomics of the group join lanes.
Joining joining_of(const Group& group) {
  using image::ActingLanes;
  const auto are_all = [&](ActingLanes lanes) {
    return group.acting.size() == 1 && group.acting.begin()->first == lanes;
  };
  if (are_all(ActingLanes::all)) return Joining::never;
  if (are_all(ActingLanes::elected)) return Joining::always;
  const std::size_t all = group.atomics + group.reductions;
  return all > 0 && all == 2 * pairs(group) ? Joining::of_whole_warps : Joining::unknown;
}

/// Where ptxas made reductions of only some of a line's atomics, whether those are the ones whose
/// result no instruction reads. It keeps some of these as they are: a reduction has no generic
/// address.
bool knows_reductions(const Program& program, const Group& group) {
  if (group.reductions == 0 || group.atomics == 0) return true;
  const auto answering = static_cast<std::size_t>(
      std::count_if(group.sites.begin(), group.sites.end(),
                    [&](std::uint32_t site) { return program.sites[site].has_result; }));
  return answering * (group.reductions + group.atomics) == group.atomics * group.sites.size();
}

/// A loop, or the code outside all loops: its function, and the heads of the loops around.
using Loop = std::pair<std::size_t, std::set<std::size_t>>;

/// The loop of each site.
std::vector<Loop> loops_of_sites(const Program& program, const Functions& functions) {
  std::vector<Loop> loops(program.sites.size());
  for (std::size_t function = 0; function < functions.size(); ++function) {
    const FunctionCode& code = functions[function];
    for (std::size_t block = 0; block < code.blocks().size(); ++block)
      for (std::size_t at = code.blocks()[block].first; at < code.blocks()[block].last; ++at)
        code.visit_sites(at, [&](const Site& site) {
          loops[static_cast<std::size_t>(&site - program.sites.data())] = {function,
                                                                           code.heads()[block]};
        });
  }
  return loops;
}

/// Sites that the compiled code has once, though it repeats others of their line: ptxas unrolls a
/// loop into rounds of four, two and one, seven copies, but not the loop that the front end made
/// for what its own unrolling leaves over. Nothing where the widths allow no answer, or two.
std::set<std::uint32_t> left_alone(const Program& program, const std::vector<Loop>& loops,
                                   const Group& group) {
  constexpr std::size_t most_loops = 4, copies = 4 + 2 + 1;
  std::map<Loop, std::vector<std::uint32_t>> by_loop;
  for (const std::uint32_t site : group.sites) by_loop[loops[site]].push_back(site);
  if (by_loop.size() > most_loops) return {};
  std::vector<std::set<std::uint32_t>> ways;
  for (unsigned alone = 1; alone < 1u << by_loop.size(); ++alone) {
    std::set<std::uint32_t> sites;
    unsigned at = 0;
    for (const auto& [loop, members] : by_loop)
      if (alone >> at++ & 1) sites.insert(members.begin(), members.end());
    Widths widths;
    for (const std::uint32_t index : group.sites)
      if (const Site& site = program.sites[index]; site.is_counted)
        widths[site.bytes] += sites.count(index) ? 1 : copies;
    if (widths == group.compiled) ways.push_back(sites);
  }
  return ways.size() == 1 ? ways[0] : std::set<std::uint32_t>{};
}

void confirm(Program& program, const std::vector<Loop>& loops, const Group& group) {
  if (!knows_reductions(program, group)) return;
  const bool is_repeated = widths_of(program, group.sites) != group.compiled;
  const std::set<std::uint32_t> alone =
      is_repeated ? left_alone(program, loops, group) : std::set<std::uint32_t>{};
  const Joining joining = joining_of(group);
  for (std::uint32_t index : group.sites) {
    Site& site = program.sites[index];
    site.is_confirmed = true;
    site.is_repeated = is_repeated && !alone.count(index);
    site.is_guarded = group.has_guarded;
    site.joining = joining;
    // ptxas makes a reduction of an atomic whose result decides nothing.
    if (group.reductions + group.atomics && !(group.reductions && group.atomics))
      site.has_result = group.atomics > 0;
  }
}

/// If a line of float sums has as many loads as swaps, and none of the text's own, each sum is a
/// loop of the two. @return whether it is so.
bool confirm_update_loops(Program& program, const Group& sums, const Group& loads) {
  if (sums.sites.empty() || !loads.sites.empty()) return false;
  const auto adds_floats = [&](std::uint32_t site) { return program.sites[site].adds_floats; };
  if (!std::all_of(sums.sites.begin(), sums.sites.end(), adds_floats)) return false;
  if (loads.compiled != Widths{{4, sums.atomics}} || sums.reductions) return false;
  for (const std::uint32_t site : sums.sites) program.sites[site].is_update_loop = true;
  program.has_update_loops = true;
  return true;
}

/// How often the compiled code loads and swaps there depends on others.
bool has_swap_loop(const Program& program, const Group& group) {
  return std::any_of(group.sites.begin(), group.sites.end(),
                     [&](std::uint32_t site) { return program.sites[site].is_swap_loop; });
}

}  // namespace

void confirm_accesses(Program& program, const Functions& functions,
                      const image::KernelFacts& facts) {
  const std::vector<Loop> loops = loops_of_sites(program, functions);
  std::map<Key, Group> groups;
  for (std::uint32_t i = 0; i < program.sites.size(); ++i) {
    const Site& site = program.sites[i];
    if (!is_counted_space(site)) continue;
    const Place& place = program.places[site.place];
    groups[{place.inner_file(), place.inner_line(), site.space == Space::shared, site.is_store,
            site.is_atomic}]
        .sites.push_back(i);
  }
  for (const image::MemoryInstruction& instruction : facts.memory)
    if (auto key = key_of(instruction); key && !instruction.is_for_parted_lanes) {
      Group& group = groups[*key];
      ++group.compiled[instruction.width_bytes];
      group.has_guarded |= instruction.is_guarded;
      group.loads_in_flight = std::max(group.loads_in_flight, instruction.loads_in_flight);
      group.atomics += instruction.access == image::MemoryInstruction::Access::atomic;
      group.reductions += instruction.access == image::MemoryInstruction::Access::reduction;
      if (key->is_atomic) ++group.acting[instruction.acting];
    }
  for (const auto& [key, group] : groups)
    for (const std::uint32_t site : group.sites)
      program.sites[site].loads_in_flight = static_cast<std::uint8_t>(group.loads_in_flight);
  for (auto& [key, group] : groups)
    if (joining_of(group) == Joining::of_whole_warps)
      for (auto& [width, count] : group.compiled) count /= 2;

  // A merged access carries the line of one of its parts: lines that do not match separately are
  // tried together.
  std::map<std::tuple<bool, bool>, Group> left;
  for (const auto& [key, group] : groups) {
    if (has_swap_loop(program, group)) {
      program.has_unseen[key.is_shared][0] = true;
      // A swap needs its result.
      for (const std::uint32_t site : group.sites) program.sites[site].has_result = true;
    } else if (same_widths(widths_of(program, group.sites), group.compiled)) {
      confirm(program, loops, group);
    } else if (const auto sums = groups.find(key.of_atomics());
               sums != groups.end() && confirm_update_loops(program, sums->second, group)) {
      continue;
    } else if (key.is_shared && !key.is_atomic && confirm_merged(program, group)) {
      confirm(program, loops, group);
    } else if (key.is_shared && !key.is_atomic) {
      Group& rest = left[{key.is_shared, key.is_store}];
      rest.sites.insert(rest.sites.end(), group.sites.begin(), group.sites.end());
      for (auto [width, count] : group.compiled) rest.compiled[width] += count;
    } else if (!key.is_atomic && group.sites.empty()) {
      program.has_unseen[key.is_shared][key.is_store] = true;
    }
  }
  for (const auto& [key, group] : left) {
    const auto [is_shared, is_store] = key;
    if (confirm_merged(program, group)) {
      confirm(program, loops, group);
    } else {
      program.has_unseen[is_shared][is_store] |= !group.compiled.empty();
    }
  }
}

}  // namespace warpwise::code
