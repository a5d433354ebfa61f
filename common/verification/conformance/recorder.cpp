#include "verification/conformance/recorder.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>

#include "verification/conformance/batch.h"
#include "verification/conformance/random/program.h"

namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t part_size = 64;

Unrecorded record_variants(Records& records, const Work& work, std::size_t first, std::size_t last,
                           Executor& executor) {
  Unrecorded unrecorded;
  std::vector<Fixture> fixtures;
  for (std::size_t i = first; i < last; ++i) fixtures.emplace_back(work.variants[i]);
  Inputs inputs;
  Batch(
      executor, [&](auto i, auto& name) { return fixtures[i].kernel(name); },
      [&](auto i, auto& name) {
        const Fixture& fixture = fixtures[i];
        const Bytes& input = inputs.of(fixture);
        Bytes output = executor.run(fixture.launch(name, input));
        records.variants.push_back(
            {fixture.variant().key(), fixture.hash(input), fixture.packed(output)});
      },
      [&](auto i, auto& why) { unrecorded[fixtures[i].variant().key()] = why; })
      .all(fixtures.size(), fixtures_in_module);
  return unrecorded;
}

std::string name_of_program(std::uint64_t seed) { return fmt::format("program {}", seed); }

Unrecorded record_programs(Records& records, std::uint64_t first, std::uint64_t last,
                           Executor& executor) {
  Unrecorded unrecorded;
  Palette palette(records.palette);
  std::vector<Program> made;
  for (std::uint64_t seed = first; seed < last; ++seed)
    made.push_back(random_program(seed, palette));
  Batch(
      executor, [&](auto i, auto& name) { return made[i].kernel(name); },
      [&](auto i, auto& name) {
        Bytes output = executor.run(made[i].launch(name));
        records.programs.push_back({first + i, made[i].hash(), hash_of_bytes(output)});
      },
      [&](auto i, auto& why) { unrecorded[name_of_program(first + i)] = why; })
      .all(made.size(), programs_in_module);
  return unrecorded;
}

struct Part {
  std::size_t first, last;
};

/// A process that records a part into a folder of its own.
struct Child {
  Part part;
  std::string folder;
};

/// How a child ended.
enum class Exit { recorded, no_executor, broken, signal };

/// A reason may have several lines; each of the file's lines is one name.
void write_unrecorded(const fs::path& file, const Unrecorded& unrecorded) {
  std::ofstream out(file);
  for (auto [name, why] : unrecorded) {
    std::replace(why.begin(), why.end(), '\n', ' ');
    out << name << ": " << why << "\n";
  }
}

void add_unrecorded(const fs::path& file, Unrecorded& unrecorded) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::size_t colon = line.find(": ");
    unrecorded[line.substr(0, colon)] = line.substr(colon + 2);
  }
}

class Processes {
 public:
  Processes(Records& records, const Work& work,
            const std::function<std::unique_ptr<Executor>()>& make, unsigned seconds)
      : records_(records),
        work_(work),
        make_(make),
        seconds_(seconds),
        folder_((fs::temp_directory_path() / "recorder_XXXXXX").string()) {
    if (!mkdtemp(folder_.data())) throw std::runtime_error("cannot make a folder for records");
    records_.variants.clear();
    records_.programs.clear();
    for (std::size_t first = 0; first < work.size(); first += part_size)
      waiting_.push_back({first, std::min(work.size(), first + part_size)});
  }
  ~Processes() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  Unrecorded all(unsigned at_once) {
    while (!waiting_.empty() || !running_.empty()) {
      while (!waiting_.empty() && running_.size() < at_once) start();
      finish_one();
    }
    for (auto& [first, part] : done_) {
      records_.device = part.device;
      std::move(part.variants.begin(), part.variants.end(), std::back_inserter(records_.variants));
      std::move(part.programs.begin(), part.programs.end(), std::back_inserter(records_.programs));
    }
    return unrecorded_;
  }

 private:
  void start() {
    Child child{waiting_.front(), fmt::format("{}/{}", folder_, started_++)};
    waiting_.pop_front();
    pid_t process = fork();
    if (process < 0) throw std::runtime_error("cannot start a process");
    if (process == 0) _exit(static_cast<int>(work_on(child)));
    running_[process] = child;
  }

  /// The work of a child.
  Exit work_on(const Child& child) {
    alarm(seconds_);
    std::unique_ptr<Executor> executor;
    try {
      executor = make_();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      return Exit::no_executor;
    }
    try {
      Records records;
      records.palette = records_.palette;
      Unrecorded unrecorded = record(records, work_, child.part.first, child.part.last, *executor);
      records.palette.clear();
      write_records(child.folder, records);
      write_unrecorded(child.folder + "/unrecorded", unrecorded);
      return Exit::recorded;
    } catch (const std::exception& error) {
      fs::create_directories(child.folder);
      std::ofstream(child.folder + "/error") << error.what();
      return Exit::broken;
    }
  }

  void finish_one() {
    int status = 0;
    pid_t process = wait(&status);
    auto at = running_.find(process);
    if (at == running_.end()) throw std::runtime_error("lost a process that records");
    Child child = at->second;
    running_.erase(at);
    auto [first, last] = child.part;
    Exit exit = WIFEXITED(status) ? static_cast<Exit>(WEXITSTATUS(status)) : Exit::signal;
    if (exit == Exit::recorded) {
      done_[first] = read_records(child.folder);
      add_unrecorded(child.folder + "/unrecorded", unrecorded_);
    } else if (exit == Exit::no_executor) {
      throw std::runtime_error("nothing to record with");
    } else if (last - first > 1) {
      std::size_t middle = (first + last) / 2;
      waiting_.push_back({first, middle});
      waiting_.push_back({middle, last});
    } else {
      std::size_t variants = work_.variants.size();
      std::string name =
          first < variants ? work_.variants[first].key() : name_of_program(first - variants);
      std::string why = fmt::format("ended by signal {}", WTERMSIG(status));
      if (exit == Exit::broken) std::getline(std::ifstream(child.folder + "/error"), why);
      unrecorded_[name] = why;
    }
  }

  Records& records_;
  const Work& work_;
  const std::function<std::unique_ptr<Executor>()>& make_;
  unsigned seconds_;
  std::string folder_;
  std::deque<Part> waiting_;
  std::map<pid_t, Child> running_;
  std::map<std::size_t, Records> done_;
  Unrecorded unrecorded_;
  unsigned started_ = 0;
};

}  // namespace

Unrecorded record(Records& records, const Work& work, std::size_t first, std::size_t last,
                  Executor& executor) {
  records.device = executor.name();
  std::size_t variants = work.variants.size();
  Unrecorded unrecorded =
      record_variants(records, work, std::min(first, variants), std::min(last, variants), executor);
  unrecorded.merge(record_programs(records, std::max(first, variants) - variants,
                                   std::max(last, variants) - variants, executor));
  return unrecorded;
}

Unrecorded record_in_processes(Records& records, const Work& work,
                               const std::function<std::unique_ptr<Executor>()>& make,
                               unsigned at_once, unsigned seconds_for_a_part) {
  return Processes(records, work, make, seconds_for_a_part).all(at_once);
}

}  // namespace warpwise::conformance
