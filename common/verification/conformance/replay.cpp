#include "verification/conformance/replay.h"

#include <fmt/format.h>

#include "verification/conformance/batch.h"

namespace warpwise::conformance {
namespace {

constexpr std::size_t lanes_shown = 4;

std::string shown(isa::Type type, const Value& value) {
  std::string text = value.high ? fmt::format("0x{:x}{:016x}", value.high, value.low)
                                : fmt::format("{:#x}", value.low);
  auto numbers = numbers_of(type, value);
  if (numbers.empty()) return text;
  return fmt::format("{} ({:g})", text, fmt::join(numbers, ", "));
}

bool equal(const Fixture& fixture, const Bytes& got, const Bytes& want, std::size_t lane) {
  for (std::size_t k = 0; k < fixture.destinations().size(); ++k) {
    Value a = fixture.at(got, k, lane), b = fixture.at(want, k, lane);
    if (a.low != b.low || a.high != b.high) return false;
  }
  return true;
}

/// "" for outputs that are equal, else the first lanes that do not: inputs, expected, got.
std::string difference(const Fixture& fixture, const Bytes& got, const Bytes& want) {
  if (got == want) return "";
  auto inputs = fixture_inputs(fixture.sources());
  std::size_t count = 0;
  std::string text;
  for (std::size_t lane = 0; lane < fixture_lanes; ++lane) {
    if (equal(fixture, got, want, lane) || ++count > lanes_shown) continue;
    std::vector<Value> sources;
    for (const auto& lanes : inputs) sources.push_back(lanes[lane]);
    std::string operands;
    for (std::size_t k = 0; k < sources.size(); ++k)
      operands += (k ? ", " : "") + shown(fixture.sources()[k], sources[k]);
    for (std::size_t k = 0; k < fixture.destinations().size(); ++k)
      text += fmt::format("    {}: expected {}, got {}\n", operands,
                          shown(fixture.destinations()[k], fixture.at(want, k, lane)),
                          shown(fixture.destinations()[k], fixture.at(got, k, lane)));
  }
  return count ? fmt::format("{} of {} lanes differ\n{}", count, fixture_lanes, text) : "";
}

}  // namespace

std::vector<Outcome> replay_variants(const Records& records, Executor& executor) {
  using Kind = Outcome::Kind;
  std::vector<Outcome> outcomes;
  std::vector<Fixture> fixtures;
  std::vector<const VariantRecord*> wanted;
  Inputs inputs;
  for (const VariantRecord& record : records.variants) {
    auto variant = variant_of_key(record.key);
    if (!variant) {
      outcomes.push_back({record.key, Kind::gone, "no row has it any more"});
      continue;
    }
    Fixture fixture(std::move(*variant));
    if (fixture.hash(inputs.of(fixture)) != record.hash ||
        fixture.packed_bytes() != record.output.size()) {
      outcomes.push_back({record.key, Kind::out_of_date, "recorded with another kernel or inputs"});
      continue;
    }
    fixtures.push_back(std::move(fixture));
    wanted.push_back(&record);
  }
  Batch(
      executor, [&](auto i, auto& name) { return fixtures[i].kernel(name); },
      [&](auto i, auto& name) {
        const Fixture& fixture = fixtures[i];
        Bytes got = fixture.packed(executor.run(fixture.launch(name, inputs.of(fixture))));
        std::string text = difference(fixture, got, wanted[i]->output);
        outcomes.push_back({wanted[i]->key, text.empty() ? Kind::equal : Kind::differs, text});
      },
      [&](auto i, auto& why) {
        outcomes.push_back({wanted[i]->key, Kind::refused, why});
      })
      .all(fixtures.size(), fixtures_in_module);
  return outcomes;
}

std::vector<Outcome> replay_programs(const Records& records, Executor& executor) {
  using Kind = Outcome::Kind;
  std::vector<Outcome> outcomes;
  Palette palette(records.palette);
  std::vector<Program> programs;
  std::vector<const ProgramRecord*> wanted;
  auto name_of = [](const ProgramRecord& record) { return fmt::format("program {}", record.seed); };
  for (const ProgramRecord& record : records.programs) {
    Program program = random_program(record.seed, palette);
    if (program.hash() != record.text) {
      outcomes.push_back({name_of(record), Kind::out_of_date, "the seed makes another text now"});
      continue;
    }
    programs.push_back(std::move(program));
    wanted.push_back(&record);
  }
  Batch(
      executor, [&](auto i, auto& name) { return programs[i].kernel(name); },
      [&](auto i, auto& name) {
        bool equal = hash_of_bytes(executor.run(programs[i].launch(name))) == wanted[i]->output;
        outcomes.push_back({name_of(*wanted[i]), equal ? Kind::equal : Kind::differs,
                            equal ? "" : "another output than recorded"});
      },
      [&](auto i, auto& why) {
        outcomes.push_back({name_of(*wanted[i]), Kind::refused, why});
      })
      .all(programs.size(), programs_in_module);
  return outcomes;
}

std::string shrink(Program program, Executor& one, Executor& other) {
  auto differs = [&](const Program& candidate) {
    std::string text = module_header + candidate.kernel("p");
    auto output = [&](Executor& executor) -> std::string {
      try {
        executor.load(text);
        return fmt::format("{:016x}", hash_of_bytes(executor.run(candidate.launch("p"))));
      } catch (const Refused& why) {
        return why.what();
      }
    };
    return output(one) != output(other);
  };
  if (!differs(program)) return "";
  for (bool fewer = true; fewer;) {
    fewer = false;
    for (std::size_t i = program.units.size(); i-- > 0;) {
      if (!program.units[i].removable) continue;
      Program candidate = program;
      candidate.units.erase(candidate.units.begin() + static_cast<std::ptrdiff_t>(i));
      if (!differs(candidate)) continue;
      program = std::move(candidate);
      fewer = true;
    }
  }
  return program.kernel("p");
}

}  // namespace warpwise::conformance
