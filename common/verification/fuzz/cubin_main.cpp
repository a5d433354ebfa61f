#include <cstdint>

#include "verification/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwise::fuzz::cubin(std::as_bytes(std::span(data, size)));
  return 0;
}
