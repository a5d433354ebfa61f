// Calls of the device runtime: kernels that launch kernels.

#include <algorithm>

#include "simulator/code/callees.h"
#include "simulator/code/lowering/device_runtime.h"
#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {
namespace {

using isa::Type;

/// How many bytes a function writes to the place that the argument points to; 0 for an argument of
/// another kind.
unsigned output_bytes(char kind) {
  return kind == 'i' ? 4 : kind == 'p' ? 8 : kind == 'a' ? function_attributes_bytes : 0;
}

unsigned argument_bytes(char kind) { return kind == '4' || kind == 'd' ? 4 : 8; }

}  // namespace

/// Loads the arguments, lets the machine make the call, and stores the results.
void Lowering::runtime_call(const RuntimeFunction& function, const CallParts& parts) {
  RuntimeCall call;
  call.callee = function.callee;
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    const char kind = function.arguments[i];
    for (unsigned part = 0; part < (kind == 'd' ? 3u : 1u); ++part)
      call.arguments.push_back(supplied_argument(parts, i, argument_bytes(kind), 4 * part, 8));
    for (unsigned at = 0; at < output_bytes(kind); at += 8) call.outputs.push_back(slots_.fresh(8));
  }
  call.result = slots_.fresh(8);
  call.succeeded = slots_.fresh(0);
  emit(Op::device_runtime).access = static_cast<std::uint32_t>(program_.runtime_calls.size());
  program_.runtime_calls.push_back(call);
  // Only the first argument of any function is filled in.
  if (!call.outputs.empty()) runtime_outputs(call, output_bytes(function.arguments[0]));
  supplied_result(parts, call.result, function.result_bytes, 8);
  // The arguments of a launch, and the order of launches, may depend on other blocks.
  program_.blocks_communicate = true;
  if (!program_.kernel_addresses.empty()) return;
  for (const ptx::Function& other : unit_.module.functions)
    if (other.is_kernel && !other.is_declaration)
      program_.kernel_addresses[function_address(unit_.module, other.name).value()] = other.name;
}

void Lowering::runtime_outputs(const RuntimeCall& call, unsigned bytes) {
  for (unsigned at = 0; at < bytes; at += 8) {
    Operand address;
    address.value = at;
    Access to;
    to.is_store = true;
    to.space = Space::generic;
    to.base = call.arguments[0];
    to.data[0] = call.outputs[at / 8];
    to.register_bytes[0] = 8;
    to.element_bytes = std::min(8u, bytes);
    to.type = to.element_bytes == 8 ? Type::b64 : Type::b32;
    Instruction& store = emit(Op::store);
    store.guard = call.succeeded;
    store.guard_negated = false;
    program_.code.back().access = add_access(address, to, false);
  }
}

}  // namespace warpwise::code
