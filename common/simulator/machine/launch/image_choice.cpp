#include "simulator/machine/launch/image_choice.h"

#include <algorithm>
#include <cstdint>

namespace warpwise::machine {
namespace {

/// The newest PTX of a translation unit that this architecture can run. Where there is only newer
/// PTX, the oldest of it: this machine has no instructions that it could lack.
const image::Entry* choose_text(const std::vector<image::Entry>& entries, std::uint32_t unit,
                                unsigned architecture) {
  const image::Entry* best = nullptr;
  auto rank = [&](const image::Entry& entry) {
    if (entry.runs_on(architecture)) return 2000 + entry.architecture;
    return 1000 - std::min(entry.architecture, 999u);
  };
  for (const image::Entry& entry : entries) {
    if (entry.kind != image::Entry::Kind::ptx || entry.unit != unit) continue;
    if (!best || rank(entry) > rank(*best)) best = &entry;
  }
  return best;
}

}  // namespace

const image::Entry* choose_code(const std::vector<image::Entry>& entries, unsigned architecture) {
  auto found = std::find_if(entries.begin(), entries.end(), [&](const image::Entry& entry) {
    return entry.kind == image::Entry::Kind::cubin && entry.architecture == architecture;
  });
  return found == entries.end() ? nullptr : &*found;
}

bool has_code_for(const std::vector<image::Entry>& entries, unsigned architecture) {
  return std::any_of(entries.begin(), entries.end(), [&](const image::Entry& entry) {
    return entry.kind == image::Entry::Kind::cubin && entry.runs_on(architecture);
  });
}

std::vector<const image::Entry*> choose_texts(const std::vector<image::Entry>& entries,
                                              unsigned architecture) {
  std::uint32_t last = 0;
  for (const image::Entry& entry : entries) last = std::max(last, entry.unit);
  std::vector<const image::Entry*> texts;
  // Unit 0 of a linked program is only machine code.
  for (std::uint32_t unit = last > 0 ? 1 : 0; unit <= last; ++unit)
    texts.push_back(choose_text(entries, unit, architecture));
  return texts;
}

const image::Entry* attribute_code(const std::vector<image::Entry>& entries, Target target) {
  const image::Entry* best = nullptr;
  for (const image::Entry& entry : entries) {
    if (entry.kind != image::Entry::Kind::cubin) continue;
    auto rank = [&](const image::Entry& e) {
      if (e.architecture == target.attributes_of) return 1000u;
      if (e.architecture == target.architecture) return 999u;
      return e.architecture < target.architecture ? e.architecture : 0u;
    };
    if (rank(entry) > 0 && (!best || rank(entry) > rank(*best))) best = &entry;
  }
  return best;
}

}  // namespace warpwise::machine
