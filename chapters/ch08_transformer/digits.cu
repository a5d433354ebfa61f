/// \file
/// A vision transformer that was trained: 8 x 8 digits, 200 of which training never saw.
///
///     build/ch08_transformer --only digits
///     build/ch08_transformer --only digits --image-model FILE --image-test FILE
#include <cmath>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "given.h"
#include "vit_half.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {
namespace {

/// What a model of scores says of the test.
struct Found {
  int right = 0;     ///< images whose largest score is that of their class.
  int as_there = 0;  ///< images with the class that the other program chose.
  double error = 0;  ///< the largest of a score.
};

Found compare(const models::ImageTest& test, const std::vector<float>& scores, int classes) {
  Found found;
  for (int i = 0; i < test.count; ++i) {
    const float *ours = &scores[std::size_t(i) * classes],
                *theirs = &test.scores[std::size_t(i) * classes];
    const auto best = std::max_element(ours, ours + classes) - ours;
    found.right += best == test.labels[i];
    found.as_there += best == std::max_element(theirs, theirs + classes) - theirs;
    for (int c = 0; c < classes; ++c) keep_largest(found.error, std::fabs(ours[c] - theirs[c]));
  }
  return found;
}

ImageModel model_of(const models::ImageCheckpoint& read) {
  ImageModel model;
  model.patches = {1, read.side, read.patch, read.channels};
  model.classes = read.classes;
  model.weights = read.weights;
  return model;
}

lesson::Demonstration digits() {
  const auto [read, test] = given_images();
  const ImageModel model = model_of(read);
  lesson::Demonstration table{
      .title = std::to_string(test.count) + " images, against scores of PyTorch in float64",
      .columns = {"pass", "right", "class as in PyTorch", "largest error of a score"},
      .rows = {}};
  const auto add_row = [&](const char* name, const std::vector<float>& scores, double most) {
    const Found found = compare(test, scores, model.classes);
    const std::string of = " of " + std::to_string(test.count);
    table.rows.push_back({name, std::to_string(found.right) + of,
                          std::to_string(found.as_there) + of, scientific(found.error)});
    if (!(found.error <= most) || found.right < 0.95 * test.count) {
      throw lesson::Stop(lesson::something_wrong,
                         std::string(name) + ": " + std::to_string(found.right) + of +
                             " images are right, a score is off by " + scientific(found.error));
    }
  };
  const OwnImagePass own(model, test.pixels);
  std::string absent;
  start(image_operations(Rung::turned, own.pass(), absent));
  add_row("fp32, weights turned once", own.scores(), 1e-3);
  const NamedRung& best = runs(half_rungs[1]) ? half_rungs[1] : half_rungs[0];
  if (!runs(best)) return table;
  const OwnHalfImagePass half(model, test.pixels);
  start(half_image_operations(best.rung, half.pass()));
  add_row((std::string("bf16, ") + best.name).c_str(), half.scores(), 0.5);
  return table;
}

}  // namespace
}  // namespace gpt

void digits_table(lesson::Run& run) { run.table("digits", gpt::digits); }
