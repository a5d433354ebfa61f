#include "models/image_model.h"

#include <cstring>
#include <numeric>

#include "models/model_file.h"

namespace warpwise::models {
namespace {

constexpr int version = 1, most_per_side = 1024;

void expect_version(const ModelFile& in) {
  if (in.header(1) != version) {
    in.refuse("version " + std::to_string(in.header(1)) + "; expected " + std::to_string(version) +
              ".");
  }
}

int expected(const ModelFile& in, std::size_t at, const char* name, int most) {
  const int value = in.header(at);
  if (value < 1 || value > most) {
    in.refuse("header: " + std::string(name) + " " + std::to_string(value) + "; expected 1 to " +
              std::to_string(most) + ".");
  }
  return value;
}

}  // namespace

ImageCheckpoint read_image_checkpoint(const std::string& file) {
  const ModelFile in(file, Magic::image_model);
  expect_version(in);
  ImageCheckpoint model;
  model.side = expected(in, 2, "side", most_per_side);
  model.patch = expected(in, 3, "patch", most_per_side);
  model.channels = expected(in, 4, "channels of a pixel", 3);
  model.classes = expected(in, 5, "classes", 1 << 20);
  const int numbers = model.channels * model.patch * model.patch;
  Dimensions& d = model.weights.dimensions;
  d = {model.side * model.side + 1, numbers, in.header(6), in.header(7), in.header(8), numbers};
  if (const std::string problem = problem_of(d); !problem.empty()) {
    in.refuse("header: " + problem + ".");
  }
  const auto sizes = tensor_sizes(d);
  const std::uint64_t ends = std::uint64_t(model.classes + 2) * d.channels + model.classes;
  const std::uint64_t count = std::accumulate(sizes.begin(), sizes.end(), ends);
  in.expect_body(4 * count);
  model.weights.values.resize(count);
  std::memcpy(model.weights.values.data(), in.body().data(), in.body().size());
  return model;
}

ImageTest read_image_test(const std::string& file, const ImageCheckpoint& model) {
  const ModelFile in(file, Magic::image_test);
  expect_version(in);
  ImageTest test;
  test.count = expected(in, 2, "images", 1 << 20);
  const std::uint64_t width = std::uint64_t(model.side) * model.patch;
  const std::uint64_t pixels = model.channels * width * width;
  if (in.header(3) != static_cast<std::int64_t>(pixels) || in.header(4) != model.classes) {
    in.refuse("header: " + std::to_string(in.header(3)) + " pixels and " +
              std::to_string(in.header(4)) + " classes; the model has " + std::to_string(pixels) +
              " and " + std::to_string(model.classes) + ".");
  }
  const std::uint64_t count = test.count;
  in.expect_body(count * (pixels + 1 + 4 * std::uint64_t(model.classes)));
  const auto* bytes = reinterpret_cast<const unsigned char*>(in.body().data());
  // Of a digit's pixel 16 is the most.
  for (std::uint64_t i = 0; i < count * pixels; ++i) {
    test.pixels.push_back(static_cast<float>(bytes[i]) / 8 - 1);
  }
  test.labels.assign(bytes + count * pixels, bytes + count * (pixels + 1));
  test.scores.resize(count * model.classes);
  std::memcpy(test.scores.data(), bytes + count * (pixels + 1), 4 * test.scores.size());
  return test;
}

}  // namespace warpwise::models
