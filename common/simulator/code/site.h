#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/code/lowering/space.h"

namespace warpwise::code {

/// A place in the sources: the user's, and the library's where code of one was inlined.
struct Place {
  std::string file;
  unsigned line = 0;
  std::string library_file;
  unsigned library_line = 0;
  unsigned column = 0;  ///< in `line`, from 1; 0: unknown
  /// The instruction itself is in a header of the toolkit other than those of number types.
  bool is_library = false;
  bool is_cubs = false;    ///< code of CUB or Thrust, or code that it called
  bool is_users = false;   ///< file and line are known, and of no library
  bool is_groups = false;  ///< in internal code of cooperative groups: copies are the user's
  /// Lines of the user's that the code was inlined into, from the inside out.
  struct Caller {
    std::string file;
    unsigned line = 0;
  };
  std::vector<Caller> callers = {};
  /// The innermost place, as the line table of the compiled code names it.
  const std::string& inner_file() const { return library_line ? library_file : file; }
  unsigned inner_line() const { return library_line ? library_line : line; }
};

/// Whether one lane of the compiled code updates memory for all lanes that the text lets update it.
enum class Joining : std::uint8_t {
  unknown,
  never,
  always,          ///< for all active lanes
  of_whole_warps,  ///< where all lanes of the warp are active
};

/// One memory instruction of the text, for counting.
struct Site {
  std::uint32_t place = 0;
  Space space = Space::global;
  bool is_store = false;
  bool is_atomic = false;
  bool has_result = false;      ///< of an atomic: read later, so not a reduction
  bool adds_floats = false;     ///< of an atomic in shared memory: no instruction does it
  bool adds_by_loop = false;    ///< of an atomic: in shared memory a loop of the compiled code
  bool is_swap_loop = false;    ///< of an atomic: loads, swaps until no other write intervenes
  bool is_update_loop = false;  ///< and the compiled code loads, adds, swaps, until it has
  Joining joining = Joining::unknown;  ///< of an atomic
  bool is_bypassing = false;           ///< of cp.async.cg: the copy does not go through L1
  bool is_matrix_row = false;          ///< of ldmatrix or stmatrix: a lane has a row
  std::uint8_t bytes = 4;          ///< per lane, as counted: the merged width where ptxas merges
  bool is_counted = true;          ///< false for the members of a merged access but the first
  std::int32_t merged_offset = 0;  ///< added to the address of the first member
  bool is_confirmed = false;       ///< the compiled code has the same accesses at this line
  bool is_repeated = false;        ///< and more of them than the text: an unrolled loop
  bool is_guarded = false;         ///< lanes may sit some of these out, by the compiled code
  /// Of a load: most loads that the compiled code has in flight together with one of this line.
  std::uint8_t loads_in_flight = 0;
  bool may_be_skipped = false;     ///< ptxas may load where the value is wanted, and only there
  bool depends_on_others = false;  ///< how often, or where, depends on arrival order
  /// If depends_on_others: the basic blocks that lead to the choice of whether it runs at all.
  std::vector<std::uint32_t> choices;
  bool leaves_order = false;  ///< the value left there depends on which thread came first
  bool decides = false;       ///< its value decides about other accesses
  /// If is_repeated: indices of the branches that decide about the loops around it.
  std::vector<std::uint32_t> deciders;
  /// The move of a load that ptxas may put after a branch or before a loop: from the basic block
  /// where the text has it, to the one where it may be.
  struct Move {
    std::uint32_t from, to;
  };
  std::vector<Move> moves;
  /// Indices of Op::enter after loops and where ways join: where lanes that have diverged meet
  /// here, the GPU may let them go on alone.
  std::vector<std::uint32_t> side_exits;
};

}  // namespace warpwise::code
