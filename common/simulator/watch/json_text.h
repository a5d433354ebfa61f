#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace warpwise::watch {

// What the simulator writes as JSON it writes by itself: to include a whole JSON library would make
// a fresh clone wait for it to be compiled. Readers have one.

/// A text as JSON has it, in quotes. What is not UTF-8 becomes U+FFFD, once for each longest start
/// of a character.
std::string json_quoted(std::string_view text);

/// A number as JSON has it: the shortest that reads back as this one; null for what is none.
std::string json_number(double value);

/// An object that is written from its first member to its last.
class JsonObject {
 public:
  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& number(std::string_view name, std::uint64_t value);
  JsonObject& flag(std::string_view name, bool value);
  /// A member that is JSON already: an object or a list.
  JsonObject& json(std::string_view name, std::string_view value);

  std::string str() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

/// "[a,b]" of a range; @param json_of gives the JSON of one.
template <class List, class JsonOf>
std::string json_list(const List& list, JsonOf json_of, std::string_view between = ",") {
  std::string text = "[";
  for (const auto& one : list) {
    if (text.size() > 1) text += between;
    text += json_of(one);
  }
  return text + "]";
}

/// A list of whole numbers.
template <class Numbers>
std::string json_numbers(const Numbers& numbers) {
  return json_list(numbers, [](auto one) { return std::to_string(one); });
}

}  // namespace warpwise::watch
