#pragma once
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/algorithm.h"
#include "base/function.h"
#include "lesson/device/timing.h"
#include "lesson/run.h"
#include "models/checkpoint.h"

/// \file
/// A forward pass of GPT-2 as a list of operations, each a launch or two with its name, its bytes
/// and its flops. A rung is such a list; the pictures are made of the same one.
namespace gpt {

using warpwise::models::Checkpoint;
using warpwise::models::Dimensions;
using warpwise::models::Tensor;

/// The results that each layer's reference has, in the order in which they come about.
enum class Stage {
  embedding,
  norm_1,
  qkv,
  attention,
  attproj,
  sum_1,
  norm_2,
  fc,
  gelu,
  fcproj,
  sum_2,
  norm_f,
  logits
};
/// "qkv", for tables.
const char* name_of(Stage stage);

/// Every stage of every layer.
using Activations = std::map<std::pair<int, Stage>, std::vector<double>>;

/// Weights in device memory.
struct Weights {
  Dimensions d;
  const Checkpoint* host = nullptr;
  const float* values = nullptr;  ///< as Checkpoint::values, device.
  const float* turned = nullptr;  ///< as turned_weights(), device.

  /// A tensor, or one layer's part of it, device.
  const float* of(Tensor tensor, int layer = 0) const {
    return values + host->begin(tensor, layer);
  }
  /// The same of `turned`.
  const float* turned_of(Tensor tensor, int layer = 0) const {
    return turned + host->begin(tensor, layer);
  }
};

/// Activations in device memory: four buffers that all layers use in turn.
/// @tparam T float; double for the reference on a GPU.
template <class T>
struct Buffers {
  T* x = nullptr;       ///< (B T, C): the residual stream.
  T* a = nullptr;       ///< (B T, C): a normalised row, then the attention's result.
  T* b = nullptr;       ///< (B T, 4C): q, k and v, then the hidden layer.
  T* y = nullptr;       ///< (B T, C): what is added to the residual stream.
  T* logits = nullptr;  ///< (B T, Vp): columns from V on are zeros, as wte's rows are.
};

/// In what models differ whose layers are otherwise the same. These are GPT-2's.
struct Flavour {
  bool causal = true;     ///< whether a token sees only those before it.
  bool by_erf = false;    ///< GELU by its definition; else by tanh.
  double epsilon = 1e-5;  ///< added to a variance.
};

/// What one forward pass works on.
struct Pass {
  int B = 0, T = 0;
  Flavour flavour = {};
  Weights weights;
  const int* tokens = nullptr;  ///< (B, T), device.
  Buffers<float> buffers;

  int rows() const { return B * T; }
  const Dimensions& d() const { return weights.d; }
};

/// A result that is complete, device.
struct Result {
  Stage stage;
  const float* values = nullptr;
  const void* halves = nullptr;  ///< the same as bf16, if it is; `values` is null then.
};

/// One operation of a pass.
struct Operation {
  std::string name;  ///< "fc + bias + GELU"; the same in each layer.
  double bytes = 0;  ///< read and written once, device memory.
  double flops = 0;
  int launches = 1;
  bool tensor_cores = false;  ///< its floor is by the rate of bf16 there; else of fp32.
  std::function<void(cudaStream_t)> start;
  std::vector<Result> results = {};  ///< what is complete after it.
  int layer = 0;
};
using Operations = std::vector<Operation>;

/// The model's numbers, each matrix of a product as (in, out): its neighbours in memory are those
/// of a row of the result. Made once, when a model is loaded.
std::vector<float> turned_weights(const Checkpoint& model);

/// The rungs, as the ladder names them.
enum class Rung { first, cublas, by_shape, fused, attention, turned };
const char* name_of(Rung rung);

/// What all models have in common: from the residual stream in x to its normalised rows in a.
/// @return empty where a library is absent; `absent` then says why.
Operations layers_of(Rung rung, const Pass& pass, std::string& absent);

/// The operations of a rung of GPT-2. @return as layers_of().
Operations operations_of(Rung rung, const Pass& pass, std::string& absent);

/// Names every rung to a trial, the recorded pass included. @param make the operations of a rung.
void whole_pass_rungs(warpwise::lesson::Trial& run,
                      const std::function<Operations(Rung, std::string&)>& make);

/// Starts all of them.
void start(const Operations& operations, cudaStream_t stream = nullptr);

/// Makes `largest` the larger of both. A NaN counts as larger than anything, and stays.
inline void keep_largest(double& largest, double error) {
  if (!(error <= largest) && largest == largest) largest = error;
}

/// Runs operations one by one and compares each result as soon as it is there.
/// @return the largest error of each stage. @throws Stop with the first wrong result in the order
/// of the pass.
/// @param name of the rung. @param relative whether an error is in units of the stage's largest
/// number. @param most that is allowed.
std::map<Stage, double> errors_of(const std::string& name, const Operations& operations,
                                  const Activations& expected, double most, bool relative = false);
/// What an fp32 activation may be off by; their rounding comes to a tenth of it.
inline constexpr double most_fp32_error = 1e-4;
/// The logarithm of the sum of exponentials of V logits: less it, a logit is a log-probability.
template <class Number>
double log_of_sum(const Number* logits, int V) {
  double largest = logits[0], sum = 0;
  for (int v = 1; v < V; ++v) largest = std::max<double>(largest, logits[v]);
  for (int v = 0; v < V; ++v) sum += std::exp(logits[v] - largest);
  return largest + std::log(sum);
}
/// The rungs that need no library.
inline constexpr Rung own_rungs[] = {Rung::first, Rung::by_shape, Rung::fused, Rung::attention,
                                     Rung::turned};
/// A column of errors per own rung. @param errors of each of own_rungs.
warpwise::lesson::Demonstration errors_table(const std::string& title,
                                             const std::vector<std::map<Stage, double>>& errors);
/// A row per operation: launches, bytes, flops, floor, and with a timer the time.
/// @param timer null: nothing is timed, and nothing is started.
warpwise::lesson::Demonstration shares_table(const std::string& title, const Operations& operations,
                                             const warpwise::occupancy::Gpu& gpu,
                                             warpwise::lesson::Timer* timer);
/// Whether times can be measured.
bool has_gpu();

/// Numbers of a row of a stage.
int columns_of(Stage stage, const Dimensions& d);

/// The layers in double on the host: simple loops that share no code with the kernels.
/// @param x the residual stream, whole sequences of T rows. @return up to Stage::norm_f.
/// @param rounds as of reference().
Activations layers_reference(const Checkpoint& model, const Flavour& flavour, std::vector<double> x,
                             int T, bool rounds = false);

/// The product with weights, by loops on the host. @param x rows of K numbers.
std::vector<double> product_reference(const std::vector<double>& x, const float* w,
                                      const float* bias, int N, int K);

/// GPT-2, from its tokens to its logits. @param tokens B * T.
/// @param rounds whether queries, keys, values and the result of attention are rounded to bf16, as
/// a decoder's cache has them.
Activations reference(const Checkpoint& model, const std::vector<int>& tokens, int T,
                      bool rounds = false);

/// The layers in double on the device, by the first rung's kernels in double.
/// @param[in,out] x (rows, C), device: the stream. @param[out] a (rows, C), device: its normalised
/// rows.
void device_layers(const Pass& pass, double* x, double* a);

/// Logits in double, computed on the device by the first rung's kernels in double: for models
/// that are too large for the host. @pre T and the model as in `pass`, whose buffers it leaves.
std::vector<double> device_reference(const Pass& pass);

/// The model of a size: the file of --checkpoint, else the shipped one where T fits, else GPT-2
/// 124M with seeded weights. Stays in memory.
const Checkpoint& model_for(int T);

/// Its dimensions, for which no seeded weight is made.
const Dimensions& dimensions_for(int T);

/// A pass of a shape, for operations that are listed and not started. @param shape a model without
/// its numbers; it must live as long as the pass.
Pass shape_of(const Checkpoint& shape, int B, int T);

/// Bytes and flops of operations together.
warpwise::lesson::Needs sum_of(const Operations& operations);

/// "1.5e-05".
std::string scientific(double value, int decimals = 1);

/// Bytes and flops of a pass in which each weight is read once and each activation that rung 5
/// stores is moved once.
warpwise::lesson::Needs pass_needs(const Dimensions& d, int B, int T);

/// The input of the ladder: tokens of the shipped debug state in turn for the shipped model, seeded
/// ones otherwise. Row 0 of a shorter problem is the beginning of a longer one's.
std::vector<int> tokens_of(const Dimensions& d, int B, int T);

/// The same on the host where the model is small, else on the device. @param pass its weights and
/// tokens are there.
std::vector<double> expected_logits(const Checkpoint& model, const std::vector<int>& tokens,
                                    const Pass& pass);

/// Weights, tokens and buffers of a ladder's problem, B x T; without room for the logits.
Pass pass_of(warpwise::lesson::Trial& run, const Checkpoint& model, const std::vector<int>& tokens);

/// Device memory of one pass that is not a ladder's. Lives as long as the object.
class OwnPass {
 public:
  OwnPass(const Checkpoint& model, const std::vector<int>& tokens, int B, int T);
  const Pass& pass() const { return pass_; }
  /// (B T, Vp), host; waits.
  std::vector<float> logits() const;

 private:
  std::vector<warpwise::lesson::DeviceBytes> memory_;
  Pass pass_;
};

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace gpt
