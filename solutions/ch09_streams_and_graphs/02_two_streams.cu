// Exercise 02_two_streams: one array, in pieces over several streams.
//
//   y[i] = 3 * x[i] + 1
//
// In one stream the copy in, the kernel and the copy out of a piece take turns. Pieces in different
// streams need not wait for each other: while one is computed, the next comes in.
//
// Build and check it: ./learn run ch09/02. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch09_streams_and_graphs/02_two_streams.cu
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

// One thread for each element; blocks of any size, at least n threads in all.
__global__ void line(const float* x, float* y, int n, float a, float b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b;
}

// A stream and two arrays of `length` floats on the device, for one piece at a time.
struct Lane {
  cudaStream_t stream;
  float* x;
  float* y;
};

// Issues all pieces; the caller waits afterwards. x, y: n floats each, in page-locked host memory.
// A piece has `length` elements, the last one what is left. Piece p uses lanes[p % lane_count].
void issue_pieces(const float* x, float* y, int n, int length, const Lane* lanes, int lane_count) {
  // BEGIN YOUR CODE
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const int first = p * length;
    const int count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);
    line<<<(count + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, count, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }
  // END YOUR CODE
}

// x, y: n floats each, in any host memory; n, pieces and streams are at least 1. y = 3 x + 1.
void line_in_pieces(const float* x, float* y, int n, int pieces, int streams) {
  const size_t bytes = n * sizeof(float);
  const int length = (n + pieces - 1) / pieces;
  float *pinned_x, *pinned_y;
  cudaMallocHost(&pinned_x, bytes);
  cudaMallocHost(&pinned_y, bytes);
  std::memcpy(pinned_x, x, bytes);
  std::vector<Lane> lanes(streams);
  for (Lane& lane : lanes) {
    cudaStreamCreate(&lane.stream);
    cudaMalloc(&lane.x, length * sizeof(float));
    cudaMalloc(&lane.y, length * sizeof(float));
  }
  issue_pieces(pinned_x, pinned_y, n, length, lanes.data(), streams);
  cudaDeviceSynchronize();
  std::memcpy(y, pinned_y, bytes);
  for (Lane& lane : lanes) {
    cudaStreamDestroy(lane.stream);
    cudaFree(lane.x);
    cudaFree(lane.y);
  }
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);
}

int main() {
  const float x[5] = {1, 2, 3, 4, 5};
  float y[5] = {};
  line_in_pieces(x, y, 5, 2, 2);
  std::printf("%g %g %g %g %g\n", y[0], y[1], y[2], y[3], y[4]);
}
