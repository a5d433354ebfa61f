#include "tutor/system/guarded.h"

#include <fmt/format.h>

#include <filesystem>

#include "tutor/system/failure.h"

namespace warpwise::tutor {

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const Failure& failure) {
    std::string text = failure.message;
    while (text.ends_with('\n')) text.pop_back();
    fmt::print(stderr, "learn: {}\n", text);
    return failure.status;
  } catch (const Interrupted& stop) {
    fmt::print(stderr, "learn: stopped\n");
    return 128 + stop.signal;
  } catch (const std::exception& error) {
    fmt::print(stderr, "learn: {}\n", error.what());
    return status_environment;
  }
}

void require_own_checkout(const Context& context, const std::string& program) {
  std::error_code unknown;
  const std::filesystem::path own = context.build / "tutor" / program;
  const std::filesystem::path running = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (unknown || std::filesystem::equivalent(running, own, unknown) || unknown) return;
  throw Failure(status_environment,
                fmt::format("this program was built for the course in {}: run ./learn in the "
                            "folder of yours, which builds one for it",
                            context.root.string()));
}

}  // namespace warpwise::tutor
