#include "tutor/attempt/compiler_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <vector>

#include "tutor/attempt/name_advice.h"
#include "tutor/author/code_text.h"
#include "tutor/course/library_names.h"
#include "tutor/course/pattern.h"

namespace warpwise::tutor {
namespace {

/// Left operand, operator, right operand: "const uint3 * const dim3".
std::string no_operator(const Case& at, const std::string& sign) {
  static const Pattern operands(R"x(operand types are: (.*))x");
  const auto found = operands.in(at.message);
  const std::string types = found ? found->groups[1] : "";
  if (types.find("dim3") != std::string::npos || types.find("uint3") != std::string::npos) {
    return "threadIdx, blockIdx, blockDim and gridDim have three parts: .x, .y and .z. Say which.";
  }
  if (sign == "[]") {
    return "This array has one dimension: compute the offset, row * columns + column.";
  }
  static const Pattern vector(R"x((float|int|uint|double)[234])x");
  if (vector.in(types)) {
    return fmt::format("{} has no arithmetic: compute with its parts .x, .y, ...",
                       vector.in(types)->groups[0]);
  }
  return "Look at the types of both sides: is one a pointer, or a structure?";
}

std::string integral_wanted(const Case& at, const std::string&) {
  static const Pattern brackets(R"x([[:alnum:]_]<<[^<])x");
  const std::string line = at.text_of_line();
  if (brackets.in(line) && line.find("<<<") == std::string::npos) {
    return "A launch has three brackets: kernel<<<grid, block>>>(...).";
  }
  return "An index, %, <<, & and | want whole numbers; one side here is a float or a pointer.";
}

std::string unknown_member(const Case&, const std::string& type) {
  if (is_among(type, {"uint3", "dim3"})) {
    return "threadIdx, blockIdx, blockDim and gridDim have .x, .y and .z.";
  }
  static const Pattern vector(R"x(^[a-z]+([234])$)x");
  if (const auto found = vector.in(type)) {
    const char* members[] = {".x and .y", ".x, .y and .z", ".x, .y, .z and .w"};
    return fmt::format("{} has {}.", type, members[found->groups[1][0] - '2']);
  }
  return fmt::format("Look at the declaration of {}: what are its members called?", type);
}

std::string no_class(const Case&, const std::string& type) {
  if (type.find('*') == std::string::npos) return "Only structures have members: remove the dot.";
  static const Pattern of_struct(R"x((float|int|uint|double)[234])x");
  if (of_struct.in(type)) return "It is a pointer: write p[i].x, or p->x.";
  return "A pointer has no members and does not know its length; the length is an argument.";
}

std::string cannot_convert(const Case& at, const std::string& from) {
  static const Pattern to(R"x(entity of type "([^"]*)")x");
  const auto found = to.in(at.message);
  const std::string target = found ? found->groups[1] : "";
  const bool is_pointer = from.find('*') != std::string::npos;
  if (from == "void *") return "Say what it points to: static_cast<float*>(...).";
  if (is_pointer && target.find('*') == std::string::npos) {
    return "The pointer is not the value: write which element, p[i].";
  }
  if (is_pointer && from.find("const") != std::string::npos) {
    return "What it points to may be read only: also declare the pointer const.";
  }
  return "Compare both types: is a *, & or an index missing?";
}

std::string wrong_arguments(const Case& at, const std::string& name) {
  if (name.find("shfl") != std::string::npos) {
    return "It takes three: the mask, such as 0xffffffff, then the value, then the lane or the "
           "distance.";
  }
  if (name.find("_sync") != std::string::npos) {
    return fmt::format("The mask is the first argument: {}(0xffffffff, value, ...).", name);
  }
  if (name == "cudaMalloc") {
    return "cudaMalloc stores the address in your pointer, so it wants the pointer's own address: "
           "cudaMalloc(&p, bytes).";
  }
  if (name.starts_with("atomic")) {
    if (at.message.find("types are: (float *, ") != std::string::npos && name != "atomicAdd") {
      return fmt::format(
          "CUDA has no {} of floats. Can each thread keep its own and combine "
          "them at the end?",
          name);
    }
    return fmt::format("{} wants an address first: {}(&y[i], value).", name, name);
  }
  if (at.text_of_line().find(name + "<") != std::string::npos) {
    return "A launch has three brackets: kernel<<<grid, block>>>(...).";
  }
  return "Compare number and types of the arguments with the declaration.";
}

std::string arguments_counted(const Case& at, const std::string&) {
  if (at.text_of_line().find("cudaMemcpy(") != std::string::npos) {
    return "cudaMemcpy takes four: destination, source, bytes, direction.";
  }
  return "Compare the arguments with the function's declaration, one by one.";
}

std::string strange_character(const Case& at, const std::string&) {
  const std::string line = at.text_of_line();
  constexpr std::pair<const char*, const char*> known[] = {
      {"\xc2\xa0", "U+00A0, a no-break space: type a plain space instead."},
      {"\xe2\x80\x8b", "U+200B, a space without width: delete it."},
      {"\xe2\x80\x93", "U+2013, a dash of prose: type - instead."},
      {"\xe2\x80\x94", "U+2014, a dash of prose: type - instead."},
      {"\xe2\x88\x92", "U+2212, a minus sign of prose: type - instead."},
      {"\xe2\x80\x9c", "U+201C, a quote of prose: type \" instead."},
      {"\xe2\x80\x9d", "U+201D, a quote of prose: type \" instead."},
      {"\xe2\x80\x98", "U+2018, a quote of prose: type ' instead."},
      {"\xe2\x80\x99", "U+2019, a quote of prose: type ' instead."},
      {"\xc3\x97", "U+00D7, a multiplication sign of prose: type * instead."}};
  for (const auto& [bytes, words] : known) {
    if (line.find(bytes) != std::string::npos) return fmt::format("The character is {}", words);
  }
  return "This character is not part of C++. Type this line again instead of copying it.";
}

std::string unknown_header(const Case&, const std::string&) {
  return "This toolkit has no header of that name. The exercise needs none: delete the line.";
}

std::string kernel_without_launch(const Case& at, const std::string&) {
  if (at.in_device_code()) {
    return "A kernel is launched by the host. For a function that a kernel calls, write __device__ "
           "instead of __global__.";
  }
  return "A kernel is called with its launch, three brackets: kernel<<<grid, block>>>(...).";
}

std::string launch_of_host_function(const Case&, const std::string&) {
  return "Only a kernel can be launched: put __global__ at the beginning of the function, or call "
         "it without <<< >>>.";
}

std::string shared_bytes(const Case& at, const std::string& bytes) {
  static const Pattern most(R"x(0x([0-9a-f]+) max)x");
  const auto found = most.in(at.message);
  return fmt::format("The __shared__ arrays of a block have {} bytes; {} are allowed.",
                     std::stoul(bytes, nullptr, 16),
                     found ? std::stoul(found->groups[1], nullptr, 16) : 0);
}

std::string no_body(const Case&, const std::string& name) {
  if (name.find("__device_builtin_variable") != std::string::npos) {
    return "threadIdx, blockIdx, blockDim and gridDim exist in kernels only. Is __global__ missing "
           "at the beginning of this function?";
  }
  return "It is declared, but has no body. Write one, or correct the name.";
}

using Words = std::string (*)(const Case&, const std::string&);

/// An error: what it looks like, what to do about it; the first group is what it is about.
struct Advice {
  const char* expression;
  const char* next;  ///< or nullptr: then `words` says it.
  Words words = nullptr;
};

std::string semicolon_wanted(const Case& at, const std::string&) {
  static const Pattern function(R"x(^ +[[:alnum:]_*& ]+ [[:alnum:]_]+\(.*\) *\{)x");
  static const Pattern control(R"x((if|for|while|switch|else) *\()x");
  if (function.in(at.text_of_line()) && !control.in(at.text_of_line())) {
    return "C++ has no functions inside of functions. Move it above the kernel, with __device__ "
           "before it.";
  }
  return "Also look at the end of the line before: is a ; missing?";
}

constexpr const char* braces = "Every { needs its }. Look for one that is missing above.";

const Advice table[] = {
    {R"x(uses too much shared data \(0x([0-9a-f]+) bytes)x", nullptr, shared_bytes},
    // A function or a variable of the host in a kernel.
    {R"x(calling a (constexpr )?__host__ function\("__new_allocator)x", nullptr, in_the_headers},
    {R"x(calling a __device__ function\("([^"]*)"\) from a __host__)x",
     "$1 has __device__: only kernels can call it. Write __host__ __device__ for both."},
    {R"x(calling a constexpr __host__ function\("([^"]*)")x", nullptr, in_the_headers},
    {R"x(calling a __host__ function\("([^"]*)")x", nullptr, host_function},
    {R"x(identifier "([^"]*)" is undefined in device code)x", nullptr, host_name},
    {R"x(namespace "std" has no member "([^"]*)")x", nullptr, member_of_std},
    {R"x('([^']*)' is not a member of 'std')x", nullptr, member_of_std},
    // Launches.
    {R"x(__global__ function call must be configured)x", nullptr, kernel_without_launch},
    {R"x(a host function call cannot be configured)x", nullptr, launch_of_host_function},
    {R"x(must have a void return type)x",
     "A kernel returns nothing: make it void, and store the result in memory."},
    {R"x(return value type does not match the function type)x",
     "A kernel returns nothing: write return; alone. Results are stored in memory."},
    {R"x(annotation on lambda requires --extended-lambda)x",
     "Leave the annotation out: a lambda inside a kernel is device code already."},
    // Names.
    {R"x(identifier "([^"]*)" is undefined)x", nullptr, undefined_name},
    {R"x('([^']*)' was not declared)x", nullptr, host_compilers_name},
    {R"x('([^']*)' does not name a type)x", nullptr, host_compilers_name},
    {R"x("([^"]*)" has already been declared)x",
     "Give one of the two another name, or leave out its type to store in the first."},
    {R"x(redeclaration of '([^']*)')x",
     "Give one of the two another name, or leave out its type to store in the first."},
    {R"x(name must be a namespace name|must be a class or namespace name)x",
     "The header is missing: #include <mma.h> for nvcuda::wmma, <cooperative_groups.h> for "
     "cooperative_groups."},
    {R"x((class|struct) "([^"]*)" has no member)x", nullptr, unknown_member},
    // Types.
    {R"x(must have pointer-to-object type)x",
     "There is one [ ] too many: the array has one dimension. Compute the offset, such as "
     "row * columns + column."},
    {R"x(no operator "([^"]*)" matches)x", nullptr, no_operator},
    {R"x(must have integral or unscoped enum type)x", nullptr, integral_wanted},
    {R"x(invalid operands of types .* to binary 'operator%')x",
     "% wants whole numbers; one side here is a double."},
    {R"x(must have class type but it has type "([^"]*)")x", nullptr, no_class},
    {R"x(operator -> or ->\* applied)x", "It is not a pointer: write a dot, v.x."},
    {R"x(modifiable lvalue)x",
     "It is const, or not a place in memory: it may be read, not written. Is it the input?"},
    {R"x(value of type "([^"]*)" cannot be)x", nullptr, cannot_convert},
    {R"x(argument of type "([^"]*)" is incompatible)x", nullptr, cannot_convert},
    {R"x(no instance of overloaded function "([^"]*)")x", nullptr, wrong_arguments},
    {R"x(function "([^"]*)" cannot be called with the given argument list)x", nullptr,
     wrong_arguments},
    {R"x(too (few|many) arguments)x", nullptr, arguments_counted},
    {R"x(no instance of constructor "dim3)x", "A dim3 has at most three numbers: x, y and z."},
    {R"x(no instance of constructor)x",
     "Compare number and types of the arguments with what can be constructed."},
    {R"x(no matching function for call to '(std::)?(min|max)\()x",
     "Both arguments have to be of one type: convert one of them."},
    {R"x(no matching function for call)x",
     "Compare number and types of the arguments with the declaration."},
    {R"x(range-based "for")x",
     "A pointer does not know its length: count with for (int i = 0; i < n; ++i)."},
    // Memory of a block.
    {R"x(expression must have a constant value)x",
     "The size of an array has to be known when it is compiled. For shared memory of any size: "
     "extern __shared__ float tile[]; and its bytes in the launch."},
    {R"x(initializer not allowed for __shared__)x",
     "Shared memory has no initial value: let the threads store it, then __syncthreads()."},
    {R"x(declaration is incompatible with)x",
     "It is declared twice, with two types. All dynamic shared memory of a file has one type: "
     "give it one name and one type, and cast."},
    {R"x(does not support exception handling)x", "A kernel cannot throw: use assert, or return."},
    // Text.
    {R"x(unterminated #(if|ifdef|ifndef|else))x",
     "An #endif is missing: close the #$1 of this line."},
    {R"x(#(endif|else|elif) without #if)x", "Delete this line, or add the #if that it belongs to."},
    {R"x(unterminated comment)x", "The comment of this line never ends: add */."},
    {R"x(missing closing quote|missing terminating)x",
     "A quote is missing at the end of the text."},
    {R"x(extended character)x", nullptr, strange_character},
    {R"x(expected a ";")x", nullptr, semicolon_wanted},
    {R"x(expected .*';')x", nullptr, semicolon_wanted},
    {R"x(expected a "}"|expected '}')x", braces},
    {R"x(expected a declaration)x", "There may be one } too many above."},
    {R"x(expected a statement)x",
     "Look at the line before: is there a ; after an if (...), or a { without its statements?"},
    {R"x(expected a "\)"|expected '\)')x",
     "A ) is missing, or a character before this place does not belong there."},
    {R"x(expected a "\]"|expected '\]')x", "A ] is missing."},
    {R"x(expected (an expression|primary-expression))x",
     "Something is missing before this place: a value, a name, or one sign is too many."},
    {R"x(expected an identifier|type name is not allowed|expected unqualified-id)x",
     "A name belongs here. Is the line before complete?"},
    // Assembler, linker, driver.
    {R"x(Unresolved extern function '?([^']*))x", nullptr, no_body},
    {R"x(undefined reference to `?(.*))x", nullptr, no_body},
    {R"x(No such file)x", nullptr, unknown_header},
    {R"x(Unknown modifier|Not a name of any known instruction|Unexpected instruction types)x",
     "It is in an asm statement: compare the instruction with the PTX manual."},
    {R"x(Ptx assembly aborted)x", "It is in an asm statement."},
};

std::string filled(const std::string& words, const std::string& group) {
  const std::size_t at = words.find("$1");
  return at == std::string::npos ? words : words.substr(0, at) + group + words.substr(at + 2);
}

}  // namespace

std::string compiler_advice(const std::string& message, const std::string& source, unsigned line) {
  static const std::deque<Pattern> patterns = [] {
    std::deque<Pattern> all;
    for (const Advice& row : table) all.emplace_back(row.expression);
    return all;
  }();
  const Case at{message, source, line};
  for (std::size_t i = 0; i < std::size(table); ++i) {
    const auto found = patterns[i].in(message);
    if (!found) continue;
    const std::string group = found->groups.size() > 1 ? found->groups.back() : "";
    if (table[i].words != nullptr) return table[i].words(at, group);
    return filled(table[i].next, plain_name(group));
  }
  return "";
}

std::string name_in(const std::string& message) {
  static const Pattern named(R"x(identifier "([^"]*)" is undefined|function\("([^"]*)"\) from)x");
  const auto found = named.in(message);
  if (!found) return "";
  return plain_name(found->groups[1].empty() ? found->groups[2] : found->groups[1]);
}

}  // namespace warpwise::tutor
