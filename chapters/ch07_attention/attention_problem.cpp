/// \file
/// Inputs and references of attention.
#include "attention_problem.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "base/numbers.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

/// A number of any place, the same on every machine: bits of a multiplicative hash.
std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7FEB352DU;
  x = (x ^ (x >> 15)) * 0x846CA68BU;
  return x ^ (x >> 16);
}

/// One head's query, key or value (part 0, 1, 2) of the exact problem.
void exact_part(float* to, int part, std::uint32_t seed) {
  for (int i = 0; i < head_size; ++i) {
    const std::uint32_t bits = mixed(seed * head_size + i);
    if (part == 0) to[i] = 0;
    if (part == 1) to[i] = static_cast<float>(bits % 3) - 1;
    if (part == 2) to[i] = (static_cast<float>(bits % 9) - 4) / 4;
  }
  if (part != 0) return;
  // Four different columns: one in each quarter.
  for (int quarter = 0; quarter < 4; ++quarter) {
    const std::uint32_t bits = mixed(seed * 4 + quarter);
    to[quarter * (head_size / 4) + bits % (head_size / 4)] = bits & 0x10000 ? 1.0F : -1.0F;
  }
}

void ordinary_part(float* to, std::uint32_t seed) {
  for (int i = 0; i < head_size; ++i) {
    to[i] = static_cast<float>(static_cast<std::int32_t>(mixed(seed * head_size + i))) * 0x1p-31F;
  }
}

/// The result of one head. @param q its first query, k and v likewise; rows `pitch` apart.
/// @return the largest weighted mean of |v|
double head_reference(const float* q, const Extents& e, float scale, bool causal, double* out) {
  const float *k = q + e.C(), *v = k + e.C();
  double largest_mean = 0;
  std::vector<double> weight(e.T);
  for (int query = 0; query < e.T; ++query) {
    const float* row = q + static_cast<std::size_t>(query) * e.pitch();
    const int keys = causal ? query + 1 : e.T;
    double m = -INFINITY, l = 0;
    // Of the exact problem four columns are not zero.
    std::vector<int> columns;
    for (int i = 0; i < head_size; ++i) {
      if (row[i] != 0) columns.push_back(i);
    }
    for (int key = 0; key < keys; ++key) {
      const float* of_key = k + static_cast<std::size_t>(key) * e.pitch();
      double s = 0;
      for (int i : columns) s += static_cast<double>(row[i]) * of_key[i];
      weight[key] = s * scale;
      m = std::max(m, weight[key]);
    }
    double sum[head_size] = {}, mean[head_size] = {};
    for (int key = 0; key < keys; ++key) {
      const double p = std::exp2(weight[key] - m);
      const float* of_key = v + static_cast<std::size_t>(key) * e.pitch();
      l += p;
      for (int i = 0; i < head_size; ++i) {
        sum[i] += p * of_key[i];
        mean[i] += p * std::fabs(of_key[i]);
      }
    }
    for (int i = 0; i < head_size; ++i) {
      out[static_cast<std::size_t>(query) * e.C() + i] = sum[i] / l;
      largest_mean = std::max(largest_mean, mean[i] / l);
    }
  }
  return largest_mean;
}

}  // namespace

int compute_capability_major() {
  int major = 0;
  lesson::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major;
}

Extents extents_of(const lesson::Size& size) { return {size[0], size[1], size[2] / head_size}; }

std::vector<float> attention_input(const Extents& e, Numbers numbers) {
  std::vector<float> qkv(static_cast<std::size_t>(e.B) * e.T * e.pitch());
  const std::uint32_t first = mixed(lesson::seeded(7));
  float* to = qkv.data();
  for (int b = 0; b < e.B; ++b) {
    for (int t = 0; t < e.T; ++t) {
      for (int part = 0; part < 3; ++part) {
        for (int h = 0; h < e.H; ++h, to += head_size) {
          // A token's numbers do not depend on how many tokens there are.
          const std::uint32_t seed =
              mixed(first + mixed(t * 4096U + b * 64U + part * 16U + h % 16));
          if (numbers == Numbers::exact)
            exact_part(to, part, seed);
          else
            ordinary_part(to, seed);
        }
      }
    }
  }
  return qkv;
}

float scale_log2(Numbers numbers) {
  return numbers == Numbers::exact ? 1.0F : static_cast<float>(0.125 * 1.4426950408889634);
}

Expected attention_reference(const std::vector<float>& qkv, const Extents& e, float scale,
                             bool causal) {
  Expected expected{.out = std::vector<double>(static_cast<std::size_t>(e.B) * e.T * e.C())};
  std::mutex access;
  const int threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, e.N());
  std::vector<std::thread> crew;
  for (int first = 0; first < threads; ++first) {
    crew.emplace_back([&, first] {
      for (int n = first; n < e.N(); n += threads) {
        const std::size_t token = static_cast<std::size_t>(n / e.H) * e.T;
        const int column = n % e.H * head_size;
        const double largest = head_reference(&qkv[token * e.pitch() + column], e, scale, causal,
                                              &expected.out[token * e.C() + column]);
        const std::lock_guard lock(access);
        expected.largest_mean = std::max(expected.largest_mean, largest);
      }
    });
  }
  for (std::thread& one : crew) one.join();
  return expected;
}

std::vector<bf16> as_bf16(const std::vector<float>& values) {
  std::vector<bf16> result;
  result.reserve(values.size());
  for (float value : values) result.push_back(__float2bfloat16(value));
  return result;
}

std::vector<float> rounded(const std::vector<float>& values) {
  std::vector<float> result;
  result.reserve(values.size());
  for (float value : values) result.push_back(__bfloat162float(__float2bfloat16(value)));
  return result;
}

Attention::Attention(lesson::Trial& run, bool causal, Numbers numbers)
    : e(extents_of(run.size())), causal(causal), numbers(numbers), scale(scale_log2(numbers)) {
  if (run.size()[2] % head_size != 0) {
    throw lesson::Stop(lesson::bad_usage, "--size: channels are whole heads of 64");
  }
  host_ = attention_input(e, numbers);
  qkv = run.input("qkv", host_);
  qkv_bf16 = run.input("qkv_bf16", as_bf16(host_));
}

void Attention::expect_float(lesson::Trial& run) {
  // Exact: the last division rounds; rung 1 divides each weight, so that its sums round too. The
  // least that one lost key can move at T 4096 is ten times as much. Ordinary: 18 times what
  // occurs.
  const lesson::Tolerance tolerance =
      numbers == Numbers::exact ? lesson::Tolerance{.absolute = 0x1p-21, .relative = 0x1p-22}
                                : lesson::Tolerance{.absolute = 2e-6};
  out = run.output("out", attention_reference(host_, e, scale, causal).out, tolerance, e.C());
}

void Attention::expect_bf16(lesson::Trial& run) {
  Expected expected = attention_reference(rounded(host_), e, scale, causal);
  // P and the result are rounded once each, by 2^-9 of their size at most.
  const lesson::Tolerance tolerance =
      numbers == Numbers::exact
          ? lesson::Tolerance{.relative = 0x1p-8}
          : lesson::Tolerance{.absolute = 0x1p-8 * expected.largest_mean + 2e-6,
                              .relative = 0x1p-8};
  out_bf16 = run.output<bf16>("out_bf16", std::move(expected.out), tolerance, e.C());
}

lesson::Needs attention_needs(const lesson::Size& size, bool causal) {
  const double B = size[0], T = size[1], C = size[2];
  const double pairs = causal ? T * (T + 1) / 2 : T * T;
  return {.bytes = 8 * B * T * C, .flops = 4 * B * C * pairs, .tensor_cores = true};
}

}  // namespace attention
