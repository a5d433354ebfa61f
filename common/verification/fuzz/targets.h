#pragma once
#include <cstddef>
#include <span>

/// The targets of hostile bytes: each reads them as a program's image would be read and comes back,
/// whatever they are. Errors of the kinds that the readers promise are swallowed; anything else is
/// a finding.
namespace warpwise::fuzz {

using Target = void (*)(std::span<const std::byte> bytes);

/// A fat binary container and the cubins inside it.
void fatbin(std::span<const std::byte> bytes);
/// A cubin.
void cubin(std::span<const std::byte> bytes);
/// PTX text: parsed, and every kernel in it compiled.
void ptx(std::span<const std::byte> bytes);

}  // namespace warpwise::fuzz
