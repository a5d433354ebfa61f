#pragma once
#include "models/checkpoint.h"

/// \file
/// The course's vision transformer, read from its file, and the images that test it.
/// \ingroup models
namespace warpwise::models {

/// A model on the host.
struct ImageCheckpoint {
  int side = 0;      ///< patches per side.
  int patch = 0;     ///< pixels per side of a patch.
  int channels = 0;  ///< of a pixel: 1 or 3.
  int classes = 0;
  /// The layers as of a GPT-2 whose table of tokens is the patch embedding, (C, channels patch^2).
  /// After its tensors: the class token, C; the patches' bias, C; the head, (classes, C), and its
  /// bias, classes.
  Checkpoint weights;
};

/// @throws std::runtime_error with one line that names the file and what is wrong with it.
ImageCheckpoint read_image_checkpoint(const std::string& file);

/// Images that training never saw.
struct ImageTest {
  int count = 0;
  std::vector<float> pixels;  ///< (count, channels, width, width), in [-1, 1].
  std::vector<int> labels;    ///< count: the right classes.
  std::vector<float> scores;  ///< (count, classes): what another program computed in float64.
};

/// @param model that it belongs to. @throws std::runtime_error as read_image_checkpoint().
ImageTest read_image_test(const std::string& file, const ImageCheckpoint& model);

}  // namespace warpwise::models
