#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

namespace warpwise::cudart {

/// The state that two processes share about an event or memory that both of them use.
struct SharedState {
  std::uint64_t name = 0;  ///< distinguishes it from earlier files with the same number

  // Of memory: its place in a file of its owner.
  int file = -1;
  std::uint64_t offset = 0, bytes = 0;

  // Of an event: its records have numbers 1, 2, ...
  std::atomic<std::uint64_t> recorded = 0;  ///< the latest
  std::atomic<std::uint64_t> done = 0;      ///< the latest that the device has reached
};

/// The content of a handle; the rest of it is zero.
struct Ticket {
  enum class Of : std::uint32_t { memory = 0x4d454d31, event = 0x45565431 };
  Of what;
  std::uint32_t process;
  std::uint64_t name;
  int file;
};

/// A state in a file without a name. Other processes find it as long as its owner lives and keeps
/// it.
class SharedFile {
 public:
  /// @throws Failure cudaErrorMemoryAllocation where the system refuses.
  SharedFile();
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  /// Of another process, by its ticket. @return null where the file is gone.
  static std::shared_ptr<SharedFile> open(const Ticket& ticket);

  SharedState& state() const { return *state_; }
  Ticket ticket(Ticket::Of what) const;

 private:
  explicit SharedFile(int file);
  bool map();

  int file_ = -1;
  SharedState* state_ = nullptr;
};

/// Opens a file that another process has open under a number. @return -1 where it cannot.
int open_file_of(std::uint32_t process, int file);

}  // namespace warpwise::cudart
