#pragma once
#include <string>
#include <vector>

#include "verification/conformance/fixture.h"
#include "verification/conformance/random/program.h"
#include "verification/conformance/records.h"

namespace warpwise::conformance {

/// The result of comparing a record.
struct Outcome {
  enum class Kind {
    equal,
    differs,
    out_of_date,  ///< the rows, the inputs or the generator have changed: record again
    gone,         ///< no row any more
    refused,      ///< not loaded or not run
  };
  std::string name;  ///< a variant's key or "program SEED"
  Kind kind;
  std::string text;  ///< for people: inputs, expected, got; why it was refused
};

/// The recorded variants, run again and compared lane by lane.
std::vector<Outcome> replay_variants(const Records& records, Executor& executor);

/// The recorded programs, run again; their output's hash is compared.
std::vector<Outcome> replay_programs(const Records& records, Executor& executor);

/// Takes units out of a program as long as the two still differ; "" if they do not differ.
/// @return the text of what is left, its outputs in a comment.
std::string shrink(Program program, Executor& one, Executor& other);

}  // namespace warpwise::conformance
