#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "tutor/command.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/process.h"
#include "tutor/tally.h"

namespace warpwise::tutor {

int test_command(const Context& context) {
  context.make(context, {});
  fmt::print(stderr, "learn: testing\n");
  const std::string jobs = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  // The times of the tests are a budget of minutes for machines slower than this one.
  const Outcome outcome =
      run_captured({.words = {"ctest", "--test-dir", context.build.string(), "--parallel", jobs,
                              "--timeout", "300", "--verbose"},
                    .limit = {},
                    .output_bytes = std::size_t{64} << 20});
  const TestSummary summary = read_ctest(outcome.out);
  fmt::print("{}", summary.failures);
  if (summary.tally.passed + summary.tally.failed == 0) {
    throw Failure(status_environment,
                  fmt::format("ctest ran no test:\n{}{}", outcome.out, outcome.err));
  }
  fmt::print("{}\n", summary.tally.text());
  return outcome.status == 0 && summary.tally.failed == 0 ? status_ok : status_wrong;
}

}  // namespace warpwise::tutor
