// Messages about an mbarrier whose phase cannot end.

#include "simulator/machine/ptx_fixture.h"

namespace warpwise::machine {
namespace mbarrier_messages_test {
namespace {

using namespace test;

/// The message where one lane arrives as the text does, and then waits for the phase.
std::string reported(const std::string& arrivals) {
  Text text(kernel(".shared .align 8 .b64 bar;\n", R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $end;
  mbarrier.init.shared.b64 [bar], 2;
)" + arrivals + R"(
again:
  mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra again;
)"));
  text.run();
  return text.report.diagnoses.empty() ? "" : text.report.diagnoses[0].message;
}

bool has(const std::string& message, const std::string& words) {
  INFO(message);
  return message.find(words) != std::string::npos;
}

const std::string arrive = "mbarrier.arrive.shared.b64 _, [bar];\n";
const std::string expect = "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 64;\n";

TEST_CASE("a phase that cannot end is reported with what is missing: arrivals, or bytes") {
  CHECK(has(reported(arrive), "1 of 2 arrivals are missing"));
  CHECK(has(reported(expect + arrive), "1 of 2 arrivals and 64 bytes are missing"));
  CHECK(has(reported(expect + arrive + arrive), "64 bytes are missing, and no copy"));
  CHECK(has(
      reported(expect + "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [bar], 96;\n" +
               arrive + arrive),
      "32 more bytes have arrived than were expected"));
}

}  // namespace
}  // namespace mbarrier_messages_test
}  // namespace warpwise::machine
