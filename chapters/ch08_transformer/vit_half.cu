/// \file
/// A vision transformer in bf16: the patch embedding becomes one of the products on tensor cores.
///
/// The question: 32 images are 6304 rows, one image is 197. Does the same kernel serve both?
///
///     build/ch08_transformer --only vit_bf16
///
/// The rungs of `vit_bf16` and `vit_bf16_one`, as the tables list them:
///
///      1  mma.sync, pipelines            chapter 6's rung 8, chapter 7's rung 5
///      2  mma.sync, pipelines, a graph   the same, recorded once
///      3  wgmma, bulk copies             chapter 6's cuts by shape, chapter 7's rung 7
///      4  wgmma, bulk copies, a graph    the same, recorded once
#include <memory>

#include "half_linear.h"
#include "lesson/device/timing.h"
#include "recorded.h"
#include "vit_half.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

const float* part(const ImagePass& v, std::size_t begin) { return v.pass.weights.values + begin; }

/// From pixels to words: rows, a product, positions.
Operations embedding_of(HalfRung rung, const HalfImagePass& h) {
  const ImagePass& v = h.image;
  const Patches p = v.patches;
  const int M = v.pass.rows(), C = v.pass.d().channels, T = v.pass.T;
  const double M_ = M, K = p.K(), numbers = M_ * C;
  const float* images = v.images;
  bf16* rows = h.rows;
  const float *first = part(v, v.model->class_token()), *positions = v.pass.weights.of(Tensor::wpe);
  float *x = v.pass.buffers.x, *y = v.pass.buffers.y;
  const HalfLinear l{rows, h.half.halves, part(v, v.model->patch_bias()), y, M, C, p.K()};
  const auto start = rung == HalfRung::warpgroups ? start_warpgroups : start_pipeline;
  return {
      {.name = "patch rows",
       .bytes = 4 * static_cast<double>(p.image_numbers()) + 2 * M_ * K,
       .tensor_cores = true,
       .start = [=](cudaStream_t stream) { patch_rows<<<M, 192, 0, stream>>>(images, rows, p); }},
      {.name = "patches + bias",
       .bytes = 2 * K * (M_ + C) + 4 * numbers,
       .flops = 2 * numbers * K,
       .tensor_cores = true,
       .start = [=](cudaStream_t stream) { start(l, Leaves::floats, stream); }},
      {.name = "positions",
       .bytes = 8 * numbers + 4.0 * T * C,
       .flops = numbers,
       .tensor_cores = true,
       .start =
           [=](cudaStream_t stream) {
             place_words<<<M, 192, 0, stream>>>(y, first, positions, x, T, C);
           },
       .results = {{Stage::embedding, x}}}};
}

/// In fp32, where a row of a patch is too short for 16-byte copies.
Operation short_embedding(const ImagePass& v) {
  std::string absent;
  return image_operations(Rung::attention, v, absent).front();
}

Operation classes_of(const HalfImagePass& h) {
  const ImagePass& v = h.image;
  const int C = v.pass.d().channels, count = v.model->classes, B = v.pass.B, T = v.pass.T;
  const float *w = part(v, v.model->head()), *bias = part(v, v.model->head_bias());
  const bf16* a = h.half.a;
  float* scores = v.scores;
  return {.name = "classes",
          .bytes = 2.0 * B * C + 4.0 * (double(count) * C + double(B) * count),
          .flops = 2.0 * B * C * count,
          .start =
              [=](cudaStream_t stream) {
                class_head<<<dim3(ceil_div(count, 4), B), dim3(32, 4), 0, stream>>>(
                    a, w, bias, scores, T, C, count);
              },
          .results = {{Stage::logits, scores}}};
}

HalfImagePass half_shape_of(const ImageModel& model, int B) {
  HalfImagePass h;
  h.image = shape_of(model, B);
  h.half.pass = h.image.pass;
  return h;
}

lesson::Needs needs_of(const lesson::Size& size) {
  const ImageModel model = image_shape(size[1], size[2]);
  return sum_of(half_image_operations(HalfRung::pipelines, half_shape_of(model, size[0])));
}

void half_vit_rungs(lesson::Trial& run) {
  if (!runs(half_rungs[0])) return run.skip(half_rungs[0].name, half_rungs[0].needs);
  HalfImagePass h;
  h.image = image_pass_of(run);
  const ImageModel& model = *h.image.model;
  const std::size_t rows = h.image.pass.rows();
  h.half.halves = run.input("weights in bf16", rounded(model.weights.values));
  h.half.a = run.input("a in bf16", std::vector<bf16>(rows * model.C()));
  h.half.b = run.input("b in bf16", std::vector<bf16>(4 * rows * model.C()));
  h.rows = run.input("patches in bf16", std::vector<bf16>(rows * model.patches.K()));
  // Several times what rounding moves a score by.
  h.image.scores = run.output("scores", expected_scores(h.image, images_of(model, h.image.pass.B)),
                              {.absolute = 0.15}, model.classes);
  h.half.pass = h.image.pass;
  for (const NamedRung& named : half_rungs) {
    if (!runs(named)) {
      run.skip(named.name, named.needs);
      continue;
    }
    const Operations operations = half_image_operations(named.rung, h);
    run.work(named.name, [operations] { start(operations); });
    const auto graph =
        std::make_shared<Recorded>([&](cudaStream_t stream) { start(operations, stream); });
    run.work(std::string(named.name) + ", a graph", [graph] { graph->launch(); });
  }
}

/// Every stage of every layer, at 3 images of 26 words.
lesson::Demonstration half_vit_activations() {
  constexpr int B = 3, side = 5, C = 128;
  const ImageModel& model = image_model(side, C);
  const std::vector<float> images = images_of(model, B);
  const Activations expected = image_reference(model, images);
  return half_errors_table(
      "ViT in bf16: largest error of each result, over the largest number of that result",
      [&](const NamedRung& named) {
        const OwnHalfImagePass own(model, images);
        return errors_of(named.name, half_image_operations(named.rung, own.pass()), expected,
                         most_bf16_error, true);
      });
}

lesson::Demonstration half_vit_picture(const warpwise::occupancy::Gpu& gpu, const NamedRung& named,
                                       int B) {
  constexpr int side = 14, C = 768;
  const std::string title = "ViT-B/16, B " + std::to_string(B) + ", 197 words, bf16: " + named.name;
  if (!has_gpu() || !runs(named)) {
    const ImageModel model = image_shape(side, C);
    return shares_table(title, half_image_operations(named.rung, half_shape_of(model, B)), gpu,
                        nullptr);
  }
  const ImageModel& model = image_model(side, C);
  const OwnHalfImagePass own(model, images_of(model, B));
  lesson::Timer timer(std::size_t{64} << 20);
  return shares_table(title, half_image_operations(named.rung, own.pass()), gpu, &timer);
}

}  // namespace

Operations half_image_operations(HalfRung rung, const HalfImagePass& h) {
  // Rows of a tensor map begin at multiples of 16 bytes.
  Operations all =
      h.image.patches.K() % 8 == 0 ? embedding_of(rung, h) : Operations{short_embedding(h.image)};
  const Operations layers = half_layers_of(rung, h.half);
  all.insert(all.end(), layers.begin(), layers.end());
  all.push_back(classes_of(h));
  return all;
}

OwnHalfImagePass::OwnHalfImagePass(const ImageModel& model, const std::vector<float>& images)
    : own_(model, images) {
  pass_.image = own_.pass();
  const Pass& pass = pass_.image.pass;
  pass_.half = memory_.of(pass, model.weights.values);
  pass_.rows = memory_.room(std::size_t(pass.rows()) * model.patches.K(), "patches in bf16");
}

}  // namespace gpt

void vit_half_ladders(lesson::Run& run) {
  using namespace gpt;
  run.table("vit_bf16_activations", half_vit_activations);
  run.table("vit_bf16_picture", [&] { return half_vit_picture(run.limits(), half_rungs[1], 32); });
  run.table("vit_bf16_picture_one",
            [&] { return half_vit_picture(run.limits(), half_rungs[1], 1); });
  run.table("vit_bf16_picture_one_pipelines",
            [&] { return half_vit_picture(run.limits(), half_rungs[0], 1); });
  lesson::Ladder ladder{.name = "vit_bf16",
                        .title = "ViT from pixels to classes, bf16, B x patches per side x C",
                        .full = {32, 14, 768},
                        .small = {1, 14, 128},
                        .awkward = {{1, 1, 64}, {3, 2, 128}, {2, 8, 64}},
                        .needs = needs_of,
                        .limit = half_rungs[0].name};
  run.ladder(ladder, half_vit_rungs);
  ladder.name = "vit_bf16_one";
  ladder.full = {1, 14, 768};
  ladder.small = {1, 4, 64};
  ladder.awkward = {};
  run.ladder(ladder, half_vit_rungs);
}
