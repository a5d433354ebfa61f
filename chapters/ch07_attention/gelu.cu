/// \file
/// GELU: x * Phi(x), the activation between the two products of a transformer's feed-forward part.
///
/// The question: GPT-2 was trained with an approximation by tanh, a ViT with erf. Both are one load
/// and one store per number. Does the arithmetic between them show?
///
///     build/ch07_attention --only gelu
///
/// The rungs of `gelu`, as the table lists them, and their kernels:
///
///      1  tanhf, a float per thread      gelu_1_float
///      2  tanhf, 16-byte packs           gelu_2_packs<Tanh>
///      3  sigmoid by ex2, 16-byte packs  gelu_2_packs<Sigmoid>
///      4  erff, 16-byte packs            gelu_2_packs<Erf>
///
/// The rungs of `gelu_bf16`, and their kernels:
///
///      1  tanh.approx, bf16 x 8          gelu_5_bf16
#include <cmath>

#include "attention_problem.h"
#include "base/numbers.h"
#include "gelu_forms.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr int gelu_threads = 256;

/// A thread per number.
/// @param[in] x, @param[out] y `count` floats, device. @pre blocks of 256 threads.
/// @cost 8 bytes per number. @source the definition.
__global__ void gelu_1_float(const float* x, float* y, int count) {
  const int i = blockIdx.x * gelu_threads + threadIdx.x;
  if (i < count) y[i] = Tanh::of(x[i]);
}

/// Four numbers per thread; the last ones one by one.
/// @tparam Form what to compute. \copydetails gelu_1_float
template <class Form>
__global__ void gelu_2_packs(const float* x, float* y, int count) {
  const int i = 4 * (blockIdx.x * gelu_threads + threadIdx.x);
  if (i + 4 <= count) {
    const float4 four = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = {Form::of(four.x), Form::of(four.y), Form::of(four.z),
                                         Form::of(four.w)};
  } else {
    for (int rest = i; rest < count; ++rest) y[rest] = Form::of(x[rest]);
  }
}

/// The special function unit's tanh, whose error of 2^-11 is less than half a step of bf16.
__device__ float approximate_tanh(float x) {
  float y = 0;
#if __CUDA_ARCH__ >= 750
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
#endif
  return y;
}

/// Eight bf16 numbers per thread.
/// @param[in] x, @param[out] y `count` numbers, 16 aligned, device. @pre blocks of 256 threads.
/// @cost 4 bytes per number.
__global__ void gelu_5_bf16(const bf16* x, bf16* y, int count) {
  const int i = 8 * (blockIdx.x * gelu_threads + threadIdx.x);
  const auto gelu = [](bf16 of) {
    const float value = __bfloat162float(of);
    return __float2bfloat16(0.5F * value * (1 + approximate_tanh(inner(value))));
  };
  if (i + 8 <= count) {
    uint4 eight = *reinterpret_cast<const uint4*>(x + i);
    auto* numbers = reinterpret_cast<bf16*>(&eight);
#pragma unroll
    for (int k = 0; k < 8; ++k) numbers[k] = gelu(numbers[k]);
    *reinterpret_cast<uint4*>(y + i) = eight;
  } else {
    for (int rest = i; rest < count; ++rest) y[rest] = gelu(x[rest]);
  }
}

double tanh_form(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double erf_form(double x) { return 0.5 * x * (1 + std::erf(x * M_SQRT1_2)); }

std::vector<double> each(const std::vector<float>& x, double (*form)(double)) {
  std::vector<double> y;
  y.reserve(x.size());
  for (const float value : x) y.push_back(form(value));
  return y;
}

/// Also 2.7, where the two forms differ most, and 50: tanh(50) must not become inf / inf.
std::vector<float> gelu_input(int count) {
  std::vector<float> x = lesson::uniform_numbers(count, 3);
  for (float& value : x) value *= 6;
  if (count > 4) x[3] = 50, x[4] = -50;
  return x;
}

void gelu_rungs(lesson::Trial& run) {
  const int count = run.size()[0] * run.size()[1];
  const std::vector<float> host = gelu_input(count);
  const float* x = run.input("x", host);
  const auto shape = [&](int numbers) {
    return lesson::Shape{.grid = ceil_div(count, numbers * gelu_threads), .block = gelu_threads};
  };
  // The two forms differ by 4.7e-4 at most, 200 times as much.
  const lesson::Tolerance tolerance = {.absolute = 2e-6, .relative = 1e-6};
  float* y = run.output("y", each(host, tanh_form), tolerance, run.size()[1]);
  run.variant("tanhf, a float per thread", gelu_1_float, shape(1), x, y, count);
  run.variant("tanhf, 16-byte packs", gelu_2_packs<Tanh>, shape(4), x, y, count);
  run.variant("sigmoid by ex2, 16-byte packs", gelu_2_packs<Sigmoid>, shape(4), x, y, count);
  float* y_erf = run.output("y_erf", each(host, erf_form), tolerance, run.size()[1]);
  run.variant("erff, 16-byte packs", gelu_2_packs<Erf>, shape(4), x, y_erf, count);
}

void gelu_bf16_rungs(lesson::Trial& run) {
  const int count = run.size()[0] * run.size()[1];
  const std::vector<float> host = gelu_input(count);
  const bf16* x = run.input("x", as_bf16(host));
  // One rounding to bf16, and tanh.approx: 2^-11 of x / 2.
  bf16* y = run.output<bf16>("y", each(rounded(host), tanh_form),
                             {.absolute = 6 * 0x1p-12, .relative = 0x1p-8}, run.size()[1]);
  run.variant("tanh.approx, bf16 x 8", gelu_5_bf16,
              {.grid = ceil_div(count, 8 * gelu_threads), .block = gelu_threads}, x, y, count);
}

/// Where and by how much the two forms differ, and what bf16 makes of it.
lesson::Demonstration forms() {
  lesson::Demonstration table{
      .title = "The two forms of GELU, in double",
      .columns = {"x", "tanh form", "erf form", "difference", "a step of bf16 there"},
      .rows = {}};
  double worst = 0, most = 0;
  for (int i = 0; i <= 6000; ++i) {
    const double x = i / 1000.0, difference = std::fabs(tanh_form(x) - erf_form(x));
    if (difference > most) most = difference, worst = x;
  }
  for (const double x : {0.5, 1.0, 2.0, worst, 4.0}) {
    table.rows.push_back({lesson::decimal(x, 2), lesson::decimal(tanh_form(x), 6),
                          lesson::decimal(erf_form(x), 6),
                          lesson::decimal(std::fabs(tanh_form(x) - erf_form(x)), 6),
                          lesson::decimal(std::exp2(std::floor(std::log2(erf_form(x))) - 7), 6)});
  }
  table.note = "The row at " + lesson::decimal(worst, 2) + " is where they differ most.";
  return table;
}

}  // namespace
}  // namespace attention

namespace {

lesson::Ladder ladder(const char* name, const char* title, double element_bytes) {
  return {.name = name,
          .title = title,
          .full = {4096, 3072},
          .small = {64, 512},
          .awkward = {{1, 1}, {1, 7}, {3, 341}, {257, 5}},
          .needs = [element_bytes](const lesson::Size& size) {
            const auto elements = static_cast<double>(size.elements());
            return lesson::Needs{.bytes = 2 * element_bytes * elements, .flops = 10 * elements};
          }};
}

}  // namespace

void gelu_ladder(lesson::Run& run) {
  run.ladder(ladder("gelu", "x * Phi(x), rows x columns, tanh and erf forms, float32", 4),
             attention::gelu_rungs);
  run.ladder(ladder("gelu_bf16", "the tanh form in bf16", 2), attention::gelu_bf16_rungs);
  run.table("gelu_forms", attention::forms);
}
