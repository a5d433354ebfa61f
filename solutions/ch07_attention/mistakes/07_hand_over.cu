// Typical wrong answers to 07_hand_over. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= right_before_down: registers 1 and 2 have changed places
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[i].value;
    scores.pair[i] = packed(relu(c[0]), relu(c[1]));
    scores.pair[i + 2] = packed(relu(c[2]), relu(c[3]));
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, right_of(own_v, 8 * i));  // expect: wrong result

//= halves_exchanged: the second of two neighbours is in the lower half
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[i].value;
    scores.pair[2 * i] = packed(relu(c[1]), relu(c[0]));
    scores.pair[2 * i + 1] = packed(relu(c[3]), relu(c[2]));
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, right_of(own_v, 8 * i));  // expect: wrong result

//= columns_for_rows: the second and third of four sums have changed places
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[i].value;
    scores.pair[2 * i] = packed(relu(c[0]), relu(c[2]));
    scores.pair[2 * i + 1] = packed(relu(c[1]), relu(c[3]));
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, right_of(own_v, 8 * i));  // expect: wrong result

//= no_relu: scores below zero count
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[i].value;
    scores.pair[2 * i] = packed(c[0], c[1]);
    scores.pair[2 * i + 1] = packed(c[2], c[3]);
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, right_of(own_v, 8 * i));  // expect: wrong result

//= v_as_b: the values are read as the keys were
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[i].value;
    scores.pair[2 * i] = packed(relu(c[0]), relu(c[1]));
    scores.pair[2 * i + 1] = packed(relu(c[2]), relu(c[3]));
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, transposed_of(own_v, 8 * i));  // expect: wrong result

//= first_half_twice: the second eight columns are forgotten
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[0].value;
    scores.pair[2 * i] = packed(relu(c[0]), relu(c[1]));
    scores.pair[2 * i + 1] = packed(relu(c[2]), relu(c[3]));
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, right_of(own_v, 8 * i));  // expect: wrong result

//= relu_after: right: halfs are rectified after rounding
  Left scores;
  for (int i = 0; i < 2; ++i) {
    const float(&c)[4] = s[i].value;
    scores.pair[2 * i] = packed(c[0] > 0 ? c[0] : 0, c[1] > 0 ? c[1] : 0);  // expect: pass
    scores.pair[2 * i + 1] = packed(relu(c[2]), relu(c[3]));
  }
  for (int i = 0; i < 2; ++i) multiply_add(o[i], scores, right_of(own_v, 8 * i));

//= through_shared: right, but the scores pass through shared memory
  __shared__ __half scores[16 * 16];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int row = g + j / 2 * 8, column = 8 * i + 2 * t + j % 2;
      scores[row * 16 + column] = __float2half(relu(s[i].value[j]));  // expect: gate shared
    }
  }
  __syncwarp();
  const Left of_scores = left_of(scores);
  for (int i = 0; i < 2; ++i) multiply_add(o[i], of_scores, right_of(own_v, 8 * i));

//= scalar_sums: right, but lanes hand scores around and add alone
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int key = 0; key < 16; ++key) {
        // Row g + j / 2 * 8: its scores are in lanes 4g to 4g + 3.
        const int from = g * 4 + key % 8 / 2;
        const float one = __shfl_sync(0xFFFFFFFF, s[key / 8].value[j / 2 * 2 + key % 2], from);
        const float value = __half2float(own_v[key * 16 + 8 * i + 2 * t + j % 2]);
        o[i].value[j] += relu(one) * value;  // expect: gate products
      }
    }
  }
