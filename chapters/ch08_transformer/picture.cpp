/// \file
/// The picture of the pass: operations with their launches, bytes, flops and floors, by rung, and
/// on a GPU their times.
///
///     build/ch08_transformer --only picture
#include <memory>
#include <string_view>

#include "base/numbers.h"
#include "gpt.h"
#include "lesson/device/timing.h"

namespace lesson = warpwise::lesson;

namespace gpt {
namespace {

constexpr int sequences = 4, row_tokens = 1024;

/// All operations of one name.
struct Share {
  int launches = 0;
  double bytes = 0, flops = 0, floor_us = 0, time_us = 0;
};

/// By name, in the order in which names first occur.
struct Shares {
  std::vector<std::string> names;
  std::map<std::string, Share> of;
  Share all;
};

void take(Share& share, const Operation& operation, double floor_us, double time_us) {
  share.launches += operation.launches;
  share.bytes += operation.bytes;
  share.flops += operation.flops;
  share.floor_us += floor_us;
  share.time_us += time_us;
}

/// @param timer null: nothing is timed. Of operations of one name and layer only the first layer's
/// is timed: the others do the same work.
Shares shares_of(const Operations& operations, const warpwise::occupancy::Gpu& gpu,
                 lesson::Timer* timer) {
  Shares shares;
  std::map<std::string, double> timed;
  for (const Operation& operation : operations) {
    if (!shares.of.contains(operation.name)) shares.names.push_back(operation.name);
    const double tflops = operation.tensor_cores ? gpu.bf16_tensor_tflops : gpu.fp32_tflops;
    const double floor_us =
        std::max(operation.bytes / gpu.memory_gbps / 1e3, operation.flops / tflops / 1e6);
    double time_us = 0;
    if (timer != nullptr) {
      if (!timed.contains(operation.name)) {
        timed[operation.name] =
            timer->measure([&operation] { operation.start(nullptr); }).median_us;
      }
      time_us = timed[operation.name];
    }
    take(shares.of[operation.name], operation, floor_us, time_us);
    take(shares.all, operation, floor_us, time_us);
  }
  return shares;
}

std::vector<std::string> row_of(const std::string& name, const Share& share, const Share& all,
                                bool has_times) {
  std::vector<std::string> row{name,
                               std::to_string(share.launches),
                               lesson::decimal(share.bytes / 1e6, 1),
                               lesson::decimal(share.flops / 1e9, 1),
                               lesson::decimal(share.floor_us, 0),
                               lesson::decimal(100 * share.floor_us / all.floor_us, 1)};
  if (has_times) {
    row.push_back(lesson::decimal(share.time_us, 0));
    row.push_back(lesson::decimal(100 * share.time_us / all.time_us, 1));
  }
  return row;
}

}  // namespace

lesson::Demonstration shares_table(const std::string& title, const Operations& operations,
                                   const warpwise::occupancy::Gpu& gpu, lesson::Timer* timer) {
  lesson::Demonstration table{
      .title = title,
      .columns = {"operation", "launches", "MB", "GFLOP", "floor, us", "% of floors"},
      .rows = {}};
  if (timer) table.columns.insert(table.columns.end(), {"us", "% of time"});
  const Shares shares = shares_of(operations, gpu, timer);
  for (const std::string& name : shares.names) {
    table.rows.push_back(row_of(name, shares.of.at(name), shares.all, timer != nullptr));
  }
  table.rows.push_back(row_of("all", shares.all, shares.all, timer != nullptr));
  const bool tensor_cores = std::any_of(operations.begin(), operations.end(),
                                        [](const Operation& o) { return o.tensor_cores; });
  table.note = std::string("Floors: bytes moved once, or ") + (tensor_cores ? "bf16" : "fp32") +
               " operations, whichever takes longer, on " + std::string(gpu.name) + ".";
  return table;
}

bool has_gpu() {
  cudaDeviceProp properties{};
  lesson::check(cudaGetDeviceProperties(&properties, 0));
  return std::string_view(properties.name).find("simulated") == std::string_view::npos;
}

namespace {

lesson::Demonstration picture(const warpwise::occupancy::Gpu& gpu, Rung rung, const OwnPass* own,
                              lesson::Timer* timer) {
  const Checkpoint dimensions{warpwise::models::gpt2_124m, {}};
  const Pass shape = shape_of(dimensions, sequences, row_tokens);
  std::string absent;
  return shares_table(std::string("GPT-2 124M, B 4, T 1024, fp32: ") + name_of(rung),
                      operations_of(rung, own ? own->pass() : shape, absent), gpu, timer);
}

}  // namespace
}  // namespace gpt

void model_picture(lesson::Run& run) {
  using namespace gpt;
  std::unique_ptr<OwnPass> own;
  std::unique_ptr<lesson::Timer> timer;
  const auto prepare = [&] {
    if (own || !has_gpu()) return;
    const Checkpoint& model = model_for(row_tokens);
    own = std::make_unique<OwnPass>(model, tokens_of(model.dimensions, sequences, row_tokens),
                                    sequences, row_tokens);
    timer = std::make_unique<lesson::Timer>(std::size_t{64} << 20);
  };
  const std::pair<const char*, Rung> pictures[] = {{"picture_first", Rung::first},
                                                   {"picture_by_shape", Rung::by_shape},
                                                   {"picture_fused", Rung::fused},
                                                   {"picture", Rung::attention},
                                                   {"picture_turned", Rung::turned}};
  for (const auto& [name, rung] : pictures) {
    run.table(name, [&, rung = rung] {
      prepare();
      return picture(run.limits(), rung, own.get(), timer.get());
    });
  }
}
