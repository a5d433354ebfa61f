#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The results of one launch: its counts and its diagnoses. The simulator fills them, and checks,
/// chapters and `learn` read them from its JSON (report_json.h).
/// \ingroup report
namespace warpwise::report {

using Index3 = std::array<unsigned, 3>;

enum class Severity { error, note };

/// One mistake, located. One per kind, instruction and launch; the lowest block and thread.
struct Diagnosis {
  std::string kind;  ///< "out-of-bounds", "misaligned", "race", "deadlock", "invalid-shuffle", ...
  Severity severity = Severity::error;
  std::string message;  ///< one sentence: what, which array, its size, what to do.
  std::string file;     ///< the user's file, even where library code was inlined into it.
  unsigned line = 0;
  unsigned column = 0;  ///< from 1; 0: not known.
  /// Where no line is known: "kernel sum(int*), at ld.global.u32 %r1, [%rd4]". Not in the JSON.
  std::string instruction;
  std::string library_file;  ///< of the instruction itself, if that is another file.
  unsigned library_line = 0;
  /// Where the code was inlined, from the inside out: "FILE:LINE".
  std::vector<std::string> called_from;
  /// Where the host allocated the first array that the message calls by a number.
  std::string made_file;
  unsigned made_line = 0;  ///< 0: not known.
  Index3 block{};
  Index3 thread{};
  std::uint64_t count = 1;  ///< lanes or accesses that did the same.
  /// Of a note: the first thread may have decided what the launch did. Not in the JSON.
  bool leaves_open = false;
  /// The value that it is about is only in memory of the device, which may never be read. Not in
  /// the JSON.
  bool is_only_stored = false;

  bool is_error() const { return severity == Severity::error; }
  /// Whether an exercise fails of it: of each error, and of notes about what works by luck, such as
  /// a barrier that some threads never reach, or memory that a kernel never frees.
  bool fails_exercise() const;
};

/// Accesses of one source line, of one kind. Counts are whole numbers.
struct LineCounts {
  std::string file;
  unsigned line = 0;
  std::string access;  ///< "global load", "shared store", "system fence", ...
  double requests = 0;
  double sectors = 0;     ///< global, local.
  double wavefronts = 0;  ///< shared.
  double ideal_wavefronts = 0;
  /// Requests made while a copy into shared memory went on that the same warp had begun, or a warp
  /// that loads nothing from there: what hides its time.
  double during_copies = 0;
  /// Of loads from global memory: most of them that a warp waits for at a time, one of this line
  /// among them, by the machine code; 0 without one.
  double loads_in_flight = 0;
  /// The cubin issues accesses of the same widths, or of the merged ones counted, and lanes that
  /// make them here may not skip them there: the hardware counts no less.
  bool compiled = false;
  bool confirmed = false;  ///< the hardware counts the same.

  /// Adds what another launch counted of the same line and access.
  void add(const LineCounts& other);
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

/// The threads that touched one of the arrays that the check has named, and how. Counts are whole
/// numbers.
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

/// Everything one launch reports.
struct LaunchReport {
  std::string kernel;   ///< demangled.
  std::string mangled;  ///< its name in the image.
  Index3 grid{}, block{};
  unsigned registers = 0;  ///< of a thread; 0: no machine code was found.
  std::size_t static_shared_bytes = 0, dynamic_shared_bytes = 0;  ///< of a block.
  Counts counts;
  std::vector<Diagnosis> diagnoses;
  /// Where the host asked for it, known only where it has an error; or the kernel that did.
  std::string launch_file;
  unsigned launch_line = 0;  ///< 0: not known.
  std::string launched_by;   ///< that kernel, demangled; empty: the host did.
  bool faulted = false;      ///< the launch was stopped: the error is sticky.
  std::string unsupported;   ///< "PTX line 12: ...: the simulator does not know ..."; status 3.
};

}  // namespace warpwise::report
