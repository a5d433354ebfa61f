#pragma once

/// \file
/// Loops over lanes that decide how fast everything is.

#if defined(__x86_64__) && !defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__) && \
    __GNUC__ >= 12
/// Before a function: in a build for every processor it is compiled for x86-64-v3 too, and the one
/// for this processor is taken when the program is loaded.
#define WARPWISE_FAST_LOOPS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WARPWISE_FAST_LOOPS
#endif
