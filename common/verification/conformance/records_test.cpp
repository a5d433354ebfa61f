#include <doctest/doctest.h>
#include <stdlib.h>

#include <csignal>
#include <fstream>

#include "verification/conformance/recorder.h"
#include "verification/conformance/replay.h"

// The whole way of a record with the simulator in the GPU's place, and records that were tampered
// with.
namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "records_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

/// Records of a few variants and programs.
Records small_records() {
  Records records;
  Work work{{}, 6};
  for (const char* key : {"add.s32", "fma.rn.f32", "setp.lt.f32", "cvt.u8.s32", "sin.approx.f32",
                          "and.b32", "xor.b64", "mul.rn.f64", "selp.b16", "shf.l.wrap.b32"}) {
    work.variants.push_back(*variant_of_key(key));
    if (std::string(key) != "sin.approx.f32") records.palette.emplace_back(key);
  }
  records.rejected = {
      {"add.s33", "no such type"}, {"add.rn.s32", "no rounding"}, {"sub.s33", "no such type"}};
  for (const auto& [name, why] : record(records, work, 0, work.size(), *simulator()))
    FAIL_CHECK(name << ": " << why);
  REQUIRE(records.variants.size() == 10);
  REQUIRE(records.programs.size() == 6);
  return records;
}

const Outcome& outcome_of(const std::vector<Outcome>& outcomes, const std::string& name) {
  for (const Outcome& outcome : outcomes)
    if (outcome.name == name) return outcome;
  FAIL("no outcome for " << name);
  return outcomes[0];
}

VariantRecord& record_of(Records& records, const std::string& key) {
  for (VariantRecord& record : records.variants)
    if (record.key == key) return record;
  FAIL("no record of " << key);
  return records.variants[0];
}

TEST_CASE("records are written, read and found equal") {
  Records records = small_records();
  Folder folder;
  write_records(folder.path, records);
  Records read = read_records(folder.path);
  CHECK(read.device == "simulator");
  CHECK(read.palette == records.palette);
  CHECK(read.rejected == records.rejected);
  auto machine = simulator();
  auto variants = replay_variants(read, *machine);
  CHECK(variants.size() == 10);
  for (const Outcome& outcome : variants) CHECK(outcome.kind == Outcome::Kind::equal);
  auto programs = replay_programs(read, *machine);
  CHECK(programs.size() == 6);
  for (const Outcome& outcome : programs) CHECK(outcome.kind == Outcome::Kind::equal);
  std::ofstream(folder.path / "outputs.zst", std::ios::app) << "x";
  CHECK_THROWS(read_records(folder.path));
}

TEST_CASE("what a record says otherwise is found and shown") {
  Records records = small_records();
  // Lane 1 of the inputs of two integers is 1 + 0.
  record_of(records, "add.s32").output[4] ^= std::byte{2};
  record_of(records, "setp.lt.f32").output[40] ^= std::byte{1};
  record_of(records, "xor.b64").hash ^= 1;
  record_of(records, "and.b32").key = "and.b33";
  records.programs[2].output ^= 1;
  records.programs[3].text ^= 1;
  auto machine = simulator();
  auto outcomes = replay_variants(records, *machine);
  CHECK(outcomes.size() == 10);
  const Outcome& sum = outcome_of(outcomes, "add.s32");
  CHECK(sum.kind == Outcome::Kind::differs);
  CHECK(sum.text == "1 of 1024 lanes differ\n    0x1, 0x0: expected 0x3, got 0x1\n");
  CHECK(outcome_of(outcomes, "setp.lt.f32").kind == Outcome::Kind::differs);
  CHECK(outcome_of(outcomes, "xor.b64").kind == Outcome::Kind::out_of_date);
  CHECK(outcome_of(outcomes, "and.b33").kind == Outcome::Kind::gone);
  CHECK(outcome_of(outcomes, "fma.rn.f32").kind == Outcome::Kind::equal);
  auto programs = replay_programs(records, *machine);
  CHECK(outcome_of(programs, "program 1").kind == Outcome::Kind::equal);
  CHECK(outcome_of(programs, "program 2").kind == Outcome::Kind::differs);
  CHECK(outcome_of(programs, "program 3").kind == Outcome::Kind::out_of_date);
}

TEST_CASE("a kernel that is refused does not spoil the others of its module") {
  class Picky : public Executor {
   public:
    void load(const std::string& ptx) override {
      if (ptx.find("fma.rn") != std::string::npos) throw Refused("no fma");
      machine_->load(ptx);
    }
    Bytes run(const Launch& launch) override { return machine_->run(launch); }
    std::string name() const override { return "picky"; }

   private:
    std::unique_ptr<Executor> machine_ = simulator();
  };
  Picky picky;
  auto outcomes = replay_variants(small_records(), picky);
  CHECK(outcomes.size() == 10);
  for (const Outcome& outcome : outcomes) {
    bool fma = outcome.name == "fma.rn.f32";
    CHECK(outcome.kind == (fma ? Outcome::Kind::refused : Outcome::Kind::equal));
  }
}

/// Crashes in the middle of one instruction's fixture, and cannot go on after another's.
class Fragile : public Executor {
 public:
  void load(const std::string& ptx) override {
    if (ptx.find("sin.approx") != std::string::npos) std::raise(SIGKILL);
    broken_ = ptx.find("shf.l") != std::string::npos;
    machine_->load(ptx);
  }
  Bytes run(const Launch& launch) override {
    if (broken_) throw Broken("no context");
    return machine_->run(launch);
  }
  std::string name() const override { return "fragile"; }

 private:
  std::unique_ptr<Executor> machine_ = simulator();
  bool broken_ = false;
};

TEST_CASE("a crash while recording costs only what crashes") {
  Records whole = small_records(), records;
  records.palette = {"add.s32", "xor.b64"};
  Work work{{}, 3};
  for (const VariantRecord& record : whole.variants)
    work.variants.push_back(*variant_of_key(record.key));
  auto unrecorded = record_in_processes(
      records, work, [] { return std::make_unique<Fragile>(); }, 2);
  CHECK(unrecorded ==
        Unrecorded{{"sin.approx.f32", "ended by signal 9"}, {"shf.l.wrap.b32", "no context"}});
  CHECK(records.device == "fragile");
  CHECK(records.programs.size() == 3);
  REQUIRE(records.variants.size() == 8);
  for (const VariantRecord& record : records.variants) {
    CHECK(record.output == record_of(whole, record.key).output);
    CHECK(record.hash == record_of(whole, record.key).hash);
  }
  auto nothing = []() -> std::unique_ptr<Executor> { throw Refused("no GPU here"); };
  CHECK_THROWS(record_in_processes(records, work, nothing, 2));
}

TEST_CASE("known differences are named one by one or by their beginning") {
  Records records;
  records.not_modelled = {{"add.s32", "one"}, {"cvt.rn.*", "many"}};
  CHECK(records.known_difference("add.s32")->second == "one");
  CHECK(records.known_difference("cvt.rn.f32.s32")->second == "many");
  CHECK(records.known_difference("add.s32.x") == nullptr);
  CHECK(records.known_difference("cvt.rz.f32.s32") == nullptr);
}

}  // namespace
}  // namespace warpwise::conformance
