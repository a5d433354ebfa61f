#include "verification/fuzz/mutation.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <span>

namespace warpwise::fuzz {
namespace {

constexpr std::size_t largest_input = 65536;

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

bool is_number(std::byte byte) { return std::isdigit(std::to_integer<int>(byte)) != 0; }

// One input on its way.
class Mutation {
 public:
  Mutation(const Corpus& corpus, std::uint64_t seed, std::uint64_t number)
      : corpus_(corpus), random_(seed * 0x9e3779b97f4a7c15U + number), bytes_(any(corpus.inputs)) {}

  Bytes take() {
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) change();
    bytes_.resize(std::min(bytes_.size(), largest_input));
    return std::move(bytes_);
  }

 private:
  // 0 <= result < limit; 0 for a limit of 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  template <typename T>
  const T& any(const std::vector<T>& from) {
    return from[below(from.size())];
  }
  auto at(std::size_t offset) { return bytes_.begin() + static_cast<std::ptrdiff_t>(offset); }

  void change() {
    switch (below(10)) {
      case 0:
        return flip();
      case 1:
        return set_byte();
      case 2:
        return set_word();
      case 3:
        return insert_word();
      case 4:
        return remove_range();
      case 5:
        return repeat_range();
      case 6:
        return take_range_of_another();
      case 7:
        return set_decimal();
      case 8:
        return remove_line();
      default:
        return below(8) == 0 ? bytes_.resize(below(bytes_.size() + 1)) : swap_ranges();
    }
  }

  void flip() {
    if (!bytes_.empty()) bytes_[below(bytes_.size())] ^= std::byte{1} << below(8);
  }
  void set_byte() {
    if (!bytes_.empty()) bytes_[below(bytes_.size())] = std::byte(random_());
  }

  // Sizes and offsets of containers: 2, 4 or 8 bytes, little-endian.
  void set_word() {
    const std::size_t width = std::size_t{2} << below(3);
    if (bytes_.size() < width) return;
    const std::size_t place = below(bytes_.size() - width + 1);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + place, width);
    switch (below(6)) {
      case 0:
        word = ~std::uint64_t{0} - below(16);
        break;
      case 1:
        word = below(16);
        break;
      case 2:
        word = bytes_.size() + below(17) - 8;
        break;
      case 3:
        word = std::uint64_t{1} << below(64);
        break;
      case 4:
        word += below(33) - 16;
        break;
      default:
        word = random_();
        break;
    }
    std::memcpy(bytes_.data() + place, &word, width);
  }

  // Numbers in a text.
  void set_decimal() {
    const auto begin = std::find_if(at(below(bytes_.size() + 1)), bytes_.end(), is_number);
    if (begin == bytes_.end()) return;
    static const std::vector<const char*> numbers{"0",
                                                  "-1",
                                                  "1",
                                                  "63",
                                                  "64",
                                                  "255",
                                                  "65536",
                                                  "2147483647",
                                                  "4294967295",
                                                  "4294967296",
                                                  "18446744073709551615",
                                                  "99999999999999999999"};
    const char* number = any(numbers);
    const auto rest = bytes_.erase(begin, std::find_if_not(begin, bytes_.end(), is_number));
    const auto digits = std::as_bytes(std::span(number, std::strlen(number)));
    bytes_.insert(rest, digits.begin(), digits.end());
  }

  void insert_word() {
    if (corpus_.words.empty()) return;
    const Bytes& word = any(corpus_.words);
    bytes_.insert(at(below(bytes_.size() + 1)), word.begin(), word.end());
  }

  void remove_range() {
    const std::size_t begin = below(bytes_.size() + 1);
    bytes_.erase(at(begin),
                 at(begin + below(std::min<std::size_t>(bytes_.size() - begin, 64) + 1)));
  }

  Bytes range_of(const Bytes& from) {
    const std::size_t begin = below(from.size() + 1);
    const std::size_t size = below(std::min<std::size_t>(from.size() - begin, 256) + 1);
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(size)};
  }
  void insert_range(const Bytes& range) {
    bytes_.insert(at(below(bytes_.size() + 1)), range.begin(), range.end());
  }
  void repeat_range() { insert_range(range_of(bytes_)); }
  void take_range_of_another() { insert_range(range_of(any(corpus_.inputs))); }

  void remove_line() {
    const auto begin = std::find(at(below(bytes_.size() + 1)), bytes_.end(), std::byte{'\n'});
    if (begin == bytes_.end()) return;
    bytes_.erase(begin, std::find(begin + 1, bytes_.end(), std::byte{'\n'}));
  }

  void swap_ranges() {
    const std::size_t size = below(std::min<std::size_t>(bytes_.size() / 2, 64) + 1);
    const std::size_t first = below(bytes_.size() - 2 * size + 1);
    const std::size_t second = first + size + below(bytes_.size() - first - 2 * size + 1);
    std::swap_ranges(at(first), at(first + size), at(second));
  }

  const Corpus& corpus_;
  std::mt19937_64 random_;
  Bytes bytes_;
};

}  // namespace

Bytes dictionary_word(const std::string& line) {
  const auto begin = line.find('"'), end = line.rfind('"');
  Bytes word;
  if (begin == end || line.starts_with('#')) return word;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (line[i] == '\\' && i + 3 < end && line[i + 1] == 'x') {
      word.push_back(std::byte(std::stoi(line.substr(i + 2, 2), nullptr, 16)));
      i += 3;
    } else {
      if (line[i] == '\\' && i + 1 < end) ++i;
      word.push_back(std::byte(line[i]));
    }
  }
  return word;
}

Corpus read_corpus(const std::filesystem::path& folder, const std::filesystem::path& dictionary) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) files.push_back(file.path());
  std::sort(files.begin(), files.end());
  Corpus corpus;
  for (const auto& file : files) corpus.inputs.push_back(read_bytes(file));
  std::ifstream lines(dictionary);
  for (std::string line; std::getline(lines, line);) {
    if (Bytes word = dictionary_word(line); !word.empty()) corpus.words.push_back(std::move(word));
  }
  return corpus;
}

Bytes mutated(const Corpus& corpus, std::uint64_t seed, std::uint64_t number) {
  return Mutation(corpus, seed, number).take();
}

}  // namespace warpwise::fuzz
