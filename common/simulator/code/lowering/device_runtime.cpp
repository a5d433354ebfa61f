#include "simulator/code/lowering/device_runtime.h"

#include <algorithm>
#include <iterator>

namespace warpwise::code {
namespace {

/// The prefix of each name since CUDA 12.
constexpr std::string_view prefix = "__cudaCDP2";
/// The suffix of functions for the thread's own default stream: kernels have only one.
constexpr std::string_view own_stream = "_ptsz";

constexpr RuntimeFunction functions[] = {
    {"GetParameterBufferV2", RuntimeCallee::parameter_buffer, "8dd4", 8},
    {"LaunchDeviceV2", RuntimeCallee::launch, "88"},
    {"GetLastError", RuntimeCallee::take_error, ""},
    {"PeekAtLastError", RuntimeCallee::last_error, ""},
    {"GetErrorName", RuntimeCallee::error_name, "4", 8},
    {"GetErrorString", RuntimeCallee::error_text, "4", 8},
    {"GetDeviceCount", RuntimeCallee::device_count, "i"},
    {"GetDevice", RuntimeCallee::current_device, "i"},
    {"DeviceGetAttribute", RuntimeCallee::device_attribute, "i44"},
    {"DeviceGetLimit", RuntimeCallee::device_limit, "p4"},
    {"DeviceGetCacheConfig", RuntimeCallee::cache_config, "i"},
    {"DeviceGetSharedMemConfig", RuntimeCallee::shared_config, "i"},
    {"RuntimeGetVersion", RuntimeCallee::runtime_version, "i"},
    {"FuncGetAttributes", RuntimeCallee::function_attributes, "a8"},
    {"OccupancyMaxActiveBlocksPerMultiprocessor", RuntimeCallee::occupancy, "i848"},
    {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", RuntimeCallee::occupancy, "i8484"},
    {"Malloc", RuntimeCallee::allocate, "p8"},
    {"Free", RuntimeCallee::release, "8"},
    {"MemcpyAsync", RuntimeCallee::copy, "88848"},
    {"Memcpy2DAsync", RuntimeCallee::copy_rows, "88888848"},
    {"MemsetAsync", RuntimeCallee::fill, "8488"},
    {"Memset2DAsync", RuntimeCallee::fill_rows, "884888"},
    {"StreamCreateWithFlags", RuntimeCallee::create_stream, "p4"},
    {"StreamDestroy", RuntimeCallee::destroy_stream, "8"},
    {"StreamWaitEvent", RuntimeCallee::wait_event, "884"},
    {"EventCreateWithFlags", RuntimeCallee::create_event, "p4"},
    {"EventRecord", RuntimeCallee::record_event, "88"},
    {"EventRecordWithFlags", RuntimeCallee::record_event, "884"},
    {"EventDestroy", RuntimeCallee::destroy_event, "8"},
};

}  // namespace

bool is_of_device_runtime(std::string_view called) {
  return called.starts_with(prefix) || called.starts_with("__cuda_syscall_cnp") ||
         called.starts_with("cudaLaunchDevice") || called.starts_with("cudaGetParameterBuffer");
}

const RuntimeFunction* runtime_function(std::string_view called) {
  if (!called.starts_with(prefix)) return nullptr;
  called.remove_prefix(prefix.size());
  if (called.ends_with(own_stream)) called.remove_suffix(own_stream.size());
  const auto found = std::find_if(std::begin(functions), std::end(functions),
                                  [&](const auto& function) { return function.name == called; });
  return found == std::end(functions) ? nullptr : found;
}

}  // namespace warpwise::code
