#pragma once
#include "gpt.h"

/// \file
/// What a sampler and a loss see of logits.
namespace gpt {

/// Distances from another program's logits, over all rows and tokens.
struct Likelihoods {
  double of_logit = 0;           ///< largest.
  double largest = 0, mean = 0;  ///< of a log-probability.
  double divergence = 0;         ///< mean over the rows of sum p (log p - log q), nats.
  double loss = 0;               ///< mean over the rows, of ours.
  int same = 0, rows = 0;        ///< rows whose most likely token is the same; all.
};

/// @param logits (B T, padded tokens), host. @param state whose tokens they are for.
Likelihoods compare(const Dimensions& d, const std::vector<float>& logits,
                    const warpwise::models::DebugState& state);

}  // namespace gpt
