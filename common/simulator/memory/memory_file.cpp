#include "simulator/memory/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace warpwise::memory {

bool map_shared(void* address, std::uint64_t bytes, int file, off_t offset) {
  const int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED | (file < 0 ? MAP_ANONYMOUS : 0);
  if (mmap(address, bytes, PROT_READ | PROT_WRITE, flags, file, offset) == MAP_FAILED) return false;
  madvise(address, bytes, MADV_DONTDUMP);
  return true;
}

bool set_length(int file, std::uint64_t bytes) {
  struct sigaction ignored {};
  struct sigaction before {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignored, &before);
  const bool done = ftruncate(file, static_cast<off_t>(bytes)) == 0;
  const int error = errno;
  sigaction(SIGXFSZ, &before, nullptr);
  errno = error;
  return done;
}

}  // namespace warpwise::memory
