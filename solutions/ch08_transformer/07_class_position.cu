// Exercise 07_class_position: a class token in front of an image's patches, and positions for all.
//
// patches: B x (T - 1) x columns floats, the vectors of an image's patches; first: columns floats,
// the vector of the class token; positions: T x columns floats; x: B x T x columns floats,
// row-major:
//   x[b][0] = first          + positions[0]
//   x[b][t] = patches[b][t-1] + positions[t]      for t from 1 to T - 1
// columns is a multiple of 4, all arrays are in device memory and begin at multiples of 16 bytes.
// The launch is fixed, a thread per four floats of x:
//   blockDim = 128, gridDim = B * T * columns / 4 / 128, rounded up
// Build and check it: ./learn run ch08/07
__global__ void class_position(const float* patches, const float* first, const float* positions,
                               float* x, int B, int T, int columns) {
  // BEGIN YOUR CODE
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * (T - 1) + t - 1);
  const float4 position = at(positions, t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};
  // END YOUR CODE
}
