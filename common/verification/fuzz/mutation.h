#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// \file
/// Hostile inputs without libFuzzer: each is a function of a seed and a number, so that a number is
/// enough to make an input again.
namespace warpwise::fuzz {

using Bytes = std::vector<std::byte>;

/// Inputs that are right, and words that readers look for.
struct Corpus {
  std::vector<Bytes> inputs;  ///< in the order of their names; at least one.
  std::vector<Bytes> words;
};

/// Reads the files of a folder, and the words of a dictionary in the format of libFuzzer.
Corpus read_corpus(const std::filesystem::path& folder, const std::filesystem::path& dictionary);

/// The input of a number: one of the corpus with one to eight changes. 64 KB at most.
Bytes mutated(const Corpus& corpus, std::uint64_t seed, std::uint64_t number);

/// The bytes of one line of a dictionary: `"\x7fELF"` is four bytes. Empty for a line without a
/// word.
Bytes dictionary_word(const std::string& line);

}  // namespace warpwise::fuzz
