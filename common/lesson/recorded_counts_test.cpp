#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// A chapter's counts on the simulator against those of Nsight Compute on an H200, recorded next to
// its times by docs/results/record_counts.py.
namespace {

using nlohmann::json;

json parsed(const std::filesystem::path& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path.string());
  return json::parse(file);
}

json simulated(const std::string& chapter) {
  const std::filesystem::path out =
      std::filesystem::temp_directory_path() / ("warpwise_" + chapter + ".json");
  const std::string command =
      std::string("WARPWISE_COUNTS_ONLY=1 timeout 100 '" WARPWISE_BUILD_DIR "/") + chapter +
      "' --device sim --small --json " + out.string() + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  json result = parsed(out);
  std::filesystem::remove(out);
  return result;
}

/// Ladders of which the simulator may leave a count of shared loads unconfirmed: the compiled code
/// has accesses that its text does not show, or joins them in a way that is not found again. Which
/// rungs these are is not the same in every build: nvcc's PTX of large kernels varies a little.
struct Unconfirmed {
  std::string_view ladder, reason;
};

constexpr std::string_view shared_loads =
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";

constexpr Unconfirmed unconfirmed[] = {
    {"meeting", "warps that add floats to one number disturb each other"},
    {"softmax", "ptxas joins loads of partial results"},
    {"product", "ptxas joins loads of several steps"},
    {"tile_sizes", "ptxas joins loads of several steps"},
    {"launch_bounds", "ptxas joins loads of several steps"}};

bool may_be_unconfirmed(const json& kernel, const std::string& metric) {
  return metric == shared_loads &&
         std::any_of(std::begin(unconfirmed), std::end(unconfirmed),
                     [&](const Unconfirmed& one) { return kernel["ladder"] == one.ladder; });
}

}  // namespace

TEST_CASE("rungs count as on the hardware") {
  std::size_t compared = 0, left_out = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(WARPWISE_SOURCE_DIR "/docs/results")) {
    const std::string name = entry.path().filename().string(), suffix = "_counts.json";
    if (!name.ends_with(suffix)) continue;
    const json record = parsed(entry.path());
    const json ladders = simulated(name.substr(0, name.size() - suffix.size()))["ladders"];
    for (const json& kernel : record["kernels"]) {
      const json* rung = nullptr;
      for (const json& ladder : ladders) {
        if (kernel["ladder"] != ladder["name"]) continue;
        for (const json& candidate : ladder["rungs"])
          if (candidate["name"] == kernel["rung"]) rung = &candidate;
      }
      REQUIRE_MESSAGE(rung != nullptr, kernel["rung"]);
      for (const auto& [metric, reading] : kernel["hardware"].items()) {
        // The l1tex counters of shared memory also count arbitration between SM partitions.
        if (metric.starts_with("l1tex__data")) continue;
        const json& counters = (*rung)["counts"]["counters"];
        if (may_be_unconfirmed(kernel, metric) && counters.contains("ptx__" + metric)) {
          CHECK_MESSAGE(!counters.contains(metric), name << ": " << kernel["rung"]);
          MESSAGE(name << ": " << kernel["rung"] << ": " << metric << " is unconfirmed");
          ++left_out;
          continue;
        }
        // An event that never occurs has no counter.
        CHECK_MESSAGE(counters.value(metric, 0.0) == reading["median"].get<double>(),
                      name << ": " << kernel["rung"] << ": " << metric);
        CHECK_MESSAGE(!counters.contains("ptx__" + metric),
                      name << ": " << kernel["rung"] << ": " << metric << " is unconfirmed");
        ++compared;
      }
    }
  }
  CHECK(left_out <= 12);
  CHECK(compared >= 4000);
}
