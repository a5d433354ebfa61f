#include "simulator/code/values/shared_origins.h"

#include "simulator/code/values/origin_search.h"

namespace warpwise::code {
namespace {

class SharedSearch : public OriginSearch {
 public:
  SharedSearch(const ptx::Function& function, const std::map<std::string, std::uint32_t>& arrays)
      : OriginSearch(function), arrays_(arrays) {}

 private:
  Origin named(const std::string& name) const override {
    const auto found = arrays_.find(name);
    return found == arrays_.end() ? number : Origin{Origin::Kind::array, found->second};
  }
  Origin start_in(const ptx::Instruction&) const override { return {}; }

  const std::map<std::string, std::uint32_t>& arrays_;
};

}  // namespace

std::map<std::string, std::uint32_t> array_indices(const SharedLayout& layout,
                                                   const Program& program) {
  std::map<std::string, std::uint32_t> indices;
  // A single array has at most the bytes of a launch after it.
  if (program.shared_arrays.size() == 1 && program.shared_arrays[0].is_dynamic) return indices;
  for (const auto& [name, address] : layout)
    for (std::uint32_t i = 0; i < program.shared_arrays.size(); ++i) {
      const SharedArray& array = program.shared_arrays[i];
      // All dynamic arrays are one.
      if (array.address == address && (array.bytes > 0 || array.is_dynamic))
        indices.emplace(name, i);
    }
  return indices;
}

std::vector<std::uint32_t> shared_origins(const ptx::Function& function,
                                          const std::map<std::string, std::uint32_t>& arrays) {
  std::vector<std::uint32_t> known(function.registers.size(), Access::any_array);
  if (arrays.empty()) return known;
  SharedSearch search(function, arrays);
  const std::vector<Origin>& found = search.result();
  for (std::size_t id = 0; id < found.size(); ++id)
    if (found[id].kind == Origin::Kind::array) known[id] = found[id].array;
  return known;
}

}  // namespace warpwise::code
