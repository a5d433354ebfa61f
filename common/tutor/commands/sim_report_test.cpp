#include "tutor/commands/sim_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

SimReport report_of(const std::string& text) {
  const TemporaryFolder folder;
  write_atomically(folder.path() / "report", text);
  return read_sim_report(folder.path() / "report");
}

constexpr const char* clean = R"({"kernel":"k","counters":{},"diagnoses":[]})"
                              "\n";
constexpr const char* noted = R"({"kernel":"k","diagnoses":[{"kind":"leak","severity":"note"}]})"
                              "\n";
constexpr const char* wrong = R"({"kernel":"k","diagnoses":[{"kind":"race","severity":"error"}]})"
                              "\n";
constexpr const char* unknown = R"({"kernel":"","unsupported":"no row for x","diagnoses":[]})"
                                "\n";

TEST_CASE("the status is that of the gravest finding, else the program's") {
  CHECK(sim_status(report_of(""), 0) == 0);
  CHECK(sim_status(report_of(clean), 5) == 5);
  CHECK(sim_status(report_of(noted), 0) == 0);
  CHECK(sim_status(report_of(std::string(clean) + wrong), 0) == status_wrong);
  CHECK(sim_status(report_of(unknown), 0) == status_environment);
  CHECK(sim_status(report_of(std::string(unknown) + wrong), 139) == status_wrong);
}

TEST_CASE("a cut or damaged line is left out, the others stay") {
  const SimReport report = report_of(std::string(clean) + "garbage\n[]\n{\"diagnoses\":3}\n" +
                                     wrong + R"({"kernel":"cu)");
  CHECK(report.error);
  const auto json = nlohmann::json::parse(sim_json(report, "a \"b\" \xff", 3, 1));
  CHECK(json["launches"].size() == 2);
  CHECK(json["program_status"] == 3);
  CHECK(json["status"] == 1);
  CHECK(json["program"].get<std::string>().starts_with("a \"b\" "));
}

TEST_CASE("a missing report is an empty one") {
  const SimReport report = read_sim_report("/nowhere/report");
  CHECK(nlohmann::json::parse(sim_json(report, "p", 0, 0))["launches"].empty());
}

}  // namespace
}  // namespace warpwise::tutor
