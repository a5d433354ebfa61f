#pragma once
#include <nlohmann/json.hpp>

#include "report/footprint.h"
#include "report/gate.h"
#include "report/report.h"

/// \file
/// The parts of a report and of a verdict as JSON. Slow to compile: .cpp only.
/// \ingroup report
namespace warpwise::report {

void to_json(nlohmann::json& json, const Diagnosis& diagnosis);
void from_json(const nlohmann::json& json, Diagnosis& diagnosis);
void to_json(nlohmann::json& json, const LineCounts& line);
void from_json(const nlohmann::json& json, LineCounts& line);
void to_json(nlohmann::json& json, const ArrayCounts& array);
void from_json(const nlohmann::json& json, ArrayCounts& array);
void to_json(nlohmann::json& json, const Counts& counts);
void from_json(const nlohmann::json& json, Counts& counts);
/// The object of one launch, as the simulator writes it: counts of lines and arrays without a
/// fraction.
void to_json(nlohmann::json& json, const LaunchReport& launch);
/// A field that is absent keeps its default.
void from_json(const nlohmann::json& json, LaunchReport& launch);
void to_json(nlohmann::json& json, const GateResult& result);
void from_json(const nlohmann::json& json, GateResult& result);
void to_json(nlohmann::json& json, const Footprint& footprint);
void from_json(const nlohmann::json& json, Footprint& footprint);

}  // namespace warpwise::report
