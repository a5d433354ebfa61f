#include "models/model_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace warpwise::models {
namespace {

/// A kind of file and the flag that takes it; null where the magic is none of these.
struct Kind {
  const char* name;
  const char* flag;
};

Kind kind_of(std::int32_t magic) {
  switch (Magic{magic}) {
    case Magic::checkpoint:
      return {"a checkpoint", "--checkpoint"};
    case Magic::debug_state:
      return {"a debug state", "--debug-state"};
    case Magic::tokenizer:
      return {"a tokenizer", "--tokenizer"};
    case Magic::image_model:
      return {"a vision transformer", nullptr};
    case Magic::image_test:
      return {"a test of a vision transformer", nullptr};
  }
  return {nullptr, nullptr};
}

}  // namespace

ModelFile::ModelFile(const std::string& file, Magic magic) : name_(file) {
  std::ifstream in(file, std::ios::binary);
  if (!std::filesystem::exists(file)) refuse("the file does not exist. Is the path right?");
  if (std::filesystem::is_directory(file)) refuse("is a folder. Name the file in it.");
  if (!in) refuse("cannot be read. May you read it?");
  bytes_.assign(std::istreambuf_iterator<char>(in), {});
  if (bytes_.size() < header_bytes) {
    refuse(std::to_string(bytes_.size()) + " bytes; the header alone has " +
           std::to_string(header_bytes) + ". Is the download complete?");
  }
  std::memcpy(header_.data(), bytes_.data(), header_bytes);
  const auto wanted = static_cast<std::int32_t>(magic);
  if (header_[0] == wanted) return;
  const Kind found = kind_of(header_[0]);
  std::string line = "magic " + std::to_string(header_[0]);
  if (found.name != nullptr) line += std::string(", ") + found.name;
  line += std::string("; ") + kind_of(wanted).name + " has " + std::to_string(wanted) + ".";
  if (found.flag != nullptr) line += std::string(" Pass it as ") + found.flag + ".";
  refuse(line);
}

void ModelFile::refuse(const std::string& what) const {
  throw std::runtime_error(name_ + ": " + what);
}

void ModelFile::expect_body(std::uint64_t bytes) const {
  const std::uint64_t found = body().size();
  if (found == bytes) return;
  const std::string sizes = std::to_string(found + header_bytes) + " bytes, the header says " +
                            std::to_string(bytes + header_bytes);
  refuse(found < bytes ? "truncated: " + sizes + ". Is the download complete?"
                       : "trailing bytes: " + sizes + ".");
}

}  // namespace warpwise::models
