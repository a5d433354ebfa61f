// A vector of the host's is sorted on the device: Thrust copies and launches with it, but the call
// is one mistake.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cstdio>
#include <vector>

int main() {
  std::vector<float> host(1000);
  for (int i = 0; i < 1000; ++i) host[i] = float(i * 7 % 1000);
  try {
    thrust::device_vector<float> copy(host.begin(), host.end());
    thrust::sort(copy.begin(), copy.end());
    printf("%g %g\n", float(copy[0]), float(copy[999]));
    thrust::sort(thrust::device, host.begin(), host.end());  // expect: invalid-copy
  } catch (const std::exception&) {
    printf("stopped\n");
  }
}
