// The text that a format prints, against what an H200 printed (printf_on_h200.txt): for each
// character after the percent sign, each conversion with each length, flag, width and precision,
// and many together, the format, the arguments, what printf returned and what came out. Left out
// are those at which the host's program crashed there: %n, and strings of a length that is not
// known; those that two runs printed in two ways; %m, %v, %w, %I and %1$d, which no two C libraries
// print alike; and those that read the gaps between arguments.

#include "simulator/machine/device_calls/print_format.h"

#include <doctest/doctest.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace warpwise::machine;

namespace print_format_test {

/// Arguments as a kernel has them in memory, and after them words that are not arguments.
class Arguments {
 public:
  template <class T>
  void put(T value) {
    at_ = (at_ + sizeof value - 1) / sizeof value * sizeof value;
    if (bytes_.size() < at_ + sizeof value) bytes_.resize(at_ + sizeof value);
    std::memcpy(bytes_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void put_text(std::string text) {
    texts_.push_back(std::move(text));
    put(static_cast<std::uint64_t>(texts_.size()));
  }
  void put_rest() {
    for (std::uint32_t i = static_cast<std::uint32_t>((at_ + 3) / 4); i < 96; ++i)
      put(0xe0000000u + i);
  }
  PrintSource source() {
    PrintSource made;
    made.next = [this, at = std::size_t{0}](unsigned bytes) mutable {
      at = (at + bytes - 1) / bytes * bytes;
      std::uint64_t value = 0;
      std::memcpy(&value, bytes_.data() + at, bytes);
      at += bytes;
      return value;
    };
    made.text_at = [this](std::uint64_t address, bool) -> std::optional<std::string> {
      return address == 0 || address > texts_.size() ? std::nullopt
                                                     : std::optional(texts_[address - 1]);
    };
    return made;
  }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::string> texts_;
  std::size_t at_ = 0;
};

/// The text of a line from a quotation mark on, without its escapes; moves past it.
std::string unquoted(const std::string& line, std::size_t& at) {
  std::string text;
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] != '\\') {
      text += line[at];
    } else if (line[++at] == 'n') {
      text += '\n';
    } else {
      text += static_cast<char>(std::stoi(line.substr(at, 3), nullptr, 8));
      at += 2;
    }
  }
  ++at;
  return text;
}

struct Recorded {
  std::string format, text;
  Arguments arguments;
  int returned = 0;
};

/// printf("FORMAT", ARGUMENTS) = RETURNED: "TEXT"
Recorded read(const std::string& line) {
  Recorded made;
  std::size_t at = line.find('"');
  made.format = unquoted(line, at);
  while (line.substr(at).starts_with(", ")) {
    at += 2;
    if (line[at] == '"') {
      made.arguments.put_text(unquoted(line, at));
      continue;
    }
    const std::size_t end = line.find_first_of(",)", at);
    const std::string word = line.substr(at, end - at);
    if (word.ends_with("LL"))
      made.arguments.put(std::atoll(word.c_str()));
    else if (word.find_first_of(".e") != word.npos)
      made.arguments.put(std::atof(word.c_str()));
    else
      made.arguments.put(std::atoi(word.c_str()));
    at = end;
  }
  made.arguments.put_rest();
  at = line.find("= ", at) + 2;
  made.returned = std::atoi(line.c_str() + at);
  at = line.find('"', at);
  made.text = unquoted(line, at);
  return made;
}

/// Only the number that was not passed may differ.
bool is_equal(const Printed& printed, const std::string& recorded) {
  if (printed.first_not_passed == printed.last_not_passed) return printed.text == recorded;
  return recorded.starts_with(printed.text.substr(0, printed.first_not_passed)) &&
         recorded.ends_with(printed.text.substr(printed.last_not_passed));
}

TEST_CASE("formats print what an H200 printed, and count what it counted") {
  std::ifstream file(WARPWISE_SOURCE_DIR "/common/verification/recorded/printf_on_h200.txt");
  int lines = 0, whole = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    Recorded recorded = read(line);
    const Printed printed = print_text(recorded.format, recorded.arguments.source());
    INFO(line << "\nprinted: " << printed.text);
    CHECK(is_equal(printed, recorded.text));
    CHECK(printed.arguments == recorded.returned);
    whole += printed.text == recorded.text;
  }
  CHECK(lines > 3800);
  CHECK(whole > 3600);
}

}  // namespace print_format_test
