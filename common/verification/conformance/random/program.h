#pragma once
#include <map>
#include <string>
#include <vector>

#include "verification/conformance/executor.h"
#include "verification/conformance/variants.h"

namespace warpwise::conformance {

/// The parts of random programs: opcodes by mnemonic, so that an instruction with many forms is not
/// in every line.
class Palette {
 public:
  /// @param keys of variants, and opcodes that exchange values between lanes.
  /// @throws std::runtime_error for one that has no row.
  explicit Palette(const std::vector<std::string>& keys);

  using Group = std::vector<Variant>;
  const std::vector<Group>& arithmetic() const { return arithmetic_; }
  const Group& comparisons() const { return comparisons_; }
  /// Opcodes of shuffles, votes and other exchanges.
  const std::vector<std::string>& exchanges() const { return exchanges_; }

 private:
  std::vector<Group> arithmetic_;
  Group comparisons_;
  std::vector<std::string> exchanges_;
};

/// The keys of all that is allowed in a random program: its result has to follow from the rules of
/// PTX alone, so there is nothing approximate and nothing that a compiler may fuse.
std::vector<std::string> palette_keys(const LeftOut& left_out);

/// A thread's digest times this and plus a result, modulo 2^64, is the digest after the result.
constexpr std::uint64_t digest_factor = 0x9e3779b97f4a7c15;

/// A kernel made from a seed: arithmetic of all types, predicates, branches, loops with a bound,
/// divergence, shared memory with barriers, exchanges between lanes, local memory, atomics on own
/// places or sums. Its output follows from its text.
struct Program {
  /// Lines that belong together.
  struct Unit {
    std::string text;
    bool removable;  ///< the program keeps a meaning without it
  };
  /// The first sets up registers, digest and shared memory; the last writes all of it.
  std::vector<Unit> units;
  unsigned blocks, threads;
  Bytes input;

  /// The kernel's text, without its module's header.
  std::string kernel(const std::string& name) const;
  Launch launch(const std::string& name) const;
  /// Names text and input: a record of anything else is out of date.
  std::uint64_t hash() const;
};

Program random_program(std::uint64_t seed, const Palette& palette);

}  // namespace warpwise::conformance
