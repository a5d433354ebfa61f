// Typical wrong answers to 06_patch_rows. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= down_the_columns: patches are numbered column by column
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch % down, patch_column = patch / down % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: wrong result

//= channels_last: a row has the three channels of a place side by side
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int channel = i % 3, half = i / 3 % 2, y = i / 6 % 8, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: wrong result

//= rounded_up: patches that the image fills in part count as well
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = (height + 7) / 8, across = (width + 7) / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: out-of-bounds

//= pitch_of_a_patch: neighbouring pixel rows are taken to be 8 floats apart
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * 8 + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: wrong result

//= pitch_of_patches: a row of the image is taken to end with its last patch
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * across * 8 + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: wrong result

//= one_channel: an image is taken to have the size of one channel
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: wrong result

//= room_for_the_class: each image gets a row more, for the class token
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  const size_t to = static_cast<size_t>(i) + (b + 1) * 48;
  reinterpret_cast<float4*>(rows)[to] = *reinterpret_cast<const float4*>(from);  // expect: out-of-bounds

//= no_guard: the last block has threads without a pack
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  reinterpret_cast<float4*>(rows)[i] = *reinterpret_cast<const float4*>(from);  // expect: out-of-bounds

//= one_float: right, but every float is a load of its own
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int half = i % 2, y = i / 2 % 8, channel = i / 16 % 3, patch = i / 48;
  const int b = patch / (down * across);
  if (b >= B) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8;
  float* to = rows + static_cast<size_t>(i / 2) * 8;
  for (int x = half; x < 8; x += 2) to[x] = from[x];  // expect: gate requests

//= same_place: right, but neighbouring threads take the same place of neighbouring patches
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int down = height / 8, across = width / 8;
  const int patch = i % (B * down * across), k = i / (B * down * across);
  const int half = k % 2, y = k / 2 % 8, channel = k / 16;
  const int b = patch / (down * across);
  if (k >= 48) return;
  const int patch_row = patch / across % down, patch_column = patch % across;
  const size_t image_row = (static_cast<size_t>(b) * 3 + channel) * height + patch_row * 8 + y;
  const float* from = images + image_row * width + patch_column * 8 + half * 4;
  const size_t to = static_cast<size_t>(patch) * 48 + k;
  reinterpret_cast<float4*>(rows)[to] = *reinterpret_cast<const float4*>(from);  // expect: gate sectors
