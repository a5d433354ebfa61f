#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "lesson/results/report_names.h"
#include "report/verdict.h"

/// \file
/// The words of a verdict.
/// \ingroup lesson
namespace warpwise::lesson {

/// For people, each line with its newline.
/// @param width that lines should not exceed, in columns.
std::string to_text(const CheckVerdict& verdict, std::size_t width);
/// The width for standard output: COLUMNS, else the terminal's, else 80; from 60 to 100.
std::size_t verdict_width();

/// The first lines of a text, at most as many as a verdict shows, and a word about the rest.
std::vector<std::string> first_lines(const std::string& text);

}  // namespace warpwise::lesson
