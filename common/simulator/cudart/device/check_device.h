#pragma once

/// Refuses a number that is not a device's.
namespace warpwise::cudart {

/// @throws Failure cudaErrorInvalidDevice, or another code, where the device is unknown.
void check_device(int device);
void check_device(int device, int code);

}  // namespace warpwise::cudart
