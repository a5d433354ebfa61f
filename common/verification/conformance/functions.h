#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "verification/conformance/executor.h"

/// The functions of one number of 32 bits (or, of f64, of its upper half), tried with every number
/// there is: what fixtures have of the approximate instructions is too little, since each segment
/// of their tables has its own coefficients. Results are too many to be stored: of every block of
/// inputs there is one sum.
namespace warpwise::conformance {

/// An instruction, and which of its inputs count up.
struct Function {
  std::string opcode;
  enum class Inputs : std::uint8_t {
    bits,     ///< the number itself: f32, or two of f16 or bf16
    divisor,  ///< f32 as the second source; the first follows from it
    upper     ///< the upper half of an f64; the lower one follows from it
  } inputs = Inputs::bits;
};
std::span<const Function> functions();

/// Inputs in one block: those with one sign and exponent of f32.
constexpr std::uint32_t block_inputs = 1u << 23;
constexpr std::uint32_t blocks_of_function = 512;

/// The addend of one result to its block's sum. A result that differs changes it.
constexpr std::uint32_t addend(std::uint32_t index, std::uint32_t result) {
  std::uint32_t mixed = (result ^ index * 0x9e3779b1u) * 0x85ebca6bu;
  return (mixed ^ mixed >> 15) * 0xc2b2ae35u;
}
/// The second source, next to the one that counts up.
constexpr std::uint32_t companion(std::uint32_t index) {
  std::uint32_t mixed = (index ^ 0x2545f491u) * 0x9e3779b1u;
  return mixed ^ mixed >> 16;
}

/// The sum over `count` inputs from `first` on, by the function of isa/ alone.
std::uint32_t sum_of_inputs(const Function& function, std::uint32_t first,
                            std::uint32_t count = block_inputs);
/// The PTX of a kernel that adds up inputs.
std::string sum_kernel(const Function& function, const std::string& name);
/// Runs it. @pre the executor has loaded it; the count is a multiple of 2^17.
std::uint32_t sum_of_inputs(Executor& executor, const std::string& name, std::uint32_t first,
                            std::uint32_t count = block_inputs);

/// Sums by opcode, one for each block.
using Sums = std::map<std::string, std::vector<std::uint32_t>>;

/// All blocks of all functions. @throws Refused
Sums record_sums(Executor& executor);

/// Says whether a block is to be tried.
using Wanted = std::function<bool(const Function&, std::uint32_t block)>;

/// The blocks whose sums differ: "rcp.approx.f32: inputs from 0x3f800000".
std::vector<std::string> differing_blocks(const Sums& sums, const Wanted& wanted);

/// The file functions.txt of the records. @throws std::runtime_error for a damaged one.
Sums read_sums(const std::filesystem::path& file);
void write_sums(const std::filesystem::path& file, const Sums& sums, const std::string& device);

}  // namespace warpwise::conformance
