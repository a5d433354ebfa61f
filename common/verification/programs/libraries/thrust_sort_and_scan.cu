// Thrust: sort, sort_by_key, stable_sort with a comparison, scans, unique, copy_if.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <cstdio>

struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

struct Even {
  __host__ __device__ bool operator()(int v) const { return v % 2 == 0; }
};

void print(const char* title, const thrust::device_vector<int>& v, int n) {
  thrust::host_vector<int> h = v;
  unsigned hash = 0;
  for (int i = 0; i < n; ++i) hash = hash * 31 + h[i];
  printf("%-12s %08x:", title, hash);
  for (int i = 0; i < n; i += n / 10 + 1) printf(" %d", h[i]);
  printf("\n");
}

int main() {
  const int n = 2000;
  thrust::host_vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * 7907 % 1999;
  thrust::device_vector<int> v = h, w(n);
  thrust::sort(v.begin(), v.end());
  print("sort", v, n);
  v = h;
  thrust::sequence(thrust::device, w.begin(), w.end(), 100);
  thrust::sort_by_key(v.begin(), v.end(), w.begin(), thrust::greater<int>());
  print("keys", v, n);
  print("values", w, n);
  v = h;
  thrust::stable_sort(v.begin(), v.end(), ByLastDigit());
  print("stable", v, n);
  thrust::inclusive_scan(v.begin(), v.end(), w.begin(), thrust::maximum<int>());
  print("running max", w, n);
  thrust::exclusive_scan(v.begin(), v.end(), w.begin(), 7);
  print("exclusive", w, n);
  auto end = thrust::copy_if(v.begin(), v.end(), w.begin(), Even());
  print("even", w, (int)(end - w.begin()));
  for (int i = 0; i < n; ++i) h[i] = i / 3 % 40;
  v = h;
  end = thrust::unique(v.begin(), v.end());
  print("unique", v, (int)(end - v.begin()));
}
