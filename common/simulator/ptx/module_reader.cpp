#include "simulator/ptx/parser.h"

namespace warpwise::ptx {

const Function* Module::find(const std::string& name) const {
  for (const Function& function : functions)
    if (function.name == name && !function.is_declaration) return &function;
  return nullptr;
}

namespace {

std::optional<Linkage> linkage_named(std::string_view directive) {
  if (directive == ".visible") return Linkage::visible;
  if (directive == ".weak") return Linkage::weak;
  if (directive == ".common") return Linkage::common;
  if (directive == ".extern") return Linkage::external;
  return std::nullopt;
}

}  // namespace

Module parse(std::string_view text) { return ModuleReader(text).module(); }

Module ModuleReader::module() {
  while (!at_end()) directive();
  if (module_.architecture == 0) fail("not a PTX text: it has no .target");
  return std::move(module_);
}

void ModuleReader::directive() {
  Linkage linkage = Linkage::internal;
  for (auto given = linkage_named(lexer_.peek().text); given;
       given = linkage_named(lexer_.peek().text)) {
    linkage = *given;
    word();
  }
  unsigned line = lexer_.peek().line;
  std::string name = word();
  if (name == ".version") {
    word();
  } else if (name == ".address_size") {
    if (integer() != 64) fail("only 64-bit programs run", line);
  } else if (name == ".target") {
    std::string target = word();
    while (accept(",")) module_.is_debug |= word() == "debug";
    if (!target.starts_with("sm_")) fail("no such target: " + target, line);
    module_.architecture = static_cast<unsigned>(std::atoi(target.c_str() + 3));
  } else if (name == ".file") {
    auto index = static_cast<unsigned>(integer());
    module_.files[index] = std::string(lexer_.next().text);
    while (accept(",")) integer();
  } else if (name == ".section") {
    word();
    skip_to("{");
    skip_to("}");
  } else if (name == ".pragma") {
    skip_to(";");
  } else if (name == ".entry" || name == ".func") {
    function(name == ".entry", linkage);
  } else if (name == ".alias") {
    alias();
  } else if (name == ".global" || name == ".const" || name == ".shared") {
    Space space = name == ".global"  ? Space::global
                  : name == ".const" ? Space::constant
                                     : Space::shared;
    for (Variable& variable : variables(space, linkage))
      module_.variables.push_back(std::move(variable));
  } else {
    fail("no such directive: " + name, line);
  }
}

std::vector<Parameter> ModuleReader::parameter_list() {
  std::vector<Parameter> parameters;
  expect("(");
  if (accept(")")) return parameters;
  do {
    Parameter parameter;
    unsigned alignment = 0;
    isa::Type type = isa::Type::b8;
    while (lexer_.peek().text.starts_with('.')) {
      std::string attribute = word();
      if (attribute == ".align")
        alignment = static_cast<unsigned>(integer());
      else if (auto named = isa::type_named(attribute.substr(1)))
        type = *named;
    }
    parameter.name = word();
    parameter.bytes = isa::size_bytes(type);
    parameter.alignment = alignment ? alignment : isa::size_bytes(type);
    if (accept("[")) {
      parameter.bytes *= static_cast<std::uint64_t>(at("]") ? 0 : integer());
      expect("]");
    }
    parameters.push_back(parameter);
  } while (accept(","));
  expect(")");
  return parameters;
}

void ModuleReader::function(bool is_kernel, Linkage linkage) {
  Function result;
  result.linkage = linkage;
  result.is_kernel = is_kernel;
  if (at("(")) result.results = parameter_list();
  result.name = word();
  if (at("(")) result.parameters = parameter_list();
  while (!at("{") && !at(";")) {
    std::string attribute = word();
    if (attribute == ".maxntid") {
      result.max_threads = static_cast<unsigned>(integer());
      while (accept(",")) result.max_threads *= static_cast<unsigned>(integer());
    } else if (attribute == ".reqnctapercluster") {
      result.cluster = {static_cast<unsigned>(integer()), 1, 1};
      for (std::size_t i = 1; i < 3 && accept(","); ++i)
        result.cluster[i] = static_cast<unsigned>(integer());
    } else if (attribute != ".noreturn" && attribute.starts_with('.')) {
      while (!at("{") && !at(";") && !at_end() && !lexer_.peek().text.starts_with('.'))
        lexer_.next();
    }
  }
  if (accept(";")) {
    result.is_declaration = true;
  } else {
    expect("{");
    body(result);
  }
  module_.functions.push_back(std::move(result));
}

/// `.alias a, b;` gives the function b, defined before, a second name.
void ModuleReader::alias() {
  std::string name = word();
  expect(",");
  std::string of = word();
  const Function* known = module_.find(of);
  if (!known) fail("no function " + of + " for the alias " + name);
  Function copy = *known;
  copy.name = name;
  module_.functions.push_back(std::move(copy));
  expect(";");
}

}  // namespace warpwise::ptx
