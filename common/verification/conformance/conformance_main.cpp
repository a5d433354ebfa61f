/// \file
/// Records what a GPU does with every instruction and with random programs, and shows what is
/// compared. FOLDER is common/verification/recorded/conformance.
///
///     conformance list                      the variants that the rows have
///     conformance ptx VARIANT...            the kernel that tries a variant
///     conformance program SEED FOLDER       the PTX of a random program
///     conformance prepare FOLDER PTXAS      finds out what ptxas refuses; chooses the palette
///     conformance record FOLDER PTXAS [N]   on a GPU: runs all variants and N programs (2,500)
///     conformance compare FOLDER            the simulator against the records
///     conformance locate FOLDER PTXAS [SEED...]  on a GPU: where programs begin to differ; without
///                                           seeds, all that differ from their records
///     conformance shrink SEED FOLDER PTXAS  on a GPU: the smallest part of a program that differs
///     conformance record_functions FOLDER PTXAS  on a GPU: approximate functions, with all inputs
///     conformance functions FOLDER          the simulator's against them, all 10^11 results
///     conformance isa FOLDER                the table of rows: supported, tested, recorded
#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <map>
#include <thread>

#include "verification/conformance/functions.h"
#include "verification/conformance/locate.h"
#include "verification/conformance/prepare.h"
#include "verification/conformance/recorder.h"
#include "verification/conformance/replay.h"
#include "verification/conformance/table.h"

namespace {

using namespace warpwise::conformance;
using Words = std::vector<std::string>;

constexpr std::uint64_t default_programs = 2'500;

int list(const Words&) {
  for (const Variant& variant : all_variants([](auto&) { return false; }))
    fmt::print("{}\n", variant.key());
  return 0;
}

int ptx(const Words& words) {
  auto variant = variant_of_key(fmt::format("{}", fmt::join(words, " ")));
  if (!variant) throw std::runtime_error("no row for " + words[0]);
  fmt::print("{}{}", module_header, Fixture(*variant).kernel("k"));
  return 0;
}

int program(const Words& words) {
  Palette palette(read_records(words.at(1)).palette);
  fmt::print("{}{}", module_header, random_program(std::stoull(words[0]), palette).kernel("p"));
  return 0;
}

int prepare_folder(const Words& words) {
  Records records = read_records(words.at(0));
  prepare(records, words.at(1));
  write_records(words[0], records);
  fmt::print("{} variants refused by ptxas, {} in the palette\n", records.rejected.size(),
             records.palette.size());
  return 0;
}

/// @return 1 if an outcome is neither equal nor known to differ.
int report(const Records& records, const std::vector<Outcome>& outcomes) {
  std::size_t equal = 0, known = 0, wrong = 0;
  for (const Outcome& outcome : outcomes) {
    if (outcome.kind == Outcome::Kind::equal) {
      ++equal;
    } else if (records.known_difference(outcome.name)) {
      ++known;
    } else {
      ++wrong;
      fmt::print("{}: {}\n", outcome.name, outcome.text);
    }
  }
  fmt::print("{} equal, {} not modelled, {} wrong\n", equal, known, wrong);
  return wrong != 0;
}

int compare(const Words& words) {
  Records records = read_records(words.at(0));
  auto executor = simulator();
  int variants = report(records, replay_variants(records, *executor));
  return variants | report(records, replay_programs(records, *executor));
}

int record_folder(const Words& words) {
  Records records = read_records(words.at(0));
  Work work{all_variants([&](auto& key) { return records.is_rejected(key); }),
            words.size() > 2 ? std::stoull(words[2]) : default_programs};
  auto unrecorded = record_in_processes(
      records, work, [&] { return gpu(words.at(1)); }, std::thread::hardware_concurrency());
  write_records(words[0], records);
  for (const auto& [name, why] : unrecorded) fmt::print("not recorded: {}: {}\n", name, why);
  fmt::print("{} variants and {} programs recorded on {}, {} not\n", records.variants.size(),
             records.programs.size(), records.device, unrecorded.size());
  return 0;
}

std::vector<std::uint64_t> seeds_that_differ(const Records& records, Executor& machine) {
  std::vector<std::uint64_t> seeds;
  for (const Outcome& outcome : replay_programs(records, machine))
    if (outcome.kind == Outcome::Kind::differs && !records.known_difference(outcome.name))
      seeds.push_back(std::stoull(outcome.name.substr(outcome.name.find(' '))));
  return seeds;
}

int locate_programs(const Words& words) {
  Records records = read_records(words.at(0));
  auto device = gpu(words.at(1));
  auto machine = simulator();
  std::vector<std::uint64_t> seeds;
  for (std::size_t i = 2; i < words.size(); ++i) seeds.push_back(std::stoull(words[i]));
  if (seeds.empty()) seeds = seeds_that_differ(records, *machine);
  Palette palette(records.palette);
  for (std::uint64_t seed : seeds) {
    Program program = random_program(seed, palette);
    std::string text = "no difference in a trace\n";
    try {
      if (auto found = diverges(program, *device, *machine))
        text = describe(*found, program, *machine);
    } catch (const Refused& why) {
      text = fmt::format("{}\n", why.what());
    }
    fmt::print("program {}: {}", seed, text);
  }
  return !seeds.empty();
}

int shrink_program(const Words& words) {
  Palette palette(read_records(words.at(1)).palette);
  auto device = gpu(words.at(2));
  auto machine = simulator();
  std::string text = shrink(random_program(std::stoull(words[0]), palette), *device, *machine);
  fmt::print("{}", text.empty() ? "no difference\n" : text);
  return !text.empty();
}

std::filesystem::path file_of_functions(const Words& words) {
  return std::filesystem::path(words.at(0)) / "functions.txt";
}

int record_functions(const Words& words) {
  auto device = gpu(words.at(1));
  Sums sums = record_sums(*device);
  write_sums(file_of_functions(words), sums, device->name());
  fmt::print("{} functions recorded on {}\n", sums.size(), device->name());
  return 0;
}

int compare_functions(const Words& words) {
  auto differing = differing_blocks(read_sums(file_of_functions(words)),
                                    [](const Function&, std::uint32_t) { return true; });
  for (const std::string& block : differing) fmt::print("{}\n", block);
  fmt::print("{} blocks of {} differ\n", differing.size(), functions().size() * blocks_of_function);
  return !differing.empty();
}

int isa_table(const Words& words) {
  fmt::print("{}", table_of_rows(read_records(words.at(0))));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::map<std::string, std::pair<std::size_t, std::function<int(const Words&)>>> commands = {
      {"list", {0, list}},
      {"ptx", {1, ptx}},
      {"program", {2, program}},
      {"prepare", {2, prepare_folder}},
      {"record", {2, record_folder}},
      {"compare", {1, compare}},
      {"locate", {2, locate_programs}},
      {"shrink", {3, shrink_program}},
      {"record_functions", {2, record_functions}},
      {"functions", {1, compare_functions}},
      {"isa", {1, isa_table}}};
  auto command = commands.find(count > 1 ? arguments[1] : "");
  if (command == commands.end() || static_cast<std::size_t>(count) < 2 + command->second.first) {
    fmt::print(stderr,
               "usage: conformance list | ptx VARIANT | program SEED FOLDER | "
               "prepare FOLDER PTXAS | record FOLDER PTXAS [N] | compare FOLDER | "
               "locate FOLDER PTXAS [SEED...] | shrink SEED FOLDER PTXAS | "
               "record_functions FOLDER PTXAS | functions FOLDER | isa FOLDER\n");
    return 2;
  }
  try {
    return command->second.second(Words(arguments + 2, arguments + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "conformance: {}\n", error.what());
    return 3;
  }
}
