#pragma once
#include "half_pass.h"
#include "vit.h"

/// \file
/// A vision transformer in bf16.
namespace gpt {

/// What one pass works on.
struct HalfImagePass {
  ImagePass image;       ///< of its buffers x and y are used.
  HalfPass half;         ///< of the same pass; `halves` are the model's numbers, the ends' too.
  bf16* rows = nullptr;  ///< (B T, K): the patches, device.
};

/// The operations. Patches of fewer than 8 numbers are embedded in fp32.
Operations half_image_operations(HalfRung rung, const HalfImagePass& pass);

/// Device memory of one pass that is not a ladder's. Lives as long as the object.
class OwnHalfImagePass {
 public:
  OwnHalfImagePass(const ImageModel& model, const std::vector<float>& images);
  const HalfImagePass& pass() const { return pass_; }
  /// (B, classes), host; waits.
  std::vector<float> scores() const { return own_.scores(); }

 private:
  OwnImagePass own_;
  HalfMemory memory_;
  HalfImagePass pass_;
};

}  // namespace gpt
