/// \file
/// Logits against those of a debug state.
#include "likelihoods.h"

#include <algorithm>
#include <cmath>

namespace gpt {

Likelihoods compare(const Dimensions& d, const std::vector<float>& logits,
                    const warpwise::models::DebugState& state) {
  const int V = d.tokens;
  Likelihoods all;
  all.rows = static_cast<int>(state.x.size());
  for (int row = 0; row < all.rows; ++row) {
    // Our rows have padded columns, the file's have not.
    const float *ours = &logits[std::size_t(row) * d.padded_tokens],
                *theirs = &state.logits[std::size_t(row) * V];
    const double total = log_of_sum(ours, V), their_total = log_of_sum(theirs, V);
    for (int v = 0; v < V; ++v) {
      const double log_p = theirs[v] - their_total, log_q = ours[v] - total;
      const double error = std::fabs(log_p - log_q);
      keep_largest(all.of_logit, std::fabs(double{ours[v]} - theirs[v]));
      keep_largest(all.largest, error);
      all.mean += error / (double(V) * all.rows);
      all.divergence += std::exp(log_p) * (log_p - log_q) / all.rows;
    }
    all.loss += (total - ours[state.y[row]]) / all.rows;
    all.same +=
        std::max_element(ours, ours + V) - ours == std::max_element(theirs, theirs + V) - theirs;
  }
  return all;
}

}  // namespace gpt
