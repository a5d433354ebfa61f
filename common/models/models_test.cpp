#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "models/checkpoint.h"
#include "models/image_model.h"
#include "models/model_file.h"
#include "models/tokenizer.h"

namespace models = warpwise::models;

namespace {

std::string shipped(const std::string& name) {
  return WARPWISE_SOURCE_DIR "/chapters/ch08_transformer/models/" + name;
}

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file that goes with the object.
class Scratch {
 public:
  explicit Scratch(const std::string& bytes) {
    char name[] = "/tmp/models_test_XXXXXX";
    ::close(::mkstemp(name));
    path = name;
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~Scratch() { std::filesystem::remove(path); }
  std::string path;
};

std::string with_int(std::string bytes, std::size_t index, std::int32_t value) {
  std::memcpy(bytes.data() + 4 * index, &value, sizeof value);
  return bytes;
}

/// The error of a reader for these bytes, without the name of the file.
template <class Read>
std::string refusal(const std::string& bytes, Read read) {
  const Scratch file(bytes);
  try {
    read(file.path);
  } catch (const std::runtime_error& error) {
    const std::string line = error.what(), name = file.path + ": ";
    CHECK(line.starts_with(name));
    CHECK(line.find('\n') == std::string::npos);
    return line.substr(name.size());
  }
  return "no refusal";
}

std::string refused_checkpoint(const std::string& bytes) {
  return refusal(bytes, [](const auto& file) { (void)models::read_checkpoint(file); });
}

}  // namespace

TEST_CASE("sizes of GPT-2 124M") {
  std::uint64_t count = 0;
  for (const std::uint64_t size : models::tensor_sizes(models::gpt2_124m)) count += size;
  CHECK(count == 124'475'904);
  CHECK(models::problem_of(models::gpt2_124m).empty());
}

TEST_CASE("the shipped checkpoint is read, and its padded rows are zeros") {
  const models::Checkpoint model = models::read_checkpoint(shipped("course.bin"));
  const models::Dimensions& d = model.dimensions;
  CHECK(d.max_tokens == 128);
  CHECK(d.tokens == 257);
  CHECK(d.layers == 2);
  CHECK(d.channels == 128);
  CHECK(model.values.size() == 462'336);
  CHECK(model.begin(models::Tensor::wpe) == 384 * 128);
  CHECK(model.begin(models::Tensor::ln1w, 1) == 384 * 128 + 128 * 128 + 128);
  CHECK(model.begin(models::Tensor::lnfb) == model.values.size() - 128);
  for (std::size_t i = 257 * 128; i < 384 * 128; ++i) REQUIRE(model.values[i] == 0);
  CHECK(model.values[256 * 128] != 0);
}

TEST_CASE("version 3 holds the same numbers in fp32") {
  const models::Checkpoint model = models::read_checkpoint(shipped("course.bin"));
  std::string bytes = with_int(bytes_of(shipped("course.bin")).substr(0, 1024), 1, 3);
  bytes.append(reinterpret_cast<const char*>(model.values.data()), 4 * model.values.size());
  const Scratch file(bytes);
  CHECK(models::read_checkpoint(file.path).values == model.values);
}

TEST_CASE("each broken checkpoint gets its own line") {
  const std::string good = bytes_of(shipped("course.bin"));
  CHECK(refused_checkpoint("") == "0 bytes; the header alone has 1024. Is the download complete?");
  CHECK(refused_checkpoint(with_int(good, 0, 7)) == "magic 7; a checkpoint has 20240326.");
  CHECK(refused_checkpoint(with_int(good, 0, 20240327)) ==
        "magic 20240327, a debug state; a checkpoint has 20240326. Pass it as --debug-state.");
  CHECK(refused_checkpoint(with_int(good, 1, 1)).starts_with("version 1; expected 3 (fp32)"));
  CHECK(refused_checkpoint(good.substr(0, good.size() - 1)) ==
        "truncated: 925695 bytes, the header says 925696. Is the download complete?");
  CHECK(refused_checkpoint(good + "x") == "trailing bytes: 925697 bytes, the header says 925696.");
  CHECK(refused_checkpoint(with_int(good, 3, 385)) ==
        "header: vocab_size 385 is above padded_vocab_size 384.");
  CHECK(refused_checkpoint(with_int(good, 5, 3)) ==
        "header: channels 128 is not a multiple of num_heads 3.");
  CHECK(refused_checkpoint(with_int(good, 4, -1)) ==
        "header: num_layers -1; expected 1 to 1048576.");
  CHECK_THROWS_WITH((void)models::read_checkpoint("/no/such.bin"),
                    "/no/such.bin: the file does not exist. Is the path right?");
  CHECK_THROWS_WITH((void)models::read_checkpoint("/"), "/: is a folder. Name the file in it.");
}

TEST_CASE("the shipped debug state belongs to the shipped checkpoint") {
  const models::Dimensions d = models::read_checkpoint(shipped("course.bin")).dimensions;
  const models::DebugState state = models::read_debug_state(shipped("course_debug.bin"), d);
  CHECK(state.B == 2);
  CHECK(state.T == 33);
  CHECK(state.x[1] == state.y[0]);
  CHECK(state.logits.size() == 66 * 257);
  CHECK(state.loss > 0.5F);
  CHECK(state.loss < 3);
  const std::string good = bytes_of(shipped("course_debug.bin"));
  const auto refused = [&d](const std::string& bytes) {
    return refusal(bytes, [&d](const auto& file) { (void)models::read_debug_state(file, d); });
  };
  CHECK(refused(good.substr(0, 2000)).starts_with("truncated: 2000 bytes"));
  CHECK(refused(good + "1234").starts_with("trailing bytes"));
  CHECK(refused(good + std::string(4 * 462'336, '\0')) == "no refusal");
  CHECK(refused(with_int(good, 3, 129)).starts_with("header: B 2, T 129"));
  CHECK(refused(with_int(good, 256, 257)) == "token 257; the model has 257.");
}

TEST_CASE("the shipped tokenizer has each byte and an end of text that no text encodes to") {
  const models::Tokenizer tokenizer = models::read_tokenizer(shipped("course_tokenizer.bin"));
  CHECK(tokenizer.size() == 257);
  CHECK(tokenizer.end_of_text() == 256);
  CHECK(tokenizer.encode("A w\xC3\xA4") == std::vector<int>{65, 32, 119, 0xC3, 0xA4});
  CHECK(tokenizer.encode("<|endoftext|>").size() == 13);
  CHECK(tokenizer.encode("").empty());
}

TEST_CASE("each broken tokenizer gets its own line") {
  const std::string good = bytes_of(shipped("course_tokenizer.bin"));
  const auto refused = [](const std::string& bytes) {
    return refusal(bytes, [](const auto& file) { (void)models::read_tokenizer(file); });
  };
  CHECK(refused(good.substr(0, good.size() - 1)).starts_with("truncated: 256 of 257 tokens"));
  CHECK(refused(good + "x") == "trailing bytes: 1 after the last token.");
  CHECK(refused(with_int(good, 1, 3)) == "version 3; expected 1 or 2.");
  CHECK(refused(with_int(good, 2, 0)).starts_with("header: 0 tokens"));
}

TEST_CASE("merges of the lowest id come first, and none crosses the end of a word") {
  const models::Tokenizer tokenizer({"a", "b", "c", " ", "bc", "ab", "abc", " a", "c "}, -1);
  // bc has a lower id than ab: it is joined first, then abc.
  CHECK(tokenizer.encode("abc") == std::vector<int>{6});
  CHECK(tokenizer.encode("abb") == std::vector<int>{5, 1});
  CHECK(tokenizer.encode("c a") == std::vector<int>{2, 7});
  CHECK_THROWS_WITH((void)tokenizer.encode("x"), "the tokenizer has no token for the byte 120");
}

TEST_CASE("words are cut as GPT-2 cuts them") {
  using Words = std::vector<std::string_view>;
  CHECK(models::words_of("A warp's 32 lanes.") == Words{"A", " warp", "'s", " 32", " lanes", "."});
  CHECK(models::words_of("a  b\n c") == Words{"a", " ", " b", "\n", " c"});
  CHECK(models::words_of("we'll  ") == Words{"we", "'ll", "  "});
  CHECK(models::words_of("").empty());
}

TEST_CASE("the shipped vision transformer and its test are read") {
  const models::ImageCheckpoint model = models::read_image_checkpoint(shipped("digits.bin"));
  CHECK(model.side == 4);
  CHECK(model.patch == 2);
  CHECK(model.channels == 1);
  CHECK(model.classes == 10);
  CHECK(model.weights.dimensions.max_tokens == 17);
  CHECK(model.weights.values.size() == 102'218);
  const models::ImageTest test = models::read_image_test(shipped("digits_test.bin"), model);
  CHECK(test.count == 200);
  CHECK(test.pixels.size() == 200 * 64);
  CHECK(test.scores.size() == 2000);
  int right = 0;
  for (int i = 0; i < test.count; ++i) {
    const auto row = test.scores.begin() + std::ptrdiff_t{10} * i;
    right += std::max_element(row, row + 10) - row == test.labels[i];
  }
  CHECK(right == 198);
}

TEST_CASE("each broken file of a vision transformer gets a line of its own") {
  const std::string good = bytes_of(shipped("digits.bin"));
  const auto refused = [](const std::string& bytes) {
    return refusal(bytes, [](const auto& file) { (void)models::read_image_checkpoint(file); });
  };
  CHECK(refused(good) == "no refusal");
  CHECK(
      refused(bytes_of(shipped("course.bin"))) ==
      "magic 20240326, a checkpoint; a vision transformer has 20261128. Pass it as --checkpoint.");
  CHECK(refused(with_int(good, 1, 2)) == "version 2; expected 1.");
  CHECK(refused(with_int(good, 3, 0)) == "header: patch 0; expected 1 to 1024.");
  CHECK(refused(with_int(good, 7, 3)) == "header: channels 64 is not a multiple of num_heads 3.");
  CHECK(refused(good.substr(0, good.size() - 1)).starts_with("truncated: 409895 bytes"));
  CHECK(refused(good + "x").starts_with("trailing bytes: 409897 bytes"));
  const models::ImageCheckpoint model = models::read_image_checkpoint(shipped("digits.bin"));
  const std::string images = bytes_of(shipped("digits_test.bin"));
  const auto refused_test = [&model](const std::string& bytes) {
    return refusal(bytes,
                   [&model](const auto& file) { (void)models::read_image_test(file, model); });
  };
  CHECK(refused_test(good) ==
        "magic 20261128, a vision transformer; a test of a vision transformer has 20261129.");
  CHECK(refused_test(with_int(images, 4, 9)) ==
        "header: 64 pixels and 9 classes; the model has 64 and 10.");
  CHECK(refused_test(images.substr(0, 5000)).starts_with("truncated: 5000 bytes"));
  CHECK(refused_test(with_int(images, 2, 0)) == "header: images 0; expected 1 to 1048576.");
}
