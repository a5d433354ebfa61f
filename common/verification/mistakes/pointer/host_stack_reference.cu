// A struct with a pointer to the host's stack is passed by value.
struct View {
  const float* data;
  int n;
};

__global__ void sum(View view, float* out) {
  float s = 0;
  for (int i = 0; i < view.n; ++i) s += view.data[i];  // expect: host-pointer
  *out = s;
}

int main() {
  float values[4] = {1, 2, 3, 4}, *out;
  cudaMalloc(&out, sizeof(float));
  sum<<<1, 1>>>(View{values, 4}, out);
  cudaDeviceSynchronize();
}
