#include <bit>
#include <cctype>
#include <cstdlib>

#include "simulator/ptx/parser.h"

/// Constant expressions, as initial values, immediate operands and offsets of addresses.
namespace warpwise::ptx {
namespace {

using Type = Constant::Type;

/// How tightly a binary operator binds; 0 for any other text.
int precedence(std::string_view op) {
  static constexpr std::pair<std::string_view, int> known[] = {
      {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
      {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
      {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  for (const auto& [name, binding] : known)
    if (name == op) return binding;
  return 0;
}

/// 0.5, .5, 1e3, 2.5e-4: always a double, which the instruction narrows.
bool is_decimal_float(std::string_view word) {
  return (std::isdigit(static_cast<unsigned char>(word[0])) ||
          (word.size() > 1 && word[0] == '.' &&
           std::isdigit(static_cast<unsigned char>(word[1])))) &&
         word.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         word.find_first_of(".eE") != std::string_view::npos;
}

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

double as_double(const Constant& value) {
  switch (value.type) {
    case Type::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
    case Type::f64:
      return std::bit_cast<double>(value.bits);
    case Type::u64:
      return static_cast<double>(static_cast<std::uint64_t>(value.bits));
    case Type::s64:
      break;
  }
  return static_cast<double>(value.bits);
}

Constant of_double(double value) { return {Type::f64, std::bit_cast<std::int64_t>(value)}; }

Constant of_truth(bool value) { return {Type::s64, value}; }

std::optional<Constant> float_result(std::string_view op, double a, double b) {
  if (op == "+") return of_double(a + b);
  if (op == "-") return of_double(a - b);
  if (op == "*") return of_double(a * b);
  if (op == "/") return of_double(a / b);
  return std::nullopt;
}

/// Counts of shifts are those of a 64-bit register: their low six bits.
Constant shifted(std::string_view op, const Constant& a, const Constant& b) {
  const unsigned count = static_cast<unsigned>(b.bits) & 63;
  const auto bits = static_cast<std::uint64_t>(a.bits);
  if (op == "<<") return {a.type, static_cast<std::int64_t>(bits << count)};
  if (a.type == Type::s64) return {a.type, a.bits >> count};
  return {a.type, static_cast<std::int64_t>(bits >> count)};
}

/// @return nothing for a division by zero.
std::optional<Constant> quotient(std::string_view op, const Constant& a, const Constant& b,
                                 Type type) {
  if (b.bits == 0) return std::nullopt;
  const auto x = static_cast<std::uint64_t>(a.bits), y = static_cast<std::uint64_t>(b.bits);
  // ptxas takes remainders without sign, whatever the operands are.
  if (op == "%") return Constant{type, static_cast<std::int64_t>(x % y)};
  if (type == Type::u64) return Constant{type, static_cast<std::int64_t>(x / y)};
  return Constant{type, b.bits == -1 ? static_cast<std::int64_t>(0 - x) : a.bits / b.bits};
}

std::optional<Constant> integer_result(std::string_view op, const Constant& a, const Constant& b) {
  const Type type = a.type == Type::u64 || b.type == Type::u64 ? Type::u64 : Type::s64;
  const auto x = static_cast<std::uint64_t>(a.bits), y = static_cast<std::uint64_t>(b.bits);
  const auto of_bits = [type](std::uint64_t bits) {
    return Constant{type, static_cast<std::int64_t>(bits)};
  };
  const bool is_less = type == Type::u64 ? x < y : a.bits < b.bits;
  if (op == "||") return of_truth(x || y);
  if (op == "&&") return of_truth(x && y);
  if (op == "|") return of_bits(x | y);
  if (op == "^") return of_bits(x ^ y);
  if (op == "&") return of_bits(x & y);
  if (op == "==") return of_truth(x == y);
  if (op == "!=") return of_truth(x != y);
  if (op == "<") return of_truth(is_less);
  if (op == ">=") return of_truth(!is_less);
  if (op == "<=") return of_truth(is_less || x == y);
  if (op == ">") return of_truth(!is_less && x != y);
  if (op == "<<" || op == ">>") return shifted(op, a, b);
  if (op == "+") return of_bits(x + y);
  if (op == "-") return of_bits(x - y);
  if (op == "*") return of_bits(x * y);
  return quotient(op, a, b, type);
}

}  // namespace

std::optional<Constant> ConstantReader::literal(std::string_view word) {
  const bool has_letter =
      word.size() > 2 && word[0] == '0' && std::string_view("fFdD").find(word[1]) < 4;
  if (has_letter) {
    const bool single = word[1] == 'f' || word[1] == 'F';
    return Constant{
        single ? Type::f32 : Type::f64,
        static_cast<std::int64_t>(std::strtoull(std::string(word.substr(2)).c_str(), nullptr, 16))};
  }
  if (is_decimal_float(word)) return of_double(std::strtod(std::string(word).c_str(), nullptr));
  if (word == "WARP_SZ") return Constant{Type::s64, 32};
  const auto value = number(word);
  if (!value) return std::nullopt;
  return Constant{*value < 0 || word.ends_with('U') ? Type::u64 : Type::s64, *value};
}

/// The operator that comes next: one character or two; "" where there is none.
std::string ConstantReader::operator_ahead() const {
  const Token& token = lexer_.peek();
  if (token.text == "%" && token.kind == Token::Kind::word) return "%";
  if (token.kind != Token::Kind::punctuation || token.text.find_first_of(",;)]}") == 0) return {};
  Lexer ahead = lexer_;
  std::string one(ahead.next().text);
  if (ahead.peek().kind != Token::Kind::punctuation) return one;
  std::string two = one + std::string(ahead.peek().text);
  // The sign of a second operand is not part of the operator.
  return precedence(two) > 0 ? two : one;
}

Constant ConstantReader::constant() { return constant_from(unary()); }

/// @param first the value that an expression begins with, already read.
Constant ConstantReader::constant_from(const Constant& first) {
  const Constant condition = binary(first, 1);
  if (!accept("?")) return condition;
  if (is_float(condition.type)) fail("a condition cannot be a floating-point number");
  const Nesting nesting(*this);
  const Constant chosen = constant();
  expect(":");
  const Constant otherwise = constant();
  return condition.bits ? chosen : otherwise;
}

/// Continues with all operators that bind at least this tightly.
Constant ConstantReader::binary(Constant left, int least) {
  for (std::string op = operator_ahead(); precedence(op) >= least; op = operator_ahead()) {
    const unsigned line = lexer_.peek().line;
    for (std::size_t i = 0; i < op.size(); ++i) lexer_.next();
    // At most one level deeper for each of the ten precedences.
    const Constant right = binary(unary(), precedence(op) + 1);
    const auto result = is_float(left.type) || is_float(right.type)
                            ? float_result(op, as_double(left), as_double(right))
                            : integer_result(op, left, right);
    if (!result) fail("the constants cannot be joined by " + op, line);
    left = *result;
  }
  return left;
}

Constant ConstantReader::unary() {
  const Nesting nesting(*this);
  for (const char* op : {"+", "-", "!", "~"})
    if (accept(op)) return applied(op[0], unary());
  if (accept("(")) return in_parentheses();
  const unsigned line = lexer_.peek().line;
  const std::string text = word();
  const auto value = literal(text);
  if (!value) fail("not a number: " + text, line);
  return *value;
}

/// After a parenthesis: an expression, or the type of a cast.
Constant ConstantReader::in_parentheses() {
  if (at(".s64") || at(".u64")) {
    const Type type = word() == ".u64" ? Type::u64 : Type::s64;
    expect(")");
    const Constant value = unary();
    if (is_float(value.type)) fail("a floating-point number has no such cast");
    return {type, value.bits};
  }
  const Constant value = constant();
  expect(")");
  return value;
}

Constant ConstantReader::applied(char op, const Constant& value) const {
  if (op == '+') return value;
  if (op == '-') {
    if (value.type == Type::f32) return {Type::f32, value.bits ^ 0x80000000};
    if (value.type == Type::f64) return {Type::f64, value.bits ^ INT64_MIN};
    return {value.type, negative(value.bits)};
  }
  if (is_float(value.type)) fail("an operation on bits needs an integer");
  return op == '!' ? of_truth(value.bits == 0) : Constant{value.type, ~value.bits};
}

std::int64_t ConstantReader::integer_constant() {
  const Constant value = constant();
  if (is_float(value.type)) fail("expected an integer, found a floating-point number");
  return value.bits;
}

/// Texts may nest parentheses as deep as they like, the stack may not.
ConstantReader::Nesting::Nesting(ConstantReader& reader) : reader_(reader) {
  constexpr unsigned most = 200;
  if (++reader.nesting_ <= most) return;
  --reader.nesting_;
  reader.fail("the expression is nested too deeply");
}

}  // namespace warpwise::ptx
