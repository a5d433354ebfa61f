#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/ptx/lexer.h"
#include "simulator/ptx/module.h"

namespace warpwise::ptx {

/// What is visible in one pair of braces: registers, by exact names and in families such as %r<40>,
/// and labels.
struct Scope {
  struct Family {
    std::string prefix;
    int first, count;
  };
  std::map<std::string, int, std::less<>> names;
  std::vector<Family> families;
  /// Name -> the one that no other scope has; only of inner scopes.
  std::map<std::string, std::string> labels;
  std::size_t first_instruction = 0;  ///< of the function's body
};

/// What the parsers of declarations, variables and function bodies share: tokens, errors, numbers.
class Reader {
 public:
  explicit Reader(std::string_view text) : lexer_(text) {}

 protected:
  bool at(std::string_view text) const { return lexer_.peek().text == text && !at_string(); }
  bool at_string() const { return lexer_.peek().kind == Token::Kind::string; }
  bool at_end() const { return lexer_.peek().kind == Token::Kind::end; }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  std::string word();
  std::int64_t integer();
  void skip_to(std::string_view text);
  /// The word as a number, where it is one: decimal, hexadecimal, octal, with an optional U.
  static std::optional<std::int64_t> number(std::string_view word);
  /// The number with a minus in front; of the smallest itself.
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

/// Parses `.global .align 4 .b8 name[10] = {1, 2};` and its relatives.
class VariableReader : public Reader {
 protected:
  using Reader::Reader;
  /// @pre the space's directive has been consumed.
  std::vector<Variable> variables(Space space, Linkage linkage);

 private:
  bool managed_attribute();
  void initializer(Variable& variable, unsigned element_bytes);
  void initial_value(Variable& variable, unsigned element_bytes);
};

/// Parses what stands between the braces of a function.
class BodyReader : public VariableReader {
 protected:
  using VariableReader::VariableReader;
  void body(Function& function);

 private:
  void statement();
  void open_scope();
  void close_scope();
  void directive();
  void registers();
  void location();
  void instruction(int guard, bool guard_negated);
  void give_up(const std::string& what, unsigned line);
  std::string own_label(const std::string& name);
  void branch_targets(const std::string& list);
  void operand_list(Instruction& instruction);
  Operand operand();
  Operand address();
  void coordinates(Operand& address);
  Operand simple();
  Operand value_of(std::string_view word);
  int find_register(std::string_view name) const;
  std::string source_place() const override;

  Function* function_ = nullptr;
  std::vector<Scope> scopes_;
  unsigned inner_labels_ = 0;
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
  void alias();
  std::vector<Parameter> parameter_list();

  Module module_;
};

}  // namespace warpwise::ptx
