#include "tutor/author/adversaries/adversaries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <regex>
#include <utility>

#include "base/frame.h"
#include "tutor/author/adversaries/scalar_products.h"
#include "tutor/author/pasting/declarations.h"
#include "tutor/author/pasting/pasting.h"

namespace warpwise::tutor {
namespace {

// A text in two: includes and using-directives, and what is allowed in a class.
struct Halves {
  std::string directives, members;
};

Halves halves_of(const std::string& text) {
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t next = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, next - begin);
    if (line.starts_with("#include") || line.starts_with("using namespace")) end = next;
    begin = next;
  }
  return {text.substr(0, end), text.substr(end)};
}

// Within a class a constant is static, and the kernel a function like the others.
std::string as_members(const std::string& text) {
  const std::string members =
      std::regex_replace(text, std::regex("(^|\n)(constexpr|const) "), "$1static constexpr ");
  return with_words(members, {{"__global__", "__device__"}});
}

std::string arguments(const AskedKernel& kernel) {
  std::vector<std::string> names;
  for (const Parameter& parameter : kernel.parameters) names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string name_of(const AskedKernel& kernel) {
  const std::string before = kernel.head.substr(0, kernel.head.find('('));
  return before.substr(before.find_last_of(" *\n") + 1);
}

// The solution as a class in which a built-in variable is a member, so that all its functions see
// another value of it, and a kernel around it.
std::string with_own(const std::string& solution, const AskedKernel& kernel, const char* variable,
                     const std::string& body) {
  const Halves halves = halves_of(solution);
  return fmt::format("{}\nstruct Adversary {{\n  uint3 {};\n{}}};\n\n{} {{\n{}}}\n",
                     halves.directives, variable, as_members(halves.members), kernel.head,
                     std::regex_replace(body, std::regex("RUN"),
                                        fmt::format("{}({})", name_of(kernel), arguments(kernel))));
}

Adversary only_block_0(const std::string& solution, const AskedKernel& kernel) {
  return {"only_block_0", "block 0 does the work of all blocks",
          with_own(solution, kernel, "blockIdx",
                   R"(  if (blockIdx.x + blockIdx.y + blockIdx.z > 0) return;
  for (unsigned at_z = 0; at_z < gridDim.z; ++at_z) {
    for (unsigned at_y = 0; at_y < gridDim.y; ++at_y) {
      for (unsigned at_x = 0; at_x < gridDim.x; ++at_x) {
        Adversary{make_uint3(at_x, at_y, at_z)}.RUN;
        __syncthreads();
      }
    }
  }
)"),
          ""};
}

Adversary half_warps(const std::string& solution, const AskedKernel& kernel) {
  Adversary adversary{"half_warps", "half of the warps do the work of all", "", ""};
  if (std::regex_search(solution, std::regex("blockDim *= *\\(?(32|1)\\)?\\s"))) {
    adversary.why_not = "a block is one warp";
    return adversary;
  }
  adversary.text = with_own(solution, kernel, "threadIdx", R"(  const bool at_by_y = blockDim.y > 1;
  const unsigned at_half = (at_by_y ? blockDim.y : blockDim.x) / 2;
  if ((at_by_y ? threadIdx.y : threadIdx.x) >= at_half) return;
  for (unsigned at_turn = 0; at_turn < 2; ++at_turn) {
    uint3 at_thread = threadIdx;
    (at_by_y ? at_thread.y : at_thread.x) += at_turn * at_half;
    Adversary{at_thread}.RUN;
  }
)");
  return adversary;
}

// A number of 16 bits that stays one when it is multiplied or added to.
constexpr std::string_view narrow_type = R"(
struct Narrow {
  short value;
  template <class T>
  __device__ explicit Narrow(T from) : value(static_cast<short>(from)) {}
  __device__ operator short() const { return value; }
  template <class T>
  __device__ friend Narrow operator*(Narrow a, T b) { return Narrow(a.value * static_cast<int>(b)); }
  template <class T>
  __device__ friend Narrow operator+(Narrow a, T b) { return Narrow(a.value + static_cast<int>(b)); }
};
)";

/// The frame as if the blank held the kernel's body alone, where it holds its first line as well.
lesson::Frame with_head_outside(lesson::Frame frame) {
  const std::size_t head = frame.blank.find("__global__");
  const std::size_t body = head == std::string::npos ? head : frame.blank.find("{\n", head);
  if (body == std::string::npos) return frame;
  frame.before += frame.blank.substr(0, body + 2);
  frame.blank.erase(0, body + 2);
  return frame;
}

Adversary narrowed(const lesson::Frame& frame) {
  Adversary adversary{"narrowed", "an index has 16 bits", "", ""};
  const std::string blank = with_words(frame.blank, {{"int", "short"}, {"size_t", "Narrow"}});
  if (blank == frame.blank) {
    adversary.why_not = "the blank has no int";
  } else {
    const Halves before = halves_of(frame.before);
    adversary.text =
        before.directives + std::string(narrow_type) + before.members + blank + frame.after;
  }
  return adversary;
}

// N of "@pre NAME <= N"; the largest int where the check has none.
int bound_of(const std::string& name, std::string_view check) {
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_search(check.begin(), check.end(), found,
                         std::regex("\\b" + name + " <= ([0-9]{1,9})\\b"))) {
    return std::numeric_limits<int>::max();
  }
  return std::stoi(found[1].str());
}

Adversary capped(const lesson::Frame& frame, const std::string& name, std::string_view check,
                 int most) {
  Adversary adversary{"capped_" + name, fmt::format("{} is {} at most", name, most), "", ""};
  if (!identifiers_of(frame.blank).contains(name)) {
    adversary.why_not = "the blank does not use " + name;
  } else if (const int bound = bound_of(name, check); bound <= most) {
    adversary.why_not = fmt::format("the task has {} <= {}", name, bound);
  } else {
    adversary.text = fmt::format("{0}{1}{2} = {2} < {3} ? {2} : {3};\n{4}{5}", frame.before,
                                 frame.indentation, name, most, frame.blank, frame.after);
  }
  return adversary;
}

Adversary scalar(const std::string& solution) {
  Adversary adversary{"scalar", "each lane adds products up by itself", scalar_products(solution),
                      ""};
  if (adversary.text.empty()) adversary.why_not = "no product of a tensor core in the file";
  return adversary;
}

}  // namespace

std::vector<Adversary> adversaries_of(const std::string& solution, std::string_view check,
                                      int most) {
  const lesson::Frame frame = with_head_outside(lesson::parse_frame(solution));
  const AskedKernel kernel = asked_kernel(solution);
  if (kernel.head.empty()) return {};
  std::vector<Adversary> adversaries{only_block_0(solution, kernel), half_warps(solution, kernel),
                                     narrowed(frame)};
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.type != "int") continue;
    adversaries.push_back(capped(frame, parameter.name, check, most));
  }
  adversaries.push_back(scalar(solution));
  return adversaries;
}

}  // namespace warpwise::tutor
