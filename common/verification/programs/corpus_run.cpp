#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/preload.h"
#include "report/report_json.h"
#include "verification/programs/corpus.h"

namespace warpwise::programs {
namespace {

// Programs are small: the limits end what hangs, and a mistake that loops.
constexpr const char* limit = "WARPWISE_LIMIT=60";
constexpr const char* mistake_limit = "WARPWISE_BUDGET=3000000";
constexpr const char* kill_after_seconds = "100";

std::string temporary_folder() {
  std::string path = (std::filesystem::temp_directory_path() / "warpwise_programs.XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder: " + path);
  return path;
}

void redirect(const std::string& file, int descriptor) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
  close(opened);
}

int run(const std::vector<std::string>& words, const std::string& out, const std::string& err) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no new process could be started");
  if (child == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void read_report(const std::string& text, Outcome& outcome) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    if (object.is_discarded()) continue;
    const auto launch = object.get<report::LaunchReport>();
    if (outcome.unsupported.empty()) outcome.unsupported = launch.unsupported;
    const std::map<std::string, double>& counters = launch.counts.counters;
    if (!launch.mangled.empty() && !counters.empty())
      outcome.launches.push_back({launch.mangled, counters});
    for (const report::Diagnosis& d : launch.diagnoses) {
      outcome.found.push_back({.kind = d.kind,
                               .line = d.line,
                               .error = d.is_error(),
                               .message = d.message,
                               .file = d.file});
    }
  }
}

Outcome run_one(const Program& program, const std::string& built, const std::string& library,
                const std::string& folder) {
  const std::string stem = folder + "/" + program.name;
  std::vector<std::string> words = {"timeout",
                                    "-s",
                                    "KILL",
                                    kill_after_seconds,
                                    "env",
                                    "LD_PRELOAD=" + base::preloadable(library).string(),
                                    "WARPWISE_REPORT=" + stem + ".report",
                                    limit};
  if (program.mistake) words.push_back(mistake_limit);
  if (!program.gpus.empty()) words.push_back("WARPWISE_GPUS=" + program.gpus);
  words.push_back(built + "/" + program.name);
  const int status = run(words, stem + ".out", stem + ".err");
  Outcome outcome;
  outcome.record = read_text(stem + ".out") + "[exit status " + std::to_string(status) + "]\n";
  outcome.errors = read_text(stem + ".err");
  read_report(read_text(stem + ".report"), outcome);
  return outcome;
}

}  // namespace

std::vector<Outcome> run_all(const std::vector<Program>& programs, const std::string& built,
                             const std::string& library, unsigned jobs) {
  const std::string folder = temporary_folder();
  std::vector<Outcome> outcomes(programs.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned job = 0; job < jobs; ++job) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < programs.size(); i = next++) {
        outcomes[i] = run_one(programs[i], built, library, folder);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::filesystem::remove_all(folder);
  return outcomes;
}

}  // namespace warpwise::programs
