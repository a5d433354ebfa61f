/// \file
/// The files and the prompt of the command line.
#include "given.h"

#include <stdexcept>

#include "base/whole_number.h"
#include "lesson/device/error.h"
#include "lesson/start/paths.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {
namespace {

/// Values of the flags; empty where they were not given.
struct Given {
  std::string checkpoint, tokenizer, debug_state, image_model, image_test, prompt, new_tokens;
};
Given& given() {
  static Given all;
  return all;
}

std::string file_of(const std::string& flag, const char* shipped) {
  if (!flag.empty()) return flag;
  return (lesson::repository() / "chapters/ch08_transformer/models" / shipped).string();
}

constexpr int usual_new_tokens = 40;

/// Readers throw runtime_error; a chapter's program ends by a Stop.
template <class Read>
auto or_stop(const Read& read) {
  try {
    return read();
  } catch (const std::runtime_error& error) {
    throw lesson::Stop(lesson::bad_environment, error.what());
  }
}

/// @throws std::runtime_error with one line
void expect_heads_of_64(const std::string& file, const models::Dimensions& d) {
  if (d.channels == 64 * d.heads) return;
  throw std::runtime_error(file + ": heads of " + std::to_string(d.channels / d.heads) +
                           " channels; chapter 7's kernels take heads of 64 alone.");
}

}  // namespace

lesson::OwnOptions own_options() {
  return {{"--checkpoint", "FILE", "a model in llm.c's format", &given().checkpoint},
          {"--tokenizer", "FILE", "the tokens of that model", &given().tokenizer},
          {"--debug-state", "FILE", "tokens with the logits and the loss of another program",
           &given().debug_state},
          {"--image-model", "FILE", "a vision transformer, for the table `digits`",
           &given().image_model},
          {"--image-test", "FILE", "images with the scores that another program gave them",
           &given().image_test},
          {"--prompt", "TEXT", "what the table `continuation` goes on from", &given().prompt},
          {"--new-tokens", "N",
           "how many tokens it writes at most: " + std::to_string(usual_new_tokens),
           &given().new_tokens}};
}

void read_given() {
  (void)given_new_tokens();
  if (!given().checkpoint.empty()) (void)given_model();
  if (!given().tokenizer.empty()) (void)given_tokenizer();
  if (!given().debug_state.empty()) (void)given_debug_state();
  if (!given().image_model.empty() || !given().image_test.empty()) (void)given_images();
}

const models::Checkpoint& given_model() {
  static const models::Checkpoint model = or_stop([] {
    const std::string file = file_of(given().checkpoint, "course.bin");
    models::Checkpoint read = models::read_checkpoint(file);
    expect_heads_of_64(file, read.dimensions);
    return read;
  });
  return model;
}

GivenImages given_images() {
  return or_stop([] {
    const std::string file = file_of(given().image_model, "digits.bin");
    GivenImages read{models::read_image_checkpoint(file), {}};
    expect_heads_of_64(file, read.model.weights.dimensions);
    read.test = models::read_image_test(file_of(given().image_test, "digits_test.bin"), read.model);
    return read;
  });
}

models::Tokenizer given_tokenizer() {
  return or_stop(
      [] { return models::read_tokenizer(file_of(given().tokenizer, "course_tokenizer.bin")); });
}

models::DebugState given_debug_state() {
  return or_stop([] {
    return models::read_debug_state(file_of(given().debug_state, "course_debug.bin"),
                                    given_model().dimensions);
  });
}

std::string given_prompt() { return given().prompt.empty() ? "A warp" : given().prompt; }

int given_new_tokens() {
  const std::string& text = given().new_tokens;
  if (text.empty()) return usual_new_tokens;
  const int tokens = warpwise::base::whole_number(text).value_or(0);
  if (tokens < 1) {
    throw lesson::Stop(lesson::bad_usage, "--new-tokens: " + text + " is not a number from 1 on");
  }
  return tokens;
}

}  // namespace gpt
