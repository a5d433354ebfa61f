// Typical wrong answers to 07_class_position. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= class_last: the class token comes after the patches
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];
  };
  const float4 token = t == T - 1 ? at(first, 0) : at(patches, b * (T - 1) + t);
  const float4 position = at(positions, t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};  // expect: wrong result

//= position_of_patch: positions are counted from the patches
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * (T - 1) + t - 1);
  const float4 position = at(positions, t == 0 ? 0 : t - 1);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};  // expect: wrong result

//= class_without_position: the class token gets none
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * (T - 1) + t - 1);
  const float4 position = t == 0 ? float4{} : at(positions, t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};  // expect: wrong result

//= stride_of_tokens: patches are taken to have T rows per image
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];  // expect: out-of-bounds
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * T + t - 1);
  const float4 position = at(positions, t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};

//= position_of_batch: positions run on over the images
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];  // expect: out-of-bounds
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * (T - 1) + t - 1);
  const float4 position = at(positions, b * T + t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};

//= patch_of_t: token t takes patch t
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];  // expect: out-of-bounds
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * (T - 1) + t);
  const float4 position = at(positions, t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};

//= no_guard: the last block has threads without a pack
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  const auto at = [=](const float* rows, int row) {
    return reinterpret_cast<const float4*>(rows)[static_cast<size_t>(row) * packs + pack];  // expect: out-of-bounds
  };
  const float4 token = t == 0 ? at(first, 0) : at(patches, b * (T - 1) + t - 1);
  const float4 position = at(positions, t);
  reinterpret_cast<float4*>(x)[i] = {token.x + position.x, token.y + position.y,
                                     token.z + position.z, token.w + position.w};

//= one_float: right, but every float is a request of its own
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = columns / 4;
  const int pack = i % packs, t = i / packs % T, b = i / packs / T;
  if (b >= B) return;
  const float* token = t == 0 ? first : patches + (static_cast<size_t>(b) * (T - 1) + t - 1) * columns;
  float* to = x + (static_cast<size_t>(b) * T + t) * columns;
  for (int k = 0; k < 4; ++k) {
    const int column = pack + k * packs;
    to[column] = token[column] + positions[static_cast<size_t>(t) * columns + column];  // expect: gate requests
  }
