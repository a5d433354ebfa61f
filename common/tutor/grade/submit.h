#pragma once
#include <string>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The content of a submission.
struct SubmissionPack {
  std::string zip;      ///< its bytes: exercises/ and submission.json.
  std::string summary;  ///< what is in it and what is unsolved, for people.
  bool unjudged;        ///< some file changed since it was judged last, or never was.
};

/// Packs the learner's files and a manifest: the course, each exercise's state and the hash of its
/// text, and when the newest of them changed. Equal files with equal times give equal bytes.
/// @throws Failure: status 1 when a file is larger than any solution, 3 when one cannot be read.
SubmissionPack pack_submission(const Context& context);

/// `learn submit`: writes the zip and says what is in it.
/// @param output where to; empty: submission.zip at the top of the checkout.
int submit_command(const Context& context, const std::string& output);

}  // namespace warpwise::tutor
