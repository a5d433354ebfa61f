// Images: convolution with a constant kernel, box blur by running sums, Sobel, bilinear scaling, a
// small ray tracer.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int W = 50, H = 40;
__constant__ int filter[25];

__global__ void convolve(const unsigned char* in, int* out) {
  __shared__ unsigned char tile[12][20];
  const int bx = blockIdx.x * 16, by = blockIdx.y * 8;
  for (int i = threadIdx.x + threadIdx.y * 16; i < 240; i += 128) {
    const int x = min(max(bx + i % 20 - 2, 0), W - 1), y = min(max(by + i / 20 - 2, 0), H - 1);
    tile[i / 20][i % 20] = in[y * W + x];
  }
  __syncthreads();
  const int x = bx + threadIdx.x, y = by + threadIdx.y;
  if (x >= W || y >= H) return;
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 25; ++k) sum += filter[k] * tile[threadIdx.y + k / 5][threadIdx.x + k % 5];
  out[y * W + x] = sum;
}

__global__ void box_rows(const unsigned char* in, int* out, int radius) {
  const int y = threadIdx.x;
  if (y >= H) return;
  int sum = 0;
  for (int x = -radius; x < W; ++x) {
    if (x + radius < W) sum += in[y * W + x + radius];
    if (x - radius - 1 >= 0) sum -= in[y * W + x - radius - 1];
    if (x >= 0) out[y * W + x] = sum;
  }
}

__global__ void sobel(const uchar4* in, uchar4* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < 1 || x >= W - 1 || y < 1 || y >= H - 1) return;
  auto luma = [&](int dx, int dy) {
    const uchar4 c = in[(y + dy) * W + x + dx];
    return (c.x * 77 + c.y * 151 + c.z * 28) >> 8;
  };
  const int gx =
      luma(1, -1) + 2 * luma(1, 0) + luma(1, 1) - luma(-1, -1) - 2 * luma(-1, 0) - luma(-1, 1);
  const int gy =
      luma(-1, 1) + 2 * luma(0, 1) + luma(1, 1) - luma(-1, -1) - 2 * luma(0, -1) - luma(1, -1);
  const unsigned char v = (unsigned char)min(255, abs(gx) + abs(gy));
  out[y * W + x] = make_uchar4(v, v / 2, 255 - v, 255);
}

__global__ void bilinear(const unsigned char* in, unsigned char* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  const int fx = x * (W - 1) * 256 / (w - 1), fy = y * (H - 1) * 256 / (h - 1);
  const int x0 = fx >> 8, y0 = fy >> 8, x1 = min(x0 + 1, W - 1), y1 = min(y0 + 1, H - 1),
            ax = fx & 255, ay = fy & 255;
  const int top = in[y0 * W + x0] * (256 - ax) + in[y0 * W + x1] * ax;
  const int bottom = in[y1 * W + x0] * (256 - ax) + in[y1 * W + x1] * ax;
  out[y * w + x] = (unsigned char)((top * (256 - ay) + bottom * ay + 32768) >> 16);
}

struct Vec {
  float x, y, z;
  __device__ Vec operator+(Vec b) const {
    return {__fadd_rn(x, b.x), __fadd_rn(y, b.y), __fadd_rn(z, b.z)};
  }
  __device__ Vec operator-(Vec b) const {
    return {__fsub_rn(x, b.x), __fsub_rn(y, b.y), __fsub_rn(z, b.z)};
  }
  __device__ Vec operator*(float s) const {
    return {__fmul_rn(x, s), __fmul_rn(y, s), __fmul_rn(z, s)};
  }
  __device__ float dot(Vec b) const {
    return __fmaf_rn(x, b.x, __fmaf_rn(y, b.y, __fmul_rn(z, b.z)));
  }
  __device__ Vec unit() const { return *this * __fdiv_rn(1.0f, __fsqrt_rn(dot(*this))); }
};

struct Sphere {
  Vec centre;
  float radius, mirror;
};

__device__ float hit(const Sphere& s, Vec from, Vec ray) {
  const Vec o = from - s.centre;
  const float b = o.dot(ray), c = __fmaf_rn(-s.radius, s.radius, o.dot(o)), d = __fmaf_rn(b, b, -c);
  if (d < 0) return -1;
  const float t = __fsub_rn(-b, __fsqrt_rn(d));
  return t > 1e-3f ? t : -1;
}

__global__ void trace(char* out, int w, int h) {
  const Sphere spheres[3] = {
      {{0, 0, 5}, 1.5f, 0.3f}, {{1.8f, 0.6f, 4}, 0.7f, 0.6f}, {{-2, -0.5f, 6}, 1.2f, 0.0f}};
  const int x = threadIdx.x, y = blockIdx.x;
  if (x >= w) return;
  Vec from = {0, 0, 0}, ray = Vec{(x - w / 2) * 0.03f, (h / 2 - y) * 0.06f, 1}.unit();
  const Vec light = Vec{-1, 2, -1}.unit();
  float shade = 0, weight = 1;
  for (int bounce = 0; bounce < 3; ++bounce) {
    float nearest = 1e9f;
    int which = -1;
    for (int i = 0; i < 3; ++i) {
      const float t = hit(spheres[i], from, ray);
      if (t > 0 && t < nearest) nearest = t, which = i;
    }
    if (which < 0) {
      shade = __fmaf_rn(weight, ray.y > 0 ? 0.2f : 0.05f, shade);
      break;
    }
    from = from + ray * nearest;
    const Vec normal = (from - spheres[which].centre).unit();
    bool dark = false;
    for (int i = 0; i < 3; ++i) dark = dark || hit(spheres[i], from, light) > 0;
    const float lit = dark ? 0.1f : fmaxf(0.1f, normal.dot(light));
    shade = __fmaf_rn(__fmul_rn(weight, 1 - spheres[which].mirror), lit, shade);
    weight = __fmul_rn(weight, spheres[which].mirror);
    if (weight == 0) break;
    ray = ray - normal * (2 * ray.dot(normal));
  }
  out[y * (w + 1) + x] = " .:-=+*#%@"[min(9, (int)(shade * 10))];
  if (x == 0) out[y * (w + 1) + w] = '\n';
}

template <typename T>
void show(const char* name, const T* device, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned hash = 0;
  const unsigned char* p = (const unsigned char*)v.data();
  for (size_t i = 0; i < n * sizeof(T); ++i) hash = hash * 31 + p[i];
  printf("%s %08x\n", name, hash);
}

int main() {
  std::vector<unsigned char> image(W * H * 4);
  for (size_t i = 0; i < image.size(); ++i) image[i] = (unsigned char)(i * i / 50 + i % 7 * 13);
  const int f[25] = {1,  4, 6, 4,  1,  4,  16, 24, 16, 4, 6, 24, -36,
                     24, 6, 4, 16, 24, 16, 4,  1,  4,  6, 4, 1};
  cudaMemcpyToSymbol(filter, f, sizeof f);
  unsigned char *in, *bytes;
  int* out;
  cudaMalloc(&in, image.size()), cudaMalloc(&bytes, 100 * 90), cudaMalloc(&out, W * H * 4);
  cudaMemcpy(in, image.data(), image.size(), cudaMemcpyHostToDevice);
  convolve<<<dim3(4, 5), dim3(16, 8)>>>(in, out);
  show("convolution", out, W * H);
  box_rows<<<1, 64>>>(in, out, 3);
  show("box", out, W * H);
  cudaMemset(out, 0, W * H * 4);
  sobel<<<dim3(2, H), 32>>>((uchar4*)in, (uchar4*)out);
  show("sobel", out, W * H);
  bilinear<<<dim3(3, 90), 40>>>(in, bytes, 100, 90);
  show("bilinear", bytes, 9000);
  const int w = 72, h = 26;
  char text[(w + 1) * h + 1] = {};
  trace<<<h, 96>>>((char*)bytes, w, h);
  cudaMemcpy(text, bytes, (w + 1) * h, cudaMemcpyDeviceToHost);
  fputs(text, stdout);
  cudaFree(in), cudaFree(bytes), cudaFree(out);
}
