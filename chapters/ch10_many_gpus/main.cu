/// \file
/// Chapter 10: the same numbers on many devices, and the sums that all of them need. `./learn run
/// ch10_many_gpus`, or build/ch10_many_gpus --help.
#include "devices.h"
#include "lesson/run.h"
#include "mpi_door.h"

using warpwise::lesson::Run;

void all_reduce_ladder(Run& run, const Devices& devices);  ///< all_reduce.cpp
void calls_table(Run& run, const Devices& devices);        ///< calls.cpp
void layer_ladders(Run& run, const Devices& devices);      ///< layer.cpp
void two_layers_ladder(Run& run, const Devices& devices);  ///< two_layers.cpp
void stencil_ladders(Run& run, const Devices& devices);    ///< stencil.cu

int main(int argc, char** argv) {
  if (asks_for_mpi(argc, argv)) return over_mpi(argc, argv);
  constexpr int simulated_gpus = 4;
  Run run(argc, argv, "Chapter 10: which road do numbers take between many GPUs?",
          {.simulated_gpus = simulated_gpus});
  const Devices devices(run.gpus());
  all_reduce_ladder(run, devices);
  calls_table(run, devices);
  layer_ladders(run, devices);
  two_layers_ladder(run, devices);
  stencil_ladders(run, devices);
  return run.finish();
}
