#include "lesson/device/device.h"

#include <doctest/doctest.h>

#include "lesson/device/error.h"

using namespace warpwise::lesson;

namespace {

int status_of(const Situation& situation) {
  std::string reason;
  try {
    next_step(situation, reason);
  } catch (const Stop& stop) {
    CHECK_FALSE(stop.message.empty());
    CHECK(stop.message.find('\n') == std::string::npos);
    return stop.status;
  }
  return 0;
}

}  // namespace

TEST_CASE("a usable GPU is used unless the simulator is asked for") {
  Situation situation;
  situation.gpu = {true, "a GPU can be used"};
  situation.simulator_built = true;
  std::string reason;
  CHECK(next_step(situation, reason) == Step::use_gpu);
  CHECK(reason == "a GPU can be used");
  situation.choice = DeviceChoice::gpu;
  CHECK(next_step(situation, reason) == Step::use_gpu);
  situation.choice = DeviceChoice::simulator;
  CHECK(next_step(situation, reason) == Step::restart_on_simulator);
  CHECK(reason == "--device sim");
}

TEST_CASE("without a GPU, auto restarts on the simulator and says why") {
  Situation situation;
  situation.gpu = {false, "no NVIDIA driver was found"};
  situation.simulator_built = true;
  std::string reason;
  CHECK(next_step(situation, reason) == Step::restart_on_simulator);
  CHECK(reason == "no NVIDIA driver was found");
  situation.simulator_built = false;
  CHECK(status_of(situation) == bad_environment);
  situation.choice = DeviceChoice::gpu;
  CHECK(status_of(situation) == bad_environment);
}

TEST_CASE("a restart that loaded no simulator ends instead of starting over") {
  Situation situation;
  situation.launched = true;
  situation.simulator_built = true;
  CHECK(status_of(situation) == bad_environment);
  situation.simulated = true;
  CHECK(status_of(situation) == 0);
  situation.choice = DeviceChoice::gpu;
  CHECK(status_of(situation) == bad_environment);
}

TEST_CASE("looking for a GPU always gives a reason") { CHECK_FALSE(probe_gpu().reason.empty()); }

TEST_CASE("more devices than exist end the program with one line") {
  Device device;
  device.gpus = 2;
  use_gpus(device, 0);
  CHECK(device.gpus == 2);
  try {
    use_gpus(device, 4);
    FAIL("four of two");
  } catch (const Stop& stop) {
    CHECK(stop.status == bad_usage);
    CHECK(stop.message == "--gpus 4: 2 GPUs here; --device sim has up to 8");
  }
  use_gpus(device, 1);
  CHECK(device.gpus == 1);
}
