#pragma once
/// \file
/// The algorithms on iterators, without those on ranges and the parallel ones that `<algorithm>`
/// also has: of what a chapter's file includes these are a fifth, and each of nvcc's passes reads
/// all of it.
#include <cstddef>
#ifdef __GLIBCXX__
#include <bits/stl_algo.h>
#else
#include <algorithm>
#endif
