// Exercise 05_merge_parts: several partial softmaxes become one.
//
// The keys of each row were cut into S parts, and a kernel has left of part s of row r
//   m[r * S + s]               its largest score; minus infinity if the part is empty
//   l[r * S + s]               its sum of exp(score - m)
//   o[(r * S + s) * 64 + c]    its sum of exp(score - m) * value, 64 columns; not divided
// all in device memory. y: rows * 64 floats, what the softmax over all parts of the row gives; 0
// where all parts are empty. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Every S must work. o begins at a multiple of 16 bytes; read each of its numbers once.
// Build and check it: ./learn run ch07/05
__global__ void merge_parts(const float* m, const float* l, const float* o, float* y, int rows,
                            int S) {
  // BEGIN YOUR CODE
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t first = static_cast<size_t>(row) * S;
  float largest = -INFINITY;
  for (int s = lane; s < S; s += 32) largest = fmaxf(largest, m[first + s]);
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
  }
  float sum = 0;
  float2 mean = {};
  for (int s = 0; s < S; ++s) {
    if (m[first + s] == -INFINITY) continue;
    const float weight = expf(m[first + s] - largest);
    const float2 part = reinterpret_cast<const float2*>(o)[(first + s) * 32 + lane];
    sum += weight * l[first + s];
    mean.x += weight * part.x;
    mean.y += weight * part.y;
  }
  const float inverse = sum > 0 ? 1 / sum : 0;
  reinterpret_cast<float2*>(y)[static_cast<size_t>(row) * 32 + lane] = {mean.x * inverse,
                                                                        mean.y * inverse};
  // END YOUR CODE
}
