// Traces of a warp, on kernels whose every step is known.
#include "simulator/watch/report/trace.h"

#include <nlohmann/json.hpp>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;
using nlohmann::json;

namespace trace_test {

const std::string source = R"(
extern "C" __global__ void turn(const float* x, float* y, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float v = x[t];
  v += __shfl_xor_sync(0xffffffffu, v, 1);
  tile[2 * (t % 32)] = v;
  __syncthreads();
  if (t < n) y[t] = tile[2 * (t % 32)] * 0.5f;
}
extern "C" __global__ void split(int* y) {
  int t = threadIdx.x;
  if (t < 8) {
    atomicAdd(y + t, 1);
    return;
  }
  y[t] = __shfl_down_sync(0xffffff00u, t, 4, 8);
}
__device__ __noinline__ float halved(float a) { return a / 2; }
extern "C" __global__ void calls(float* y) { y[threadIdx.x] = halved(y[threadIdx.x]); }
extern "C" __global__ void beyond(float* y) { y[threadIdx.x + 1] = 1; }
)";

Device& device() {
  static Device made(source);
  return made;
}

/// Runs a kernel with a trace. @return the trace as JSON.
template <class... Arguments>
json traced(watch::Trace& trace, const std::string& kernel, unsigned blocks, unsigned threads,
            Arguments... arguments) {
  device().options().trace = &trace;
  const auto report = device().run(kernel, {blocks, 1, 1}, {threads, 1, 1}, arguments...);
  device().options().trace = nullptr;
  return json::parse(trace.to_json(report));
}

/// The steps whose instruction begins like this, with its text and line put in.
std::vector<json> steps_of(const json& trace, const std::string& beginning) {
  std::vector<json> found;
  std::uint32_t active = 0, live = 0;
  for (json step : trace["steps"]) {
    active = step.value("active", active);
    live = step.value("live", live);
    step["active"] = active;
    step["live"] = live;
    step["mask"] = step.value("mask", active);
    const json& line = trace["lines"][step["line"].get<std::size_t>()];
    step["text"] = line["text"];
    step["line"] = line["line"];
    if (line["text"].get<std::string>().starts_with(beginning)) found.push_back(step);
  }
  return found;
}

json lanes(auto value_of) {
  json list = json::array();
  for (int lane = 0; lane < 32; ++lane) list.push_back(value_of(lane));
  return list;
}

TEST_CASE("a trace: loads, shuffle, shared stores with conflicts, barrier, guard") {
  const std::uint64_t x = device().upload(numbers<float>(64), "x");
  const std::uint64_t y = device().upload(numbers<float>(64), "y");
  watch::Trace trace({.kernel = "turn", .block = 0, .warp = 1, .steps = 400});
  const json made = traced(trace, "turn", 1, 64, x, y, 40);
  CHECK(made["kernel"] == "turn");
  CHECK(made["warp"] == 1);
  CHECK(made["complete"] == true);
  CHECK(made["block"] == json({64, 1, 1}));

  const auto loads = steps_of(made, "ld.global");
  REQUIRE(loads.size() == 1);
  CHECK(loads[0].at("line") == 5);
  CHECK(loads[0].at("mask") == ~0u);
  CHECK(loads[0].at("to").at(0).at("type") == "f32");
  CHECK(loads[0].at("to").at(0).at("lanes") == lanes([](int lane) { return 32.0 + lane; }));
  const json& access = loads[0].at("accesses").at(0);
  CHECK(made["arrays"][access["array"].get<std::size_t>()]["name"] == "x");
  CHECK(access["lanes"] == lanes([](int lane) { return 4 * (32 + lane); }));
  CHECK(access["bytes"] == 4);
  CHECK(access["sectors"] == 4);

  const auto shuffles = steps_of(made, "shfl");
  REQUIRE(shuffles.size() == 1);
  CHECK(shuffles[0].at("from") == lanes([](int lane) { return lane ^ 1; }));
  // A register of bits that holds floats: they are shown as floats.
  CHECK(shuffles[0].at("to").at(0).at("type") == "f32");
  CHECK(shuffles[0].at("to").at(0).at("lanes") ==
        lanes([](int lane) { return 32.0 + (lane ^ 1); }));
  CHECK(shuffles[0].at("values").at(0).at("lanes") == lanes([](int lane) { return 32.0 + lane; }));

  const auto stores = steps_of(made, "st.shared");
  REQUIRE(stores.size() == 1);
  CHECK(stores[0].at("accesses").at(0).at("wavefronts") == 2);
  CHECK(stores[0].at("accesses").at(0).at("ideal") == 1);
  CHECK(stores[0].at("accesses").at(0).at("store") == true);
  CHECK(stores[0].at("accesses").at(0).at("lanes") == lanes([](int lane) { return 8 * lane; }));
  CHECK(stores[0].at("values").at(0).at("lanes") ==
        lanes([](int lane) { return 2.0 * (32 + lane / 2 * 2) + 1; }));

  CHECK(steps_of(made, "bar.sync").size() == 1);
  const auto last = steps_of(made, "st.global");
  REQUIRE(last.size() == 1);
  CHECK(last[0].at("active") == 0xff);
  CHECK(last[0].at("line") == 9);
  CHECK(last[0].at("accesses").at(0).at("lanes").at(7) == 4 * 39);
  CHECK(last[0].at("accesses").at(0).at("lanes").at(8) == nullptr);
}

TEST_CASE("a trace of lanes on two ways: masks, exited lanes, sources of a shuffle") {
  const std::uint64_t y = device().upload(numbers<int>(32), "y");
  watch::Trace trace({.kernel = "split"});
  const json made = traced(trace, "split", 1, 32, y);
  const auto branches = steps_of(made, "@%p1 bra");
  REQUIRE(branches.size() == 1);
  CHECK(branches[0].at("active") == ~0u);
  CHECK((branches[0].at("mask") == 0xff || branches[0].at("mask") == 0xffffff00));
  CHECK(steps_of(made, "st.global").at(0)["active"] == 0xffffff00);
  const json sum = steps_of(made, "atom.global").at(0);
  CHECK(sum["active"] == 0xff);
  CHECK(sum.at("accesses").at(0).at("atomic") == true);
  const auto shuffles = steps_of(made, "shfl");
  REQUIRE(!shuffles.empty());
  CHECK(shuffles.back().at("from").at(8) == 12);
  CHECK(shuffles.back().at("from").at(12) == 12);
  CHECK(shuffles.back().at("from").at(0) == nullptr);
  CHECK(shuffles.back().at("to").at(0).at("lanes").at(8) == 12);
}

TEST_CASE("a trace ends at its limit, goes into functions, and keeps what led to a fault") {
  const std::uint64_t y = device().upload(numbers<float>(32), "y");
  watch::Trace few({.kernel = "", .block = 0, .warp = 0, .steps = 3});
  const json cut = traced(few, "calls", 1, 32, y);
  CHECK(cut["complete"] == false);
  CHECK(cut["steps"].size() == 3);
  CHECK(cut["steps"][2].contains("to"));  // the last one is also recorded to its end

  // For the second time.
  watch::Trace all({.kernel = "calls"});
  const json made = traced(all, "calls", 1, 32, y);
  CHECK(steps_of(made, "call").size() == 1);
  const auto stores = steps_of(made, "st.global");
  REQUIRE(stores.size() == 1);
  CHECK(stores[0].at("values").at(0).at("lanes") == lanes([](int lane) { return lane / 4.0; }));

  watch::Trace fault({.kernel = "beyond"});
  const json stopped = traced(fault, "beyond", 1, 32, y);
  CHECK(steps_of(stopped, "st.global").size() == 1);
  CHECK(!steps_of(stopped, "st.global")[0].contains("accesses"));
}

TEST_CASE("a trace of a block or warp that is not there has no steps; each launch starts afresh") {
  const std::uint64_t y = device().upload(numbers<float>(64), "y");
  watch::Trace trace({.kernel = "", .block = 1, .warp = 0, .steps = 400});
  CHECK(traced(trace, "calls", 1, 32, y)["steps"].empty());
  CHECK_FALSE(trace.has_steps());
  const std::size_t steps = traced(trace, "calls", 2, 32, y)["steps"].size();
  CHECK(steps > 5);
  CHECK(traced(trace, "calls", 2, 32, y)["steps"].size() == steps);
}

}  // namespace trace_test
