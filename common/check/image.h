#pragma once
#include <string>
#include <utility>
#include <vector>

/// \file
/// A fat binary from a file, loaded, with its kernels by name.
/// \ingroup lesson
namespace warpwise::lesson {

/// A loaded image; unloaded with the object.
class Image {
 public:
  /// @throws Stop (environment) when the file cannot be read or loaded.
  explicit Image(const std::string& file);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  /// Kernels as a programmer writes them: "lane_sum(const float*, float*, int, int)".
  std::vector<std::string> kernel_names() const;
  /// The cudaKernel_t of that name; null when there is none.
  const void* kernel(const std::string& written) const;

 private:
  std::string bytes_;        ///< the runtime may read them as long as the image is loaded.
  void* library_ = nullptr;  ///< cudaLibrary_t.
  std::vector<std::pair<std::string, const void*>> kernels_;
};

}  // namespace warpwise::lesson
