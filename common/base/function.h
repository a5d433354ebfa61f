#pragma once
/// \file
/// std::function, without the hash tables and searchers that `<functional>` also has: of what a
/// chapter's file includes they are a sixth, and each of nvcc's passes reads all of it.
#include <cstddef>
#ifdef __GLIBCXX__
#include <bits/std_function.h>
#else
#include <functional>
#endif
