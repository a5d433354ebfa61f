#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// A wrong answer that is made from a right one, as a learner's file.
struct Adversary {
  std::string name;  ///< "only_block_0"
  std::string what;  ///< it does, for people.
  std::string text;  ///< of the file; empty where the mutation does not apply.
  std::string why_not;
};

/// Every adversary of an exercise on a kernel: each does the same as the solution at the sizes that
/// a check runs first, and does not answer its task. A check that lets one pass has a gap.
///
/// - `only_block_0`: one block does the work of all, one after another.
/// - `half_warps`: half of a block's warps do the work of both halves.
/// - `narrowed`: `int` and `size_t` of the blank are 16 bits wide.
/// - `capped_NAME`: the parameter `int NAME` is never more than `most` in the blank.
/// - `scalar`: products of tensor cores are sums that each lane adds up by itself.
///
/// @param solution the frame with its blank filled.
/// @param check the check's source: of `@pre NAME <= N` the parameter may be capped at N.
/// @param most what a learner's own limit might be: twice the largest extent of the size at which
///   the gates count.
/// @return all of them, in this order, also those that do not apply; none where the solution has no
///   kernel.
/// @throws lesson::FrameError for a text without a blank.
std::vector<Adversary> adversaries_of(const std::string& solution, std::string_view check,
                                      int most);

}  // namespace warpwise::tutor
