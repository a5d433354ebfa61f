#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "check/verdict/diagnosis_words.h"
#include "check/verdict/verdict.h"
#include "lesson/print/excerpt.h"
#include "lesson/print/table.h"
#include "occupancy/text.h"
#include "report/verdict_word.h"

namespace warpwise::lesson {
namespace {

constexpr std::size_t narrowest = 60;
constexpr std::size_t widest = 100;
constexpr std::size_t usual = 80;

/// "ch05/01": what the commands take.
std::string short_name(const std::string& exercise) {
  const std::size_t slash = std::min(exercise.find('/'), exercise.size());
  const std::string chapter = exercise.substr(0, std::min(slash, exercise.find('_')));
  const std::string name = exercise.substr(std::min(slash + 1, exercise.size()));
  return chapter + "/" + name.substr(0, name.find('_'));
}

/// Whether a figure may come of the mistake that has the other: another mistake has another.
bool is_near(const std::string& saw, const std::string& of_mistake) {
  if (of_mistake.empty()) return false;
  constexpr double most = 0.25;
  const double one = std::atof(saw.c_str()), other = std::atof(of_mistake.c_str());
  return std::abs(one - other) <= most * std::max(std::abs(one), std::abs(other));
}

/// The time on a GPU beside its baseline and its floor; empty where nothing was timed.
std::string time_text(const CheckVerdict& verdict) {
  if (!verdict.time) return "";
  const report::TimedWork& work = verdict.timed;
  const double us = verdict.time->median_us;
  std::string text =
      fmt::format("; {:.1f} us at {}", us, work.size.empty() ? verdict.size : work.size);
  if (verdict.time->of_baseline > 0) {
    text += fmt::format(", {:.0f} % as fast as a copy of as many bytes ({:.1f} MB)",
                        100 * verdict.time->of_baseline, work.bytes / 1e6);
  } else if (work.flops > 0) {
    text += fmt::format(", {:.1f} TFLOP/s", work.flops / us / 1e6);
  }
  if (work.solution_us > 0) text += fmt::format("; our solution {:.1f} us", work.solution_us);
  // A floor of no microsecond is below what a launch costs.
  if (work.floor_us >= 1) text += fmt::format("; floor {:.1f} us", work.floor_us);
  return text;
}

class Text {
 public:
  Text(const CheckVerdict& verdict, std::size_t width) : verdict_(verdict), width_(width) {}

  std::string whole() {
    header();
    if (!verdict_.author_test.empty()) {
      lines("  ", fmt::format("The author's test: {}: right.", verdict_.author_test));
    }
    if (verdict_.passed()) {
      for (const GateResult& gate : verdict_.gates) met(gate);
      note();
    } else if (verdict_.verdict == "gate") {
      gates();
    } else {
      said();
    }
    place();
    if (!verdict_.passed()) note();
    printed();
    if (verdict_.passed() && !verdict_.device.empty()) {
      lines("  ", fmt::format("{}: right at every size{}", verdict_.device, time_text(verdict_)));
    }
    if (!verdict_.passed()) onward();
    return text_;
  }

 private:
  void header() {
    const std::string word =
        verdict_.verdict == "signature" ? "declared differently" : report::word_of(verdict_);
    text_ += fmt::format("{}: {}\n", verdict_.exercise,
                         coloured(word, verdict_.passed() ? Colour::green : Colour::red));
  }

  /// Text in lines that fit, the first after a head, the others below its end.
  void lines(const std::string& head, const std::string& words) {
    for (const std::string& line : occupancy::wrap(head, words, width_)) text_ += line + "\n";
  }

  /// The message; its rows of tables as they are.
  void said() {
    std::istringstream message(verdict_.message);
    bool first = true;
    for (std::string line; std::getline(message, line); first = false) {
      if (line.rfind(' ', 0) == 0) {
        text_ += "  " + line + "\n";
      } else if (first && !verdict_.size.empty()) {
        lines("  ", as_sentence(fmt::format("At size {}, {}", verdict_.size, line)));
      } else {
        lines("  ", as_sentence(line));
      }
    }
  }

  void met(const GateResult& gate) {
    lines("  ", fmt::format("{}: {}, wanted {}{}", gate.gate.what, gate.saw_text(), gate.wanted(),
                            gate.confirmed ? "" : " (counted from PTX, the hardware may merge)"));
  }

  /// The first of the notes: of what works and is better done otherwise. With another verdict only
  /// one that may be why: that something was copied which was never written; that threads had
  /// ended, where a value is missing.
  void note() {
    const std::string why = verdict_.verdict == "wrong result" ? "uninitialized"
                            : verdict_.kind == "uninitialized" ? "barrier-divergence"
                                                               : "";
    const auto is_shown = [&](const Diagnosis& diagnosis) {
      const bool may_be_why = !why.empty() && diagnosis.kind == why;
      return !diagnosis.is_error() && (verdict_.passed() || may_be_why);
    };
    const auto first = std::find_if(verdict_.diagnoses.begin(), verdict_.diagnoses.end(), is_shown);
    if (first == verdict_.diagnoses.end()) return;
    lines("  note  ", as_sentence(first->message));
    text_ += excerpt(first->file, first->line, 0, width_);
  }

  /// The first missed gate in full, the others in a line each.
  void gates() {
    bool first = true;
    for (const GateResult& gate : verdict_.gates) {
      if (gate.met) continue;
      if (first) {
        const char* direction = gate.saw < gate.gate.at_least ? "not enough" : "too many";
        lines("  ", fmt::format("The result is right. At size {} there are {} {}.", verdict_.size,
                                direction, gate.gate.what));
        lines("    yours      ", gate.saw_text());
        lines("    wanted     ", gate.wanted());
        if (is_near(gate.saw_text(), gate.mistake_saw)) {
          lines("    a mistake  ",
                fmt::format("{}: {}", gate.mistake_saw, gate.mistake_description));
        }
      } else {
        lines("  ", fmt::format("Also missed: {}: {}, wanted {}.", gate.gate.what, gate.saw_text(),
                                gate.wanted()));
      }
      first = false;
    }
    if (!verdict_.file.empty()) lines("  ", "Most of it is made by this line:");
  }

  /// Where it is; of a race both places, in the order of the text.
  void place() {
    if (verdict_.passed()) return;
    const unsigned other = other_line();
    const auto at = [&](unsigned line) {
      text_ += excerpt(verdict_.file, line, line == verdict_.line ? verdict_.column : 0, width_);
    };
    if (other != 0 && other < verdict_.line) at(other);
    at(verdict_.line);
    if (other > verdict_.line) at(other);
    for (const RelatedPlace& place : verdict_.related) {
      const std::string source = raw_source_line(place.file, place.line);
      const std::size_t begin = source.find_first_not_of(" \t");
      const auto column = static_cast<unsigned>(begin == std::string::npos ? 0 : begin + 1);
      lines("  ", place.role + " line " + std::to_string(place.line) + ":");
      text_ += excerpt(place.file, place.line, column, width_);
    }
  }

  /// The N of "(line N)" in a message.
  unsigned other_line() const {
    constexpr std::string_view mark = "(line ";
    const std::size_t found = verdict_.message.find(mark);
    if (verdict_.verdict != "diagnosed" || found == std::string::npos) return 0;
    return static_cast<unsigned>(std::atoi(verdict_.message.c_str() + found + mark.size()));
  }

  void printed() {
    if (!verdict_.output.empty()) text_ += "  Your code printed:\n";
    for (const std::string& line : verdict_.output) text_ += "    " + line + "\n";
  }

  void onward() {
    const std::string name = short_name(verdict_.exercise);
    std::string next = verdict_.next;
    if (next.empty() && verdict_.verdict == "gate") {
      next = verdict_.file.empty()
                 ? fmt::format("./learn compare {} shows yours next to the solution.", name)
                 : fmt::format("./learn view {} shows what each of your lines costs.", name);
    }
    text_ += "\n";
    if (!next.empty()) lines("  next  ", next);
    if (!verdict_.lesson.empty()) lines("  read  ", verdict_.lesson);
    lines("  hint  ", fmt::format("./learn hint {}", name));
  }

  const CheckVerdict& verdict_;
  std::size_t width_;
  std::string text_;
};

}  // namespace

std::size_t verdict_width() {
  winsize window{};
  std::size_t columns = usual;
  if (const char* told = std::getenv("COLUMNS")) {
    columns = static_cast<std::size_t>(std::max(0, std::atoi(told)));
  } else if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
    columns = window.ws_col;
  }
  return std::clamp(columns, narrowest, widest);
}

std::string to_text(const CheckVerdict& verdict, std::size_t width) {
  return Text(verdict, width).whole();
}

}  // namespace warpwise::lesson
