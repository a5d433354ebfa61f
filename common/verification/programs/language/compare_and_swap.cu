// Atomics that do not exist, made from compare-and-swap: float max, double multiply, bytes, 16 and
// 128 bits.
#include <cstdint>
#include <cstdio>

__device__ float atomic_max_float(float* address, float value) {
  int* as_int = (int*)address;
  int old = *as_int, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(as_int, assumed, __float_as_int(value));
  } while (old != assumed);
  return __int_as_float(old);
}

__device__ double atomic_multiply(double* address, double value) {
  unsigned long long* word = (unsigned long long*)address;
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value * __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ void atomic_add_byte(uint8_t* address, uint8_t value) {
  unsigned* word = (unsigned*)((size_t)address & ~(size_t)3);
  const unsigned shift = ((size_t)address & 3) * 8;
  unsigned old = *word, assumed;
  do {
    assumed = old;
    const unsigned byte = ((assumed >> shift) + value) & 0xff;
    old = atomicCAS(word, assumed, (assumed & ~(0xffu << shift)) | byte << shift);
  } while (assumed != old);
}

__device__ void atomic_increment_16(unsigned short* address) {
  unsigned short old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, (unsigned short)(assumed + 1));
  } while (assumed != old);
}

struct alignas(16) Stamp {
  uint64_t count, sum;
};

__device__ void atomic_add_stamp(Stamp* stamp, uint64_t value) {
  Stamp assumed = {0, 0}, old = {0, 0};
  do {
    assumed = old;
    Stamp wanted = {assumed.count + 1, assumed.sum + value};
    asm volatile(
        "{\n .reg .b128 c, w, o;\n mov.b128 c, {%2, %3};\n mov.b128 w, {%4, %5};\n"
        " atom.global.cas.b128 o, [%6], c, w;\n mov.b128 {%0, %1}, o;\n}"
        : "=l"(old.count), "=l"(old.sum)
        : "l"(assumed.count), "l"(assumed.sum), "l"(wanted.count), "l"(wanted.sum), "l"(stamp)
        : "memory");
  } while (old.count != assumed.count || old.sum != assumed.sum);
}

struct State {
  Stamp stamp;
  double product;
  float maximum;
  uint8_t bytes[8];
  unsigned short counts[4];
};

__global__ void run(State* state) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_max_float(&state->maximum, (float)(i * 37 % 101) - 50.5f);
  if (i % 16 == 0) atomic_multiply(&state->product, i % 32 ? 2.0 : 1.5);
  atomic_add_byte(&state->bytes[i % 8], (uint8_t)i);
  atomic_increment_16(&state->counts[i % 3]);
  atomic_add_stamp(&state->stamp, i);
}

int main() {
  State* state;
  cudaMallocManaged(&state, sizeof(State));
  *state = State{};
  state->product = 1;
  state->maximum = -1e30f;
  run<<<4, 64>>>(state);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("%a %a\n", state->maximum, state->product);
  for (int b : state->bytes) printf("%02x ", b);
  for (int c : state->counts) printf("%d ", c);
  printf("\n%llu %llu\n", (unsigned long long)state->stamp.count,
         (unsigned long long)state->stamp.sum);
  cudaFree(state);
}
