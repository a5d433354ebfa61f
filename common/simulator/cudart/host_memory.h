#pragma once

namespace warpwise::cudart {

/// True for memory of cudaMallocHost, cudaHostAlloc and cudaHostRegister: a copy from or to it may
/// run while the host goes on.
bool is_page_locked(const void* pointer);

}  // namespace warpwise::cudart
