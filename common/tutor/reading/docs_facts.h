#pragma once
#include <filesystem>
#include <string>

#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The GPU table as JSON: for each its id, name, architecture, the numbers that pages compute with,
/// and its facts as people read them.
std::string gpus_json();

/// The chapters with their exercises as JSON: for each exercise its stub, its solution and its
/// stored mistakes, cut from the files as the check cuts them. A course exported without solutions
/// has empty ones.
/// @throws Failure when a file cannot be read or is malformed.
std::string course_json(const Course& course);

/// Writes what only programs know into a folder, for the generator of the pages: gpus.json,
/// course.json and isa.txt.
/// @throws Failure as course_json, and when a program fails.
void write_docs_facts(const Context& context, const std::filesystem::path& folder);

}  // namespace warpwise::tutor
