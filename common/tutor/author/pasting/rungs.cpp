#include "tutor/author/pasting/rungs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tutor/author/pasting/template_arguments.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

using Kind = Declaration::Kind;

// A source with the chapter's own headers instead of their #includes.
struct Unit {
  struct Piece {
    Declaration declaration;
    fs::path file;
  };
  std::vector<Piece> pieces;
  std::set<std::string> includes;  // "#include <mma.h>"
  std::set<fs::path> read;

  std::vector<Declaration> declarations() const {
    std::vector<Declaration> all;
    for (const Piece& piece : pieces) all.push_back(piece.declaration);
    return all;
  }
};

// The text between the quotes or brackets of an #include; nothing for other lines.
std::string included(const std::string& directive, char open, char close) {
  const std::size_t from = directive.find(open);
  const std::size_t to = from == std::string::npos ? from : directive.find(close, from + 1);
  if (to == std::string::npos || !identifiers_of(directive).contains("include")) return {};
  return directive.substr(from + 1, to - from - 1);
}

void read_into(Unit& unit, const fs::path& file) {
  if (!unit.read.insert(file).second) return;
  for (Declaration& declaration : declarations_of(read_text(file))) {
    if (declaration.kind == Kind::directive) {
      const std::string own = included(declaration.text, '"', '"');
      std::error_code ignored;
      if (!own.empty()) {
        // The harness of the course is the host's.
        if (fs::exists(file.parent_path() / own, ignored)) {
          read_into(unit, file.parent_path() / own);
        }
        continue;
      }
      if (const std::string header = included(declaration.text, '<', '>'); !header.empty()) {
        unit.includes.insert(header);
        continue;
      }
      if (declaration.text == "#pragma once") continue;
    }
    unit.pieces.push_back({std::move(declaration), file});
  }
}

// Which declarations a kernel needs: those whose names it mentions, and what they need.
std::set<const Declaration*> needed_by(const Declaration& kernel,
                                       const std::vector<Declaration>& all,
                                       const std::vector<std::string>& calls) {
  std::set<const Declaration*> needed;
  std::set<std::string> words = kernel.words;
  for (const std::string& call : calls) words.merge(identifiers_of(call));
  for (bool more = true; more;) {
    more = false;
    for (const Declaration& one : all) {
      if (one.kind != Kind::device || needed.contains(&one)) continue;
      const bool wanted = std::any_of(one.names.begin(), one.names.end(), [&](const auto& name) {
        return name == "operator" || words.contains(name);
      });
      if (!wanted && !one.names.empty()) continue;
      needed.insert(&one);
      words.insert(one.words.begin(), one.words.end());
      more = true;
    }
  }
  return needed;
}

// Headers that device code has a use for. A library's (cub/...) are slow to compile: only where
// its namespace is mentioned.
bool wants_header(const std::string& header, const std::set<std::string>& words) {
  constexpr std::array small{"cfloat",  "climits", "cmath",       "cstddef",
                             "cstdint", "limits",  "type_traits", "utility"};
  const std::size_t slash = header.find('/');
  if (slash != std::string::npos) return words.contains(header.substr(0, slash));
  return header.find('.') != std::string::npos ||
         std::find(small.begin(), small.end(), header) != small.end();
}

// The kernel as a function for the kernel that calls it; the launch bounds were its own launch's.
std::string as_device_function(const Declaration& kernel) {
  std::string head = kernel.head;
  for (const char* attribute : {"__launch_bounds__", "__cluster_dims__"}) {
    if (const std::size_t at = head.find(attribute); at != std::string::npos) {
      std::size_t end = head.find('(', at);
      for (int depth = 0; end < head.size(); ++end) {
        depth += head[end] == '(' ? 1 : head[end] == ')' ? -1 : 0;
        if (depth == 0) break;
      }
      head.erase(at, end + 1 - at);
    }
  }
  const std::map<std::string, std::string> changes{{"__global__", "__device__ __forceinline__"},
                                                   {"static", ""},
                                                   {"inline", ""},
                                                   {"__grid_constant__", ""}};
  // The head begins after the template<...>.
  const std::size_t at = kernel.text.find(kernel.head);
  return kernel.text.substr(0, at) + with_words(head, changes) +
         kernel.text.substr(at + kernel.head.size());
}

std::string text_of(const Unit& unit, const std::vector<Declaration>& all,
                    const Declaration& kernel, const std::vector<std::string>& calls) {
  const std::set<const Declaration*> needed = needed_by(kernel, all, calls);
  std::set<std::string> words = kernel.words;
  std::string body;
  for (const Declaration& one : all) {
    if (&one == &kernel) {
      body += as_device_function(one) + "\n";
    } else if (needed.contains(&one)) {
      words.insert(one.words.begin(), one.words.end());
      body += one.text + "\n";
    } else if (one.kind == Kind::directive || one.kind == Kind::open_namespace ||
               one.kind == Kind::close_namespace) {
      body += one.text + "\n";
    }
  }
  std::string text;
  for (const std::string& header : unit.includes) {
    if (wants_header(header, words)) text += fmt::format("#include <{}>\n", header);
  }
  return text + "namespace pasted_rung {\n" + body + "}\n";
}

// "pasted_rung::rows" for a kernel in `namespace rows { namespace {`.
std::string scope_of(const std::vector<Declaration>& all, const Declaration& kernel) {
  std::vector<std::string> open;
  for (const Declaration& one : all) {
    if (&one == &kernel) break;
    if (one.kind == Kind::open_namespace) open.push_back(one.name());
    if (one.kind == Kind::close_namespace && !open.empty()) open.pop_back();
  }
  std::string scope = "pasted_rung";
  for (const std::string& name : open) scope += name.empty() ? "" : "::" + name;
  return scope;
}

/// Whether a kernel is the chapter's: in a file of its folder, or named in one. Of another
/// chapter's header a chapter may use a part.
bool is_of(const fs::path& chapter, const Unit& unit, const Unit::Piece& kernel) {
  const auto is_own = [&](const Unit::Piece& piece) { return piece.file.parent_path() == chapter; };
  return is_own(kernel) ||
         std::any_of(unit.pieces.begin(), unit.pieces.end(), [&](const Unit::Piece& piece) {
           return is_own(piece) && piece.declaration.words.count(kernel.declaration.name()) != 0;
         });
}

void add_rungs(const fs::path& chapter, const Unit& unit, std::vector<Rung>& rungs) {
  const std::vector<Declaration> all = unit.declarations();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Declaration& kernel = all[i];
    if (kernel.kind != Kind::kernel || !is_of(chapter, unit, unit.pieces[i])) continue;
    // A header's kernel is one rung, however many sources include it.
    const auto same = [&](const Rung& rung) {
      return rung.name == kernel.name() && rung.file == unit.pieces[i].file;
    };
    if (std::any_of(rungs.begin(), rungs.end(), same)) continue;
    const std::vector<std::string> arguments = template_arguments(kernel, all);
    rungs.push_back({.name = kernel.name(),
                     .file = unit.pieces[i].file,
                     .parameters = kernel.parameters,
                     .scope = scope_of(all, kernel),
                     .calls = {},
                     .text = text_of(unit, all, kernel, arguments)});
    for (const std::string& one : arguments) {
      rungs.back().calls.push_back(kernel.name() + one);
    }
  }
}

/// Code for one architecture alone, NAME.sm_90a.cu, which no exercise is compiled for.
bool is_of_one_architecture(const fs::path& source) {
  return source.stem().extension().string().starts_with(".sm_");
}

}  // namespace

std::vector<Rung> read_rungs(const fs::path& chapter_folder) {
  std::vector<fs::path> sources;
  std::error_code error;
  for (fs::directory_iterator i(chapter_folder, error), end; !error && i != end;
       i.increment(error)) {
    const fs::path& file = i->path();
    if (file.extension() == ".cu" && !is_of_one_architecture(file)) sources.push_back(file);
  }
  std::sort(sources.begin(), sources.end());
  std::vector<Rung> rungs;
  for (const fs::path& source : sources) {
    Unit unit;
    read_into(unit, source);
    add_rungs(chapter_folder, unit, rungs);
  }
  return rungs;
}

}  // namespace warpwise::tutor
