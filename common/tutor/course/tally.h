#pragma once
#include <string>
#include <string_view>

namespace warpwise::tutor {

/// How many tests passed.
struct Tally {
  int passed = 0, failed = 0, skipped = 0;
  /// "12 passed, 0 failed", and ", 3 skipped" where there are any.
  std::string text() const;
  Tally& operator+=(const Tally& other);
};

/// The result of a run of ctest.
struct TestSummary {
  Tally tally;           ///< test cases; a program that reports none counts as one.
  std::string failures;  ///< the whole output of every test that failed, each under its name.
};

/// Reads the output of `ctest --verbose`. A program that crashed or ran out of time has failed at
/// least one case, whatever it managed to report.
TestSummary read_ctest(std::string_view output);

}  // namespace warpwise::tutor
