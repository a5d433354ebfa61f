// Text: histogram of letters, word count, three string searches, edit distance by wavefronts,
// run-length coding.
#include <cstdio>
#include <cstring>
#include <string>

__device__ bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

__global__ void histogram(const char* text, int n, int* bins, int* words) {
  __shared__ int local[26];
  if (threadIdx.x < 26) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const char c = text[i];
    if (letter(c)) atomicAdd(&local[(c | 32) - 'a'], 1);
    if (letter(c) && (i == 0 || !letter(text[i - 1]))) atomicAdd(words, 1);
  }
  __syncthreads();
  if (threadIdx.x < 26 && local[threadIdx.x]) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void naive_search(const char* text, int n, const char* pattern, int m, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + m > n) return;
  int k = 0;
  while (k < m && text[i + k] == pattern[k]) ++k;
  if (k == m) atomicAdd(count, 1);
}

// Knuth-Morris-Pratt: a thread takes a piece and looks a little over its end.
__global__ void kmp(const char* text, int n, const char* pattern, int m, int piece, int* count) {
  int next[32];
  next[0] = 0;
  for (int i = 1, k = 0; i < m; ++i) {
    while (k && pattern[i] != pattern[k]) k = next[k - 1];
    if (pattern[i] == pattern[k]) ++k;
    next[i] = k;
  }
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * piece,
            end = min(n, begin + piece + m - 1);
  for (int i = begin, k = 0; i < end; ++i) {
    while (k && text[i] != pattern[k]) k = next[k - 1];
    if (text[i] == pattern[k]) ++k;
    if (k == m) {
      atomicAdd(count, 1);
      k = next[k - 1];
    }
  }
}

__global__ void rabin_karp(const char* text, int n, const char* pattern, int m, int* count) {
  unsigned want = 0, have = 0;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + m > n) return;
  for (int k = 0; k < m; ++k) want = want * 257 + pattern[k], have = have * 257 + text[i + k];
  if (want != have) return;
  for (int k = 0; k < m; ++k)
    if (text[i + k] != pattern[k]) return;
  atomicAdd(count, 1);
}

__global__ void edit_distance(const char* a, int n, const char* b, int m, int* result) {
  extern __shared__ int diagonals[];
  int *before = diagonals, *last = before + n + 1, *now = last + n + 1;
  for (int d = 0; d <= n + m; ++d) {
    for (int i = threadIdx.x; i <= n; i += blockDim.x) {
      const int j = d - i;
      if (j < 0 || j > m) continue;
      int v;
      if (i == 0 || j == 0)
        v = i + j;
      else
        v = min(min(last[i - 1], last[i]) + 1, before[i - 1] + (a[i - 1] != b[j - 1]));
      now[i] = v;
    }
    __syncthreads();
    int* t = before;
    before = last, last = now, now = t;
  }
  if (threadIdx.x == 0) *result = last[n];
}

// Every thread that starts a run finds its length; the places come from a ballot.
__global__ void run_lengths(const char* text, int n, char* out, int* length) {
  const int lane = threadIdx.x;
  int base = 0;
  for (int at = 0; at < n; at += 32) {
    const int i = at + lane;
    const bool start = i < n && (i == 0 || text[i] != text[i - 1]);
    const unsigned mask = __ballot_sync(~0u, start);
    if (start) {
      int run = 1;
      while (i + run < n && text[i + run] == text[i]) ++run;
      const int place = base + __popc(mask & ((1u << lane) - 1));
      out[2 * place] = text[i];
      out[2 * place + 1] = (char)('0' + run);
    }
    base += __popc(mask);
  }
  if (lane == 0) *length = base;
}

int main() {
  std::string text;
  const char* lines[] = {"She sells sea shells by the sea shore. ",
                         "The shells she sells are sea shells, I'm sure. ",
                         "ababababacababa sssshhhh "};
  for (int i = 0; i < 30; ++i) text += lines[i * i % 3];
  const int n = (int)text.size();
  char *d, *p;
  int* bins;
  cudaMalloc(&d, n), cudaMallocManaged(&p, 256), cudaMallocManaged(&bins, 64 * sizeof(int));
  cudaMemcpy(d, text.data(), n, cudaMemcpyHostToDevice);
  memset(bins, 0, 64 * sizeof(int));
  histogram<<<3, 64>>>(d, n, bins, bins + 30);
  cudaDeviceSynchronize();
  for (int i = 0; i < 26; ++i) printf("%c%d ", 'a' + i, bins[i]);
  printf("words %d\n", bins[30]);
  for (const char* pattern : {"sea", "aba", "shells", "ababa", "x", "s"}) {
    const int m = (int)strlen(pattern);
    strcpy(p, pattern);
    memset(bins, 0, 64 * sizeof(int));
    naive_search<<<(n + 127) / 128, 128>>>(d, n, p, m, bins);
    kmp<<<2, 32>>>(d, n, p, m, (n + 63) / 64, bins + 1);
    rabin_karp<<<(n + 127) / 128, 128>>>(d, n, p, m, bins + 2);
    cudaDeviceSynchronize();
    printf("%s: %d %d %d\n", pattern, bins[0], bins[1], bins[2]);
  }
  strcpy(p, "intention to executekitten sitting on the mitten");
  edit_distance<<<1, 32, 3 * 64 * sizeof(int)>>>(p, 20, p + 20, 28, bins);
  cudaDeviceSynchronize();
  printf("distance %d\n", bins[0]);
  strcpy(p, "aaabccddddddefgghhhhhhhhiijkkkkkkkkkllmmmmnop");
  const int length = (int)strlen(p);
  run_lengths<<<1, 32>>>(p, length, p + 100, bins);
  cudaDeviceSynchronize();
  printf("%.*s\n", 2 * bins[0], p + 100);
  cudaFree(d), cudaFree(p), cudaFree(bins);
}
