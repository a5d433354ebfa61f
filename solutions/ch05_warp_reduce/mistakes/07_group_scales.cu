// Typical wrong answers to 07_group_scales. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= whole_warp: the butterfly runs over all 32 lanes: four groups get one scale
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 0;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;  // expect: wrong result

//= mask_of_eight: the mask names the first eight lanes, and all of them execute the shuffle
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 0;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    largest =
        fmaxf(largest, __shfl_xor_sync(0x000000FF, largest, distance, 8));  // expect: invalid-shuffle
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;

//= without_sign: the largest number, not the largest absolute value
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 0;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(fmaxf((four.x), (four.y)), fmaxf((four.z), (four.w)));
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance, 8));
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;  // expect: wrong result

//= first_value: begins with a small number in place of 0
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 1e-6f;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(largest, fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w))));
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance, 8));
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;  // expect: wrong result

//= no_guard: the last warp loads groups that do not exist
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];  // expect: out-of-bounds
  float largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  for (int distance = 4; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance, 8));
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;

//= single_floats: right, but each lane loads its four floats one by one
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 0;
  if (group < groups) {
    for (int i = 0; i < 4; ++i) {
      largest = fmaxf(largest, fabsf(x[group * 32 + i * 8 + part]));  // expect: gate loads
    }
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance, 8));
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;

//= through_shared: right, but the eight numbers meet in shared memory
  __shared__ float parts[128];
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 0;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  }
  parts[threadIdx.x] = largest;
  __syncwarp();
  for (int other = 0; other < 8; ++other) {
    largest = fmaxf(largest, parts[threadIdx.x / 8 * 8 + other]);  // expect: gate shared
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;

//= no_width: right: distances below 8 need no width
  const int group = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  const int part = threadIdx.x % 8;
  float largest = 0;
  if (group < groups) {
    const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];
    largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  }
  for (int distance = 4; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));  // expect: pass
  }
  if (part == 0 && group < groups) scale[group] = largest / 127;

//= one_block: right, but the first block takes all groups
  if (blockIdx.x > 0) return;
  const int part = threadIdx.x % 8;
  for (int begin = 0; begin < groups; begin += 16) {
    const int group = begin + threadIdx.x / 8;
    float largest = 0;
    if (group < groups) {
      const float4 four = reinterpret_cast<const float4*>(x)[group * 8 + part];  // expect: gate workers
      largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
    }
    for (int distance = 4; distance > 0; distance /= 2) {
      largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance, 8));
    }
    if (part == 0 && group < groups) scale[group] = largest / 127;
  }
