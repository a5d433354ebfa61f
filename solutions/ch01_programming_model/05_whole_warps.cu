// Exercise 05_whole_warps: two jobs for each place, each done by whole warps.
//
//   y[place]     = p[place] + p[n + place] + ... + p[7 * n + place]
//   y[n + place] = the largest of q[place], q[n + place], ..., q[7 * n + place]
//
// p and q: 8 * n floats, y: 2 * n floats, in device memory; 8 * n fits into an int.
//   blockDim = 256; a block takes 128 places, and each place has two jobs
//   gridDim  = n / 128, rounded up
// Every n must work. Build and check it: ./learn run ch01/05
__global__ void two_jobs(const float* p, const float* q, float* y, int n) {
  // BEGIN YOUR CODE
  const int job = threadIdx.x / 128;
  const int place = blockIdx.x * 128 + threadIdx.x % 128;
  if (place >= n) return;
  if (job == 0) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += p[k * n + place];
    y[place] = sum;
  } else {
    float largest = q[place];
    for (int k = 1; k < 8; ++k) largest = fmaxf(largest, q[k * n + place]);
    y[n + place] = largest;
  }
  // END YOUR CODE
}
