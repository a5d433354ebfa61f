#pragma once
#include <string_view>

namespace warpwise::cudart {

/// Checks the directives before a PTX text's first function for those that a driver refuses.
/// @throws Failure with the error that an H100's driver gives where the library is first used:
///   cudaErrorInvalidKernelImage where nothing marks it as PTX, cudaErrorUnsupportedPtxVersion for
///   a version after the toolkit's, cudaErrorInvalidPtx for the rest.
/// @param capability of the device, 90.
void check_head(std::string_view text, unsigned capability);

/// The architecture that the text names: 90 for ".target sm_90"; 0 where it names none.
unsigned target_of(std::string_view text);

}  // namespace warpwise::cudart
