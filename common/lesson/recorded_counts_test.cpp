#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

// A chapter's counts on the simulator against those of Nsight Compute on an H200, recorded beside
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
      std::string("WARPWISE_COUNTS_ONLY=1 timeout 100 " WARPWISE_BUILD_DIR "/") + chapter +
      " --device sim --small --json " + out.string() + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  json result = parsed(out);
  std::filesystem::remove(out);
  return result;
}

}  // namespace

TEST_CASE("rungs count as on the hardware") {
  std::size_t compared = 0;
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
        CHECK_MESSAGE(
            (*rung)["counts"]["counters"].value(metric, -1.0) == reading["median"].get<double>(),
            name << ": " << kernel["rung"] << ": " << metric);
        ++compared;
      }
    }
  }
  CHECK(compared >= 24);
}
