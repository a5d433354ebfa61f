#include "check/verdict/diagnosis_words.h"

#include <doctest/doctest.h>

using namespace warpwise::lesson;

namespace {

Diagnosis diagnosis(const std::string& message, std::uint64_t count = 1) {
  Diagnosis result;
  result.message = message;
  result.block = {4, 0, 0};
  result.thread = {99, 0, 0};
  result.column = 5;
  result.count = count;
  return result;
}

}  // namespace

TEST_CASE("a message of a kernel: what, where, how often, and what to do") {
  const DiagnosisWords words = words_of(
      diagnosis("thread (99, 0, 0) reads past the end of array x. Guard the index.", 29), true);
  CHECK(words.says ==
        "in block (4, 0, 0), thread (99, 0, 0) reads past the end of array x. It happens 29 "
        "times.");
  CHECK(words.next == "Guard the index.");
  CHECK(words_of(diagnosis("a barrier waits. Is it met?"), true).says ==
        "in block (4, 0, 0), thread (99, 0, 0): a barrier waits.");
  CHECK(words_of(diagnosis("nothing to advise"), true).next.empty());
}

TEST_CASE("in an exercise the launch is given, and whole rows too far are named") {
  Diagnosis past = diagnosis(
      "thread (0, 0, 0) reads 4 bytes at offset 80000 of array x (60000 bytes): 20004 bytes past "
      "its end. Guard the index, or launch fewer threads.");
  CHECK(words_in_exercise(past, {3, 5000}).next ==
        "20000 bytes too far are one row of 5000 floats: is a row counted twice, or is its length "
        "wrong?");
  CHECK(words_in_exercise(past, {3, 4999}).next == "Guard the index.");
  past.message =
      "thread (0, 0, 0) reads 4 bytes at offset 60000 of array x (60000 bytes): 4 bytes past its "
      "end. It is not the last block that does this: look at how the index is computed, and "
      "whether the grid has too many blocks.";
  CHECK(words_in_exercise(past, {3, 5000}).next ==
        "It is not the last block that does this: look at how the index is computed.");
}

TEST_CASE("of inlined code the line that called it is named, the outermost") {
  Diagnosis inlined = diagnosis("wrong");
  inlined.line = 14;
  CHECK(callers_of(inlined).empty());
  inlined.called_from = {"a.cu:20", "a.cu:31"};
  REQUIRE(callers_of(inlined).size() == 1);
  CHECK(callers_of(inlined)[0].line == 31);
  CHECK(callers_of(inlined)[0].file == "a.cu");
  inlined.called_from = {"a.cu:14"};
  CHECK(callers_of(inlined).empty());
}

TEST_CASE("a message about a call of the host: what follows the semicolon is to be done") {
  const DiagnosisWords words =
      words_of(diagnosis("cudaMemcpy failed; copy before cudaFree"), false);
  CHECK(words.says == "cudaMemcpy failed.");
  CHECK(words.next == "Copy before cudaFree.");
}

TEST_CASE("sentences begin large unless they begin with a name of code") {
  CHECK(as_sentence("division by zero") == "Division by zero.");
  CHECK(as_sentence("cudaMemcpy failed") == "cudaMemcpy failed.");
  CHECK(as_sentence("grid_size(1) gave 2") == "grid_size(1) gave 2.");
  CHECK(as_sentence("is it there?") == "Is it there?");
  CHECK(as_sentence("") == "");
}

TEST_CASE("the caret is below the array that is named, where its name is once in the line") {
  const Diagnosis past_x = diagnosis(
      "thread (1, 0, 0) reads 4 bytes at offset 924 of array x (924 "
      "bytes): 4 bytes past its end. Guard.");
  CHECK(column_of_array(past_x, "    y[i] = x[i] * max[c];") == 12);
  CHECK(column_of_array(past_x, "    x[i] = x[i + 1];") == 5);
  CHECK(column_of_array(past_x, "    y[i] = 1;") == 5);
  CHECK(column_of_array(diagnosis("no array"), "x[i]") == 5);
  CHECK(column_of_array(past_x, "") == 5);
}
