#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstring>

#include "simulator/cudart/memory/shared_state.h"

// Handles of processes that are no more. How processes share,
// verification/programs/devices/processes_share_memory.cu shows.
namespace warpwise::cudart {
namespace {

TEST_CASE("memory and events of a process that has ended cannot be opened") {
  constexpr std::uint32_t nobody = 0x7ffffff0;  // more than Linux numbers
  void *pointer = nullptr, *opened = nullptr;
  REQUIRE(cudaMalloc(&pointer, 64) == cudaSuccess);
  cudaIpcMemHandle_t memory = {};
  REQUIRE(cudaIpcGetMemHandle(&memory, pointer) == cudaSuccess);
  Ticket ticket;
  std::memcpy(&ticket, &memory, sizeof ticket);
  ticket.process = nobody;
  std::memcpy(&memory, &ticket, sizeof ticket);
  CHECK(cudaIpcOpenMemHandle(&opened, memory, cudaIpcMemLazyEnablePeerAccess) ==
        cudaErrorInvalidValue);
  CHECK(opened == nullptr);

  cudaEvent_t event = nullptr, found = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) ==
          cudaSuccess);
  cudaIpcEventHandle_t of_event = {};
  REQUIRE(cudaIpcGetEventHandle(&of_event, event) == cudaSuccess);
  std::memcpy(&ticket, &of_event, sizeof ticket);
  ticket.process = nobody;
  std::memcpy(&of_event, &ticket, sizeof ticket);
  CHECK(cudaIpcOpenEventHandle(&found, of_event) == cudaErrorMapBufferObjectFailed);
  cudaGetLastError();
  cudaEventDestroy(event);
  cudaFree(pointer);
}

TEST_CASE("a file that is another by now is not taken for the one of the ticket") {
  const SharedFile owner;
  owner.state().recorded = 7;
  Ticket ticket = owner.ticket(Ticket::Of::event);
  const auto found = SharedFile::open(ticket);
  REQUIRE(found != nullptr);
  CHECK(found->state().recorded == 7);
  found->state().done = 5;
  CHECK(owner.state().done == 5);
  ++ticket.name;
  CHECK(SharedFile::open(ticket) == nullptr);
  ticket = owner.ticket(Ticket::Of::event);
  ticket.file = 0;
  CHECK(SharedFile::open(ticket) == nullptr);
}

}  // namespace
}  // namespace warpwise::cudart
