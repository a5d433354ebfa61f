#include "simulator/cudart/report/output.h"

#include <algorithm>
#include <cstdio>

namespace warpwise::cudart {

void Output::keep(std::string_view text) {
  const std::lock_guard lock(mutex_);
  text_ += text;
}

void Output::show() {
  std::string ready;
  {
    const std::lock_guard lock(mutex_);
    ready.swap(text_);
  }
  // stdout may be blocked; kernels must be able to go on printing meanwhile.
  if (!ready.empty()) fwrite(ready.data(), 1, ready.size(), stdout);
}

std::size_t Output::lines_kept() const {
  const std::lock_guard lock(mutex_);
  const auto newlines = std::count(text_.begin(), text_.end(), '\n');
  const bool unfinished = !text_.empty() && text_.back() != '\n';
  return static_cast<std::size_t>(newlines) + (unfinished ? 1 : 0);
}

}  // namespace warpwise::cudart
