#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/ptx/lexer.h"
#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// One register, or a vector of them.
struct NamedRegisters {
  int first;       ///< index into Function::registers
  unsigned width;  ///< 2 or 4; 0 for a register that is not a vector
};

/// The names visible in one pair of braces: registers, by exact names and in families such as
/// %r<40>, labels and variables.
struct Scope {
  struct Family {
    std::string prefix;
    int first, count;
    unsigned width;
  };
  std::map<std::string, NamedRegisters, std::less<>> names;
  std::vector<Family> families;
  /// Name -> the one that no other scope has; only of inner scopes.
  std::map<std::string, std::string> labels;
  /// The same of variables, and of global ones in any scope.
  std::map<std::string, std::string, std::less<>> variables;
  std::size_t first_instruction = 0;  ///< of the function's body
};

/// The parameters and results of a function.
struct Signature {
  std::vector<Parameter> parameters, results;
};

/// .texref, .samplerref, .surfref: of variables and parameters.
bool is_opaque_type(std::string_view attribute);

/// The number of elements of .v2 and .v4; 0 for any other attribute.
unsigned vector_width(std::string_view attribute);

/// The common part of the parsers of declarations, variables and function bodies: tokens, errors,
/// numbers.
class Reader {
 public:
  explicit Reader(std::string_view text) : lexer_(text) {}

 protected:
  bool at(std::string_view text) const { return lexer_.peek().text == text && !at_string(); }
  bool at_string() const { return lexer_.peek().kind == Token::Kind::string; }
  bool is_followed_by(std::string_view text) const;
  bool at_end() const { return lexer_.peek().kind == Token::Kind::end; }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string word();
  std::int64_t integer();
  void skip_to(std::string_view text);
  /// The word as a number, where it is one: decimal, hexadecimal, octal, with an optional U.
  static std::optional<std::int64_t> number(std::string_view word);
  /// The negated number; the smallest number stays itself.
  static std::int64_t negative(std::int64_t number) {
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(number));
  }
  /// "PTX line 12: add.foo %r1, %r2: what (in kernel, source line 7)"
  std::string sentence(const std::string& what, unsigned line) const;
  [[noreturn]] void fail(const std::string& what, unsigned line) const;
  [[noreturn]] void fail(const std::string& what) const { fail(what, lexer_.peek().line); }
  /// " (kernel.cu:7)" for messages where a place in the source is known.
  virtual std::string source_place() const { return {}; }
  ~Reader() = default;

  Lexer lexer_;
};

/// The value of a constant expression.
struct Constant {
  enum class Type { s64, u64, f32, f64 };
  Type type = Type::s64;
  std::int64_t bits = 0;
};

/// Parses `(1 << 4) - 1` and its relatives.
class ConstantReader : public Reader {
 protected:
  using Reader::Reader;
  Constant constant();
  Constant constant_from(const Constant& first);
  std::int64_t integer_constant();
  Constant applied(char op, const Constant& value) const;
  /// The word as a constant, where it is one.
  static std::optional<Constant> literal(std::string_view word);

  /// One level of an expression or a list that is being read.
  class Nesting {
   public:
    explicit Nesting(ConstantReader& reader);
    ~Nesting() { --reader_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ConstantReader& reader_;
  };

 private:
  std::string operator_ahead() const;
  Constant binary(Constant left, int least);
  Constant unary();
  Constant in_parentheses();

  unsigned nesting_ = 0;
};

/// Parses `.global .align 4 .b8 name[10] = {1, 2};` and its relatives.
class VariableReader : public ConstantReader {
 protected:
  using ConstantReader::ConstantReader;
  /// @pre the space's directive has been consumed.
  std::vector<Variable> variables(Space space, Linkage linkage);
  /// `(.param .align 4 .b8 a[12], .reg .u32 b)`
  std::vector<Parameter> parameter_list();

 private:
  struct Extent {
    std::uint64_t bytes;  ///< per element of the first dimension, if its size is open
    bool is_open;
  };

  bool managed_attribute();
  Extent extent_of(unsigned element_bytes);
  void initializer(Variable& variable, isa::Type type, unsigned element_bytes);
  void initial_value(Variable& variable, isa::Type type, unsigned element_bytes);
  bool at_name() const;
  bool at_mask() const;
  void initial_address(Variable::Reference& reference);
  void masked_address(Variable::Reference& reference);
  static std::int64_t stored_bits(const Constant& value, isa::Type type);
};

/// Parses the text between the braces of a function.
class BodyReader : public VariableReader {
 protected:
  using VariableReader::VariableReader;
  void body(Function& function);

  /// By the names of functions, and of tables of functions.
  std::map<std::string, Signature> signatures_;
  std::vector<Variable> inner_globals_;  ///< global variables declared inside functions

 protected:
  void remember(const Variable& variable) {
    element_bytes_[variable.name] = variable.element_bytes;
  }

 private:
  void statement();
  void open_scope();
  void close_scope();
  void directive();
  void variables_of(Space space);
  const std::string& own_variable(const std::string& name) const;
  void registers();
  int new_registers(const std::string& name, isa::Type type, unsigned width);
  void location();
  void instruction(int guard, bool guard_negated);
  void add(Instruction instruction);
  void imply(const std::string& opcode, std::vector<Operand> operands,
             const Instruction& because_of);
  void give_up(const std::string& what, unsigned line);
  std::string own_label(const std::string& name);
  void branch_targets(const std::string& list);
  void prototype(const std::string& name);
  void call_targets(const std::string& name);
  void operand_list(Instruction& instruction);
  Operand operand(bool is_of_call);
  std::vector<Operand> list(std::string_view end, bool may_hold_vectors);
  Operand element_address(const Operand& array);
  Operand address();
  void coordinates(Operand& address);
  Operand simple();
  Operand value_of(std::string_view word);
  static Operand of_constant(const Constant& constant);
  bool is_register(std::string_view word) const;
  std::optional<NamedRegisters> find_registers(std::string_view name) const;
  int find_register(std::string_view name) const;
  std::string source_place() const override;

  void take_registers();
  void give_registers(const Instruction& leaving);
  Operand register_of(const Parameter& result) const;
  std::string passing_place(const std::string& kind, std::size_t index, unsigned bytes);
  unsigned passed_bytes(const Operand& operand, const std::vector<Parameter>* parameters,
                        std::size_t index) const;
  const Signature* signature_of(const Instruction& call) const;
  void call(Instruction call);
  void move_vector(Instruction move, std::string opcode, unsigned width);
  void branch_by_table(Instruction branch);

  Function* function_ = nullptr;
  std::vector<Scope> scopes_;
  std::map<std::string, Signature> prototypes_;
  /// Bytes of an element, by the names of the function's and the module's variables.
  std::map<std::string, unsigned> element_bytes_;
  std::size_t declared_registers_ = 0;  ///< of all functions
  unsigned inner_names_ = 0;
  int location_ = -1;
};

/// Parses a whole text.
class ModuleReader : public BodyReader {
 public:
  using BodyReader::BodyReader;
  Module module();

 private:
  void directive();
  void function(bool is_kernel, Linkage linkage);
  void aliases();

  Module module_;
  struct Alias {
    std::string name, of;
    unsigned line;
  };
  std::vector<Alias> aliases_;
};

}  // namespace warpwise::ptx
