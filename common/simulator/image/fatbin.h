#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/image_error.h"

/// Bytes that nvcc embedded in a program -> PTX text and facts about the compiled code.
namespace warpwise::image {

/// One PTX text or cubin of a fat binary, decompressed.
struct Entry {
  enum class Kind { ptx, cubin };
  Kind kind;
  std::uint32_t architecture;  ///< 90 for sm_90 or compute_90.
  bool architecture_specific;  ///< sm_90a.
  bool family_specific;        ///< sm_100f.
  bool debug;                  ///< compiled with -G.
  std::string options;         ///< of a ptx entry: the options of its translation, "--fmad false".
  /// Of a program built with -rdc=true: 1, 2, ... for the translation unit whose PTX this is, 0 for
  /// the device linker's output. 0 in any other program.
  std::uint32_t unit = 0;
  std::vector<std::byte> payload;  ///< PTX without its trailing NUL, or a whole ELF image.

  /// @return the payload as text; of use for a ptx entry only.
  std::string ptx_text() const;

  /// @return whether a product and a sum may become one instruction where the text leaves it open:
  ///   so unless built with -G or -fmad=false.
  bool may_contract() const;

  /// @param device its architecture. @return whether such a GPU would run this, after compiling it
  /// if it is PTX.
  bool runs_on(unsigned device) const;
};

/// Reads one fat binary container (magic 0xBA55ED50).
/// @param bytes the container, or anything that starts with one; what follows it is ignored.
/// @return its PTX texts and cubins in order, none for an empty container; entries of other kinds
///   (such as code for link-time optimisation) are left out.
/// @throws ImageError with one sentence for people when the bytes are not a container or are
/// damaged.
std::vector<Entry> read_container(std::span<const std::byte> bytes);

/// Reads the container at an address, whose own header says how long it is (a registered image).
/// @pre as many bytes as that header says can be read there.
/// @throws ImageError as read_container, and for a null address.
std::vector<Entry> read_container_at(const void* address);

/// Reads the output of the device linker of -rdc=true: machine code of the whole program, and also
/// the containers of the translation units, whose PTX has to be linked.
/// @param container of the linked machine code. @param prelinked array of containers that ends with
///   null.
/// @return the cubins of the linked code as unit 0, then the PTX of each unit; the cubins of units
///   have no addresses yet and are left out.
/// @throws ImageError as read_container_at.
std::vector<Entry> read_linked_at(const void* container, const void* const* prelinked);

}  // namespace warpwise::image
