// Recursive device functions: Ackermann, quicksort, N queens, towers of Hanoi, mutual recursion, a
// parser.
#include <cstdio>

__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ void quicksort(short* a, int low, int high) {
  if (low >= high) return;
  const short pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) {
      const short t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

__device__ int queens(int n, unsigned columns, unsigned left, unsigned right) {
  const unsigned all = (1u << n) - 1;
  if (columns == all) return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
    const unsigned bit = free & -free;
    count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

__device__ void hanoi(int n, int from, int to, unsigned* trace) {
  if (n == 0) return;
  hanoi(n - 1, from, 3 - from - to, trace);
  *trace = *trace * 31 + from * 3 + to;
  hanoi(n - 1, 3 - from - to, to, trace);
}

__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

// expression := term (('+'|'-') term)*, term := factor ('*' factor)*, factor := digit | '('
// expression ')'
struct Parser {
  const char* p;
  __device__ int expression() {
    int v = term();
    while (*p == '+' || *p == '-') v = *p++ == '+' ? v + term() : v - term();
    return v;
  }
  __device__ int term() {
    int v = factor();
    while (*p == '*') ++p, v *= factor();
    return v;
  }
  __device__ int factor() {
    if (*p == '(') {
      ++p;
      const int v = expression();
      ++p;
      return v;
    }
    return *p++ - '0';
  }
};

__device__ const char* formulas[] = {"1+2*3", "(1+2)*3", "((7-3)*(2+5))-9",
                                     "2*2*2*2*(3-(4-(5-6)))"};

__global__ void run(int* out) {
  const int t = threadIdx.x;
  out[t] = ackermann(t % 3, t % 5);
  short a[40];
  for (int i = 0; i < 40; ++i) a[i] = (short)((i * 7919 + t * 104729) % 1000);
  quicksort(a, 0, 39);
  int h = 0;
  for (int i = 0; i < 40; ++i) h = h * 17 + a[i];
  out[32 + t] = h;
  out[64 + t] = t < 7 ? queens(t + 1, 0, 0, 0) : 0;
  unsigned trace = 0;
  hanoi(t % 8, 0, 2, &trace);
  out[96 + t] = (int)trace;
  out[128 + t] = is_even(t * 3);
  Parser parser{formulas[t % 4]};
  out[160 + t] = parser.expression();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 192 * sizeof(int));
  cudaDeviceSetLimit(cudaLimitStackSize, 8192);
  run<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 192; ++i) printf("%d%c", out[i], i % 32 == 31 ? '\n' : ' ');
  cudaFree(out);
}
