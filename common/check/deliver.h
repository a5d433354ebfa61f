#pragma once
#include <string>

#include "lesson/results/report_names.h"
#include "lesson/start/options.h"
#include "lesson/start/process.h"
#include "report/verdict.h"

/// \file
/// Parts that the mains of all check programs share. \ingroup lesson
namespace warpwise::lesson {

/// "ch05_warp_reduce/01_lane_sum": the checks' programs are in checks/CHAPTER/NAME.
std::string exercise_id();

/// Writes and prints a verdict as the flags want it. @return the exit status.
int deliver(const CheckVerdict& verdict, const CheckOptions& options);

/// Prints the verdict of `--say`. @return the exit status that it had.
/// @throws NoVerdict when the file holds none.
int say(const CheckOptions& options);

/// Prints the line of the task that announces the gates. @return the exit status.
int say_gates(const std::vector<Gate>& gates);

/// The line with which a child of this program said what the environment lacks, without the
/// program's name.
std::string environment_line(const ChildResult& child);

}  // namespace warpwise::lesson
