#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "simulator/cudart/device/per_device.h"

/// The simulated devices: how many there are, what they are called, which can reach which. All are
/// the GPU of WARPWISE_GPU.
namespace warpwise::cudart {

/// Devices that the program sees, 1 unless more were asked for; at least 0, at most 8.
int device_count();

/// "there is one device, number 0", or "there are 4 devices, 0 to 3"
std::string devices_text();

/// The place of a device on the simulated machine. It is the number of the device unless
/// CUDA_VISIBLE_DEVICES chooses some or changes their order.
int place_of_device(int device);
/// "0000:01:00.0"
std::string bus_id(int device);

/// True where the two could be made peers: WARPWISE_PEERS joins them.
bool can_be_peers(int device, int peer);

/// The devices of the machine that CUDA_VISIBLE_DEVICES leaves, in its order. The first entry that
/// is not a device ends the list, as documented; so does a repeated one.
/// @param devices of the machine.
std::vector<int> visible_devices(std::string_view list, int devices);

/// Pairs of devices, "0-1,2-3", each a bit of the other. @throws std::runtime_error, one sentence.
PerDevice<unsigned> pairs_of_peers(std::string_view text);

}  // namespace warpwise::cudart
