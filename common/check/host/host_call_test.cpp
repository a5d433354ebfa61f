#include "check/host/host_call.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sstream>

#include "check/host/foreign_call.h"
#include "check/host/host_wire.h"
#include "check/host/shared_object.h"
#include "lesson/device/error.h"
#include "lesson/device/launch.h"
#include "lesson/start/paths.h"

using namespace warpwise::lesson;

// The parts of a symbol are compared with those that the compiler made.
float host_call_sample(const float* a, const float* b, float* c, int n) {
  return a == b ? c[0] : static_cast<float>(n);
}
cudaError_t host_call_none() { return cudaErrorInvalidValue; }

namespace {

template <class Function>
HostSpec spec_of(const char* name) {
  HostSpec spec;
  spec.function = name;
  declare(spec, static_cast<Function*>(nullptr));
  return spec;
}

}  // namespace

TEST_CASE("a function type gives the declaration and the symbol") {
  const HostSpec sample = spec_of<decltype(host_call_sample)>("host_call_sample");
  CHECK(sample.declaration == "float host_call_sample(const float*, const float*, float*, int)");
  CHECK(demangled(sample.symbol.c_str()) ==
        "host_call_sample(float const*, float const*, float*, int)");
  const HostSpec none = spec_of<decltype(host_call_none)>("host_call_none");
  CHECK(none.symbol == "_Z14host_call_nonev");
  CHECK(spec_of<cudaError_t(const float*, const float*)>("f").symbol == "_Z1fPKfS0_");
}

TEST_CASE("a function is called with what the wire carries, and nothing else is on the wire") {
  HostSpec spec = spec_of<decltype(host_call_sample)>("host_call_sample");
  spec.gpus = 3;
  HostCall call;
  call.text = "sample";
  call.wanted = 7777.5;
  for (const std::size_t bytes : {12, 8}) {
    call.memory.push_back(std::make_unique<GuardedMemory>(bytes));
  }
  auto* input = static_cast<float*>(call.memory[0]->get());
  auto* output = static_cast<float*>(call.memory[1]->get());
  input[2] = 5;
  call.outputs.push_back({{1234.5, 4321.5}, {}, 0, output});
  bind_call<float, const float*, const float*, float*, int>(call, input, nullptr, output, 9);
  std::vector<HostCall> calls;
  calls.push_back(std::move(call));
  const WireCalls wire = parse_calls(to_bytes(wire_calls(spec, calls)));
  CHECK(wire.symbol == spec.symbol);
  CHECK(wire.gpus == 3);
  REQUIRE(wire.calls.size() == 1);
  const WireCall& sent = wire.calls[0];
  CHECK(sent.returns == HostType::float32);
  REQUIRE(sent.memory.size() == 2);
  CHECK_FALSE(sent.memory[0].output);
  CHECK(sent.memory[1].output);
  float third = 0;
  std::memcpy(&third, sent.memory[0].bytes.data() + 8, 4);
  CHECK(third == 5);
  CHECK(sent.arguments[0].bits == 1);
  CHECK(sent.arguments[1].bits == 0);
  CHECK(sent.arguments[2].bits == 2);
  CHECK(sent.arguments[3].bits == 9);
  // Expected values have no place in the bytes.
  for (const double expected : {1234.5, 4321.5, 7777.5}) {
    char bits[sizeof expected];
    std::memcpy(bits, &expected, sizeof expected);
    CHECK(to_bytes(wire).find(std::string(bits, sizeof bits)) == std::string::npos);
    CHECK(to_bytes(wire).find(std::string(std::make_reverse_iterator(std::end(bits)),
                                          std::make_reverse_iterator(std::begin(bits)))) ==
          std::string::npos);
  }
  CHECK_THROWS_AS(parse_calls("nonsense"), Stop);
  calls[0].arguments->at(1).bits = 64;
  CHECK_THROWS_AS(wire_calls(spec, calls), Stop);
  calls[0].arguments.reset();
  CHECK_THROWS_AS(wire_calls(spec, calls), Stop);
}

TEST_CASE("arguments and results of every type come through") {
  const auto call = [](auto* function, auto... arguments) {
    return []<class R, class... P>(R (*f)(P...), P... values) {
      HostCall bound;
      bind_call<R, P...>(bound, values...);
      return foreign_call(reinterpret_cast<void*>(f), bound.returns, *bound.arguments);
    }(function, arguments...);
  };
  CHECK(call(
            +[](int a, int b) { return a - b; }, 3, 5) == -2);
  CHECK(call(
            +[](bool a, unsigned b) { return a ? b : 0U; }, true, 4000000000U) == 4e9);
  CHECK(call(
            +[](double a, float b, long c) { return a + b + static_cast<double>(c); }, 0.5, 0.25F,
            1L << 40) == 0.75 + 0x1p40);
  CHECK(call(
            +[](float a) { return a * 2; }, 1.5F) == 3);
  CHECK(call(
            +[](int a) { return a > 3; }, 4) == 1);
  CHECK(call(
            +[](int a) { return a > 3; }, 3) == 0);
  CHECK(call(
            +[](unsigned long a) { return a + 1; }, 41UL) == 42);
  CHECK(call(+[] { return cudaErrorInvalidValue; }) == cudaErrorInvalidValue);
  CHECK(call(
            +[](int a, int b, int c, int d, int e, int f, int g, int h) {
              return a + b + c + d + e + f + 100 * g + 1000 * h;
            },
            1, 1, 1, 1, 1, 1, 2, 3) == 3206);
  static int calls = 0;
  CHECK_FALSE(call(+[] { ++calls; }).has_value());
  CHECK(calls == 1);
  CHECK_THROWS_AS(call(
                      +[](int a) -> int { throw a; }, 3),
                  int);
}

TEST_CASE("guarded memory ends at a page that may not be touched") {
  const GuardedMemory memory(12);
  auto* values = static_cast<float*>(memory.get());
  std::memset(values, 0, 12);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);  // Not the test framework's.
    static_cast<volatile float*>(values)[3] = 1;
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(GuardedMemory(0).get() != nullptr);
}

// With the mark before each line.
HostAnswers answers_in(const std::string& lines) {
  std::istringstream stream(lines);
  std::string text;
  for (std::string line; std::getline(stream, line);) {
    text += "mark " + line + (stream.eof() ? "" : "\n");
  }
  return parse_answers(text, "mark ");
}

TEST_CASE("answers are read back, also those of a child that died") {
  const HostAnswers answers = answers_in(
      "{\"device\":\"d\",\"simulated\":true}\n"
      "{\"outputs\":[[1065353216,2139095040]],\"reports\":2,\"returned\":4611686018427387904}\n");
  CHECK(answers.loaded);
  CHECK(answers.simulated);
  CHECK_FALSE(answers.done);
  REQUIRE(answers.calls.size() == 1);
  CHECK(answers.calls[0].outputs[0][0] == 1);
  CHECK(answers.calls[0].returned == 2);
  CHECK(answers.calls[0].reports == 2);
  // Bytes that the learner's code wrote in between are not an answer.
  CHECK_FALSE(parse_answers("{\"done\":true}\nother {\"done\":true}\n", "mark ").done);
  CHECK(parse_answers("x\nmark {\"done\":true}\n", "mark ").done);
  CHECK_FALSE(answers_in("").loaded);
  CHECK(answers_in("{\"thrown\":\"t\"}\n").thrown == "t");
  CHECK(answers_in("{\"problem\":\"p\"}\n{\"done\":true}\n").problem == "p");
  CHECK_THROWS_AS(answers_in("{\"outputs\":3}\n"), Stop);
  CHECK_THROWS_AS(answers_in("nonsense\n"), Stop);
  CHECK_FALSE(answers_in("{\"done\":true}\n{\"outp").loaded);
}

TEST_CASE("the functions of a shared object are read without loading it") {
  Dl_info runtime{};
  REQUIRE(::dladdr(reinterpret_cast<void*>(&cudaGetErrorName), &runtime) != 0);
  const auto names = exported_functions(read_file(runtime.dli_fname));
  CHECK(std::count(names.begin(), names.end(), "cudaMalloc") == 1);
  CHECK(std::count(names.begin(), names.end(), "memcpy") == 0);
  CHECK(exported_functions("").empty());
  CHECK(exported_functions("\x7f"
                           "ELF and no more")
            .empty());
}

TEST_CASE("values are written as people write them") {
  CHECK(written(3) == "3");
  CHECK(written(true) == "true");
  CHECK(written(0.25) == "0.25");
  CHECK(written(cudaErrorInvalidConfiguration) == "cudaErrorInvalidConfiguration");
}
