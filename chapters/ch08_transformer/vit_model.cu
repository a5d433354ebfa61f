/// \file
/// A vision transformer's weights, its images, its reference, and device memory for a pass.
#include <map>

#include "base/numbers.h"
#include "vit.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {
namespace {

constexpr int base_channels = 768, head_channels = 64;

void fill(ImageModel& model) {
  const Dimensions d = model.weights.dimensions;
  const int C = d.channels;
  model.weights = models::seeded_checkpoint(d, 5);
  std::vector<float>& values = model.weights.values;
  const std::size_t count = std::size_t(model.classes + 2) * C + model.classes;
  for (const float value : lesson::uniform_numbers(count, 6)) values.push_back(value / 8);
  if (C == base_channels) return;
  constexpr Tensor products[] = {Tensor::wte, Tensor::qkvw, Tensor::attprojw, Tensor::fcw,
                                 Tensor::fcprojw};
  const auto sizes = models::tensor_sizes(d);
  for (const Tensor tensor : products) {
    const std::size_t begin = model.weights.begin(tensor);
    const std::size_t size = sizes[static_cast<std::size_t>(tensor)];
    for (std::size_t i = begin; i < begin + size; ++i) values[i] *= 4;
  }
}

}  // namespace

ImageModel image_shape(int side, int C) {
  if (C % head_channels != 0) {
    throw lesson::Stop(lesson::bad_usage,
                       std::to_string(C) + " channels: a multiple of 64 is wanted");
  }
  const bool is_base = C == base_channels;
  ImageModel model;
  model.patches = {1, side, is_base ? 16 : 4};
  model.classes = is_base ? 1000 : 10;
  const int K = model.patches.K();
  Dimensions d;
  d.max_tokens = model.patches.T();
  // The patch embedding takes the place of the table of tokens: K * C numbers.
  d.tokens = d.padded_tokens = K;
  d.layers = is_base ? 12 : 2;
  d.heads = C / head_channels;
  d.channels = C;
  model.weights.dimensions = d;
  return model;
}

std::size_t ImageModel::class_token() const {
  std::size_t all = 0;
  for (const std::uint64_t size : models::tensor_sizes(weights.dimensions)) all += size;
  return all;
}

const ImageModel& image_model(int side, int C) {
  static std::map<std::pair<int, int>, ImageModel> made;
  const auto found = made.find({side, C});
  if (found != made.end()) return found->second;
  ImageModel& model = made[{side, C}] = image_shape(side, C);
  fill(model);
  return model;
}

std::vector<float> images_of(const ImageModel& model, int B) {
  Patches patches = model.patches;
  patches.B = B;
  return lesson::uniform_numbers(patches.image_numbers(), 7);
}

Activations image_reference(const ImageModel& model, const std::vector<float>& images) {
  Patches p = model.patches;
  p.B = static_cast<int>(images.size() / p.image_numbers());
  const int C = model.C(), T = p.T(), K = p.K(), width = p.width();
  const float* values = model.weights.values.data();
  std::vector<double> rows;
  for (int b = 0; b < p.B; ++b) {
    for (int j = 0; j < p.side * p.side; ++j) {
      for (int channel = 0; channel < p.channels; ++channel) {
        for (int y = 0; y < p.patch; ++y) {
          const int line = (b * p.channels + channel) * width + j / p.side * p.patch + y;
          const float* from = &images[std::size_t(line) * width + j % p.side * p.patch];
          rows.insert(rows.end(), from, from + p.patch);
        }
      }
    }
  }
  const std::vector<double> embedded = product_reference(
      rows, values + model.weights.begin(Tensor::wte), values + model.patch_bias(), C, K);
  std::vector<double> x;
  for (int row = 0; row < p.B * T; ++row) {
    const int b = row / T, t = row % T;
    for (int c = 0; c < C; ++c) {
      const double word = t == 0 ? values[model.class_token() + c]
                                 : embedded[std::size_t(b * (T - 1) + t - 1) * C + c];
      x.push_back(word + values[model.weights.begin(Tensor::wpe) + std::size_t(t) * C + c]);
    }
  }
  Activations all = layers_reference(model.weights, of_images, x, T);
  all[{0, Stage::embedding}] = std::move(x);
  const std::vector<double>& last = all.at({0, Stage::norm_f});
  std::vector<double> class_rows;
  for (int b = 0; b < p.B; ++b) {
    const auto row = last.begin() + std::ptrdiff_t{b} * T * C;
    class_rows.insert(class_rows.end(), row, row + C);
  }
  all[{0, Stage::logits}] = product_reference(class_rows, values + model.head(),
                                              values + model.head_bias(), model.classes, C);
  return all;
}

float* OwnImagePass::room(std::size_t count, const char* name) {
  return static_cast<float*>(memory_.emplace_back(4 * count, name).get());
}

float* OwnImagePass::copy(const std::vector<float>& values, const char* name) {
  float* to = room(values.size(), name);
  memory_.back().copy_from(values.data(), 4 * values.size());
  return to;
}

OwnImagePass::OwnImagePass(const ImageModel& model, const std::vector<float>& images) {
  const auto B = static_cast<int>(images.size() / model.patches.image_numbers());
  pass_.model = &model;
  pass_.patches = model.patches;
  pass_.patches.B = B;
  Pass& p = pass_.pass;
  p.B = B, p.T = model.patches.T(), p.flavour = of_images;
  p.weights = {model.weights.dimensions, &model.weights, copy(model.weights.values, "weights"),
               copy(turned_weights(model.weights), "turned weights")};
  pass_.images = copy(images, "images");
  const std::size_t numbers = std::size_t(p.rows()) * model.C();
  p.buffers = {room(numbers, "x"), room(numbers, "a"), room(4 * numbers, "b"), room(numbers, "y"),
               nullptr};
  pass_.scores = room(std::size_t(B) * model.classes, "scores");
}

std::vector<float> OwnImagePass::scores() const {
  std::vector<float> host(std::size_t(pass_.pass.B) * pass_.model->classes);
  lesson::check(cudaMemcpy(host.data(), pass_.scores, 4 * host.size(), cudaMemcpyDeviceToHost));
  return host;
}

}  // namespace gpt
