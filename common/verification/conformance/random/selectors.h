#pragma once
#include <string>
#include <vector>

#include "simulator/isa/syntax.h"

namespace warpwise::conformance {

/// True for the video instructions, whose operands may be parts of registers.
bool has_selectors(const isa::Syntax& syntax);

/// Some of the ways to select parts of the operands of a video instruction, for each operand in
/// its order ("" for a whole one); none for other instructions: bytes and halves of scalar forms
/// ("b3", "h0"), masks and permutations of forms on two or four parts ("h10", "b7362"). They follow
/// from the opcode.
std::vector<std::vector<std::string>> selectors_for(const std::string& opcode,
                                                    const isa::Match& match);

}  // namespace warpwise::conformance
