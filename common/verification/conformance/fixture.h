#pragma once
#include <map>
#include <string>
#include <vector>

#include "verification/conformance/executor.h"
#include "verification/conformance/values.h"
#include "verification/conformance/variants.h"

namespace warpwise::conformance {

/// One instruction in a kernel of its own: each thread loads its operands, executes the
/// instruction, and stores what it wrote.
class Fixture {
 public:
  explicit Fixture(Variant variant);

  const Variant& variant() const { return variant_; }
  /// The kernel's text; kernels make a module after `module_header`.
  std::string kernel(const std::string& name) const;
  /// Only the instruction, between registers %d0, ... and %s0, ...
  std::string instruction() const;

  /// A carry that is read or written is the last of them, as a predicate.
  const std::vector<isa::Type>& sources() const { return sources_; }
  const std::vector<isa::Type>& destinations() const { return destinations_; }

  /// The lanes of fixture_inputs(sources()), as the kernel reads them.
  Bytes input() const;
  Launch launch(const std::string& name, const Bytes& input) const;
  /// A launch's output without its gaps: for each destination its lanes side by side, predicates as
  /// bits.
  Bytes packed(const Bytes& output) const;
  /// Lane `lane` of destination `index` in packed bytes.
  Value at(const Bytes& packed, std::size_t index, std::size_t lane) const;
  std::size_t packed_bytes() const;

  /// Names the instruction and its inputs: a record of anything else is out of date.
  std::uint64_t hash(const Bytes& input) const;

 private:
  const isa::Implicit& implicit() const;
  bool subtracts() const;

  Variant variant_;
  std::vector<isa::Type> sources_, destinations_;
};

/// Inputs by the types of the sources: many instructions share theirs.
class Inputs {
 public:
  const Bytes& of(const Fixture& fixture);

 private:
  std::map<std::vector<isa::Type>, Bytes> known_;
};

/// The beginning of a module.
extern const char module_header[];

/// The class of registers that holds a type: "pred", "b16", "b32", "b64", "b128".
std::string register_class(isa::Type type);

}  // namespace warpwise::conformance
