#pragma once
#include <exception>
#include <string>
#include <utility>

/// \file
/// Why a program of the tutorial ends: an exit status and a message.
/// \ingroup lesson
namespace warpwise::lesson {

/// Exit statuses, the same in every program.
enum Status : int {
  all_right = 0,
  something_wrong = 1,  ///< a wrong result, an error diagnosed, a missed gate.
  bad_usage = 2,
  bad_environment = 3,  ///< no usable GPU, no simulator, a file that cannot be written.
};

/// Ends the program with a status and a message for people; thrown anywhere below main and printed
/// by the object that main made (to stderr, or to stdout when the status is 0).
struct Stop : std::exception {
  Stop(int status, std::string message) : status(status), message(std::move(message)) {}
  const char* what() const noexcept override { return message.c_str(); }
  int status;
  std::string message;
};

}  // namespace warpwise::lesson
