#pragma once
#include "lesson/program.h"

/// \file
/// The check of a program whose kernels launch kernels: as lesson/program.h, but the file is
/// compiled with -rdc=true. \ingroup lesson
