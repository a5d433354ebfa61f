#include <malloc.h>

#include <cstddef>
#include <cstdlib>

#include "simulator/cudart/memory/block_users.h"
#include "simulator/cudart/memory/heap_blocks.h"
#include "simulator/cudart/preloaded/in_front_of.h"

// malloc and its relatives, which note down blocks and call the functions that do the work:
// heap_blocks.h says why. The latter have second names, so that no search is needed, which would
// allocate: those of the C library, and where a sanitizer watches the program, the sanitizer's.

using warpwise::cudart::forget_block;
using warpwise::cudart::Next;
using warpwise::cudart::note_block;
using warpwise::cudart::note_given_back;

#define WARPWISE_SECOND_NAMES(prefix, attribute)    \
  extern "C" {                                      \
  attribute void* prefix##malloc(size_t);           \
  attribute void* prefix##calloc(size_t, size_t);   \
  attribute void* prefix##realloc(void*, size_t);   \
  attribute void* prefix##memalign(size_t, size_t); \
  attribute void* prefix##valloc(size_t);           \
  attribute void* prefix##pvalloc(size_t);          \
  attribute void prefix##free(void*);               \
  }
WARPWISE_SECOND_NAMES(__libc_, )
WARPWISE_SECOND_NAMES(__interceptor_, [[gnu::weak]])
#define WARPWISE_WORKER(name) (__interceptor_malloc ? __interceptor_##name : __libc_##name)

namespace {

void* noted(void* made, std::size_t bytes) {
  note_block(made, bytes);
  return made;
}

}  // namespace

extern "C" {

WARPWISE_IN_PLACE_OF(malloc);
void* warpwise_malloc(size_t bytes) { return noted(WARPWISE_WORKER(malloc)(bytes), bytes); }

WARPWISE_IN_PLACE_OF(calloc);
void* warpwise_calloc(size_t count, size_t bytes) {
  return noted(WARPWISE_WORKER(calloc)(count, bytes), count * bytes);
}

WARPWISE_IN_PLACE_OF(free);
void warpwise_free(void* block) {
  note_given_back(block, forget_block(block));
  WARPWISE_WORKER(free)(block);
}

WARPWISE_IN_PLACE_OF(realloc);
void* warpwise_realloc(void* block, size_t bytes) {
  const size_t before = forget_block(block);
  void* made = WARPWISE_WORKER(realloc)(block, bytes);
  const bool is_left = made == nullptr && bytes != 0;
  if (made != block && !is_left) note_given_back(block, before);
  if (made != nullptr)
    note_block(made, bytes);
  else if (is_left && before != 0)
    note_block(block, before);
  return made;
}

WARPWISE_IN_PLACE_OF(memalign);
void* warpwise_memalign(size_t alignment, size_t bytes) {
  return noted(WARPWISE_WORKER(memalign)(alignment, bytes), bytes);
}

WARPWISE_IN_PLACE_OF(aligned_alloc);
void* warpwise_aligned_alloc(size_t alignment, size_t bytes) {
  return noted(WARPWISE_WORKER(memalign)(alignment, bytes), bytes);
}

WARPWISE_IN_FRONT_OF(malloc_usable_size);
size_t warpwise_malloc_usable_size(void* block) {
  const size_t bytes = next_malloc_usable_size(block);
  // A program that asks may use them all.
  if (forget_block(block) != 0) note_block(block, bytes);
  return bytes;
}

WARPWISE_IN_FRONT_OF(posix_memalign);
int warpwise_posix_memalign(void** block, size_t alignment, size_t bytes) {
  const int error = next_posix_memalign(block, alignment, bytes);
  if (error == 0) note_block(*block, bytes);
  return error;
}

WARPWISE_IN_PLACE_OF(valloc);
void* warpwise_valloc(size_t bytes) { return noted(WARPWISE_WORKER(valloc)(bytes), bytes); }

WARPWISE_IN_PLACE_OF(pvalloc);
void* warpwise_pvalloc(size_t bytes) { return noted(WARPWISE_WORKER(pvalloc)(bytes), bytes); }
}
