#include "simulator/watch/report/diagnoses.h"

#include <algorithm>
#include <utility>

#include "simulator/ptx/text.h"

namespace warpwise::watch {
namespace {

Index3 unflatten(std::uint64_t linear, const Index3& size) {
  return {static_cast<unsigned>(linear % size[0]),
          static_cast<unsigned>(linear / size[0] % size[1]),
          static_cast<unsigned>(linear / size[0] / size[1])};
}

bool comes_first(const Finding& a, const Finding& b) {
  return std::tie(a.block, a.thread) < std::tie(b.block, b.thread);
}

bool comes_first(const Diagnosis& a, const Diagnosis& b) {
  const auto order = [](const Diagnosis& one) {
    const auto from_z = [](const Index3& index) {
      return std::tuple(index[2], index[1], index[0]);
    };
    return std::tuple(from_z(one.block), from_z(one.thread));
  };
  return order(a) < order(b);
}

/// An error says more than a note, and of two alike the lowest thread is shown.
bool says_more(const Diagnosis& one, const Diagnosis& other) {
  return one.severity != other.severity ? one.severity == Severity::error : comes_first(one, other);
}

/// The one of two that says more, for both.
void join(Diagnosis& into, Diagnosis other) {
  const bool are_only_stored = into.is_only_stored && other.is_only_stored;
  if (says_more(other, into)) into = std::move(other);
  into.is_only_stored = are_only_stored;
}

/// Both are counted.
void merge(Diagnosis& into, Diagnosis other) {
  const std::uint64_t count = into.count + other.count;
  join(into, std::move(other));
  into.count = count;
}

/// For several values that threads read in one line, such as the members of a structure: the
/// threads are mostly the same.
void take_as_one(Diagnosis& into, Diagnosis other) {
  const std::uint64_t count = std::max(into.count, other.count);
  join(into, std::move(other));
  into.count = count;
}

/// The instruction, and what it is part of, for a reader that has no line of it.
std::string instruction_text(const code::Program& program, std::uint32_t index) {
  const code::FrameLayout* layout = &program;
  const std::string* name = &program.name;
  std::uint32_t entry = 0;
  for (const code::Function& function : program.functions)
    if (function.unavailable.empty() && function.entry <= index && function.entry > entry) {
      layout = &function;
      name = &function.name;
      entry = function.entry;
    }
  const bool is_kernel = layout == &program;
  std::string text = (is_kernel ? "kernel " : "function ") + ptx::demangled(*name);
  if (!is_kernel) text += " of kernel " + ptx::demangled(program.name);
  const std::uint32_t at = program.code[index].text;
  if (layout->text == nullptr || at == code::Instruction::no_text) return text;
  return text + ", at " + ptx::text_of(layout->text->body[at], *layout->text);
}

}  // namespace

void Diagnoses::report(Finding finding) {
  ++reported_;
  auto [found, is_new] = findings_.try_emplace({finding.kind, finding.shown(), finding.severity});
  Entry& entry = found->second;
  entry.counts[finding.block] += finding.count;
  entry.are_only_stored &= finding.is_only_stored;
  if (is_new || comes_first(finding, entry.first)) entry.first = std::move(finding);
}

bool Diagnoses::count_only(const Finding& finding) {
  auto found = findings_.find({finding.kind, finding.shown(), finding.severity});
  if (found == findings_.end() || comes_first(finding, found->second.first)) return false;
  found->second.counts[finding.block] += finding.count;
  found->second.are_only_stored &= finding.is_only_stored;
  ++reported_;
  return true;
}

void Diagnoses::add(const Diagnoses& other) {
  for (const auto& [key, theirs] : other.findings_) {
    Entry& entry = findings_.try_emplace(key, Entry{theirs.first, true, {}}).first->second;
    entry.are_only_stored &= theirs.are_only_stored;
    if (comes_first(theirs.first, entry.first)) entry.first = theirs.first;
    for (auto [block, count] : theirs.counts) entry.counts[block] += count;
  }
}

void Diagnoses::stop_at(std::uint64_t block) {
  for (auto& [key, entry] : findings_)
    entry.counts.erase(entry.counts.upper_bound(block), entry.counts.end());
  std::erase_if(findings_, [](const auto& entry) { return entry.second.counts.empty(); });
}

void Diagnoses::write(LaunchReport& report, const code::Program& program) const {
  // A word that is read before it is written may be written in time, and only the wait is missing.
  const auto races_in = [&](Finding::Memory memory) {
    return std::any_of(findings_.begin(), findings_.end(), [memory](const auto& entry) {
      const Finding& finding = entry.second.first;
      return finding.kind == "race" && finding.severity == Severity::error &&
             (memory == Finding::Memory::any || finding.memory == Finding::Memory::any ||
              finding.memory == memory);
    });
  };
  std::map<std::tuple<std::string, unsigned, unsigned>, std::size_t> races;  // in the report
  std::map<std::pair<std::string, unsigned>, std::size_t> reads;             // uninitialised ones
  // Without lines a loop that was unrolled looks the same as many mistakes.
  constexpr std::size_t most_without_line = 3;
  std::map<std::string, std::vector<std::size_t>> without_line;  // in the report
  std::vector<const Entry*> entries;
  for (const auto& [key, entry] : findings_) entries.push_back(&entry);
  if (!races_in(Finding::Memory::any))
    std::stable_partition(entries.begin(), entries.end(),
                          [](const Entry* entry) { return entry->first.misleads; });
  for (const Entry* const each : entries) {
    const Entry& entry = *each;
    const Finding& finding = entry.first;
    if (finding.kind == "uninitialized" && races_in(finding.memory)) continue;
    const code::Place& place = program.places[program.code[finding.shown()].place];
    const code::Place& inner = program.places[program.code[finding.instruction].place];
    const bool is_called = finding.called_at != Finding::not_called;
    Diagnosis diagnosis;
    diagnosis.kind = finding.kind;
    diagnosis.severity = finding.severity;
    diagnosis.leaves_open = finding.leaves_open;
    diagnosis.is_only_stored = entry.are_only_stored;
    diagnosis.message = finding.message;
    diagnosis.file = place.file;
    diagnosis.line = place.line;
    diagnosis.column = place.column;
    for (const code::Place::Caller& caller : place.callers)
      diagnosis.called_from.push_back(caller.file + ":" + std::to_string(caller.line));
    diagnosis.library_file = is_called ? inner.inner_file() : place.library_file;
    diagnosis.library_line = is_called ? inner.inner_line() : place.library_line;
    diagnosis.block = unflatten(finding.block, report.grid);
    diagnosis.thread = unflatten(finding.thread, report.block);
    diagnosis.count = 0;
    for (auto [block, count] : entry.counts) diagnosis.count += count;
    if (place.line == 0) {
      if (!program.name.empty()) diagnosis.instruction = instruction_text(program, finding.shown());
      std::vector<std::size_t>& reported = without_line[finding.kind];
      if (reported.size() == most_without_line) {
        merge(report.diagnoses[reported.front()], std::move(diagnosis));
        continue;
      }
      reported.push_back(report.diagnoses.size());
    }
    if (finding.kind == "race" && place.line != 0) {
      const auto [same, is_new] =
          races.try_emplace({place.file, place.line, finding.other_line}, report.diagnoses.size());
      if (!is_new) {
        merge(report.diagnoses[same->second], std::move(diagnosis));
        continue;
      }
    }
    if (finding.kind == "uninitialized" && place.line != 0) {
      const auto [same, is_new] =
          reads.try_emplace({place.file, place.line}, report.diagnoses.size());
      if (!is_new) {
        take_as_one(report.diagnoses[same->second], std::move(diagnosis));
        continue;
      }
    }
    report.diagnoses.push_back(std::move(diagnosis));
  }
}

}  // namespace warpwise::watch
