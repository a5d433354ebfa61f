// Typical wrong answers to 02_running_mean. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= o_not_rescaled: only the sum of weights is repaired
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o + weight * value[i];  // expect: wrong result
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_m = __shfl_xor_sync(0xFFFFFFFF, m, distance);
    const float other_l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
    const float other_o = __shfl_xor_sync(0xFFFFFFFF, o, distance);
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + other_l * expf(other_m - both);
    o = o * expf(m - both) + other_o * expf(other_m - both);
    m = both;
  }
  mean = o / l;

//= new_term_rescaled: the factor is applied to the new term as well
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = (l + weight) * factor;
    o = (o + weight * value[i]) * factor;  // expect: wrong result
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_m = __shfl_xor_sync(0xFFFFFFFF, m, distance);
    const float other_l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
    const float other_o = __shfl_xor_sync(0xFFFFFFFF, o, distance);
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + other_l * expf(other_m - both);
    o = o * expf(m - both) + other_o * expf(other_m - both);
    m = both;
  }
  mean = o / l;

//= begins_with_zero: rows far below zero have no weights at all
  float m = 0, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_m = __shfl_xor_sync(0xFFFFFFFF, m, distance);
    const float other_l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
    const float other_o = __shfl_xor_sync(0xFFFFFFFF, o, distance);
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + other_l * expf(other_m - both);
    o = o * expf(m - both) + other_o * expf(other_m - both);
    m = both;
  }
  mean = o / l;  // expect: wrong result

//= begins_with_infinity: two lanes without a column give no number
  float m = -INFINITY, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_m = __shfl_xor_sync(0xFFFFFFFF, m, distance);
    const float other_l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
    const float other_o = __shfl_xor_sync(0xFFFFFFFF, o, distance);
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + other_l * expf(other_m - both);
    o = o * expf(m - both) + other_o * expf(other_m - both);
    m = both;
  }
  mean = o / l;  // expect: wrong result

//= lanes_added: sums that belong to different maxima are added
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    l += __shfl_xor_sync(0xFFFFFFFF, l, distance);
    o += __shfl_xor_sync(0xFFFFFFFF, o, distance);
  }
  mean = o / l;  // expect: wrong result

//= two_passes: right, but the scores are read twice
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) m = fmaxf(m, score[i]);  // expect: gate sectors
  for (int distance = 16; distance > 0; distance /= 2) {
    m = fmaxf(m, __shfl_xor_sync(0xFFFFFFFF, m, distance));
  }
  for (int i = lane; i < columns; i += 32) {
    const float weight = expf(score[i] - m);
    l += weight;
    o += weight * value[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    l += __shfl_xor_sync(0xFFFFFFFF, l, distance);
    o += __shfl_xor_sync(0xFFFFFFFF, o, distance);
  }
  mean = o / l;

//= shuffle_down: the maximum of lane 0 is used by lanes that know another
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  float largest = m;
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_down_sync(0xFFFFFFFF, largest, distance));
  }
  l *= expf(m - largest);
  o *= expf(m - largest);
  for (int distance = 16; distance > 0; distance /= 2) {
    l += __shfl_down_sync(0xFFFFFFFF, l, distance);
    o += __shfl_down_sync(0xFFFFFFFF, o, distance);
  }
  mean = o / l;  // expect: wrong result

//= lanes_left: lanes without columns leave, and the mask names all
  if (lane >= columns) return;
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other_m =
        __shfl_xor_sync(0xFFFFFFFF, m, distance);  // expect: invalid-shuffle
    const float other_l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
    const float other_o = __shfl_xor_sync(0xFFFFFFFF, o, distance);
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + other_l * expf(other_m - both);
    o = o * expf(m - both) + other_o * expf(other_m - both);
    m = both;
  }
  mean = o / l;

//= through_shared: right, but the lanes meet in shared memory
  __shared__ float triples[4][3][32];
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = lane; i < columns; i += 32) {
    const float larger = fmaxf(m, score[i]);
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  triples[threadIdx.y][0][lane] = m;
  triples[threadIdx.y][1][lane] = l;
  triples[threadIdx.y][2][lane] = o;
  __syncwarp();
  if (lane > 0) return;
  for (int other = 1; other < 32; ++other) {
    const float other_m = triples[threadIdx.y][0][other];  // expect: gate shared
    const float both = fmaxf(m, other_m);
    l = l * expf(m - both) + triples[threadIdx.y][1][other] * expf(other_m - both);
    o = o * expf(m - both) + triples[threadIdx.y][2][other] * expf(other_m - both);
    m = both;
  }
  mean = o / l;

//= one_lane: right, but lane 0 walks along the row alone
  if (lane > 0) return;
  float m = -FLT_MAX, l = 0, o = 0;
  for (int i = 0; i < columns; ++i) {
    const float larger = fmaxf(m, score[i]);  // expect: gate sectors
    const float factor = expf(m - larger), weight = expf(score[i] - larger);
    l = l * factor + weight;
    o = o * factor + weight * value[i];
    m = larger;
  }
  mean = o / l;
