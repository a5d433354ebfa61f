#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Devices that may use each other's memory. The simulated machine joins them by links that carry
// atomics, as NVLink does. The codes are those of two H200 (answers/); that of a peer which cannot
// be reached is the documented one.
namespace warpwise::cudart {
namespace {

/// Runs earlier work with the access that it had when it was issued. The host does not count as
/// having waited for it.
void run_what_was_issued() { runtime().queue.hurry_device(memory::current_device()); }

void enable(int peer, unsigned flags) {
  const int reader = memory::current_device();
  if (flags != 0) throw Failure{cudaErrorInvalidValue, "the flags must be 0"};
  if (peer == reader)
    throw Failure{cudaErrorPeerAccessUnsupported, "a device is not a peer of itself"};
  if (!can_be_peers(reader, peer))
    throw Failure{cudaErrorInvalidDevice,
                  fmt::format("device {} cannot reach device {}: cudaDeviceCanAccessPeer says 0",
                              reader, peer)};
  memory::Peers& peers = runtime().memory.peers();
  if (peers.may(reader, peer))
    throw Failure{cudaErrorPeerAccessAlreadyEnabled,
                  fmt::format("device {} has access to device {} already", reader, peer)};
  run_what_was_issued();
  peers.set(reader, peer, true);
}

void disable(int peer) {
  const int reader = memory::current_device();
  memory::Peers& peers = runtime().memory.peers();
  if (peer == reader)
    throw Failure{cudaErrorPeerAccessNotEnabled, "a device is not a peer of itself"};
  if (!peers.may(reader, peer))
    throw Failure{cudaErrorPeerAccessNotEnabled,
                  fmt::format("device {} has no access to device {}", reader, peer)};
  run_what_was_issued();
  peers.set(reader, peer, false);
}

/// The ability of the link from one device to another.
int link_attribute(cudaDeviceP2PAttr attribute, int device, int peer) {
  const int reaches = can_be_peers(device, peer) ? 1 : 0;
  switch (attribute) {
    case cudaDevP2PAttrPerformanceRank:
      return 0;  // All links are equal.
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      return reaches;
    default:
      throw Failure{cudaErrorInvalidValue, "unknown attribute"};
  }
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_without_device("cudaDeviceCanAccessPeer", [&] {
    check_device(device);
    check_device(peer);
    store(can, can_be_peers(device, peer) ? 1 : 0);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call_after_fault("cudaDeviceEnablePeerAccess", [&] {
    check_device(peer);
    need_device();
    enable(peer, flags);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_after_fault("cudaDeviceDisablePeerAccess", [&] {
    check_device(peer);
    need_device();
    forbid_while_capturing();
    disable(peer);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return call_without_device("cudaDeviceGetP2PAttribute", [&] {
    check_device(device);
    check_device(peer);
    given(value);
    if (device == peer) throw Failure{cudaErrorInvalidDevice, "a device is not a peer of itself"};
    *value = link_attribute(attribute, device, peer);
  });
}
}
