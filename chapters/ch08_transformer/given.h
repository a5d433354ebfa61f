#pragma once
#include <string>

#include "lesson/start/options.h"
#include "models/checkpoint.h"
#include "models/image_model.h"
#include "models/tokenizer.h"

/// \file
/// What the command line gives: files in llm.c's formats, and a prompt.
namespace gpt {

/// The chapter's own flags: --checkpoint, --tokenizer, --debug-state, --image-model, --image-test,
/// --prompt, --new-tokens.
warpwise::lesson::OwnOptions own_options();

/// Reads every file that was named, so that a bad one ends the program before it prints a table.
/// @throws Stop with one line: the file, what was found, what was expected.
void read_given();

/// The model of --checkpoint, else the shipped one. Read once.
/// @throws Stop as read_given(), and for heads that are not of 64 channels.
const warpwise::models::Checkpoint& given_model();
/// @throws Stop as read_given().
warpwise::models::Tokenizer given_tokenizer();
warpwise::models::DebugState given_debug_state();

/// A vision transformer and its test.
struct GivenImages {
  warpwise::models::ImageCheckpoint model;
  warpwise::models::ImageTest test;
};
/// Those of --image-model and --image-test, else the shipped ones. @throws Stop as given_model().
GivenImages given_images();
/// "A warp" if none was given.
std::string given_prompt();
/// 40 if no number was given.
/// @throws Stop: bad usage.
int given_new_tokens();

}  // namespace gpt
