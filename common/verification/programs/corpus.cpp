#include "verification/programs/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpwise::programs {

namespace fs = std::filesystem;

namespace {

std::vector<Mark> read_marks(const std::string& file) {
  std::vector<Mark> marks;
  std::ifstream in(file);
  std::string text;
  const std::string sign = "// expect: ";
  for (unsigned line = 1; std::getline(in, text); ++line) {
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 1)) {
      std::istringstream rest(text.substr(at + sign.size()));
      Mark mark;
      rest >> mark.kind;
      mark.line = line;
      marks.push_back(mark);
    }
  }
  return marks;
}

/// Reads the line "// gpus: N"; empty where there is none.
std::string read_gpus(const std::string& file) {
  const std::string sign = "// gpus: ";
  std::ifstream in(file);
  for (std::string text; std::getline(in, text);)
    if (text.starts_with(sign)) return text.substr(sign.size());
  return "";
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu" && entry.path().parent_path().filename() != "bench")
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string place(const Mark& mark) {
  return mark.kind + (mark.line ? " at line " + std::to_string(mark.line) : " at no line") +
         (mark.message.empty() ? "" : ": " + mark.message);
}

bool fits(const Program& program, const Mark& expected, const Mark& found) {
  const auto name_of = [](const std::string& file) {
    return std::filesystem::path(file).filename();
  };
  return expected.kind == found.kind && found.line == expected.line &&
         (found.file.empty() || name_of(found.file) == name_of(program.source));
}

}  // namespace

std::string Program::record_file() const {
  return (fs::path(source).parent_path() / "expected" / (stem() + ".txt")).string();
}

std::vector<Program> find_programs(const std::string& sources, const std::string& built) {
  std::vector<Program> programs;
  for (const char* part : {"programs", "mistakes"}) {
    for (const fs::path& source : sources_in(fs::path(sources) / part)) {
      Program program{.name = source.stem().string(),
                      .source = source.string(),
                      .mistake = source.string().find("/mistakes/") != std::string::npos,
                      .expected = read_marks(source.string()),
                      .gpus = read_gpus(source.string())};
      if (!fs::exists(fs::path(built) / program.name)) {
        throw std::runtime_error(program.name + " has not been built: ninja corpus_programs");
      }
      programs.push_back(program);
    }
  }
  const std::size_t plain = programs.size();
  for (const auto& entry : fs::directory_iterator(built)) {
    const std::string name = entry.path().filename().string();
    for (std::size_t i = 0; i < plain; ++i) {
      if (!name.starts_with(programs[i].name + ".")) continue;
      Program variant = programs[i];
      variant.name = name;
      programs.push_back(variant);
      break;
    }
  }
  std::sort(programs.begin(), programs.end(),
            [](const Program& a, const Program& b) { return a.name < b.name; });
  return programs;
}

std::map<std::string, std::string> read_reasons(const std::string& file) {
  std::map<std::string, std::string> reasons;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("#") || colon == std::string::npos) continue;
    reasons[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return reasons;
}

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string difference(const std::string& want, const std::string& got) {
  constexpr int most_shown = 6;
  constexpr std::size_t most_width = 300;
  std::istringstream wants(want), gots(got);
  std::string text;
  int shown = 0;
  for (int line = 1; shown < most_shown; ++line) {
    std::string w, g;
    const bool has_w = static_cast<bool>(std::getline(wants, w));
    const bool has_g = static_cast<bool>(std::getline(gots, g));
    if (!has_w && !has_g) break;
    if (has_w == has_g && w == g) continue;
    ++shown;
    // Long lines are shown from a little before the place where they part.
    const auto parted = std::mismatch(w.begin(), w.end(), g.begin(), g.end()).first - w.begin();
    const std::size_t from = parted > 60 ? static_cast<std::size_t>(parted) - 60 : 0;
    const auto cut = [from](const std::string& s) {
      return (from ? "..." : "") + (from < s.size() ? s.substr(from, most_width) : "");
    };
    text += "  line " + std::to_string(line) +
            "\n    GPU:       " + (has_w ? cut(w) : "(nothing)") +
            "\n    simulator: " + (has_g ? cut(g) : "(nothing)") + "\n";
  }
  if (text.empty() && want != got) text = "  the texts differ at their ends\n";
  return text;
}

std::string judge(const Program& program, const Outcome& outcome, const std::string& record) {
  if (!outcome.unsupported.empty()) return "not supported: " + outcome.unsupported + "\n";
  std::string wrong;
  for (const Mark& mark : program.expected) {
    const bool told = std::any_of(outcome.found.begin(), outcome.found.end(),
                                  [&](const Mark& found) { return fits(program, mark, found); });
    if (!told) wrong += "not diagnosed: " + place(mark) + "\n";
  }
  for (const Mark& found : outcome.found) {
    const bool declared = std::any_of(program.expected.begin(), program.expected.end(),
                                      [&](const Mark& mark) { return fits(program, mark, found); });
    // Notes in addition to what was declared do no harm: a program that faults seldom tidies up.
    if (!declared && found.error) wrong += "diagnosed, not declared: " + place(found) + "\n";
  }
  // A process that a signal ended on the GPU's machine is kept alive here long enough to get the
  // reason.
  const bool crashed = record.find("[exit status 1") != record.npos && !record.ends_with(" 1]\n");
  if (!record.empty() && !crashed) {
    const std::string differs = difference(record, outcome.record);
    if (!differs.empty()) wrong += "output:\n" + differs;
  }
  // The next steps of a program in error are undefined, unless it was recorded.
  const std::string good = "[exit status 0]\n";
  if (record.empty() && !program.mistake && !outcome.record.ends_with(good)) {
    wrong += "ended with " + outcome.record.substr(outcome.record.rfind('[')) + outcome.errors;
  }
  return wrong;
}

}  // namespace warpwise::programs
