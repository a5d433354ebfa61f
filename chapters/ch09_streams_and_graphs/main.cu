/// \file
/// Chapter 9: which operations may run at the same time, and what makes that safe. `./learn run
/// ch09_streams_and_graphs`, or build/ch09_streams_and_graphs --help.
#include "lesson/run.h"

using warpwise::lesson::Run;

void host_memory_ladder(Run& run);    ///< host_memory.cu
void pipeline_ladder(Run& run);       ///< pipeline.cu
void timeline_table(Run& run);        ///< timeline.cu
void side_by_side_ladders(Run& run);  ///< order.cu
void launches_ladder(Run& run);       ///< launches.cu
void allocation_ladder(Run& run);     ///< allocation.cu
void two_phases_ladders(Run& run);    ///< two_phases.cu
void subdivision_ladder(Run& run);    ///< subdivision.cu

int main(int argc, char** argv) {
  Run run(argc, argv, "Chapter 9: which operations may overlap, and what makes that safe?");
  host_memory_ladder(run);
  pipeline_ladder(run);
  timeline_table(run);
  side_by_side_ladders(run);
  launches_ladder(run);
  allocation_ladder(run);
  two_phases_ladders(run);
  subdivision_ladder(run);
  return run.finish();
}
