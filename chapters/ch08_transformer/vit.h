#pragma once
#include "gpt.h"
#include "image_layers.h"

/// \file
/// A vision transformer: the layers of GPT-2 without a mask, between two ends of its own.
namespace gpt {

/// No mask, GELU by erf, an eps of 1e-12: ViT-B/16.
inline constexpr Flavour of_images{false, true, 1e-12};

/// A model on the host. Its layers are those of a checkpoint whose table of tokens is the patch
/// embedding, (C, K), and whose positions are (T, C). What GPT-2 has not follows in `values`.
struct ImageModel {
  Patches patches;  ///< B is 1.
  int classes = 0;
  Checkpoint weights;

  int C() const { return weights.dimensions.channels; }
  /// The parts after the checkpoint's own: C numbers of the class token, C of the patches' bias,
  /// (classes, C), classes.
  std::size_t class_token() const;
  std::size_t patch_bias() const { return class_token() + C(); }
  std::size_t head() const { return patch_bias() + C(); }
  std::size_t head_bias() const { return head() + std::size_t(classes) * C(); }
};

/// ViT-B/16 for 768 channels, 12 layers and patches of 16 x 16; else 2 layers, patches of 4 x 4 and
/// 10 classes. Seeded weights; those of products are four times as large in a small model, so that
/// its attention prefers some words to others.
/// @param side patches per side.
const ImageModel& image_model(int side, int C);
/// The same without weights, for what starts nothing.
ImageModel image_shape(int side, int C);

/// Pixels in [-1, 1) that repeat on every machine.
std::vector<float> images_of(const ImageModel& model, int B);

/// What one pass works on.
struct ImagePass {
  const ImageModel* model = nullptr;
  Patches patches = {};
  Pass pass;                      ///< tokens and logits are not used.
  const float* images = nullptr;  ///< (B, 3, width, width), device.
  float* scores = nullptr;        ///< (B, classes), device.
};

/// The operations of a rung. @return as layers_of().
Operations image_operations(Rung rung, const ImagePass& pass, std::string& absent);

/// Every stage of every layer in double on the host; Stage::logits are the scores of the classes.
Activations image_reference(const ImageModel& model, const std::vector<float>& images);

/// The scores alone, in double on the device.
std::vector<double> device_image_reference(const ImagePass& pass);

/// The scores in double: on the host for small models, else on the device.
std::vector<double> expected_scores(const ImagePass& pass, const std::vector<float>& images);

/// A pass of a shape, for what starts nothing.
ImagePass shape_of(const ImageModel& model, int B);

/// Weights, images and buffers of a ladder's problem, B x patches per side x C; without the scores.
ImagePass image_pass_of(warpwise::lesson::Trial& run);

/// Device memory of one pass that is not a ladder's. Lives as long as the object.
class OwnImagePass {
 public:
  OwnImagePass(const ImageModel& model, const std::vector<float>& images);
  const ImagePass& pass() const { return pass_; }
  /// (B, classes), host; waits.
  std::vector<float> scores() const;

 private:
  float* room(std::size_t count, const char* name);
  float* copy(const std::vector<float>& values, const char* name);

  std::vector<warpwise::lesson::DeviceBytes> memory_;
  ImagePass pass_;
};

}  // namespace gpt
