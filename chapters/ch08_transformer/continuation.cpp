/// \file
/// What the model writes: the most likely next token, again and again.
///
///     build/ch08_transformer --only continuation --prompt "A block"
#include <algorithm>
#include <stdexcept>

#include "given.h"
#include "gpt.h"

namespace lesson = warpwise::lesson;
namespace models = warpwise::models;

namespace gpt {
namespace {

/// The most likely token after these, and how far its logit is above the next one's.
std::pair<int, double> next_token(const Checkpoint& model, const std::vector<int>& ids) {
  const int T = static_cast<int>(ids.size()), V = model.dimensions.tokens;
  const OwnPass own(model, ids, 1, T);
  std::string absent;
  start(operations_of(Rung::attention, own.pass(), absent));
  const std::vector<float> logits = own.logits();
  // Columns from V on are zeros, which would win where all logits are negative.
  const float* row = &logits[std::size_t(T - 1) * model.dimensions.padded_tokens];
  const auto best = static_cast<int>(std::max_element(row, row + V) - row);
  float second = best == 0 ? row[1] : row[0];
  for (int v = 0; v < V; ++v) {
    if (v != best) second = std::max(second, row[v]);
  }
  return {best, row[best] - second};
}

std::string shown(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

lesson::Demonstration continuation() {
  const std::string prompt = given_prompt();
  const Checkpoint& model = model_for(1);
  try {
    const models::Tokenizer words = given_tokenizer();
    std::vector<int> ids = words.encode(prompt);
    if (ids.empty()) ids.push_back(words.end_of_text());
    if (static_cast<int>(ids.size()) >= model.dimensions.max_tokens) {
      throw std::runtime_error("--prompt has " + std::to_string(ids.size()) +
                               " tokens; the model takes less than " +
                               std::to_string(model.dimensions.max_tokens));
    }
    std::string text;
    double smallest = 1e9;
    const int most = given_new_tokens();
    for (int i = 0; i < most && std::ssize(ids) < model.dimensions.max_tokens; ++i) {
      const auto [id, gap] = next_token(model, ids);
      smallest = std::min(smallest, gap);
      if (id == words.end_of_text() || id >= words.size()) break;
      ids.push_back(id);
      text += words.text(id);
    }
    return {.title = "The most likely continuation",
            .columns = {"prompt", "the model goes on", "smallest lead of a logit"},
            .rows = {{shown(prompt), shown(text), lesson::decimal(smallest, 3)}},
            .note =
                "Fluent is not right: the model has the course's tone and none of its "
                "knowledge."};
  } catch (const lesson::Stop&) {
    throw;
  } catch (const std::exception& error) {
    throw lesson::Stop(lesson::bad_environment, error.what());
  }
}

}  // namespace
}  // namespace gpt

void continuation_table(lesson::Run& run) { run.table("continuation", gpt::continuation); }
