#pragma once
#include "report/report.h"

/// \file
/// Lessons and checks name the structs of common/report without their room.
/// \ingroup lesson
namespace warpwise::lesson {

using namespace report;

}  // namespace warpwise::lesson
