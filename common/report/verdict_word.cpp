#include "report/verdict_word.h"

namespace warpwise::report {

std::string word_of(const CheckVerdict& verdict) {
  if (verdict.verdict == "diagnosed") return verdict.kind;
  return verdict.verdict == "gate" ? "missed gate" : verdict.verdict;
}

}  // namespace warpwise::report
