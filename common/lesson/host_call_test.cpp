#include "lesson/host_call.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "lesson/error.h"
#include "lesson/launch.h"
#include "lesson/paths.h"
#include "lesson/shared_object.h"

using namespace warpwise::lesson;

// What a symbol is made of is compared with what the compiler made.
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

TEST_CASE("a call is bound to its arguments and returns a number or nothing") {
  const auto call = bind_call<int, int, int>(3, 4);
  int (*product)(int, int) = [](int a, int b) { return a * b; };
  CHECK(call(reinterpret_cast<void*>(product)) == 12);
  static int calls = 0;
  void (*nothing)() = [] { ++calls; };
  CHECK_FALSE(bind_call<void>()(reinterpret_cast<void*>(nothing)).has_value());
  CHECK(calls == 1);
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

TEST_CASE("answers are read back, also those of a child that died") {
  const HostAnswers answers = parse_answers(
      "{\"device\":\"d\",\"simulated\":true}\n"
      "{\"outputs\":[[1065353216,2139095040]],\"reports\":2,\"returned\":4611686018427387904}\n");
  CHECK(answers.loaded);
  CHECK(answers.simulated);
  CHECK_FALSE(answers.done);
  REQUIRE(answers.calls.size() == 1);
  CHECK(answers.calls[0].outputs[0][0] == 1);
  CHECK(answers.calls[0].returned == 2);
  CHECK(answers.calls[0].reports == 2);
  CHECK_FALSE(parse_answers("").loaded);
  CHECK(parse_answers("{\"thrown\":\"t\"}\n").thrown == "t");
  CHECK(parse_answers("{\"problem\":\"p\"}\n{\"done\":true}\n").problem == "p");
  CHECK_THROWS_AS(parse_answers("{\"outputs\":3}\n"), Stop);
  CHECK_THROWS_AS(parse_answers("nonsense\n"), Stop);
  CHECK_FALSE(parse_answers("{\"done\":true}\n{\"outp").loaded);
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
