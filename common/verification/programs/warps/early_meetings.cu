// Ways that come together before all do, loops of few rounds that ptxas unrolls, and a call next to
// a loop: where lanes go on alone on a GPU, an access is more requests than in the text.
#include <cstdio>
#include <vector>

constexpr int threads = 128, blocks = 5, total = threads * blocks, inputs = 4096;

struct Place {
  int thread = threadIdx.x, lane = thread & 31, all = blockIdx.x * blockDim.x + thread;
};

// Each case goes on with the next.
__global__ void cases_fall_through(const int* in, int* out, int n) {
  const Place at;
  int value = in[at.all % inputs];
  switch (value >> 1 & 3) {
    case 0:
      value += in[(at.all * 4 + 6) % inputs];
      value = value < n ? value / 3 : value + at.lane;
    case 1:
      value += atomicAdd(out + total + at.all, value % 3);
    case 2:
      reinterpret_cast<short*>(out + 2 * total)[at.all] = static_cast<short>(value);
    case 3:
      value -= at.lane;
  }
  out[at.all] = value;
}

// The store is reached from three conditions, each of which has to load.
__global__ void one_of_three_conditions(const int* in, int* out, int n) {
  const Place at;
  int value = in[at.all % inputs];
  if (value % 3 == 0 || in[(at.all * 3 + value) % inputs] % 5 == 0 ||
      in[(at.all * 7 + n) % inputs] % 4 == 0) {
    out[total + at.all] = value;
    value += in[at.all + 2];
  }
  out[at.all] = value;
}

// Two ways of three share their end.
__global__ void two_of_three_ways(const int* in, int* out, int n) {
  const Place at;
  int value = in[at.all % inputs];
  if (value % 3 == 0) {
    value += in[(value + n) % inputs];
    if (value % 2) goto shared;
  } else {
    value ^= in[(value * 3 + n) % inputs];
    if (value % 4 == 3) goto alone;
  }
  out[total + at.all] = value;
shared:
  value += atomicAdd(out + 2 * total + at.all, value);
  out[3 * total + at.all] = value;
alone:
  out[at.all] = value;
}

// Not more than two rounds, and not the same number for all lanes of a warp.
__global__ void two_rounds(const int* in, int* out, int n) {
  const Place at;
  int value = n;
  for (int i = 0; i < at.thread % 5; i += 2) {
    out[total + at.all] = value + i;
    value ^= in[(at.all + value) % inputs];
  }
  out[at.all] = value;
}

// The compiler's front end unrolls by four and has a loop for the rest, which ptxas leaves alone:
// up to three rounds for some lanes, and one of the four for others.
__global__ void sum_of_rest(const int* in, int* out, int n) {
  const Place at;
  int sum = 0;
  for (int i = at.thread; i < n; i += threads) sum += in[i];
  out[at.all] = sum;
}

__device__ __noinline__ int product(int a, int b) { return a * b + (a >> 3); }

// ptxas writes YIELD into the loop, and the lanes that leave it in different rounds stay separate.
__global__ void loop_beside_call(const int* in, int* out, int n) {
  const Place at;
  int value = in[at.all % inputs], other = at.thread ^ 5;
  if (at.lane != 4)
    for (int i = 0; i < (at.all * 7 & 3); ++i) {
      value += in[(value + i) & (inputs - 1)];
      atomicMax(out + n + at.all, value);
    }
  else
    other = product(other, at.all);
  out[at.all] = value + other;
}

int main() {
  std::vector<int> host(inputs), got(total * 4);
  unsigned random = 12345;
  for (int& value : host) value = static_cast<int>((random = random * 1664525 + 1013904223) >> 9);
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, inputs * sizeof(int));
  cudaMalloc(&out, got.size() * sizeof(int));
  cudaMemcpy(in, host.data(), inputs * sizeof(int), cudaMemcpyHostToDevice);
  auto run = [&](const char* name, auto kernel, int n) {
    cudaMemset(out, 0, got.size() * sizeof(int));
    kernel<<<blocks, threads>>>(in, out, n);
    const cudaError_t error =
        cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned long long sum = 1;
    for (const int value : got) sum = sum * 1000003 + static_cast<unsigned>(value);
    printf("%s: %s %llx\n", name, cudaGetErrorName(error), sum);
  };
  run("cases fall through", cases_fall_through, total);
  run("one of three conditions", one_of_three_conditions, total);
  run("two of three ways", two_of_three_ways, total);
  run("two rounds", two_rounds, total);
  run("loop next to call", loop_beside_call, total);
  // 3 rounds or 4, 4 or 5, 1 or 2, 6 or 7, 9 or 10.
  for (const int n :
       {3 * threads + 17, 4 * threads + 5, threads + 77, 6 * threads + 40, 9 * threads + 3})
    run("sum of the rest", sum_of_rest, n);
  cudaFree(in);
  cudaFree(out);
}
