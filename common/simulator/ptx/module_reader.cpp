#include "base/octal_name.h"
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
  aliases();
  for (Variable& variable : inner_globals_) module_.variables.push_back(std::move(variable));
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
    module_.files[index] = base::from_octal_name(lexer_.next().text);
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
    aliases_.push_back({word(), {}, line});
    expect(",");
    aliases_.back().of = word();
    expect(";");
  } else if (name == ".global" || name == ".const" || name == ".shared") {
    Space space = name == ".global"  ? Space::global
                  : name == ".const" ? Space::constant
                                     : Space::shared;
    for (Variable& variable : variables(space, linkage)) {
      remember(variable);
      if (!variable.references.empty())
        if (auto known = signatures_.find(variable.references[0].symbol);
            known != signatures_.end())
          signatures_.emplace(variable.name, known->second);
      module_.variables.push_back(std::move(variable));
    }
  } else {
    fail("no such directive: " + name, line);
  }
}

void ModuleReader::function(bool is_kernel, Linkage linkage) {
  Function result;
  result.linkage = linkage;
  result.is_kernel = is_kernel;
  if (at("(")) result.results = parameter_list();
  result.name = word();
  if (at("(")) result.parameters = parameter_list();
  // A hand-written prototype may lack a semicolon.
  const auto next_begins = [&] {
    const std::string_view next = lexer_.peek().text;
    if (is_kernel) return false;
    return linkage_named(next).has_value() || next == ".entry" || next == ".func" ||
           next == ".global" || next == ".const" || next == ".section" || next == ".file";
  };
  while (!at("{") && !at(";") && !next_begins()) {
    std::string attribute = word();
    if (attribute == ".maxntid") {
      result.max_threads = static_cast<unsigned>(integer());
      while (accept(",")) result.max_threads *= static_cast<unsigned>(integer());
    } else if (attribute == ".reqntid" || attribute == ".reqnctapercluster") {
      auto& size = attribute == ".reqntid" ? result.block : result.cluster;
      size = {static_cast<unsigned>(integer()), 1, 1};
      for (std::size_t i = 1; i < 3 && accept(","); ++i) size[i] = static_cast<unsigned>(integer());
    } else if (attribute == ".blocksareclusters") {
      result.grid_counts_clusters = true;
    } else if (attribute == ".pragma") {
      skip_to(";");
    } else if (attribute != ".noreturn" && attribute.starts_with('.')) {
      while (!at("{") && !at(";") && !at_end() && !lexer_.peek().text.starts_with('.'))
        lexer_.next();
    }
  }
  if (!is_kernel) signatures_[result.name] = {result.parameters, result.results};
  if (accept(";") || next_begins()) {
    result.is_declaration = true;
  } else {
    expect("{");
    body(result);
  }
  module_.functions.push_back(std::move(result));
}

/// `.alias a, b;` gives the function b, wherever it is defined, a second name.
void ModuleReader::aliases() {
  for (const Alias& alias : aliases_) {
    const Function* known = module_.find(alias.of);
    if (!known) fail("no function " + alias.of + " for the alias " + alias.name, alias.line);
    Function copy = *known;
    copy.name = alias.name;
    module_.functions.push_back(std::move(copy));
  }
}

}  // namespace warpwise::ptx
