#include "simulator/conformance/prepare.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <stdexcept>

#include "simulator/conformance/fixture.h"
#include "simulator/conformance/program.h"

namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that disappears with the object.
class Folder {
 public:
  Folder() : path_((fs::temp_directory_path() / "conformance_XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw std::runtime_error("cannot make a folder below /tmp");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// One line for each instruction, so that the number of a line is that of a fixture.
std::string one_kernel(const std::vector<const Fixture*>& fixtures) {
  std::string text = module_header;
  text += ".visible .entry k() {\n";
  for (const Fixture* fixture : fixtures) {
    text += "{ ";
    for (std::size_t k = 0; k < fixture->sources().size(); ++k)
      text += fmt::format(".reg .{} %s{}; ", register_class(fixture->sources()[k]), k);
    for (std::size_t k = 0; k < fixture->destinations().size(); ++k)
      text += fmt::format(".reg .{} %d{}; ", register_class(fixture->destinations()[k]), k);
    text += fixture->instruction() + " }\n";
  }
  return text + "ret;\n}\n";
}

/// ptxas's errors by line.
std::map<std::size_t, std::string> errors_of(const std::string& ptxas, const Folder& folder,
                                             const std::string& text) {
  std::ofstream(folder.file("k.ptx")) << text;
  std::string command =
      fmt::format("'{}' -arch=sm_90 -O0 -o '{}' '{}' > '{}' 2>&1", ptxas, folder.file("k.cubin"),
                  folder.file("k.ptx"), folder.file("log"));
  int status = std::system(command.c_str());
  std::map<std::size_t, std::string> errors;
  std::ifstream log(folder.file("log"));
  std::string all;
  for (std::string line; std::getline(log, line); all += line + "\n") {
    std::size_t at = line.find(", line "), mark = line.find("; error"),
                colon = line.find(": ", mark);
    if (at == line.npos || mark == line.npos || colon == line.npos) continue;
    errors.emplace(std::stoul(line.substr(at + 7)), line.substr(colon + 2));
  }
  if (status != 0 && errors.empty()) throw std::runtime_error(command + " failed:\n" + all);
  return errors;
}

}  // namespace

void prepare(Records& records, const std::string& ptxas) {
  records.rejected.clear();
  Folder folder;
  // Each round may let other variants into the choice of a row that has very many.
  for (std::size_t found = 1; found > 0;) {
    std::vector<Fixture> fixtures;
    for (Variant& variant : all_variants([&](auto& key) { return records.is_rejected(key); }))
      fixtures.emplace_back(std::move(variant));
    std::vector<const Fixture*> rest;
    for (const Fixture& fixture : fixtures) rest.push_back(&fixture);
    auto errors = errors_of(ptxas, folder, one_kernel(rest));
    found = errors.size();
    constexpr std::size_t lines_before = 4;
    for (const auto& [line, text] : errors) {
      if (line <= lines_before || line > lines_before + rest.size())
        throw std::runtime_error("ptxas: " + text);
      records.rejected[rest[line - lines_before - 1]->variant().key()] = text;
    }
  }
  records.palette = palette_keys([&](auto& key) { return records.is_rejected(key); });
}

}  // namespace warpwise::conformance
