#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// A sweep: the same kernels with one parameter at many values, printed as one row for each value.
/// \ingroup lesson
namespace warpwise::lesson {

struct Rung;

/// Values that the table of a sweep shows about a point in addition to its rate.
enum class Shown {
  load_sectors,             ///< sectors of a global load request.
  store_sectors,            ///< sectors of a global store request.
  shared_load_wavefronts,   ///< wavefronts of a shared load request.
  shared_store_wavefronts,  ///< wavefronts of a shared store request.
  bank_conflicts,           ///< of the whole launch.
  registers,                ///< of a thread.
  local_bytes,              ///< of a thread: spilled registers, arrays.
  resident_blocks,          ///< of an SM.
  resident_warps,           ///< of an SM.
  occupancy,                ///< per cent.
  time_us,                  ///< microseconds, measured or recorded; for what no rate describes.
};

/// Short enough for the head of a column: "sect/load".
std::string_view name_of(Shown shown);
/// The kind of that name.
std::optional<Shown> shown_named(std::string_view text);
/// The number; nothing where it was not counted, or where there was no such request.
std::optional<double> value_of(Shown shown, const Rung& point);
/// With as many decimals as its kind needs; "-" for nothing.
std::string text_of(Shown shown, std::optional<double> value);

/// The parameter and its values, without the kernels. The rungs of a sweep are its series.
struct Sweep {
  std::string parameter;  ///< "offset, floats": over the column of values.
  std::vector<int> values;
  std::vector<Shown> shows;
};

/// first, first + 1, ..., last.
std::vector<int> from_to(int first, int last);

}  // namespace warpwise::lesson
