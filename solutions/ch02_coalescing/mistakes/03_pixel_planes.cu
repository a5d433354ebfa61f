// Typical wrong answers to 03_pixel_planes. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_guard: the last block has threads without a pixel
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];  // expect: out-of-bounds
  planes[i] = pixel.x * pixel.w;
  planes[n + i] = pixel.y * pixel.w;
  planes[2 * n + i] = pixel.z * pixel.w;

//= field_by_field: right, but each of the four loads touches every sector of the pixels
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float alpha = pixels[4 * i + 3];
  for (int c = 0; c < 3; ++c) planes[c * n + i] = pixels[4 * i + c] * alpha;  // expect: gate sectors

//= pixels_again: the colours are stored pixel by pixel
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];
  planes[3 * i] = pixel.x * pixel.w;  // expect: wrong result
  planes[3 * i + 1] = pixel.y * pixel.w;
  planes[3 * i + 2] = pixel.z * pixel.w;

//= pitch_of_the_grid: the planes lie as far apart as the grid is wide, not n
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pitch = gridDim.x * blockDim.x;
  if (i >= n) return;
  const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];
  planes[i] = pixel.x * pixel.w;
  planes[pitch + i] = pixel.y * pixel.w;  // expect: out-of-bounds
  planes[2 * pitch + i] = pixel.z * pixel.w;

//= words_for_pixels: the index of the pixel is used as an index of words
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 pixel = *reinterpret_cast<const float4*>(pixels + i);  // expect: misaligned
  planes[i] = pixel.x * pixel.w;
  planes[n + i] = pixel.y * pixel.w;
  planes[2 * n + i] = pixel.z * pixel.w;

//= alpha_forgotten: the third colour is not multiplied
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];
  planes[i] = pixel.x * pixel.w;
  planes[n + i] = pixel.y * pixel.w;
  planes[2 * n + i] = pixel.z;  // expect: wrong result

//= order_of_the_planes: blue first, as some file formats have it
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];
  planes[i] = pixel.z * pixel.w;  // expect: wrong result
  planes[n + i] = pixel.y * pixel.w;
  planes[2 * n + i] = pixel.x * pixel.w;

//= chunk_a_thread: right, but a thread takes four neighbouring pixels and stores word by word
  const int begin = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = begin; i < min(begin + 4, n); ++i) {
    const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];  // expect: gate sectors
    planes[i] = pixel.x * pixel.w;
    planes[n + i] = pixel.y * pixel.w;
    planes[2 * n + i] = pixel.z * pixel.w;
  }

//= half_of_the_block: right, but half of each block is idle
  for (int k = 0; k < 2 && threadIdx.x < 64; ++k) {
    const int i = blockIdx.x * 128 + k * 64 + threadIdx.x;
    if (i >= n) continue;
    const float4 pixel = reinterpret_cast<const float4*>(pixels)[i];
    planes[i] = pixel.x * pixel.w;  // expect: gate share
    planes[n + i] = pixel.y * pixel.w;
    planes[2 * n + i] = pixel.z * pixel.w;
  }
