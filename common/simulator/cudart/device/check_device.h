#pragma once

/// Refuses a number that is no device's.
namespace warpwise::cudart {

/// @throws Failure cudaErrorInvalidDevice, or another code, where there is no such device.
void check_device(int device);
void check_device(int device, int code);

}  // namespace warpwise::cudart
