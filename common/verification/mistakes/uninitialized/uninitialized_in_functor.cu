// A function object that Thrust's kernel calls has a variable that not every path sets. CUB itself
// hands variables without a value to what combines them, for threads of the last tile that have no
// data: that is not a mistake.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <cstdio>

struct Grade {
  const int* limits;
  int grades;
  __device__ int operator()(int points) const {
    int grade;
    for (int i = 0; i < grades; ++i)
      if (points >= limits[i]) grade = i;  // expect: uninitialized
    return grade * 10;
  }
};

struct GradeOrNone : Grade {
  __device__ int operator()(int points) const {
    int grade = -1;
    for (int i = 0; i < grades; ++i)
      if (points >= limits[i]) grade = i;
    return grade * 10;
  }
};

// Branches, where a chosen value alone would decide nothing.
struct Worse {
  __device__ int operator()(int a, int b) const {
    if (a < b) return a % 1000;
    return b;
  }
};

int main() {
  const int n = 1000, host_limits[] = {10, 20, 30, 40};
  thrust::device_vector<int> limits(host_limits, host_limits + 4), points(n), grades(n);
  thrust::sequence(points.begin(), points.end());
  const int* limit = limits.data().get();
  thrust::transform(points.begin(), points.end(), grades.begin(), GradeOrNone{{limit, 4}});
  printf("%d\n", thrust::reduce(grades.begin(), grades.end(), 30, Worse{}));
  thrust::transform(points.begin(), points.end(), grades.begin(), Grade{limit, 4});
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
