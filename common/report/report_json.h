#pragma once
#include <nlohmann/json.hpp>

#include "report/report.h"

/// \file
/// The parts of a report as JSON, for the files that lessons write. Slow to compile: .cpp only.
/// \ingroup lesson
namespace warpwise::lesson {

void to_json(nlohmann::json& json, const Diagnosis& diagnosis);
void from_json(const nlohmann::json& json, Diagnosis& diagnosis);
void to_json(nlohmann::json& json, const LineCounts& line);
void from_json(const nlohmann::json& json, LineCounts& line);
void to_json(nlohmann::json& json, const ArrayCounts& array);
void from_json(const nlohmann::json& json, ArrayCounts& array);
void to_json(nlohmann::json& json, const Counts& counts);
void from_json(const nlohmann::json& json, Counts& counts);

}  // namespace warpwise::lesson
