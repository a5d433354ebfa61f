#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "simulator/cudart/device/preload.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/exit_notes.h"
#include "simulator/cudart/runtime.h"

// The library's own first and last moment in a process.
namespace warpwise::cudart {
namespace {

/// Programs that this program starts get the library only as start.cpp decides.
[[gnu::constructor]] void leave_no_trace() {
  Dl_info self = {};
  const char* preload = std::getenv("LD_PRELOAD");
  if (preload != nullptr && dladdr(reinterpret_cast<void*>(&without_entry), &self) != 0) {
    const std::string rest = without_entry(preload, self.dli_fname);
    if (rest.empty()) {
      unsetenv("LD_PRELOAD");
    } else {
      setenv("LD_PRELOAD", rest.c_str(), 1);
    }
  }
  unsetenv("WARPWISE_LAUNCHER");
}

/// A launch that was never waited for still runs, so that its mistakes are reported. Its output is
/// lost, as on a GPU.
[[gnu::destructor]] void finish() {
  // A call may have failed before any needed the runtime.
  if (!runtime_exists() && unheeded_call().error == cudaSuccess) return;
  drain();
  note_what_was_left();
  std::size_t lines = 0;
  for (const Output& output : runtime().outputs) lines += output.lines_kept();
  if (lines == 0) return;
  explain(
      fmt::format("note: {} line{} of device printf {} never shown: the program ended without "
                  "cudaDeviceSynchronize() after the launch",
                  lines, lines == 1 ? "" : "s", lines == 1 ? "was" : "were"));
}

}  // namespace
}  // namespace warpwise::cudart
