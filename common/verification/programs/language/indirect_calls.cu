// Function pointers, virtual functions, functors, lambdas and templates.
#include <cstdio>
#include <new>

typedef float (*Function)(float, float);

__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ Function table[] = {add, multiply, larger};
__device__ Function chosen = multiply;

__global__ void through_pointers(Function from_host, float* out) {
  const int t = threadIdx.x;
  Function f = table[t % 3];
  out[t] = f(t, 2.5f) + (t < 16 ? chosen(t, t) : from_host(t, 3));
}

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};

struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};

struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};

struct Tagged {
  int tag = 9;
  __device__ virtual int id() const { return tag; }
};

struct RoundedSquare : Tagged, Square {  // two bases: the this pointer has to be adjusted
  __device__ explicit RoundedSquare(float s) : Square(s) {}
  __device__ float area() const override { return Square::area() - 1; }
  __device__ int id() const override { return tag * 2; }
};

__global__ void make(Shape** shapes) {
  const int t = threadIdx.x;
  switch (t % 3) {
    case 0:
      shapes[t] = new Circle(t);
      break;
    case 1:
      shapes[t] = new Square(t + 0.5f);
      break;
    default:
      shapes[t] = new RoundedSquare(t);
  }
}

__global__ void measure(Shape** shapes, float* out) {
  const int t = threadIdx.x;
  const Shape* s = shapes[t];
  float result = s->area() * 10 + s->corners();
  if (t % 3 == 2) result += static_cast<const RoundedSquare*>(s)->id() * 0.125f;
  out[t] = result;
  delete s;
}

template <typename F, typename G>
struct Compose {
  F f;
  G g;
  template <typename T>
  __device__ T operator()(T x) const {
    return f(g(x));
  }
};

template <typename F, typename G>
__device__ Compose<F, G> compose(F f, G g) {
  return {f, g};
}

template <int N>
struct Power {
  template <typename T>
  __device__ static constexpr T of(T x) {
    return x * Power<N - 1>::of(x);
  }
};
template <>
struct Power<0> {
  template <typename T>
  __device__ static constexpr T of(T) {
    return 1;
  }
};

template <typename... Ts>
__device__ auto sum(Ts... values) {
  return (values + ...);
}

__global__ void functional(float* out) {
  const int t = threadIdx.x;
  const float shift = t * 0.5f;
  auto twice = [](auto x) { return x + x; };
  auto shifted = [=](float x) { return x + shift; };
  int calls = 0;
  auto counting = [&calls](int x) mutable {
    ++calls;
    return x * calls;
  };
  const float a = compose(twice, shifted)(1.0f), b = compose(shifted, twice)(1.0f);
  const int c = counting(1) + counting(2) + counting(3);
  out[t] = a + 100 * b + c + sum(1, 2.5, 3u, 'a') + Power<3>::of(t % 4) + calls * 1000;
  if constexpr (sizeof(long) == 8) out[t] += 0.25f;
}

void print(const float* x) {
  for (int i = 0; i < 32; ++i) printf("%g%c", x[i], i == 31 ? '\n' : ' ');
}

int main() {
  float* out;
  Shape** shapes;
  Function host_copy;
  cudaMallocManaged(&out, 32 * sizeof(float));
  cudaMalloc(&shapes, 32 * sizeof(Shape*));
  cudaMemcpyFromSymbol(&host_copy, table, sizeof host_copy, 2 * sizeof(Function));
  through_pointers<<<1, 32>>>(host_copy, out);
  cudaDeviceSynchronize();
  print(out);
  make<<<1, 32>>>(shapes);
  measure<<<1, 32>>>(shapes, out);
  cudaDeviceSynchronize();
  print(out);
  functional<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  print(out);
  cudaFree(out);
  cudaFree(shapes);
}
