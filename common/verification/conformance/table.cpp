#include "verification/conformance/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "verification/conformance/random/program.h"
#include "verification/conformance/variants.h"

namespace warpwise::conformance {
namespace {

/// How many of the recorded programs contain a row, by its syntax.
std::map<std::string_view, std::size_t> programs_by_row(const Records& records) {
  std::map<std::string_view, std::size_t> counts;
  if (records.programs.empty()) return counts;
  Palette palette(records.palette);
  std::map<std::string, std::string_view> known;
  for (const ProgramRecord& record : records.programs) {
    std::istringstream text(random_program(record.seed, palette).kernel("p"));
    std::set<std::string_view> rows;
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line);
      std::string opcode;
      words >> opcode;
      if (opcode.starts_with('@')) words >> opcode;
      if (opcode.ends_with(';')) opcode.pop_back();
      auto [at, fresh] = known.emplace(opcode, "");
      if (fresh)
        if (auto match = isa::find_row(opcode)) at->second = match->syntax->row().syntax;
      if (!at->second.empty()) rows.insert(at->second);
    }
    for (std::string_view row : rows) ++counts[row];
  }
  return counts;
}

/// How many variants of each row ptxas keeps for GPUs after sm_90, by the row's syntax.
std::map<std::string_view, std::size_t> newer_by_row(const Records& records) {
  std::map<std::string_view, std::size_t> counts;
  for (const auto& [key, text] : records.rejected) {
    if (text.find(".target") == std::string::npos) continue;
    if (auto variant = variant_of_key(key)) ++counts[variant->match.syntax->row().syntax];
  }
  return counts;
}

std::string counted(std::size_t count) { return count ? std::to_string(count) : "-"; }

}  // namespace

std::string table_of_rows(const Records& records) {
  std::set<std::string> recorded;
  for (const VariantRecord& record : records.variants) recorded.insert(record.key);
  auto programs = programs_by_row(records);
  auto newer = newer_by_row(records);
  auto left_out = [&](const std::string& key) { return records.is_rejected(key); };
  std::string text = fmt::format("{:>8} {:>8} {:>9} {:>11} {:>8}  instruction\n", "variants",
                                 "recorded", "different", "after sm_90", "programs");
  std::size_t rows = 0, all = 0, all_recorded = 0, all_different = 0;
  std::map<std::string, std::string> reasons;
  for (const isa::Row& row : isa::rows()) {
    if (row.syntax.starts_with('_')) continue;
    std::size_t variants = 0, found = 0, different = 0;
    for (const Variant& variant : variants_of(row, left_out)) {
      ++variants;
      if (recorded.count(variant.key()) == 0) continue;
      ++found;
      if (const auto* known = records.known_difference(variant.key())) {
        ++different;
        reasons.insert(*known);
      }
    }
    text += fmt::format("{:>8} {:>8} {:>9} {:>11} {:>8}  {}\n", counted(variants), counted(found),
                        counted(different), counted(newer[row.syntax]),
                        counted(programs[row.syntax]), row.syntax);
    ++rows, all += variants, all_recorded += found, all_different += different;
  }
  text += fmt::format(
      "\n{} rows are supported. Fixtures try {} variants of those that are functions of lanes; {} "
      "are recorded on hardware ({}), {} of them equal there. {} random programs are recorded.\n",
      rows, all, all_recorded, records.device.empty() ? "none yet" : records.device,
      all_recorded - all_different, records.programs.size());
  if (!reasons.empty()) text += "\nNot modelled:\n";
  for (const auto& [name, reason] : reasons) text += fmt::format("  {}: {}\n", name, reason);
  return text;
}

}  // namespace warpwise::conformance
