#include "verification/conformance/random/selectors.h"

#include <algorithm>

#include "verification/conformance/random/random.h"

namespace warpwise::conformance {
namespace {

constexpr unsigned ways = 2;

/// "b" or "h" and `parts` digits below `choices`.
std::string permutation(Random& random, unsigned parts, unsigned choices) {
  std::string text = parts == 2 ? "h" : "b";
  for (unsigned i = 0; i < parts; ++i) text += static_cast<char>('0' + random.below(choices));
  return text;
}

/// Some of the parts, the highest first.
std::string mask(Random& random, unsigned parts) {
  std::uint64_t bits = 1 + random.below((1u << parts) - 1);
  std::string text = parts == 2 ? "h" : "b";
  for (unsigned i = parts; i-- > 0;)
    if (bits >> i & 1) text += static_cast<char>('0' + i);
  return text;
}

}  // namespace

bool has_selectors(const isa::Syntax& syntax) {
  return syntax.implicit().immediate && syntax.mnemonic().starts_with('v');
}

std::vector<std::vector<std::string>> selectors_for(const std::string& opcode,
                                                    const isa::Match& match) {
  constexpr const char* of_a_source[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
  constexpr const char* of_a_destination[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
  if (!has_selectors(*match.syntax)) return {};
  char last = match.syntax->mnemonic().back();
  std::size_t operands = match.syntax->operands().size();
  Random random(hash_of(opcode, operands));
  std::vector<std::vector<std::string>> result;
  for (unsigned i = 0; i < ways; ++i) {
    std::vector<std::string> selectors(operands);
    if (last == '2' || last == '4') {
      unsigned parts = static_cast<unsigned>(last - '0');
      selectors[0] = mask(random, parts);
      for (std::size_t k : {1, 2}) selectors[k] = permutation(random, parts, 2 * parts);
    } else {
      for (std::size_t k : {1, 2}) selectors[k] = random.pick(of_a_source);
      // A third source without a second operation is what the result is put into.
      if (operands == 4 && match.variant["second"].empty())
        selectors[0] = random.pick(of_a_destination);
    }
    bool whole = std::all_of(selectors.begin(), selectors.end(),
                             [](const std::string& selector) { return selector.empty(); });
    bool again = std::find(result.begin(), result.end(), selectors) != result.end();
    if (!whole && !again) result.push_back(std::move(selectors));
  }
  return result;
}

}  // namespace warpwise::conformance
