#pragma once
#include <vector>

#include "simulator/image/fatbin.h"

/// \file
/// Which PTX and which machine code of a program's image are for a GPU.
namespace warpwise::machine {

class Module;

/// Which code is run, which is asked about, and next to which it is loaded.
struct Target {
  // Most callers mean one and the same architecture.
  Target(unsigned run, unsigned ask = 0) : architecture(run), attributes_of(ask ? ask : run) {}
  unsigned architecture;   ///< of the GPU that is simulated, 90 for an H200
  unsigned attributes_of;  ///< whose registers and stack KernelInfo tells, where the image has them
  /// The same image as another device has loaded it: managed variables are those of that module.
  const Module* of_other_device = nullptr;
};

/// The cubin for exactly this architecture, or null.
const image::Entry* choose_code(const std::vector<image::Entry>& entries, unsigned architecture);

/// Whether a GPU of this architecture would run machine code of the program and leave its PTX.
bool has_code_for(const std::vector<image::Entry>& entries, unsigned architecture);

/// The PTX of all translation units, each in the version for this architecture;
/// null where a unit has none.
std::vector<const image::Entry*> choose_texts(const std::vector<image::Entry>& entries,
                                              unsigned architecture);

/// The cubin of the architecture asked about, else of the one that runs, else the newest below it.
const image::Entry* attribute_code(const std::vector<image::Entry>& entries, Target target);

}  // namespace warpwise::machine
