#pragma once
#include <string_view>

namespace warpwise::cudart {

/// The directives before a PTX text's first function, as far as a driver refuses texts for them.
/// @throws Failure with the error that an H100's gives where the library is first used:
///   cudaErrorInvalidKernelImage where nothing says that it is PTX, cudaErrorUnsupportedPtxVersion
///   for a version after the toolkit's, cudaErrorInvalidPtx for the rest.
/// @param capability of the device, 90.
void check_head(std::string_view text, unsigned capability);

/// The architecture that the text names: 90 for ".target sm_90"; 0 where it names none.
unsigned target_of(std::string_view text);

}  // namespace warpwise::cudart
