#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The results of one launch: its counts and its diagnoses. stand_in.h asks the simulator for it.
/// \ingroup lesson
namespace warpwise::lesson {

using Index3 = std::array<unsigned, 3>;

/// One mistake, located; see watch/report/report.h for what each field means.
struct Diagnosis {
  std::string kind, severity, message, file, library_file;
  unsigned line = 0, library_line = 0;
  unsigned column = 0;  ///< from 1; 0: not known.
  Index3 block{}, thread{};
  std::uint64_t count = 1;
  std::vector<std::string> called_from;  ///< "FILE:LINE", from the inside out.
  std::string made_file;                 ///< where the array that it names was allocated.
  unsigned made_line = 0;                ///< 0: not known.

  bool is_error() const { return severity == "error"; }
  /// Whether an exercise fails of it: of each error, and of notes about what works by luck, such as
  /// a barrier that some threads never reach, or memory that a kernel never frees.
  bool fails_exercise() const;
};

/// Accesses of one source line.
struct LineCounts {
  std::string file;
  unsigned line = 0;
  std::string access;  ///< "global load", "shared store", ...
  double requests = 0, sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
  double beside_copies = 0;    ///< requests by a warp while its copy, or a helper's, is on its way.
  double loads_in_flight = 0;  ///< of a warp at a time, one of this line's among them, at most.
  bool compiled = false;       ///< the compiled code has all of them: a GPU counts no less.
  bool confirmed = false;      ///< a GPU counts the same.
};

/// Names of counters.
namespace counter {
inline constexpr const char* load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr const char* load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr const char* store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr const char* store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr const char* shared_load_requests = "warpwise__shared_requests_op_ld";
inline constexpr const char* shared_store_requests = "warpwise__shared_requests_op_st";
inline constexpr const char* shared_load_wavefronts =
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
inline constexpr const char* shared_store_wavefronts =
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
inline constexpr const char* load_conflicts = "warpwise__shared_bank_conflicts_op_ld";
inline constexpr const char* store_conflicts = "warpwise__shared_bank_conflicts_op_st";
inline constexpr const char* thread_instructions = "ptx__thread_instructions";
inline constexpr const char* matrix_products = "ptx__matrix_products";
inline constexpr const char* barriers = "ptx__barriers";
}  // namespace counter

/// The threads that touched one of the arrays that the check has named, and how.
struct ArrayCounts {
  std::string array;   ///< its name; empty: all memory without one.
  std::string access;  ///< "global load", "global store" or "global atomic".
  double requests = 0, sectors = 0;
  double threads = 0, warps = 0;  ///< that made at least one.
  double most_of_thread = 0;      ///< accesses of the thread that made most.
};

/// The counts: by counter, by source line, and by array.
struct Counts {
  std::map<std::string, double> counters;
  std::vector<LineCounts> lines;
  std::vector<ArrayCounts> arrays;  ///< only where count_participants() asked for it.

  bool empty() const { return counters.empty() && lines.empty(); }
  /// Adds what another launch counted, line by line.
  void add(const Counts& other);
  /// A counter; 0 when it is absent.
  double value(const char* name) const;
  /// Sectors over requests; nothing when there were no requests.
  std::optional<double> sectors_per_load() const;
  std::optional<double> sectors_per_store() const;
  double bank_conflicts() const;
  /// Whether the compiled code confirms what was counted of global loads, or stores, or of shared
  /// memory; without code for the GPU only the PTX was counted.
  bool loads_known() const { return is_known(counter::load_requests); }
  bool stores_known() const { return is_known(counter::store_requests); }
  bool conflicts_known() const {
    return is_known(counter::shared_load_wavefronts) && is_known(counter::shared_store_wavefronts);
  }

 private:
  bool is_known(const char* name) const;
};

/// One launch.
struct LaunchReport {
  std::string kernel, unsupported;
  Index3 grid{}, block{};
  unsigned registers = 0;  ///< of a thread; 0: no machine code was found.
  std::size_t static_shared_bytes = 0, dynamic_shared_bytes = 0;  ///< of a block.
  Counts counts;
  std::vector<Diagnosis> diagnoses;
  std::string launch_file;   ///< where the host asked for it.
  unsigned launch_line = 0;  ///< 0: not known.
  bool faulted = false;
};

}  // namespace warpwise::lesson
