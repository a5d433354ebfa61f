/// \file
/// two_layers: Y = (X V) W. The columns of V and the rows of W are split: between the two products
/// nothing has to travel.
///
/// The question: what does a device need of the other ones, if two layers follow each other?
///
///     build/ch10_many_gpus --only two_layers
#include <algorithm>

#include "all_reduce.h"
#include "layer.h"
#include "lesson/compare/product_reference.h"
#include "lesson/device/error.h"
#include "lesson/order_table.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

/// X is M x K. V has K rows and F columns, W has F rows and K columns, Y is M x K.
struct TwoLayers {
  const Devices& devices;
  int M, K, F;
  std::vector<float> x, v, w;              ///< on the host; V and W are stored by columns.
  Shared<bf16> whole_v, whole_w, whole_h;  ///< on device 0, for one device alone.
  Shared<bf16> x_of[Devices::most];        ///< all of X.
  Shared<bf16> v_columns[Devices::most];
  Shared<bf16> w_rows[Devices::most];
  Shared<bf16> h_columns[Devices::most];  ///< between the layers.
  AllReduce<bf16> y;

  TwoLayers(const Devices& all, const lesson::Size& size)
      : devices(all),
        M(size[0]),
        K(size[1]),
        F(size[2]),
        x(sparse_numbers(std::size_t(M) * K, 4, 31)),
        v(sparse_numbers(std::size_t(F) * K, std::max(4, K / 4), 32)),
        w(sparse_numbers(std::size_t(K) * F, std::max(4, F / 16), 33)),
        y(all, M * K) {
    const auto room = [](int device, std::size_t count) {
      return std::static_pointer_cast<bf16>(
          device_memory(device, sizeof(bf16) * std::max<std::size_t>(count, 1)));
    };
    devices.each([&](int d) {
      allow_product();
      const int columns = f_begin(d + 1) - f_begin(d);
      x_of[d] = upload(d, x, M, K, 0, K);
      v_columns[d] = upload(
          d, {v.begin() + std::size_t(f_begin(d)) * K, v.begin() + std::size_t(f_begin(d + 1)) * K},
          columns, K, 0, K);
      w_rows[d] = upload(d, w, K, F, f_begin(d), f_begin(d + 1));
      h_columns[d] = room(d, std::size_t(M) * columns);
    });
    whole_v = upload(0, v, F, K, 0, K);
    whole_w = upload(0, w, K, F, 0, F);
    whole_h = room(0, std::size_t(M) * F);
  }

  int n() const { return devices.count(); }
  int f_begin(int d) const { return begin_of(d, n(), F, 8); }  // the product takes eight at a time

  std::vector<double> expected() const {
    const std::vector<double> h =
        lesson::product_reference(x, v, M, F, K, lesson::SecondMatrix::transposed);
    return lesson::product_reference(std::vector<float>(h.begin(), h.end()), w, M, K, F,
                                     lesson::SecondMatrix::transposed);
  }
};

void one_device(const TwoLayers& l) {
  const cudaStream_t stream = l.devices.stream(0);
  product(l.x_of[0].get(), l.whole_v.get(), l.whole_h.get(), {l.M, l.F, l.K}, stream);
  product(l.whole_h.get(), l.whole_w.get(), l.y.x[0].get(), {l.M, l.K, l.F}, stream);
}

//! [pair]
/// The columns of H that a device computes are the ones that its rows of W need.
void columns_then_rows(const TwoLayers& l) {
  l.devices.each([&](int d) {
    const int columns = l.f_begin(d + 1) - l.f_begin(d);
    const cudaStream_t stream = l.devices.stream(d);
    product(l.x_of[d].get(), l.v_columns[d].get(), l.h_columns[d].get(), {l.M, columns, l.K},
            stream);
    product(l.h_columns[d].get(), l.w_rows[d].get(), l.y.x[d].get(), {l.M, l.K, columns}, stream);
    l.devices.record(d);
  });
  for (int d = 0; d < l.n(); ++d) l.devices.wait(d, 1, d, 0);
  two_rings(l.y);
}
//! [pair]

void rungs(lesson::Trial& run, const Devices& devices) {
  if (!has_product()) return run.skip("two layers", needs_sm_80);
  const auto l = std::make_shared<TwoLayers>(devices, run.size());
  const std::size_t count = std::size_t(l->M) * l->K;
  bf16* results =
      run.output<bf16>("Y of every device", devices.for_each_of(l->expected()), {}, l->K);

  const auto rung = [&](const char* name, void (*start)(const TwoLayers&), bool of_all_devices) {
    run.work(
        name, devices.timed([l, start] { start(*l); }),
        [l, count] {
          l->devices.each([&](int d) {
            for (void* spoiled : {l->y.x[d].get(), l->y.arrived[d].get()}) {
              lesson::check(cudaMemsetAsync(spoiled, 0xFE, sizeof(bf16) * count));
            }
          });
          l->devices.synchronise();
        },
        [=] {
          for (int d = 0; d < l->n(); ++d) {
            lesson::check(cudaMemcpy(results + d * count, l->y.x[of_all_devices ? d : 0].get(),
                                     sizeof(bf16) * count, cudaMemcpyDefault));
          }
        });
  };
  rung("one device", one_device, false);
  rung("columns, then rows", columns_then_rows, true);
}

}  // namespace

void two_layers_ladder(lesson::Run& run, const Devices& devices) {
  run.ladder({.name = "two_layers",
              .title = "Y = (X V) W in bf16, every device gets Y",
              .full = {4096, 4096, 4096},
              .small = {64, 48, 96},
              .awkward = {{1, 8, 8}, {5, 16, 24}, {130, 40, 136}},
              .needs =
                  [](const lesson::Size& size) {
                    const double M = size[0], K = size[1], F = size[2];
                    return lesson::Needs{.bytes = 2 * (2 * M * K + 2 * K * F),
                                         .flops = 4 * M * K * F,
                                         .tensor_cores = true};
                  },
              .limit = "one device",
              .counts_operations = true},
             [&](lesson::Trial& trial) { rungs(trial, devices); });
  order_table(
      run, "two_layers",
      {"launch_calls", "longest_chain", "overlaps", "peer_bytes", "staged_bytes"},
      {"launches", "longest chain", "copies that may overlap", "peer bytes", "staged bytes"});
}
