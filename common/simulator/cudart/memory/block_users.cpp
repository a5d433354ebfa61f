#include "simulator/cudart/memory/block_users.h"

#include <mutex>

namespace warpwise::cudart {
namespace {

// A list in the users themselves: a container that allocates would give blocks back while the lock
// is held.
constinit std::mutex users_mutex;
constinit std::atomic<BlockUser*> newest_user = nullptr;

}  // namespace

BlockUser::BlockUser(std::uint64_t address) : address_(address) {
  const std::lock_guard lock(users_mutex);
  previous_ = newest_user;
  if (previous_ != nullptr) previous_->next_ = this;
  newest_user = this;
}

BlockUser::~BlockUser() {
  const std::lock_guard lock(users_mutex);
  if (previous_ != nullptr) previous_->next_ = next_;
  if (next_ != nullptr)
    next_->previous_ = previous_;
  else
    newest_user = previous_;
}

void note_given_back(const void* base, std::size_t bytes) {
  if (newest_user == nullptr) return;
  const auto begin = reinterpret_cast<std::uint64_t>(base);
  const std::lock_guard lock(users_mutex);
  for (BlockUser* user = newest_user; user != nullptr; user = user->previous_)
    if (user->address_ - begin < bytes) user->given_back_ = true;
}

}  // namespace warpwise::cudart
