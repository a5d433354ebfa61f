// Thrust: transform, reduce, reduce_by_key, inner_product, fancy iterators, gather and partition.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cstdio>

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

struct Square {
  __host__ __device__ long long operator()(long long x) const { return x * x; }
};

struct InCircle {
  __host__ __device__ int operator()(thrust::tuple<int, int> p) const {
    const int x = thrust::get<0>(p), y = thrust::get<1>(p);
    return x * x + y * y < 10000;
  }
};

struct Small {
  __host__ __device__ bool operator()(int v) const { return v < 30; }
};

int main() {
  const int n = 1500;
  thrust::device_vector<float> x(n), y(n);
  thrust::sequence(x.begin(), x.end());
  thrust::fill(y.begin(), y.end(), 0.5f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2.0f});
  printf("%g %g, sum %.1f\n", (float)y[3], (float)y[n - 1],
         thrust::reduce(y.begin(), y.end(), 0.0));
  thrust::counting_iterator<long long> first(1);
  printf("squares %lld\n",
         thrust::reduce(thrust::device, thrust::make_transform_iterator(first, Square()),
                        thrust::make_transform_iterator(first + 1000, Square()), 0LL));
  thrust::device_vector<int> keys(n), values(n), out_keys(n), out_values(n);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                    keys.begin(), thrust::placeholders::_1 / 50);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                    values.begin(), thrust::placeholders::_1 * 13 % 101);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), out_keys.begin(),
                                    out_values.begin());
  printf("%d groups, %d %d\n", (int)(ends.first - out_keys.begin()), (int)out_values[0],
         (int)out_values[29]);
  printf("inner product %d\n", thrust::inner_product(keys.begin(), keys.end(), values.begin(), 0));
  auto zipped = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), values.begin()));
  printf("in the circle %d\n",
         thrust::transform_reduce(zipped, zipped + n, InCircle(), 0, thrust::plus<int>()));
  auto most = thrust::max_element(values.begin(), values.end());
  printf("largest at %d\n", (int)(most - values.begin()));
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                    keys.begin(), (thrust::placeholders::_1 * 7) % n);
  thrust::gather(keys.begin(), keys.end(), values.begin(), out_values.begin());
  const int small = (int)(thrust::stable_partition(out_values.begin(), out_values.end(), Small()) -
                          out_values.begin());
  printf("gathered %d %d %d, small %d\n", (int)out_values[0], (int)out_values[1],
         (int)out_values[2], small);
  return 0;
}
