// Loads that ptxas moves: after a branch that some lanes do not take, or before a loop whose
// iterations all load the same. The counts of Nsight Compute show whether it has.
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int threads = 128, blocks = 5, total = threads * blocks, inputs = 4096;

struct Place {
  int thread = threadIdx.x, lane = thread & 31, all = blockIdx.x * blockDim.x + thread;
};

// The value is wanted after the return only, by way of a variable that is written twice.
__global__ void read_before_returning(const int* in, int* out, int n) {
  const Place at;
  int value = in[at.all % inputs];
  const unsigned first = __ballot_sync(~0u, at.all < n - 9);
  if (at.all >= n - 9) return;
  const bool is_first_warp = at.thread < 32;
  const unsigned there = __ballot_sync(first, is_first_warp);
  if (is_first_warp) value ^= __ballot_sync(there, at.lane * 7 > value);
  out[at.all] = value + __reduce_add_sync(first, at.lane & 3);
}

// Every turn reads the same word.
__global__ void same_in_every_turn(const int* in, int* out, int n) {
  const Place at;
  unsigned staying = ~0u;
  int sum = n;
  for (int turn = 0;; ++turn) {
    const bool stays = turn < at.all * 7 % 8;
    staying = __ballot_sync(staying, stays);
    if (!stays) break;
    sum += in[blockIdx.x + 4] * turn;
  }
  out[at.all] = sum;
}

// And every turn of the loop around it.
__global__ void same_in_nested_loops(const int4* in, int* out, int n) {
  const Place at;
  unsigned outer = ~0u;
  int sum = n;
  for (int i = 0;; ++i) {
    outer = __ballot_sync(outer, i < sum % 8);
    if (i >= sum % 8) break;
    unsigned inner = outer;
    for (int k = 0;; ++k) {
      const bool stays = k <= at.lane % 4;
      inner = __ballot_sync(inner, stays);
      if (!stays) break;
      const int4 four = in[blockIdx.x * 64 + 2];
      sum += four.x - four.y + four.z * 3 + four.w + k;
    }
  }
  out[at.all] = sum;
}

// The loop might store to what it reads: each iteration has to look again.
__global__ void stored_in_every_turn(const int* in, int* out, int n) {
  const Place at;
  for (int turn = 0; turn < n % 7; ++turn) out[at.all + turn * total] = in[blockIdx.x] + turn;
}

// Only some lanes want the first of two values.
__global__ void one_of_two(const int* in, int* out, int n) {
  const Place at;
  int value = in[at.all * 3 % inputs];
  if (at.thread % 3 == 1) value = in[(at.all + n) % inputs];
  __syncwarp();
  if (value % 2 == 0) value += in[at.lane + 64];
  out[at.all] = value;
}

int main() {
  std::vector<int> host(inputs), got(total * 7);
  std::iota(host.begin(), host.end(), 3);
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, inputs * sizeof(int));
  cudaMalloc(&out, got.size() * sizeof(int));
  cudaMemcpy(in, host.data(), inputs * sizeof(int), cudaMemcpyHostToDevice);
  auto run = [&](const char* name, auto kernel, auto* from) {
    cudaMemset(out, 0, got.size() * sizeof(int));
    kernel<<<blocks, threads>>>(from, out, total);
    const cudaError_t error =
        cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned long long sum = 1;
    for (const int value : got) sum = sum * 1000003 + static_cast<unsigned>(value);
    printf("%s: %s %llx\n", name, cudaGetErrorName(error), sum);
  };
  run("read before returning", read_before_returning, in);
  run("same in every turn", same_in_every_turn, in);
  run("same in nested loops", same_in_nested_loops, reinterpret_cast<const int4*>(in));
  run("stored in every turn", stored_in_every_turn, in);
  run("one of two", one_of_two, in);
  cudaFree(in);
  cudaFree(out);
}
