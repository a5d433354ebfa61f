#include "simulator/watch/json_text.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

using namespace warpwise::watch;

namespace {

/// What a JSON library makes of the text.
std::string by_library(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

TEST_CASE("a text is quoted as a JSON library quotes it") {
  // Ends of the ranges in which the bytes of a character may be, and one beyond each.
  const std::string edges =
      "a\"\\/"
      "\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF"
      "\b\n";
  for (unsigned c = 0; c < 256; ++c) {
    const std::string alone(1, static_cast<char>(c));
    CHECK(json_quoted(alone) == by_library(alone));
  }
  std::mt19937 random(7);
  int others = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text(1 + random() % 8, ' ');
    for (char& c : text) c = edges[random() % edges.size()];
    others += json_quoted(text) != by_library(text);
  }
  CHECK(others == 0);
  CHECK(json_quoted("") == "\"\"");
}

TEST_CASE("a number reads back as it was; what is none is null") {
  for (const double value : {0.0, 1.0, 0.1, -2.5, 1e300, 1e-300, 9007199254740993.0, 32.0 / 3})
    CHECK(nlohmann::json::parse(json_number(value)).get<double>() == value);
  CHECK(json_number(std::numeric_limits<double>::infinity()) == "null");
  CHECK(json_number(std::nan("")) == "null");
}

TEST_CASE("objects and lists are what a JSON library reads") {
  const std::string text =
      JsonObject()
          .text("a \"name\"", "line\n")
          .number("most", std::numeric_limits<std::uint64_t>::max())
          .flag("yes", true)
          .json("list", json_list(std::array{1, 2}, [](int i) { return std::to_string(i); }))
          .json("none", JsonObject().str())
          .str();
  const nlohmann::json expected = {{"a \"name\"", "line\n"},
                                   {"most", std::numeric_limits<std::uint64_t>::max()},
                                   {"yes", true},
                                   {"list", {1, 2}},
                                   {"none", nlohmann::json::object()}};
  CHECK(nlohmann::json::parse(text) == expected);
}
