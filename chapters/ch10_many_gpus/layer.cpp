/// \file
/// layer: Y = X W, with the columns or the rows of W on many devices; every device needs all of Y.
///
/// The question: when is a second device worth the way that its part of Y has to take?
///
///     build/ch10_many_gpus --only layer
#include "layer.h"

#include <algorithm>

#include "all_reduce.h"
#include "base/numbers.h"
#include "lesson/compare/product_reference.h"
#include "lesson/device/error.h"
#include "lesson/order_table.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

/// The layer at one size: X is M x K, W is stored as N rows of K, Y is M x N.
struct Layer {
  const Devices& devices;
  int M, N, K;
  std::vector<float> x, w;                ///< on the host.
  Shared<bf16> whole_x, whole_w;          ///< on device 0, for one device alone.
  Shared<bf16> x_of[Devices::most];       ///< all of X.
  Shared<bf16> w_columns[Devices::most];  ///< some columns of W: rows of the stored matrix.
  Shared<bf16> x_part[Devices::most];     ///< some columns of X.
  Shared<bf16> w_rows[Devices::most];     ///< some rows of W.
  AllReduce<bf16> y;                      ///< of each device: Y, or its part of the sums.
  Shared<bf16> in_parts[Devices::most];   ///< of each device: all columns of Y, part after part.

  Layer(const Devices& all, const lesson::Size& size)
      : devices(all),
        M(size[0]),
        N(size[1]),
        K(size[2]),
        x(sparse_numbers(std::size_t(M) * K, 4, 21)),
        w(sparse_numbers(std::size_t(N) * K, std::max(4, K / 64), 22)),
        y(all, M * N) {
    devices.each([this](int d) {
      allow_product();
      x_of[d] = upload(d, x, M, K, 0, K);
      x_part[d] = upload(d, x, M, K, k_begin(d), k_begin(d + 1));
      w_rows[d] = upload(d, w, N, K, k_begin(d), k_begin(d + 1));
      w_columns[d] = upload(
          d, {w.begin() + std::size_t(n_begin(d)) * K, w.begin() + std::size_t(n_begin(d + 1)) * K},
          n_begin(d + 1) - n_begin(d), K, 0, K);
      in_parts[d] = std::static_pointer_cast<bf16>(device_memory(d, parts_bytes()));
    });
    whole_x = x_of[0];
    whole_w = upload(0, w, N, K, 0, K);
  }

  int n() const { return devices.count(); }
  std::size_t parts_bytes() const { return sizeof(bf16) * (std::size_t(M) * N + 8 * (n() + 1)); }
  int n_begin(int d) const { return begin_of(d, n(), N, 1); }
  int k_begin(int d) const { return begin_of(d, n(), K, 8); }  // the product takes eight at a time
  /// Part `of` of Y's columns, M rows of it, where device d has it; each begins at 16 bytes.
  bf16* part(int d, int of) const {
    return in_parts[d].get() + 8LL * (lesson::ceil_div(M * n_begin(of), 8) + of);
  }
};

// ---- the rungs ----

void one_device(const Layer& l) {
  product(l.whole_x.get(), l.whole_w.get(), l.y.x[0].get(), {l.M, l.N, l.K}, l.devices.stream(0));
}

//! [columns]
/// Each device has some columns of W, computes those of Y, and fetches the others.
void columns(const Layer& l) {
  l.devices.each([&](int d) {
    product(l.x_of[d].get(), l.w_columns[d].get(), l.part(d, d),
            {l.M, l.n_begin(d + 1) - l.n_begin(d), l.K}, l.devices.stream(d));
    l.devices.record(d);
  });
  for (int d = 0; d < l.n(); ++d) {
    for (int i = 1; i < l.n(); ++i) {
      const int owner = (d + i) % l.n();
      const std::size_t bytes =
          sizeof(bf16) * l.M * std::size_t(l.n_begin(owner + 1) - l.n_begin(owner));
      if (bytes == 0) continue;
      l.devices.wait(d, 0, owner, 0);
      lesson::check(cudaMemcpyPeerAsync(l.part(d, owner), d, l.part(owner, owner), owner, bytes,
                                        l.devices.stream(d)));
    }
  }
}
//! [columns]

//! [rows]
/// Each device has some rows of W and those columns of X. All Y of the devices are added.
void rows(const Layer& l) {
  l.devices.each([&](int d) {
    product(l.x_part[d].get(), l.w_rows[d].get(), l.y.x[d].get(),
            {l.M, l.N, l.k_begin(d + 1) - l.k_begin(d)}, l.devices.stream(d));
    l.devices.record(d);
  });
  // The second stream of each device has half of the elements.
  for (int d = 0; d < l.n(); ++d) l.devices.wait(d, 1, d, 0);
  two_rings(l.y);
}
//! [rows]

//! [pieces]
/// The same in pieces of Y's rows: while the sums of one go around, the next is computed.
void rows_in_pieces(const Layer& l) {
  constexpr int pieces = 4;
  for (int p = 0; p < pieces; ++p) {
    const int first = begin_of(p, pieces, l.M, 1), end = begin_of(p + 1, pieces, l.M, 1);
    if (first == end) continue;
    l.devices.each([&](int d) {
      const int K = l.k_begin(d + 1) - l.k_begin(d);
      product(l.x_part[d].get() + std::size_t(first) * K, l.w_rows[d].get(),
              l.y.x[d].get() + std::size_t(first) * l.N, {end - first, l.N, K},
              l.devices.stream(d));
      l.devices.record(d);
      l.devices.wait(d, 1, d, 0);
    });
    ring_of(l.y, 1LL * first * l.N, 1LL * (end - first) * l.N, 1);
  }
}
//! [pieces]

void layer_rungs(lesson::Trial& run, const Devices& devices) {
  if (!has_product()) return run.skip("layer", needs_sm_80);
  const auto l = std::make_shared<Layer>(devices, run.size());
  const std::vector<double> once =
      lesson::product_reference(l->x, l->w, l->M, l->N, l->K, lesson::SecondMatrix::transposed);
  bf16* all_results = run.output<bf16>("Y of every device", devices.for_each_of(once), {}, l->N);

  const auto spoil = [l] {
    l->devices.each([&](int d) {
      for (void* spoiled : {l->y.x[d].get(), l->y.arrived[d].get()}) {
        lesson::check(cudaMemsetAsync(spoiled, 0xFE, sizeof(bf16) * l->M * l->N));
      }
      lesson::check(cudaMemsetAsync(l->in_parts[d].get(), 0xFE, l->parts_bytes()));
    });
    l->devices.synchronise();
  };
  const auto row_bytes = [l](int columns) { return sizeof(bf16) * std::size_t(columns); };
  const auto collect_y = [=](bool of_all_devices) {
    return [=] {
      for (int d = 0; d < l->n(); ++d) {
        lesson::check(cudaMemcpy(all_results + std::size_t(d) * l->M * l->N,
                                 l->y.x[of_all_devices ? d : 0].get(), row_bytes(l->M * l->N),
                                 cudaMemcpyDefault));
      }
    };
  };
  const auto collect_parts = [=] {
    for (int d = 0; d < l->n(); ++d) {
      for (int of = 0; of < l->n(); ++of) {
        const int width = l->n_begin(of + 1) - l->n_begin(of);
        if (width == 0) continue;
        lesson::check(cudaMemcpy2D(all_results + std::size_t(d) * l->M * l->N + l->n_begin(of),
                                   row_bytes(l->N), l->part(d, of), row_bytes(width),
                                   row_bytes(width), l->M, cudaMemcpyDefault));
      }
    }
  };
  const auto rung = [&](const char* name, void (*start)(const Layer&),
                        const std::function<void()>& collect) {
    run.work(name, devices.timed([l, start] { start(*l); }), spoil, collect);
  };
  rung("one device", one_device, collect_y(false));
  rung("columns, then all parts to all", columns, collect_parts);
  rung("rows, then an all-reduce", rows, collect_y(true));
  rung("rows, in pieces that overlap", rows_in_pieces, collect_y(true));
}

lesson::Ladder ladder(const char* name, const char* title, const lesson::Size& full) {
  return {.name = name,
          .title = title,
          .full = full,
          .small = {64, 48, 96},
          .awkward = {{1, 1, 8}, {5, 7, 24}, {300, 33, 328}},
          .needs =
              [](const lesson::Size& size) {
                return lesson::Needs{
                    .bytes = 2.0 * (1.0 * size[0] * size[2] + 1.0 * size[1] * size[2] +
                                    1.0 * size[0] * size[1]),
                    .flops = 2.0 * size[0] * size[1] * size[2],
                    .tensor_cores = true};
              },
          .limit = "one device",
          .counts_operations = true};
}

}  // namespace

void layer_ladders(lesson::Run& run, const Devices& devices) {
  run.ladder(ladder("layer", "Y = X W in bf16, every device gets Y", {4096, 4096, 4096}),
             [&](lesson::Trial& trial) { layer_rungs(trial, devices); });
  order_table(
      run, "layer", {"launch_calls", "longest_chain", "overlaps", "peer_bytes", "staged_bytes"},
      {"launches", "longest chain", "copies that may overlap", "peer bytes", "staged bytes"});
  run.ladder(
      ladder("long_layer", "the same with four times the inner dimension", {4096, 4096, 16384}),
      [&](lesson::Trial& trial) { layer_rungs(trial, devices); });
}
