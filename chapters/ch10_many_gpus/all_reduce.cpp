/// \file
/// all_reduce: every device holds n numbers, and every device gets their sums.
///
/// The question: which road do the numbers take, and what does each road cost?
///
///     build/ch10_many_gpus --only all_reduce
#include "all_reduce.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/numbers.h"
#include "lesson/device/stand_in.h"
#include "lesson/order_table.h"
#include "lesson/run.h"
#include "nccl.h"

namespace lesson = warpwise::lesson;

namespace {

/// Whole numbers from -8 to 8: their sums over eight devices are exact in float and in bf16, in any
/// order.
std::vector<float> numbers_of(int device, int count) {
  return lesson::whole_numbers(count, 8, 10 + device);
}

/// Fills `initial` of each device. @return what every device must have afterwards: the sums, once
/// for each device.
template <class T>
std::vector<double> fill(const AllReduce<T>& a) {
  std::vector<double> sums(a.count);
  std::vector<T> values(a.count);
  for (int d = 0; d < a.n(); ++d) {
    const std::vector<float> numbers = numbers_of(d, a.count);
    for (int i = 0; i < a.count; ++i) {
      sums[i] += numbers[i];
      values[i] = static_cast<T>(numbers[i]);
    }
    lesson::check(cudaMemcpy(a.initial[d].get(), values.data(), sizeof(T) * values.size(),
                             cudaMemcpyDefault));
  }
  return a.devices->for_each_of(sums);
}

/// The rungs at one size.
template <class T>
class Rungs {
 public:
  Rungs(lesson::Trial& run, const Devices& devices, int count)
      : run_(run), a_(std::make_shared<AllReduce<T>>(devices, count)) {
    result_ = run.output<T>("the sums of every device", fill(*a_), {});
    // Once: one rung alone uses them, and writing a GiB takes the host longer than any other rung.
    for (int d = 0; d < a_->n(); ++d) {
      std::memset(static_cast<void*>(a_->host[d].get()), 0xFE, sizeof(T) * std::size_t(count));
    }
  }

  /// A rung whose sums replace x.
  void in_place(const char* name, void (*start)(const AllReduce<T>&)) {
    rung(
        name, [a = a_, start] { start(*a); }, a_->x);
  }
  void out_of_place(const char* name, void (*start)(const AllReduce<T>&)) {
    rung(
        name, [a = a_, start] { start(*a); }, a_->sums);
  }
  /// The library's own.
  void library(const char* name) {
    const lesson::LibraryCall call = nccl_all_reduce(*a_);
    if (!call.launch) return run_.yardstick(name, call);
    rung(name, call.launch, a_->x);
  }
  /// No size of it can run; said once.
  void leave_out(const char* name, const std::string& why) { run_.yardstick(name, {{}, why}); }

 private:
  void rung(const char* name, const std::function<void()>& start, const Shared<T>* results) {
    run_.work(name, a_->devices->timed(start), prepare(), collect(results));
  }
  /// x as it was, everything else on the devices spoiled.
  std::function<void()> prepare() const {
    return [a = a_] {
      const std::size_t bytes = sizeof(T) * static_cast<std::size_t>(a->count);
      a->devices->each([&](int d) {
        lesson::check(
            cudaMemcpyAsync(a->x[d].get(), a->initial[d].get(), bytes, cudaMemcpyDeviceToDevice));
        for (void* spoiled : {a->sums[d].get(), a->arrived[d].get()}) {
          lesson::check(cudaMemsetAsync(spoiled, 0xFE, bytes));
        }
      });
      a->devices->synchronise();
    };
  }
  std::function<void()> collect(const Shared<T>* results) const {
    return [a = a_, results, to = result_] {
      for (int d = 0; d < a->n(); ++d) {
        lesson::check(cudaMemcpy(to + static_cast<std::size_t>(d) * a->count, results[d].get(),
                                 sizeof(T) * static_cast<std::size_t>(a->count),
                                 cudaMemcpyDefault));
      }
    };
  }

  lesson::Trial& run_;
  std::shared_ptr<AllReduce<T>> a_;
  T* result_ = nullptr;
};

template <class T>
void all_rungs(lesson::Trial& run, const Devices& devices, int count) {
  Rungs<T> rungs(run, devices, count);
  rungs.in_place("over the host", over_the_host);
  rungs.in_place("over device 0", over_device_0);
  rungs.in_place("ring", ring);
  rungs.in_place("two rings, two streams", two_rings);
  if (devices.unreachable().empty()) {
    rungs.out_of_place("kernels read all peers", read_all_peers);
    rungs.in_place("kernels write a chunk to all", chunk_to_all_peers);
  } else {
    rungs.leave_out("kernels read all peers", devices.unreachable());
    rungs.leave_out("kernels write a chunk to all", devices.unreachable());
  }
  rungs.library("NCCL");
}

/// Bytes that each link has to carry in each direction, whatever the road: GB/s of the table is
/// then the bus bandwidth of nccl-tests.
double bytes_of_link(int n, int count, std::size_t element) {
  return 2.0 * (n - 1) / n * static_cast<double>(element) * count;
}

lesson::Ladder ladder(const char* name, const char* title, int n, std::size_t element) {
  return {.name = name,
          .title = title,
          .full = {1 << 26},
          .small = {1 << 12},
          .awkward = {{1}, {3}, {1009}},
          .needs =
              [=](const lesson::Size& size) {
                return lesson::Needs{.bytes = bytes_of_link(n, size[0], element),
                                     .over_links = true};
              },
          .limit = "NCCL",
          .counts_operations = true};
}

}  // namespace

void all_reduce_ladder(lesson::Run& run, const Devices& devices) {
  const int n = devices.count();
  run.ladder(ladder("all_reduce", "sums of an array of each device, for each device", n, 4),
             [&](lesson::Trial& trial) { all_rungs<float>(trial, devices, trial.size()[0]); });
  order_table(run, "all_reduce",
              {"longest_chain", "overlaps", "host_waits", "peer_bytes", "staged_bytes",
               "pinned_bytes_out", "pinned_bytes_in"},
              {"longest chain", "copies that may overlap", "host waits", "peer bytes",
               "staged bytes", "bytes to the host", "bytes from the host"});
  run.ladder(ladder("all_reduce_bf16", "the same in bf16", n, 2), [&](lesson::Trial& trial) {
    all_rungs<__nv_bfloat16>(trial, devices, trial.size()[0]);
  });
  lesson::Ladder sizes = ladder("all_reduce_sizes", "the same, from 1 KiB to 1 GiB", n, 4);
  sizes.awkward = {};
  sizes.limit = {};
  sizes.needs = [](const lesson::Size&) { return lesson::Needs{}; };  // the rows differ in bytes
  const std::vector<int> kib = lesson::simulator_present()
                                   ? std::vector<int>{1, 4, 16}
                                   : std::vector<int>{1, 16, 256, 1024, 16384, 65536, 1048576};
  run.sweep({.parameter = "KiB", .values = kib, .shows = {lesson::Shown::time_us}}, sizes,
            [&](lesson::Trial& trial) { all_rungs<float>(trial, devices, trial.value() * 256); });
}
