#pragma once

/// \file
/// Loops over lanes, which decide the speed of the simulator.

#if defined(__x86_64__) && !defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__) && \
    __GNUC__ >= 12
/// Before a function: a build for every processor compiles it also for x86-64-v3, and the loader
/// takes the version for this processor.
#define WARPWISE_FAST_LOOPS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WARPWISE_FAST_LOOPS
#endif
