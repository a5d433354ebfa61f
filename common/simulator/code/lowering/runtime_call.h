#pragma once
#include <cstdint>
#include <vector>

#include "simulator/code/access.h"

namespace warpwise::code {

/// The requests to the device runtime: device_runtime.h.
enum class RuntimeCallee : std::uint8_t {
  parameter_buffer,  ///< where the arguments of a launch are to be put
  launch,
  take_error,
  last_error,
  error_name,
  error_text,
  device_count,
  current_device,
  device_attribute,
  device_limit,
  cache_config,
  shared_config,
  runtime_version,
  function_attributes,
  occupancy,
  allocate,
  release,
  copy,
  copy_rows,
  fill,
  fill_rows,
  create_stream,
  destroy_stream,
  wait_event,
  create_event,
  record_event,
  destroy_event,
};

/// A call of the device runtime. Stores after the call write its outputs to the program's memory.
struct RuntimeCall {
  RuntimeCallee callee = RuntimeCallee::launch;
  std::vector<Slot> arguments;  ///< of 8 bytes each; a dim3 is three
  std::vector<Slot> outputs;    ///< of 8 bytes each
  Slot result = no_slot;        ///< of 8 bytes: an error's number, or an address
  Slot succeeded = no_slot;     ///< a predicate: the outputs are to be written
};

}  // namespace warpwise::code
