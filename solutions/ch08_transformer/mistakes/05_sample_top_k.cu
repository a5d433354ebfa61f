// Typical wrong answers to 05_sample_top_k. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= starts_at_zero: the best so far begins at 0, which is above every logit of some rows
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = 0, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= ties_by_lane: of equal logits the one in the lower place of the butterfly wins
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= token_stays: the value goes through the butterfly, and the token does not
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      if (other > best) best = other;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= never_removed: the best one is found k times
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == V) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= temperature_multiplies: a high temperature makes the choice sharper
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) * temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= largest_not_subtracted: the exponential of the logit itself, which is no float in some rows
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf(best / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= weights_of_all: the number drawn is taken of the sum of all weights of the row
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  total = 0;
  for (int v = lane; v < V; v += 32) total += expf((in[v] - largest) / temperature);
  for (int d = 16; d > 0; d /= 2) total += __shfl_xor_sync(0xFFFFFFFF, total, d);
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= one_late: a candidate is compared before its own weight is added
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
    sum += weight[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= at_least: the sum may be as large as the number drawn, which matters at 0
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    if (chosen < 0 && (sum >= reach || i == k - 1)) chosen = best_id[i];
    sum += weight[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= one_number_for_all: all rows use the number of the first
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[0] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;  // expect: wrong result

//= no_guard: the last block has warps without a row
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  const float* in = logits + static_cast<size_t>(row) * V;
  // The lane's own best, in order; a token that does not exist comes last.
  float own[8];
  int own_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) own[i] = -INFINITY, own_id[i] = V;
  for (int v = lane; v < V; v += 32) {
    float value = in[v];  // expect: out-of-bounds
    int id = v;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (value > own[i] || (value == own[i] && id < own_id[i])) {
        const float other = own[i];
        const int other_id = own_id[i];
        own[i] = value, own_id[i] = id;
        value = other, id = other_id;
      }
    }
  }
  // The warp's best, k times: the largest of the lanes' first ones leaves its lane.
  float weight[8], total = 0, largest = 0;
  int best_id[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = own[0];
    int id = own_id[0];
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (id == own_id[0]) {
#pragma unroll
      for (int j = 0; j < 7; ++j) own[j] = own[j + 1], own_id[j] = own_id[j + 1];
      own[7] = -INFINITY, own_id[7] = V;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;

//= read_k_times: right, but the row is read once for each candidate
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float* in = logits + static_cast<size_t>(row) * V;
  float weight[8], total = 0, largest = 0, before = INFINITY;
  int best_id[8], before_id = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    weight[i] = 0, best_id[i] = 0;
    if (i >= k) continue;
    float best = -INFINITY;
    int id = V;
    for (int v = lane; v < V; v += 32) {
      const float value = in[v];  // expect: gate sectors
      if (value > before || (value == before && v <= before_id)) continue;
      if (value > best || (value == best && v < id)) best = value, id = v;
    }
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xFFFFFFFF, best, d);
      const int other_id = __shfl_xor_sync(0xFFFFFFFF, id, d);
      if (other > best || (other == best && other_id < id)) best = other, id = other_id;
    }
    if (i == 0) largest = best;
    weight[i] = expf((best - largest) / temperature);
    best_id[i] = id, before = best, before_id = id;
    total += weight[i];
  }
  const float reach = u[row] * total;
  float sum = 0;
  int chosen = -1;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i >= k) continue;
    sum += weight[i];
    if (chosen < 0 && (sum > reach || i == k - 1)) chosen = best_id[i];
  }
  if (lane == 0) token[row] = chosen;
