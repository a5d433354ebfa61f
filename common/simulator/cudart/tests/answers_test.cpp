#include <doctest/doctest.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "simulator/cudart/tests/child.h"

// Compares the answers of the simulator's runtime to the questions of answers/ with those of an
// H200: answers/recorded.zst, which answers/pack makes. A line that has to differ is in
// answers/differences. Where the real runtime crashes, any answer will do.
namespace warpwise::cudart {
namespace {

const std::string folder = WARPWISE_SOURCE_DIR "/common/verification/answers/";

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// @return empty where the bytes are damaged.
std::string decompressed(const std::string& bytes) {
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return {};
  std::string text(size, '\0');
  const bool whole = ZSTD_decompress(text.data(), size, bytes.data(), bytes.size()) == size;
  return whole ? text : std::string();
}

/// Whether the subject asks about work that is still going on, and about none that has to begin by
/// itself: no work begins by itself, however long the program is kept from asking. Other subjects
/// give a fault time to show.
bool asks_while_busy(const std::string& subject) {
  return subject == "streams_beside" || subject == "streams" || subject == "errors_of_threads";
}

/// Without a PATH the runtime does not look for lines of host code, which the tests do not need.
std::string answers_to(const std::string& subject) {
  const std::string patience = asks_while_busy(subject) ? " WARPWISE_PATIENCE=1000000" : "";
  const std::string devices = subject.starts_with("several_devices") ? " WARPWISE_GPUS=2" : "";
  return run_simulated(WARPWISE_ANSWERS, subject + " 2>/dev/null",
                       "PATH= WARPWISE_QUIET=1" + patience + devices)
      .text;
}

/// The recorded answers, by subject, and those of the simulator's runtime.
struct Answers {
  std::vector<std::string> expected, found;
};
std::map<std::string, Answers> all_answers() {
  std::map<std::string, Answers> all;
  Answers* subject = nullptr;
  for (const std::string& line : lines_of(decompressed(read(folder + "recorded.zst")))) {
    if (line.starts_with("== "))
      subject = &all[line.substr(3)];
    else if (subject)
      subject->expected.push_back(line);
  }
  std::vector<std::pair<const std::string, Answers>*> subjects;
  for (auto& one : all) subjects.push_back(&one);
  std::atomic<std::size_t> next = 0;
  const auto ask = [&] {
    for (std::size_t i = 0; (i = next++) < subjects.size();)
      subjects[i]->second.found = lines_of(answers_to(subjects[i]->first));
  };
  {
    std::jthread other(ask);
    ask();
  }
  return all;
}

/// "subject: line", each with the reason in a comment before it.
bool may_differ(const std::string& subject, const std::string& line) {
  static const std::vector<std::string> known = lines_of(read(folder + "differences"));
  return line.ends_with("-> crash") ||
         std::find(known.begin(), known.end(), subject + ": " + line) != known.end();
}

TEST_CASE("the simulated runtime answers as an H200 did") {
  const auto all = all_answers();
  CHECK(all.size() > 50);
  for (const auto& [subject, answers] : all) {
    const auto& [expected, found] = answers;
    CAPTURE(subject);
    CHECK(found.size() == expected.size());
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
      if (!may_differ(subject, expected[i])) CHECK(found[i] == expected[i]);
    }
  }
}

TEST_CASE("every subject can be asked to its end") {
  const Ending list = run_simulated(WARPWISE_ANSWERS);
  REQUIRE(list.status == 2);
  CHECK(lines_of(list.text).size() > 15);
}

}  // namespace
}  // namespace warpwise::cudart
