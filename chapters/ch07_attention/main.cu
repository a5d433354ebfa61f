/// \file
/// Chapter 7: attention. `./learn run ch07_attention`, or build/ch07_attention --help.
#include "lesson/run.h"

/// The ladders of attention.cpp.
void attention_ladder(warpwise::lesson::Run& run);
/// The tables of score_tables.cpp, made of what the ladders counted.
void score_tables(warpwise::lesson::Run& run);
/// The table of prefix.cpp.
void prefix_table(warpwise::lesson::Run& run);
/// The ladders of decode.cu.
void decode_ladder(warpwise::lesson::Run& run);
/// The ladder of softmax_rows.cu.
void softmax_rows_ladder(warpwise::lesson::Run& run);
/// The ladder of gelu.cu.
void gelu_ladder(warpwise::lesson::Run& run);
/// The tables of attention_arithmetic.cpp.
void attention_arithmetic(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv,
                            "Chapter 7: why does attention take a seventh of GPT-2's time?");
  attention_arithmetic(run);
  attention_ladder(run);
  score_tables(run);
  prefix_table(run);
  decode_ladder(run);
  softmax_rows_ladder(run);
  gelu_ladder(run);
  return run.finish();
}
