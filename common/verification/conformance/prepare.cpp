#include "verification/conformance/prepare.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "verification/conformance/fixture.h"
#include "verification/conformance/ptxas.h"
#include "verification/conformance/random/program.h"

namespace warpwise::conformance {
namespace {

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
std::map<std::size_t, std::string> errors_of(const Ptxas& ptxas, const std::string& text) {
  Ptxas::Result result = ptxas.assemble(text, "-O0");
  std::map<std::size_t, std::string> errors;
  std::istringstream log(result.log);
  for (std::string line; std::getline(log, line);) {
    std::size_t at = line.find(", line "), mark = line.find("; error"),
                colon = line.find(": ", mark);
    if (at == line.npos || mark == line.npos || colon == line.npos) continue;
    errors.emplace(std::stoul(line.substr(at + 7)), line.substr(colon + 2));
  }
  if (result.status != 0 && errors.empty())
    throw std::runtime_error("ptxas failed:\n" + result.log);
  return errors;
}

}  // namespace

void prepare(Records& records, const std::string& ptxas) {
  records.rejected.clear();
  Ptxas assembler(ptxas);
  // Each round may let other variants into the choice of a row that has very many.
  for (std::size_t found = 1; found > 0;) {
    std::vector<Fixture> fixtures;
    for (Variant& variant : all_variants([&](auto& key) { return records.is_rejected(key); }))
      fixtures.emplace_back(std::move(variant));
    std::vector<const Fixture*> rest;
    for (const Fixture& fixture : fixtures) rest.push_back(&fixture);
    auto errors = errors_of(assembler, one_kernel(rest));
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
