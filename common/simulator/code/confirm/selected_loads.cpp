#include "simulator/code/confirm/selected_loads.h"

#include <algorithm>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {

std::vector<std::size_t> selected_loads(const ptx::Function& function) {
  std::vector<std::vector<std::size_t>> reads(function.registers.size());
  std::vector<unsigned> writes(function.registers.size());
  for (std::size_t at = 0; at < function.body.size(); ++at)
    visit_registers(function.body[at], [&](int id, bool is_written) {
      if (is_written)
        ++writes[static_cast<std::size_t>(id)];
      else
        reads[static_cast<std::size_t>(id)].push_back(at);
    });
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& load = function.body[at];
    if (load.kind() != isa::Kind::load || load.guard >= 0) continue;
    const int value = load.operands[0].id;
    if (value < 0 || writes[static_cast<std::size_t>(value)] != 1 ||
        reads[static_cast<std::size_t>(value)].size() != 1)
      continue;
    const ptx::Instruction& reader = function.body[reads[static_cast<std::size_t>(value)][0]];
    if (reader.match.syntax->mnemonic() == "selp" && reader.operands.size() == 4 &&
        reader.operands[3].id != value)
      found.push_back(at);
  }
  return found;
}

}  // namespace warpwise::code
