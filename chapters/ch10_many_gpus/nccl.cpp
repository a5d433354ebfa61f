/// \file
/// NCCL by dlopen: one thread, a communicator for each device.
#include "nccl.h"

#include <dlfcn.h>

#include <string>

#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"
#include "lesson/open_library.h"
#include "nccl_api.h"

namespace lesson = warpwise::lesson;

namespace {

/// Opened once for a number of devices, kept to the end of the program.
struct Library {
  nccl::Communicator of[Devices::most] = {};
  nccl::Group* start = nullptr;
  nccl::Group* end = nullptr;
  nccl::AllReduceCall* reduce = nullptr;
  std::string absent;

  explicit Library(int n) {
    if (lesson::simulator_present()) {
      absent = "NCCL runs on GPUs only";
      return;
    }
    void* library = lesson::open_library(nccl::library_name);
    if (library == nullptr) {
      absent = std::string(nccl::library_name) + " is not installed (package libnccl2)";
      return;
    }
    auto* init = reinterpret_cast<nccl::CommInitAll*>(::dlsym(library, "ncclCommInitAll"));
    start = reinterpret_cast<nccl::Group*>(::dlsym(library, "ncclGroupStart"));
    end = reinterpret_cast<nccl::Group*>(::dlsym(library, "ncclGroupEnd"));
    reduce = reinterpret_cast<nccl::AllReduceCall*>(::dlsym(library, "ncclAllReduce"));
    const bool whole = init != nullptr && start != nullptr && end != nullptr && reduce != nullptr;
    if (!whole || init(of, n, nullptr) != 0) absent = "NCCL is there but does not start";
  }
};

void refuse(int status) {
  if (status == 0) return;
  throw lesson::Stop(lesson::something_wrong,
                     "NCCL refuses the all-reduce: status " + std::to_string(status));
}

}  // namespace

template <class T>
lesson::LibraryCall nccl_all_reduce(const AllReduce<T>& a) {
  static Library library(a.n());
  if (!library.absent.empty()) return {{}, library.absent};
  return {[=] {
            // One thread calls for all devices: without the group the first call may wait for the
            // others.
            refuse(library.start());
            for (int d = 0; d < a.n(); ++d) {
              refuse(library.reduce(a.x[d].get(), a.x[d].get(), static_cast<std::size_t>(a.count),
                                    sizeof(T) == 2 ? nccl::type_bf16 : nccl::type_float, nccl::sum,
                                    library.of[d], a.devices->stream(d)));
            }
            refuse(library.end());
          },
          ""};
}

template lesson::LibraryCall nccl_all_reduce(const AllReduce<float>&);
template lesson::LibraryCall nccl_all_reduce(const AllReduce<__nv_bfloat16>&);
