#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tutor/system/process.h"

namespace warpwise::tutor {

/// Has nvcc also write what the source includes, for ImageCache::keep.
/// @param command nvcc and its flags; it gets more of them, and runs in the image's folder.
/// @param image where it is written.
/// @return the file beside the image that nvcc will write: a rule of make.
std::filesystem::path ask_for_rule(Command& command, const std::filesystem::path& image);

/// Images that nvcc made before, for the command check, which makes some 1800 of texts that seldom
/// change. An image comes from here only where all that it was made from is as it was: nvcc and the
/// folder of its parts, the host's compiler, the variables that they look at, every flag, the
/// source's path and text, and what every file that it included holds.
class ImageCache {
 public:
  /// @return the one in the folder that WARPWISE_IMAGE_CACHE names, if it names one: without, nvcc
  /// always runs. .ci/run sets it.
  static std::optional<ImageCache> of_environment();

  explicit ImageCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// What an image is made from, besides what its source includes.
  /// @param words nvcc and its flags, without the output and the source.
  static std::string key_of(const std::vector<std::string>& words,
                            const std::filesystem::path& source);

  /// Writes the image that was made from it.
  /// @return false where there is none, or a file that was included has changed since.
  bool fetch(const std::string& key, const std::filesystem::path& image) const;

  /// Keeps an image. Does nothing where a file that was included cannot be read any more, or was
  /// written since nvcc began: it may have read another text.
  /// @param key as it was before nvcc began.
  /// @param included the rule that ask_for_rule asked for.
  void keep(const std::string& key, const std::filesystem::path& image,
            const std::filesystem::path& included, std::filesystem::file_time_type began) const;

 private:
  /// Entries of one key: other systems have other headers, and none drives out the others'.
  static constexpr int entries = 4;

  std::filesystem::path entry_of(const std::string& key, int which) const;

  static bool fetch_entry(const std::filesystem::path& entry, const std::string& key,
                          const std::filesystem::path& image);

  /// The first that is free, or that was not used for longest.
  std::filesystem::path entry_to_write(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace warpwise::tutor
