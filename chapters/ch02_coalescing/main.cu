/// \file
/// Chapter 2: coalescing. `./learn run ch02_coalescing`, or build/ch02_coalescing --help.
#include "lesson/run.h"

/// copy.cu: one array into another, up to the limit of the memory, and the old profiler's metrics.
void copy_ladder(warpwise::lesson::Run& run);
/// patterns.cu: which lane reads which word; the bus of then and of now.
void pattern_ladder(warpwise::lesson::Run& run);
/// strides.cu: sweeps of offset and stride, loads and stores separately.
void stride_sweeps(warpwise::lesson::Run& run);
/// structures.cu: an array of structures against a structure of arrays.
void structure_ladder(warpwise::lesson::Run& run);
/// variables.cu: where a variable lives.
void variable_ladder(warpwise::lesson::Run& run);
/// embedding.cu: rows of a table by number, the first step of GPT-2.
void embedding_ladders(warpwise::lesson::Run& run);
/// embedding_host.cpp: the same on the CPU.
void embedding_host_ladder(warpwise::lesson::Run& run);
/// residual.cu: the sum of two arrays.
void residual_ladder(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv,
                            "Chapter 2: how many bytes move when a warp asks for a word a lane?");
  copy_ladder(run);
  pattern_ladder(run);
  stride_sweeps(run);
  structure_ladder(run);
  variable_ladder(run);
  embedding_ladders(run);
  embedding_host_ladder(run);
  residual_ladder(run);
  return run.finish();
}
