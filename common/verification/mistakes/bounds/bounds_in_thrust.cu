// An algorithm of Thrust writes one element past the end of its output: the place to look at is the
// call.
#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include <cstdio>

struct Half {
  __host__ __device__ float operator()(float value) const { return value / 2; }
};

int main() {
  thrust::device_vector<float> x(1000, 3.0f), y(1000);
  try {
    thrust::transform(x.begin(), x.end(), y.begin(), Half{});
    thrust::transform(x.begin(), x.end(), y.begin() + 1, Half{});  // expect: out-of-bounds
    printf("%g\n", float(y[999]));
  } catch (const std::exception&) {
    printf("stopped\n");
  }
}
