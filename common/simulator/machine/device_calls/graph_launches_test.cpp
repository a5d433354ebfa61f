// Kernels that launch graphs, as PTX text, with a runtime that only notes down what it is asked.

#include "simulator/machine/device_calls/device_runtime.h"
#include "simulator/machine/ptx_fixture.h"

using namespace warpwise;
using namespace warpwise::machine;
using namespace warpwise::machine::test;

namespace graph_launches_test {

/// Takes graphs with an even handle.
struct OnlyEven : DeviceRuntime {
  std::vector<DeviceWork> launched;
  const char* fault = nullptr;
  bool may_try_again = false, takes_all = false;

  std::optional<GraphRefusal> launch_graph(const DeviceWork& work) override {
    if (!takes_all && work.graph % 2 != 0) return GraphRefusal{"it is odd", fault, may_try_again};
    launched.push_back(work);
    return std::nullopt;
  }

  std::optional<Refusal> refusal(const Launch&) override { return std::nullopt; }
  std::optional<Refusal> refuses_more(std::size_t) override { return std::nullopt; }
  std::optional<Refusal> refusal(const DeviceWork&) override { return std::nullopt; }
  int attribute(int, int, std::uint64_t&) override { return 0; }
  int limit(int, std::uint64_t&) override { return 0; }
  int occupancy(const std::string&, int, std::uint64_t, std::uint64_t&) override { return 0; }
  int attributes(const std::string&, std::vector<std::uint64_t>&) override { return 0; }
  std::uint64_t error_words(int, bool) override { return 0; }
  void ask_for(std::vector<DeviceWork>) override {}
};

/// Lets the graphs run as soon as the launch waits.
struct Others : Neighbours {
  explicit Others(OnlyEven& graphs) : runtime(graphs) {}
  OnlyEven& runtime;
  std::uint64_t room() const override { return 132; }
  std::string others() const override { return ""; }
  bool wants_footprint() const override { return false; }
  std::vector<Conflict> compare(std::shared_ptr<const watch::Footprint>) override { return {}; }
  Outlook let_others_run(const Waiting&) override {
    runtime.takes_all = true;
    return Outlook::changed;
  }
};

const std::string declared =
    ".extern .func (.param .b32 result) cudaGraphLaunch(.param .b64 graph, .param .b64 stream);\n";

// Each lane launches the graph of its own number in the stream of the current graph's.
const std::string launch_each = R"(
  cvt.u64.u32 %rd1, %r1;
  mov.u64 %rd2, %current_graph_exec;
$again:
  { .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd1; st.param.b64 [b], %rd2;
    call (c), cudaGraphLaunch, (a, b); ld.param.b32 %r0, [c]; })";

struct Launching : Text {
  explicit Launching(const std::string& ptx) : Text(ptx), neighbours(runtime) {}

  std::vector<unsigned> run_in_graph(std::uint64_t graph) {
    const memory::Allocation* out = memory.allocate(128, memory::Kind::device);
    Launch launch;
    launch.kernel = "k";
    launch.block = {32, 1, 1};
    launch.graph = graph;
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &out->base, 8);
    Options options;
    options.threads = 1;
    options.budget = 1'000'000;
    options.device_runtime = &runtime;
    options.neighbours = &neighbours;
    report = module->run(launch, options);
    std::vector<unsigned> values(32);
    std::memcpy(values.data(), memory.host(out->base), 128);
    return values;
  }

  OnlyEven runtime;
  Others neighbours;
};

TEST_CASE("each lane learns whether the graph that it names was launched, and may go on") {
  Launching text(kernel(declared, launch_each));
  const std::vector<unsigned> answers = text.run_in_graph(77);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(answers[lane] == lane % 2);
  REQUIRE(text.runtime.launched.size() == 16);
  CHECK(text.runtime.launched[5].graph == 10);
  CHECK(text.runtime.launched[5].stream == 77);
  CHECK_FALSE(text.report.faulted);
  REQUIRE(text.report.diagnoses.size() == 1);
  CHECK(text.report.diagnoses[0].severity == watch::Severity::note);
  CHECK(text.report.diagnoses[0].kind == "launch-configuration");
  CHECK(text.report.diagnoses[0].count == 16);
}

TEST_CASE("a handle that is not a graph's stops the launch") {
  Launching text(kernel(declared, launch_each));
  text.runtime.fault = "invalid-object";
  text.run_in_graph(77);
  CHECK(text.report.faulted);
  REQUIRE(text.report.diagnoses.size() == 1);
  CHECK(text.report.diagnoses[0].severity == watch::Severity::error);
  CHECK(text.report.diagnoses[0].kind == "invalid-object");
}

TEST_CASE("a thread that tries until it works lets others run") {
  Launching text(kernel(declared, launch_each + "setp.ne.u32 %p1, %r0, 0; @%p1 bra $again;"));
  text.runtime.may_try_again = true;
  CHECK(text.run_in_graph(77) == std::vector<unsigned>(32));
  CHECK(text.runtime.launched.size() == 32);
  CHECK_FALSE(text.report.faulted);
}

TEST_CASE("kernels that launch graphs are known: themselves, by a function, through a pointer") {
  const std::string launch = R"(
.func (.param .b32 result) launch(.param .b32 x) {
  .reg .b32 %r; .reg .b64 %rd;
  mov.u64 %rd, 0;
  { .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %rd; st.param.b64 [b], %rd;
    call (c), cudaGraphLaunch, (a, b); ld.param.b32 %r, [c]; }
  st.param.b32 [result], %r;
  ret;
})";
  const std::string by_name = R"(
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;
    call (b), launch, (a); ld.param.b32 %r0, [b]; })";
  const std::string taken = ".global .align 8 .u64 pointer = launch;\n";
  const auto by_pointer = [](const std::string& more) {
    return "ld.global.u64 %rd1, [pointer];\n  { .param .b32 a; .param .b32 b; " +
           std::string(more.empty() ? "" : ".param .b32 d; st.param.b32 [d], %r1; ") +
           "st.param.b32 [a], %r1;\n    proto: .callprototype (.param .b32 _) _ (.param .b32 _" +
           std::string(more.empty() ? "" : ", .param .b32 _") + ");\n    call (b), %rd1, (a" +
           more + "), proto; ld.param.b32 %r0, [b]; }";
  };
  const auto is_told = [](const std::string& ptx) {
    return Text(ptx).module->kernel("k")->launches_graphs;
  };
  CHECK(is_told(kernel(declared, launch_each)));
  CHECK(is_told(kernel(declared + launch, by_name)));
  CHECK(is_told(kernel(declared + launch + taken, by_pointer(""))));
  CHECK_FALSE(is_told(kernel(declared + launch + taken, by_pointer(", d"))));
  CHECK_FALSE(is_told(kernel(declared + launch + taken, "mov.u32 %r0, 1;")));
}

TEST_CASE("a kernel that asks the runtime for more than graphs is known") {
  const std::string error = ".extern .func (.param .b32 result) __cudaCDP2GetLastError();\n";
  const std::string ask =
      "{ .param .b32 a; call (a), __cudaCDP2GetLastError; ld.param.b32 %r0, [a]; }";
  CHECK_FALSE(Text(kernel(declared, launch_each)).module->uses_device_runtime("k"));
  CHECK(Text(kernel(declared + error, launch_each + ask)).module->uses_device_runtime("k"));
}

}  // namespace graph_launches_test
