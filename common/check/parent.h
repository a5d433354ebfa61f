#pragma once
#include "check/program.h"

/// \file
/// The check of a program whose kernels launch kernels: as check/program.h, but the file is
/// compiled with -rdc=true. \ingroup lesson
