// Conversions between integers and floating point, all rounding modes, with values out of range.
#include <cstdint>
#include <cstdio>

constexpr int kInputs = 26;
__constant__ double inputs[kInputs];

struct Out {
  uint64_t bits[44];
};

__global__ void convert(Out* out) {
  double d = inputs[threadIdx.x];
  float f = (float)d;
  uint64_t* o = out[threadIdx.x].bits;
  int k = 0;
  o[k++] = (uint32_t)__float2int_rn(f);
  o[k++] = (uint32_t)__float2int_rz(f);
  o[k++] = (uint32_t)__float2int_ru(f);
  o[k++] = (uint32_t)__float2int_rd(f);
  o[k++] = __float2uint_rn(f);
  o[k++] = __float2uint_rz(f);
  o[k++] = __float2uint_ru(f);
  o[k++] = __float2uint_rd(f);
  o[k++] = (uint64_t)__float2ll_rn(f);
  o[k++] = (uint64_t)__float2ll_rd(f);
  o[k++] = __float2ull_ru(f);
  o[k++] = __float2ull_rz(f);
  o[k++] = (uint32_t)__double2int_rn(d);
  o[k++] = (uint32_t)__double2int_ru(d);
  o[k++] = __double2uint_rd(d);
  o[k++] = __double2uint_rz(d);
  o[k++] = (uint64_t)__double2ll_rn(d);
  o[k++] = (uint64_t)__double2ll_rz(d);
  o[k++] = __double2ull_ru(d);
  o[k++] = __double2ull_rd(d);
  o[k++] = __float_as_uint(__double2float_rn(d));
  o[k++] = __float_as_uint(__double2float_rz(d));
  o[k++] = __float_as_uint(__double2float_ru(d));
  o[k++] = __float_as_uint(__double2float_rd(d));
  o[k++] = (uint64_t)__double_as_longlong((double)f);
  long long big = (long long)__double_as_longlong(d);
  o[k++] = __float_as_uint(__ll2float_rn(big));
  o[k++] = __float_as_uint(__ll2float_rz(big));
  o[k++] = __float_as_uint(__ll2float_ru(big));
  o[k++] = __float_as_uint(__ull2float_rd(big));
  o[k++] = (uint64_t)__double_as_longlong(__ll2double_rn(big));
  o[k++] = (uint64_t)__double_as_longlong(__ll2double_rd(big));
  o[k++] = (uint64_t)__double_as_longlong(__ull2double_ru(big));
  o[k++] = (uint64_t)__double_as_longlong(__ull2double_rz(big));
  int low = (int)(big >> 17);
  o[k++] = __float_as_uint(__int2float_rn(low));
  o[k++] = __float_as_uint(__int2float_rd(low));
  o[k++] = __float_as_uint(__uint2float_ru(low));
  o[k++] = __float_as_uint(__uint2float_rz(low));
  o[k++] = (uint64_t)__double_as_longlong(__int2double_rn(low));
  o[k++] = (uint32_t)__double2hiint(d) ^ (uint32_t)__double2loint(d);
  o[k++] = (uint64_t)__double_as_longlong(__hiloint2double(low, ~low));
  o[k++] = (uint8_t)(int)f + (uint16_t)((int)f << 3);
  o[k++] = (uint64_t)(int64_t)(int8_t)low + (uint64_t)(int64_t)(int16_t)(low >> 3);
  o[k++] = __float_as_uint(__saturatef(f));
  o[k++] = (uint32_t)(f > 1.5f) + 2 * (uint32_t)(d != d) + 4 * (uint32_t)(bool)f;
}

int main() {
  double in[kInputs] = {0.0,          -0.0,
                        0.5,          -0.5,
                        1.5,          2.5,
                        -2.5,         0.49999999999999994,
                        1e-320,       127.5,
                        255.49,       65535.5,
                        16777217.5,   2147483647.0,
                        2147483648.0, -2147483649.0,
                        4294967295.5, 9.3e18,
                        -9.3e18,      1.9e19,
                        1e39,         -1e300,
                        1.0 / 0.0,    -1.0 / 0.0,
                        0.0 / 0.0,    3.4028235677973366e38};
  cudaMemcpyToSymbol(inputs, in, sizeof in);
  Out* d;
  cudaMalloc(&d, kInputs * sizeof(Out));
  convert<<<1, kInputs>>>(d);
  Out out[kInputs];
  cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kInputs; ++i) {
    printf("input %d:", i);
    for (int k = 0; k < 44; ++k)
      printf("%s%llx", k % 8 ? " " : "\n   ", (unsigned long long)out[i].bits[k]);
    printf("\n");
  }
  return cudaFree(d);
}
