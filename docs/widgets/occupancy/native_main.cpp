/// \file
/// The same answers from native code, for the test of the page: a line of input is "GPU REGISTERS
/// THREADS STATIC DYNAMIC GRID", a line of output its answer.
#include <iostream>

#include "answer.h"

int main() {
  int gpu = 0, registers = 0, threads = 0, static_bytes = 0, dynamic_bytes = 0, grid = 0;
  while (std::cin >> gpu >> registers >> threads >> static_bytes >> dynamic_bytes >> grid) {
    std::cout << warpwise::calculator::answer(gpu,
                                              {.registers_per_thread = registers,
                                               .static_shared_bytes = static_bytes,
                                               .dynamic_shared_bytes = dynamic_bytes,
                                               .threads_per_block = threads},
                                              grid)
              << '\n';
  }
}
