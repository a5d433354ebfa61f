#include "tutor/attempt/compile.h"

#include <fmt/format.h>

#include <utility>

#include "base/lean_headers.h"
#include "tutor/attempt/compiler_error.h"
#include "tutor/course/kind.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/image_cache.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// Without the GPUs that `--gpu` added to the one that everything is counted on, the first.
std::vector<std::string> for_first_gpu(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  bool found = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-gencode" && std::exchange(found, true)) {
      ++i;
    } else {
      kept.push_back(words[i]);
    }
  }
  return kept;
}

// An answer may still use what an older GPU lacks, such as bulk copies.
Outcome run_compiler(Command command) {
  Outcome outcome = run_captured(command);
  std::vector<std::string> first = for_first_gpu(command.words);
  if (outcome.status == 0 || outcome.timed_out || first == command.words) return outcome;
  command.words = std::move(first);
  Outcome again = run_captured(command);
  return again.status == 0 ? again : outcome;
}

}  // namespace

Compiled compile_image(const Context& context, const Exercise& exercise, const fs::path& source,
                       const fs::path& image, const std::vector<std::string>& more) {
  make_folder(image.parent_path());
  PendingFile pending(image);
  Command command{.words = context.confinement.compiling,
                  .environment = compiler_environment,
                  .limit = context.confinement.limit,
                  .memory_bytes = std::size_t{4} << 30,
                  .cancel = context.cancel};
  command.words.push_back(context.nvcc.string());
  const auto add = [&command](const std::vector<std::string>& flags) {
    command.words.insert(command.words.end(), flags.begin(), flags.end());
  };
  const std::string kind = kind_of(exercise);
  add(image_flags(context, kind));
  const std::string text = read_file(source);
  base::leave_headers_out(command.words, text);
  if (kind != "exercise" && has_inline_function(text)) {
    add({"-Xcompiler", "-fkeep-inline-functions"});
  }
  add(more);
  // A submission is compiled as it is, by a compiler that sees nothing else.
  const auto cache = context.confinement.confined() ? std::nullopt : ImageCache::of_environment();
  const std::string key = cache ? ImageCache::key_of(command.words, source) : "";
  const auto started = fs::file_time_type::clock::now();
  const auto commit = [&]() -> Compiled {
    // A text saved while nvcc ran is then newer than its image.
    fs::last_write_time(pending.path(), started);
    pending.commit();
    return {.ok = true, .error = {}, .next = {}};
  };
  if (cache && cache->fetch(key, pending.path())) return commit();
  const fs::path included = cache ? ask_for_rule(command, pending.path()) : fs::path();
  add({"-o", pending.path().string(), source.string()});
  const Outcome outcome = run_compiler(command);
  std::error_code ignored;
  if (outcome.status == 0) {
    if (cache) cache->keep(key, pending.path(), included, started);
    fs::remove(included, ignored);
    return commit();
  }
  fs::remove(included, ignored);
  fs::remove(image, ignored);
  if (outcome.timed_out) {
    return {.ok = false,
            .error = fmt::format("  nvcc took longer than {} s\n", command.limit.count() / 1000),
            .next = "Is a template or a loop unrolled without an end?"};
  }
  const CompilerError error = first_compiler_error(outcome.out + outcome.err, context.root, source);
  const std::string brace = may_be_a_brace(error) ? unbalanced_brace(read_text(source)) : "";
  return {.ok = false,
          .error = to_text(error, page_width()),
          .next = brace.empty() ? error.next : "Count the braces: " + brace + "."};
}

Compiled refresh_image(const Context& context, const Exercise& exercise, const fs::path& source,
                       const fs::path& image) {
  std::error_code error;
  const auto made = fs::last_write_time(image, error);
  const auto is_older = [&](const fs::path& file) {
    return !error && fs::last_write_time(file, error) < made && !error;
  };
  if (is_older(source) && is_older(context.nvcc) &&
      is_older(image_flags_file(context, kind_of(exercise)))) {
    return {.ok = true, .error = {}, .next = {}};
  }
  return compile_image(context, exercise, source, image);
}

}  // namespace warpwise::tutor
