/// \file
/// Chapter 8: a whole model. `./learn run ch08_transformer`, or build/ch08_transformer --help.
#include "given.h"
#include "lesson/run.h"

/// The ladder of forward.cpp.
void forward_ladder(warpwise::lesson::Run& run);
/// The tables of checks.cpp: activations, the prefix test, the debug state.
void model_checks(warpwise::lesson::Run& run);
/// The tables of picture.cpp: operations with their shares, by rung.
void model_picture(warpwise::lesson::Run& run);
/// The tables of tensor_pass.cpp: the pass in bf16.
void tensor_pass_tables(warpwise::lesson::Run& run);
/// The tables of decode.cu: a step's operations, and its result against the whole pass.
void decode_tables(warpwise::lesson::Run& run);
/// The tables and the ladder of vit.cu.
void vit_ladder(warpwise::lesson::Run& run);
/// The tables and the ladders of vit_half.cu.
void vit_half_ladders(warpwise::lesson::Run& run);
/// The table of digits.cu.
void digits_table(warpwise::lesson::Run& run);
/// The table of continuation.cpp: what the model writes.
void continuation_table(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv, "Chapter 8: which of a whole model's launches costs what?",
                            {.own = gpt::own_options()});
  warpwise::lesson::or_exit(gpt::read_given);
  model_picture(run);
  model_checks(run);
  forward_ladder(run);
  continuation_table(run);
  tensor_pass_tables(run);
  decode_tables(run);
  vit_ladder(run);
  vit_half_ladders(run);
  digits_table(run);
  return run.finish();
}
