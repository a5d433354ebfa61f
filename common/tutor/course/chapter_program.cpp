#include "tutor/course/chapter_program.h"

#include "tutor/attempt/architecture.h"

namespace warpwise::tutor {

std::vector<std::string> chapter_program(Context context, const Chapter& chapter,
                                         const std::vector<std::string>& flags) {
  context.urgency = Urgency::at_length;
  if (const auto gpu = gpu_flag(flags)) build_for_gpu(context, *gpu);
  context.make(context, {chapter.name, "simulator/libcudart.so.13"});
  std::vector<std::string> words{(context.build / chapter.name).string()};
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

}  // namespace warpwise::tutor
