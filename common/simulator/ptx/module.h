#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulator/isa/syntax.h"

/// PTX text as data: the result of parsing, which code/ compiles.
namespace warpwise::ptx {

/// Where an instruction comes from; inlined code names the place it was inlined into.
struct Location {
  unsigned file = 0;  ///< index into Module::files; 0: no file
  unsigned line = 0;
  unsigned column = 0;
  int inlined_at = -1;  ///< index into Function::locations; -1 in the outermost function
};

struct Operand {
  enum class Kind {
    reg,        ///< id
    special,    ///< name: "%tid.x"
    integer,    ///< value
    f32,        ///< value holds the bits
    f64,        ///< value holds the bits
    symbol,     ///< name + value: the address of a variable, or a label or function
    address,    ///< [base + value]: base is id (register) or name (symbol) or neither; of a texture
                ///< or surface [base, {elements}]
    vector,     ///< {elements}
    sink,       ///< _
    arguments,  ///< (elements) of a call
  };
  Kind kind = Kind::sink;
  bool negated = false;  ///< !p
  int id = -1;           ///< index into Function::registers; -1: not a register
  std::string name;
  std::string selector;  ///< of video instructions: "b0" in %r1.b0, "-h1" in -%r1.h1
  std::int64_t value = 0;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;
  isa::Match match;
  int guard = -1;  ///< register of @p
  bool guard_negated = false;
  std::vector<Operand> operands;  ///< d and p of d|p are two operands, with has_second set
  bool has_second = false;
  bool is_implied = false;  ///< not in the text: a part of an instruction there
  int location = -1;        ///< index into Function::locations
  unsigned text_line = 0;

  isa::Kind kind() const { return match.syntax->row().kind; }
};

struct Register {
  std::string name;
  isa::Type type;
};

/// Which units can name a function or variable, and which of several definitions counts.
enum class Linkage {
  internal,  ///< its own translation unit only
  visible,
  weak,      ///< the first definition counts, and gives way to a visible one
  common,    ///< the largest definition counts, and gives way to a visible one
  external,  ///< .extern: defined elsewhere; `.shared` without a size is dynamic shared memory
};

enum class Space { global, constant, shared, local, param };

struct Variable {
  std::string name;
  Space space;
  std::uint64_t bytes = 0;
  unsigned alignment = 1;
  unsigned element_bytes = 1;
  Linkage linkage = Linkage::internal;
  bool is_managed = false;
  std::vector<std::byte> initial;  ///< may be shorter than bytes: the rest is zero
  struct Reference {
    std::uint64_t offset;
    std::string symbol;
    std::int64_t addend;
    unsigned bytes = 8;
    unsigned shift = 0;  ///< bits of the address that are left out below
    std::uint64_t mask = ~0ull;

    std::uint64_t value(std::uint64_t address) const {
      return ((address + static_cast<std::uint64_t>(addend)) >> shift) & mask;
    }
  };
  std::vector<Reference> references;  ///< addresses inside `initial`
};

struct Parameter {
  std::string name;
  std::uint64_t bytes = 0;
  unsigned alignment = 1;
  /// Declared as .reg: the reader puts the value into a register of that name for the function.
  bool is_register = false;
  isa::Type type = isa::Type::b8;
  unsigned vector = 0;  ///< 2 or 4 for a vector of registers
};

struct Function {
  std::string name;
  Linkage linkage = Linkage::internal;
  bool is_kernel = false;
  bool is_declaration = false;
  /// Whether a product and a sum that leave their rounding open may become one fma.
  bool may_contract = true;
  /// The first instruction of the body that has no row, or whose operands do not match its row, in
  /// one sentence; "" for most. The body is then incomplete.
  std::string unsupported;
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;
  unsigned max_threads = 0;           ///< product of .maxntid; 0 without one
  std::array<unsigned, 3> block{};    ///< of .reqntid; 0 without one
  std::array<unsigned, 3> cluster{};  ///< of .reqnctapercluster; 0 without one
  bool grid_counts_clusters = false;  ///< .blocksareclusters
  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< shared, local and param variables declared inside
  std::vector<Instruction> body;
  std::map<std::string, std::size_t> labels;  ///< name -> index of the next instruction of body
  /// Label of a .branchtargets list -> the labels that brx.idx chooses from.
  std::map<std::string, std::vector<std::string>> branch_targets;
  std::vector<Location> locations;
};

struct Module {
  unsigned architecture = 0;  ///< 90 for .target sm_90
  bool is_debug = false;      ///< compiled with -G
  std::map<unsigned, std::string> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  const Function* find(const std::string& name) const;
};

/// "PTX line 12: add.foo %r1, %r2;: the simulator does not know add.foo yet (in k, source line 7)":
/// one sentence for the user.
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// @throws ParseError for text that is not PTX. An instruction without a row, or with other
/// operands, makes only its function unsupported.
Module parse(std::string_view text);

}  // namespace warpwise::ptx
