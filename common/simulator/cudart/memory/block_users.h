#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

/// Pending copies that use a block of the heap. Once the program has given the block back, these
/// copies must not be done, even if its memory has a new owner by then.
namespace warpwise::cudart {

/// While it lives, it notes whether the block at its address is given back.
class BlockUser {
 public:
  explicit BlockUser(std::uint64_t address);
  ~BlockUser();
  BlockUser(const BlockUser&) = delete;
  BlockUser& operator=(const BlockUser&) = delete;

  bool is_given_back() const { return given_back_; }

 private:
  friend void note_given_back(const void* base, std::size_t bytes);

  const std::uint64_t address_;
  std::atomic<bool> given_back_ = false;
  BlockUser *next_ = nullptr, *previous_ = nullptr;  ///< in the list of all
};

/// A block is about to be given back. Allocates nothing. Takes no lock while no copy uses a block.
void note_given_back(const void* base, std::size_t bytes);

}  // namespace warpwise::cudart
