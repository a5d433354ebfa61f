/// \file
/// The calculator as the page calls it: numbers in, a text in the module's memory out, which is
/// good until the next call.
#include "answer.h"

namespace {

using warpwise::occupancy::Kernel;

const char* kept(std::string text) {
  static std::string last;
  last = std::move(text);
  return last.c_str();
}

Kernel kernel(int registers, int threads, int static_bytes, int dynamic_bytes) {
  return {.registers_per_thread = registers,
          .static_shared_bytes = static_bytes,
          .dynamic_shared_bytes = dynamic_bytes,
          .threads_per_block = threads};
}

}  // namespace

extern "C" {

[[clang::export_name("gpus")]] const char* gpus() { return kept(warpwise::calculator::gpus()); }

[[clang::export_name("answer")]] const char* answer(int gpu, int registers, int threads,
                                                    int static_bytes, int dynamic_bytes, int grid) {
  return kept(warpwise::calculator::answer(
      gpu, kernel(registers, threads, static_bytes, dynamic_bytes), grid));
}

[[clang::export_name("chart")]] const char* chart(int gpu, int registers, int threads,
                                                  int static_bytes, int dynamic_bytes, int axis) {
  return kept(warpwise::calculator::chart(gpu,
                                          kernel(registers, threads, static_bytes, dynamic_bytes),
                                          static_cast<warpwise::calculator::Axis>(axis)));
}
}
