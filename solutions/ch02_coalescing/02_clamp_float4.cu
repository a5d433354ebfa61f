// Exercise 02_clamp_float4: keep each number between two bounds, four numbers at a time.
//
//   y[i] = x[i] below low ? low : x[i] above high ? high : x[i]
//
// x and y: n floats in device memory; both begin on a 16-byte boundary.
//   blockDim = 256, gridDim = n / 4 / 256, each quotient rounded up: one thread for each four
//   numbers
// n need not be a multiple of 4. No number of x is a NaN. Build and check it: ./learn run ch02/02
__global__ void clamp_float4(const float* x, float* y, int n, float low, float high) {
  // BEGIN YOUR CODE
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) {
    float4 v = reinterpret_cast<const float4*>(x)[pack];
    v.x = fminf(fmaxf(v.x, low), high);
    v.y = fminf(fmaxf(v.y, low), high);
    v.z = fminf(fmaxf(v.z, low), high);
    v.w = fminf(fmaxf(v.w, low), high);
    reinterpret_cast<float4*>(y)[pack] = v;
  }
  // Up to three numbers behind the last whole pack: the thread of the pack that is not whole.
  if (pack == packs) {
    for (int i = packs * 4; i < n; ++i) y[i] = fminf(fmaxf(x[i], low), high);
  }
  // END YOUR CODE
}
