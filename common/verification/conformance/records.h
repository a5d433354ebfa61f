#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "verification/conformance/executor.h"

namespace warpwise::conformance {

/// A GPU's results for one fixture.
struct VariantRecord {
  std::string key;
  std::uint64_t hash = 0;  ///< of the instruction and its inputs, Fixture::hash
  Bytes output;            ///< as Fixture::packed
};

/// A GPU's results for one random program.
struct ProgramRecord {
  std::uint64_t seed = 0;
  std::uint64_t text = 0;    ///< hash of the program's text
  std::uint64_t output = 0;  ///< hash of what it wrote
};

/// The folder common/verification/recorded/conformance.
struct Records {
  std::string device;  ///< what it was recorded on; empty where nothing is recorded yet
  std::vector<VariantRecord> variants;
  std::vector<ProgramRecord> programs;
  /// Variants that ptxas refuses for sm_90, by key, with its words.
  std::map<std::string, std::string> rejected;
  /// Variants that are known to differ, by key or by a beginning of keys that ends with '*', with
  /// the reason.
  std::map<std::string, std::string> not_modelled;
  /// Opcodes that random programs are made of: part of their definition, as their seeds are.
  std::vector<std::string> palette;

  bool is_rejected(const std::string& key) const { return rejected.count(key) != 0; }
  /// The entry of not_modelled for a variant, or null.
  const std::pair<const std::string, std::string>* known_difference(const std::string& key) const;
};

/// Reads what there is of the folder's files. @throws std::runtime_error for damaged ones.
Records read_records(const std::filesystem::path& folder);

/// Writes the files for which there is content; not_modelled is written by people.
void write_records(const std::filesystem::path& folder, const Records& records);

}  // namespace warpwise::conformance
