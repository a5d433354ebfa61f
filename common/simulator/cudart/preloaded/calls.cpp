#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <type_traits>
#include <vector>

#include "simulator/cudart/copies/call_memory.h"
#include "simulator/cudart/preloaded/in_front_of.h"

// Replaces the C library's functions that hand memory of the program to the system: call_memory.h
// says why. Those that go through the memory themselves, as puts and fgets do, are judged like any
// access and are not needed here. So are small transfers of fread and fwrite; large ones go past
// the file's buffer.
namespace warpwise::cudart {
namespace {

std::size_t transferred(ssize_t result) {
  return result > 0 ? static_cast<std::size_t>(result) : 0;
}

/// @param call makes the call with the memory.
/// @param unit bytes of one element that the result counts.
template <typename Memory, typename Call>
auto with(Memory* memory, Call call, std::size_t unit = 1) {
  if (!may_be_closed(memory)) return call(memory);
  constexpr CallDoes does = std::is_const_v<Memory> ? CallDoes::reads : CallDoes::writes;
  const auto result = call(static_cast<Memory*>(for_call(memory)));
  judge_call(memory, transferred(static_cast<ssize_t>(result)) * unit, does);
  return result;
}

/// The same for memory in pieces.
template <typename Call>
ssize_t with_pieces(const iovec* pieces, std::ptrdiff_t count, CallDoes does, Call call) {
  const auto is_closed = [](const iovec& one) { return may_be_closed(one.iov_base); };
  if (pieces == nullptr || count <= 0 || std::none_of(pieces, pieces + count, is_closed))
    return call(pieces);
  std::vector<iovec> given(pieces, pieces + count);
  for (iovec& one : given)
    if (is_closed(one) && one.iov_len > 0) one.iov_base = for_call(one.iov_base);
  const ssize_t result = call(given.data());
  std::size_t left = transferred(result);
  for (const iovec* one = pieces; one != pieces + count && left > 0; ++one) {
    const std::size_t bytes = std::min(left, one->iov_len);
    if (is_closed(*one)) judge_call(one->iov_base, bytes, does);
    left -= bytes;
  }
  return result;
}

template <typename Call>
ssize_t with_message(const msghdr* message, CallDoes does, Call call) {
  return with_pieces(message->msg_iov, static_cast<std::ptrdiff_t>(message->msg_iovlen), does,
                     [&](const iovec* pieces) {
                       msghdr given = *message;
                       given.msg_iov = const_cast<iovec*>(pieces);
                       const ssize_t result = call(&given);
                       if (does == CallDoes::writes) {
                         const auto own = message->msg_iov;
                         *const_cast<msghdr*>(message) = given;
                         const_cast<msghdr*>(message)->msg_iov = own;
                       }
                       return result;
                     });
}

}  // namespace
}  // namespace warpwise::cudart

using warpwise::cudart::CallDoes;
using warpwise::cudart::Next;
using warpwise::cudart::with;
using warpwise::cudart::with_message;
using warpwise::cudart::with_pieces;

extern "C" {

// The variants that check the size of the buffer, which a compiler calls with _FORTIFY_SOURCE.
ssize_t __read_chk(int, void*, size_t, size_t);
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void*, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void*, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void*, size_t, size_t, int, sockaddr*, socklen_t*);
size_t __fread_chk(void*, size_t, size_t, size_t, FILE*);
size_t __fread_unlocked_chk(void*, size_t, size_t, size_t, FILE*);

WARPWISE_IN_FRONT_OF(read);
ssize_t warpwise_read(int file, void* to, size_t bytes) {
  return with(to, [=](void* memory) { return next_read(file, memory, bytes); });
}
WARPWISE_IN_FRONT_OF(write);
ssize_t warpwise_write(int file, const void* from, size_t bytes) {
  return with(from, [=](const void* memory) { return next_write(file, memory, bytes); });
}
WARPWISE_IN_FRONT_OF(pread);
ssize_t warpwise_pread(int file, void* to, size_t bytes, off_t at) {
  return with(to, [=](void* memory) { return next_pread(file, memory, bytes, at); });
}
WARPWISE_IN_FRONT_OF(pread64);
ssize_t warpwise_pread64(int file, void* to, size_t bytes, off64_t at) {
  return with(to, [=](void* memory) { return next_pread64(file, memory, bytes, at); });
}
WARPWISE_IN_FRONT_OF(pwrite);
ssize_t warpwise_pwrite(int file, const void* from, size_t bytes, off_t at) {
  return with(from, [=](const void* memory) { return next_pwrite(file, memory, bytes, at); });
}
WARPWISE_IN_FRONT_OF(pwrite64);
ssize_t warpwise_pwrite64(int file, const void* from, size_t bytes, off64_t at) {
  return with(from, [=](const void* memory) { return next_pwrite64(file, memory, bytes, at); });
}

WARPWISE_IN_FRONT_OF(readv);
ssize_t warpwise_readv(int file, const iovec* pieces, int count) {
  return with_pieces(pieces, count, CallDoes::writes,
                     [=](const iovec* given) { return next_readv(file, given, count); });
}
WARPWISE_IN_FRONT_OF(writev);
ssize_t warpwise_writev(int file, const iovec* pieces, int count) {
  return with_pieces(pieces, count, CallDoes::reads,
                     [=](const iovec* given) { return next_writev(file, given, count); });
}
WARPWISE_IN_FRONT_OF(preadv);
ssize_t warpwise_preadv(int file, const iovec* pieces, int count, off_t at) {
  return with_pieces(pieces, count, CallDoes::writes,
                     [=](const iovec* given) { return next_preadv(file, given, count, at); });
}
WARPWISE_IN_FRONT_OF(preadv64);
ssize_t warpwise_preadv64(int file, const iovec* pieces, int count, off64_t at) {
  return with_pieces(pieces, count, CallDoes::writes,
                     [=](const iovec* given) { return next_preadv64(file, given, count, at); });
}
WARPWISE_IN_FRONT_OF(pwritev);
ssize_t warpwise_pwritev(int file, const iovec* pieces, int count, off_t at) {
  return with_pieces(pieces, count, CallDoes::reads,
                     [=](const iovec* given) { return next_pwritev(file, given, count, at); });
}
WARPWISE_IN_FRONT_OF(pwritev64);
ssize_t warpwise_pwritev64(int file, const iovec* pieces, int count, off64_t at) {
  return with_pieces(pieces, count, CallDoes::reads,
                     [=](const iovec* given) { return next_pwritev64(file, given, count, at); });
}

WARPWISE_IN_FRONT_OF(recv);
ssize_t warpwise_recv(int socket, void* to, size_t bytes, int flags) {
  return with(to, [=](void* memory) { return next_recv(socket, memory, bytes, flags); });
}
WARPWISE_IN_FRONT_OF(recvfrom);
ssize_t warpwise_recvfrom(int socket, void* to, size_t bytes, int flags, sockaddr* sender,
                          socklen_t* length) {
  return with(to, [=](void* memory) {
    return next_recvfrom(socket, memory, bytes, flags, sender, length);
  });
}
WARPWISE_IN_FRONT_OF(recvmsg);
ssize_t warpwise_recvmsg(int socket, msghdr* message, int flags) {
  return with_message(message, CallDoes::writes,
                      [=](msghdr* given) { return next_recvmsg(socket, given, flags); });
}
WARPWISE_IN_FRONT_OF(send);
ssize_t warpwise_send(int socket, const void* from, size_t bytes, int flags) {
  return with(from, [=](const void* memory) { return next_send(socket, memory, bytes, flags); });
}
WARPWISE_IN_FRONT_OF(sendto);
ssize_t warpwise_sendto(int socket, const void* from, size_t bytes, int flags,
                        const sockaddr* receiver, socklen_t length) {
  return with(from, [=](const void* memory) {
    return next_sendto(socket, memory, bytes, flags, receiver, length);
  });
}
WARPWISE_IN_FRONT_OF(sendmsg);
ssize_t warpwise_sendmsg(int socket, const msghdr* message, int flags) {
  return with_message(message, CallDoes::reads,
                      [=](const msghdr* given) { return next_sendmsg(socket, given, flags); });
}
WARPWISE_IN_FRONT_OF(getrandom);
ssize_t warpwise_getrandom(void* to, size_t bytes, unsigned flags) {
  return with(to, [=](void* memory) { return next_getrandom(memory, bytes, flags); });
}

WARPWISE_IN_FRONT_OF(fread);
size_t warpwise_fread(void* to, size_t size, size_t count, FILE* file) {
  return with(
      to, [=](void* memory) { return next_fread(memory, size, count, file); }, size);
}
WARPWISE_IN_FRONT_OF(fread_unlocked);
size_t warpwise_fread_unlocked(void* to, size_t size, size_t count, FILE* file) {
  return with(
      to, [=](void* memory) { return next_fread_unlocked(memory, size, count, file); }, size);
}
WARPWISE_IN_FRONT_OF(fwrite);
size_t warpwise_fwrite(const void* from, size_t size, size_t count, FILE* file) {
  return with(
      from, [=](const void* memory) { return next_fwrite(memory, size, count, file); }, size);
}
WARPWISE_IN_FRONT_OF(fwrite_unlocked);
size_t warpwise_fwrite_unlocked(const void* from, size_t size, size_t count, FILE* file) {
  return with(
      from, [=](const void* memory) { return next_fwrite_unlocked(memory, size, count, file); },
      size);
}

WARPWISE_IN_FRONT_OF(__read_chk);
ssize_t warpwise___read_chk(int file, void* to, size_t bytes, size_t room) {
  return with(to, [=](void* memory) { return next___read_chk(file, memory, bytes, room); });
}
WARPWISE_IN_FRONT_OF(__pread_chk);
ssize_t warpwise___pread_chk(int file, void* to, size_t bytes, off_t at, size_t room) {
  return with(to, [=](void* memory) { return next___pread_chk(file, memory, bytes, at, room); });
}
WARPWISE_IN_FRONT_OF(__pread64_chk);
ssize_t warpwise___pread64_chk(int file, void* to, size_t bytes, off64_t at, size_t room) {
  return with(to, [=](void* memory) { return next___pread64_chk(file, memory, bytes, at, room); });
}
WARPWISE_IN_FRONT_OF(__recv_chk);
ssize_t warpwise___recv_chk(int socket, void* to, size_t bytes, size_t room, int flags) {
  return with(to,
              [=](void* memory) { return next___recv_chk(socket, memory, bytes, room, flags); });
}
WARPWISE_IN_FRONT_OF(__recvfrom_chk);
ssize_t warpwise___recvfrom_chk(int socket, void* to, size_t bytes, size_t room, int flags,
                                sockaddr* sender, socklen_t* length) {
  return with(to, [=](void* memory) {
    return next___recvfrom_chk(socket, memory, bytes, room, flags, sender, length);
  });
}
WARPWISE_IN_FRONT_OF(__fread_chk);
size_t warpwise___fread_chk(void* to, size_t room, size_t size, size_t count, FILE* file) {
  return with(
      to, [=](void* memory) { return next___fread_chk(memory, room, size, count, file); }, size);
}
WARPWISE_IN_FRONT_OF(__fread_unlocked_chk);
size_t warpwise___fread_unlocked_chk(void* to, size_t room, size_t size, size_t count, FILE* file) {
  return with(
      to, [=](void* memory) { return next___fread_unlocked_chk(memory, room, size, count, file); },
      size);
}
}
