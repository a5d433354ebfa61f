// Typical wrong answers to 04_hand_over. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= right_before_down: registers 1 and 2 have changed places
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(relu(l[0]), relu(l[1])), packed(relu(r[0]), relu(r[1])),
                        packed(relu(l[2]), relu(l[3])), packed(relu(r[2]), relu(r[3]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));  // expect: wrong result
  multiply_add(o[1], scores, right_of(own_v, 8));

//= halves_exchanged: the second of two neighbours is in the lower half
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(relu(l[1]), relu(l[0])), packed(relu(l[3]), relu(l[2])),
                        packed(relu(r[1]), relu(r[0])), packed(relu(r[3]), relu(r[2]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));  // expect: wrong result
  multiply_add(o[1], scores, right_of(own_v, 8));

//= columns_for_rows: the second and third of four sums have changed places
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(relu(l[0]), relu(l[2])), packed(relu(l[1]), relu(l[3])),
                        packed(relu(r[0]), relu(r[2])), packed(relu(r[1]), relu(r[3]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));  // expect: wrong result
  multiply_add(o[1], scores, right_of(own_v, 8));

//= no_relu: scores below zero count
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(l[0], l[1]), packed(l[2], l[3]),
                        packed(r[0], r[1]), packed(r[2], r[3])}};
  multiply_add(o[0], scores, right_of(own_v, 0));  // expect: wrong result
  multiply_add(o[1], scores, right_of(own_v, 8));

//= v_as_b: the values are read as the keys were
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(relu(l[0]), relu(l[1])), packed(relu(l[2]), relu(l[3])),
                        packed(relu(r[0]), relu(r[1])), packed(relu(r[2]), relu(r[3]))}};
  multiply_add(o[0], scores, transposed_of(own_v, 0));  // expect: wrong result
  multiply_add(o[1], scores, transposed_of(own_v, 8));

//= first_half_twice: the second eight columns are forgotten
  const float(&l)[4] = s[0].value;
  const Left scores = {{packed(relu(l[0]), relu(l[1])), packed(relu(l[2]), relu(l[3])),
                        packed(relu(l[0]), relu(l[1])), packed(relu(l[2]), relu(l[3]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));  // expect: wrong result
  multiply_add(o[1], scores, right_of(own_v, 8));

//= same_values: both products take the first eight columns of v
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(relu(l[0]), relu(l[1])), packed(relu(l[2]), relu(l[3])),
                        packed(relu(r[0]), relu(r[1])), packed(relu(r[2]), relu(r[3]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));
  multiply_add(o[1], scores, right_of(own_v, 0));  // expect: wrong result

//= own_relu: right: a comparison instead of the function of the frame
  const float(&l)[4] = s[0].value;
  const float(&r)[4] = s[1].value;
  const Left scores = {{packed(l[0] > 0 ? l[0] : 0, l[1] > 0 ? l[1] : 0), packed(relu(l[2]), relu(l[3])),
                        packed(relu(r[0]), relu(r[1])), packed(relu(r[2]), relu(r[3]))}};
  multiply_add(o[0], scores, right_of(own_v, 0));  // expect: pass
  multiply_add(o[1], scores, right_of(own_v, 8));

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
