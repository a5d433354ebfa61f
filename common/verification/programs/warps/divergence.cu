// Control flow: nested branches, loops with break and continue, switch, early return, goto, and
// code that is reached by lanes in different orders.
#include <cstdio>

__device__ int collatz(unsigned n) {
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}

__device__ int nested(int a, int b) {
  if (a > 10) {
    if (b > 5) {
      if ((a ^ b) & 1) return a * b;
      a += 3;
    } else if (b < -5) {
      b = -b;
    } else {
      return 1;
    }
    a -= b;
  } else {
    for (int i = 0; i < 10; ++i) {
      if (i == a) continue;
      if (i * i > b + 40) break;
      for (int j = i; j < 5; ++j) {
        if ((i + j) % 4 == 3) break;
        a += i * j;
      }
    }
  }
  return a * 100 + b;
}

__device__ int states(const char* text) {
  // Counts words and numbers with jumps only.
  int words = 0, numbers = 0;
  const char* p = text;
start:
  if (*p == 0) goto end;
  if (*p >= '0' && *p <= '9') goto number;
  if (*p != ' ') goto word;
  ++p;
  goto start;
word:
  while (*p && *p != ' ') ++p;
  ++words;
  goto start;
number:
  do {
    ++p;
    if (*p == ' ' || *p == 0) {
      ++numbers;
      goto start;
    }
  } while (*p >= '0' && *p <= '9');
  goto word;
end:
  return words * 100 + numbers;
}

__device__ int choose(int x) {
  switch (x % 12) {
    case 0:
      return 5;
    case 1:
      x += 2;  // fall through
    case 2:
      x *= 3;
      break;
    case 3:
    case 4:
      x -= 100;
      break;
    case 5:
      for (int i = 0; i < x; ++i)
        if (i * i > x) return i;
      break;
    case 7:
      x = ~x;
      break;
    case 8:
      x ^= 0x55;
      break;
    case 9:
      return x % 3 == 0 ? x + 7 : -1;
    case 11:
      x <<= 3;
      break;
    default:
      x = -x;
  }
  return x + 1;
}

__device__ const char* sentences[] = {"one 22 three3 4", "", "12 34 56x 7", "a b c d e f g", "99"};

__global__ void run(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = collatz(i + 1);
  out[n + i] = nested(i % 23, 17 - i % 31);
  out[2 * n + i] = states(sentences[i % 5]);
  out[3 * n + i] = choose(i);
  int zigzag = 0;
  for (int k = 0; k < i % 7; ++k)
    for (int j = k; j > 0; j -= 1 + (i & 1)) zigzag = zigzag * 2 + ((j ^ i) & 1);
  out[4 * n + i] = zigzag;
  // Short circuits with effects, and the comma operator.
  int calls = 0;
  const bool b = (i & 1 && ++calls) || (i & 2 && (calls += 10, i & 4)) || (calls += 100, false);
  out[5 * n + i] = calls * 2 + b;
}

// Each lane leaves the loop in its own round; all meet again at the shuffle.
__global__ void meet_again(int* out) {
  int rounds = 0;
  for (unsigned s = threadIdx.x * 2654435761u; s % 13 != 0; s = s * 1664525u + 1013904223u)
    ++rounds;
  __syncwarp();
  out[threadIdx.x] = rounds * 1000 + __shfl_xor_sync(0xffffffffu, rounds, 1);
}

int main() {
  const int n = 300;
  int *out, host[6 * n];
  cudaMalloc(&out, sizeof host);
  run<<<5, 64>>>(out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int r = 0; r < 6; ++r) {
    unsigned h = 0;
    for (int i = 0; i < n; ++i) h = h * 33 + host[r * n + i];
    printf("%08x:", h);
    for (int i = 0; i < 26; ++i) printf(" %d", host[r * n + i]);
    printf("\n");
  }
  meet_again<<<1, 32>>>(out);
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) printf("%d ", host[i]);
  printf("\n");
  cudaFree(out);
}
