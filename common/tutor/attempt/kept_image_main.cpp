/// \file
/// Runs nvcc, or takes the image that it made before: `kept_image FOLDER NVCC FLAG... -o IMAGE
/// SOURCE`. The build begins the command of a solution's image with it where WARPWISE_KEPT_IMAGES
/// names the folder.
#include <fmt/format.h>

#include <exception>

#include "base/lean_headers.h"
#include "tutor/attempt/compile.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/image_cache.h"

namespace fs = std::filesystem;
namespace tutor = warpwise::tutor;

namespace {

int make(const fs::path& folder, std::vector<std::string> compiler) {
  const fs::path source = compiler.back(), image = compiler[compiler.size() - 2];
  compiler.resize(compiler.size() - 3);
  // As compile_image does, so that each finds what the other made.
  warpwise::base::leave_headers_out(compiler, tutor::read_file(source));
  const tutor::ImageCache cache(folder);
  const std::string key = tutor::ImageCache::key_of(compiler, source);
  if (cache.fetch(key, image)) return 0;
  tutor::PendingFile pending(image);
  tutor::Command command{.words = compiler, .environment = tutor::compiler_environment};
  const fs::path rule = tutor::ask_for_rule(command, pending.path());
  command.words.insert(command.words.end(), {"-o", pending.path().string(), source.string()});
  const auto began = fs::file_time_type::clock::now();
  const tutor::Outcome outcome = tutor::run_attached(command);
  if (outcome.status == 0) {
    cache.keep(key, pending.path(), rule, began);
    pending.commit();
  }
  fs::remove(rule);
  return outcome.status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || std::string(argv[argc - 3]) != "-o") {
    fmt::print(stderr, "usage: kept_image FOLDER NVCC FLAG... -o IMAGE SOURCE\n");
    return tutor::status_usage;
  }
  try {
    return make(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return tutor::status_wrong;
  }
}
