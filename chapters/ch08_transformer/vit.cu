/// \file
/// A vision transformer's forward pass: from pixels to scores of classes.
///
/// The question: the layers are those of GPT-2. What has to change so that they serve a model
/// without a mask, with another GELU, another eps and 197 words?
///
///     build/ch08_transformer --only vit
///     build/ch08_transformer --only vit --size 2x7x128     # B x patches per side x C
///
/// The rungs are those of forward.cpp; only the first and the last operation are new.

#include "recorded.h"
#include "vit.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

const float* part(const ImagePass& v, std::size_t begin) { return v.pass.weights.values + begin; }

Operation patch_embedding(const ImagePass& v) {
  const Patches p = v.patches;
  const int C = v.pass.d().channels, rows = v.pass.rows();
  const float *w = v.pass.weights.of(Tensor::wte), *positions = v.pass.weights.of(Tensor::wpe);
  const float *bias = part(v, v.model->patch_bias()), *first = part(v, v.model->class_token());
  const float* images = v.images;
  float* x = v.pass.buffers.x;
  const double numbers = static_cast<double>(rows) * C;
  return {.name = "patches + positions",
          .bytes = 4 * (static_cast<double>(p.image_numbers()) + double(C) * p.K() + 2 * numbers),
          .flops = 2 * numbers * p.K(),
          .start =
              [=](cudaStream_t stream) {
                embed_patches<<<dim3(ceil_div(C, tile), ceil_div(rows, tile)), dim3(tile, tile), 0,
                                stream>>>(images, w, bias, first, positions, x, p, C);
              },
          .results = {{Stage::embedding, x}}};
}

Operation classes(const ImagePass& v) {
  const int C = v.pass.d().channels, T = v.pass.T, count = v.model->classes, B = v.pass.B;
  const float *w = part(v, v.model->head()), *bias = part(v, v.model->head_bias());
  const float* a = v.pass.buffers.a;
  float* scores = v.scores;
  return {.name = "classes",
          .bytes = 4.0 * (double(B) * C + double(count) * C + double(B) * count),
          .flops = 2.0 * B * C * count,
          .start =
              [=](cudaStream_t stream) {
                class_head<<<dim3(ceil_div(count, 4), B), dim3(32, 4), 0, stream>>>(
                    a, w, bias, scores, T, C, count);
              },
          .results = {{Stage::logits, scores}}};
}

lesson::Needs needs_of(const lesson::Size& size) {
  std::string absent;
  const ImageModel model = image_shape(size[1], size[2]);
  return sum_of(image_operations(Rung::attention, shape_of(model, size[0]), absent));
}

void vit_rungs(lesson::Trial& run) {
  ImagePass v = image_pass_of(run);
  v.scores = run.output("scores", expected_scores(v, images_of(*v.model, v.pass.B)),
                        {.absolute = 2e-4, .relative = 1e-5}, v.model->classes);
  whole_pass_rungs(
      run, [&](Rung rung, std::string& absent) { return image_operations(rung, v, absent); });
}

/// Every stage of every layer of every own rung, at 3 images of 26 words.
lesson::Demonstration vit_activations() {
  constexpr int B = 3, side = 5, C = 128;
  const ImageModel& model = image_model(side, C);
  const Activations expected = image_reference(model, images_of(model, B));
  std::vector<std::map<Stage, double>> errors;
  for (const Rung rung : own_rungs) {
    const OwnImagePass own(model, images_of(model, B));
    std::string absent;
    errors.push_back(errors_of(name_of(rung), image_operations(rung, own.pass(), absent), expected,
                               most_fp32_error));
  }
  return errors_table("ViT: largest error of each result, all layers, against double on the host",
                      errors);
}

lesson::Demonstration vit_picture(const warpwise::occupancy::Gpu& gpu, Rung rung) {
  constexpr int B = 32, side = 14, C = 768;
  const std::string title = "ViT-B/16, B 32, 197 words, fp32: ";
  std::string absent;
  if (!has_gpu()) {
    const ImageModel model = image_shape(side, C);
    return shares_table(title + name_of(rung), image_operations(rung, shape_of(model, B), absent),
                        gpu, nullptr);
  }
  const ImageModel& model = image_model(side, C);
  const OwnImagePass own(model, images_of(model, B));
  lesson::Timer timer(std::size_t{64} << 20);
  return shares_table(title + name_of(rung), image_operations(rung, own.pass(), absent), gpu,
                      &timer);
}

}  // namespace

ImagePass shape_of(const ImageModel& model, int B) {
  ImagePass v;
  v.model = &model;
  v.patches = model.patches;
  v.patches.B = B;
  v.pass = shape_of(model.weights, B, model.patches.T());
  v.pass.flavour = of_images;
  return v;
}

ImagePass image_pass_of(lesson::Trial& run) {
  const ImageModel& model = image_model(run.size()[1], run.size()[2]);
  ImagePass v = shape_of(model, run.size()[0]);
  v.pass.weights.values = run.input("weights", model.weights.values);
  v.pass.weights.turned = run.input("turned weights", turned_weights(model.weights));
  v.images = run.input("images", images_of(model, v.pass.B));
  const std::size_t numbers = std::size_t(v.pass.rows()) * model.C();
  const auto room = [&](const char* name, std::size_t count) {
    return run.input(name, std::vector<float>(count));
  };
  v.pass.buffers = {room("x", numbers), room("a", numbers), room("b", 4 * numbers),
                    room("y", numbers), nullptr};
  return v;
}

std::vector<double> expected_scores(const ImagePass& v, const std::vector<float>& images) {
  constexpr double most_on_host = 1e9;
  const double multiplications =
      static_cast<double>(v.model->weights.values.size()) * v.pass.rows();
  if (multiplications > most_on_host) return device_image_reference(v);
  return image_reference(*v.model, images).at({0, Stage::logits});
}

Operations image_operations(Rung rung, const ImagePass& v, std::string& absent) {
  Operations all{patch_embedding(v)};
  const Operations layers = layers_of(rung, v.pass, absent);
  if (!absent.empty()) return {};
  all.insert(all.end(), layers.begin(), layers.end());
  all.push_back(classes(v));
  return all;
}

std::vector<double> device_image_reference(const ImagePass& v) {
  const int C = v.pass.d().channels, rows = v.pass.rows(), B = v.pass.B;
  const lesson::DeviceArray<double> x(std::size_t(rows) * C), a(std::size_t(rows) * C);
  const lesson::DeviceArray<double> scores(std::size_t(B) * v.model->classes);
  embed_patches<double><<<dim3(ceil_div(C, tile), ceil_div(rows, tile)), dim3(tile, tile)>>>(
      v.images, v.pass.weights.of(Tensor::wte), part(v, v.model->patch_bias()),
      part(v, v.model->class_token()), v.pass.weights.of(Tensor::wpe), x, v.patches, C);
  device_layers(v.pass, x, a);
  class_head<double, double><<<dim3(ceil_div(v.model->classes, 4), B), dim3(32, 4)>>>(
      a, part(v, v.model->head()), part(v, v.model->head_bias()), scores, v.pass.T, C,
      v.model->classes);
  lesson::check(cudaGetLastError());
  return scores.to_host();
}

}  // namespace gpt

void vit_ladder(lesson::Run& run) {
  using namespace gpt;
  run.table("vit_picture_first", [&] { return vit_picture(run.limits(), Rung::first); });
  run.table("vit_picture", [&] { return vit_picture(run.limits(), Rung::turned); });
  run.table("vit_activations", vit_activations);
  run.ladder({.name = "vit",
              .title = "ViT from pixels to classes, fp32, B x patches per side x C",
              .full = {32, 14, 768},
              .small = {1, 14, 128},
              .awkward = {{1, 1, 64}, {3, 2, 128}, {2, 8, 64}},
              .needs = needs_of,
              .limit = "cuBLAS and a bias kernel"},
             vit_rungs);
}
