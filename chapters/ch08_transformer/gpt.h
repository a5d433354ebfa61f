#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

/// Weights in device memory.
struct Weights {
  Dimensions d;
  const Checkpoint* host = nullptr;
  const float* values = nullptr;  ///< as Checkpoint::values, device.

  /// A tensor, or one layer's part of it, device.
  const float* of(Tensor tensor, int layer = 0) const {
    return values + host->begin(tensor, layer);
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

/// What one forward pass works on.
struct Pass {
  int B = 0, T = 0;
  Weights weights;
  const int* tokens = nullptr;  ///< (B, T), device.
  Buffers<float> buffers;

  int rows() const { return B * T; }
  const Dimensions& d() const { return weights.d; }
};

/// One operation of a pass.
struct Operation {
  std::string name;  ///< "fc + bias + GELU"; the same in each layer.
  double bytes = 0;  ///< read and written once, device memory.
  double flops = 0;
  int launches = 1;
  std::function<void(cudaStream_t)> start;
  /// What is complete after it, and where.
  std::vector<std::pair<Stage, const float*>> results = {};
  int layer = 0;
};
using Operations = std::vector<Operation>;

/// The rungs, as the ladder names them.
enum class Rung { first, cublas, by_shape, fused, attention };
const char* name_of(Rung rung);

/// The operations of a rung. @return empty where a library is absent; `absent` then says why.
Operations operations_of(Rung rung, const Pass& pass, std::string& absent);

/// Starts all of them.
void start(const Operations& operations, cudaStream_t stream = nullptr);

/// Numbers of a row of a stage.
int columns_of(Stage stage, const Dimensions& d);

/// Every stage of every layer, in double on the host: simple loops that share no code with the
/// kernels. @param tokens B * T.
using Activations = std::map<std::pair<int, Stage>, std::vector<double>>;
Activations reference(const Checkpoint& model, const std::vector<int>& tokens, int T);

/// Logits in double, computed on the device by the first rung's kernels in double: for models
/// that are too large for the host. @pre T and the model as in `pass`, whose buffers it leaves.
std::vector<double> device_reference(const Pass& pass);

/// The model of a size: the file of --checkpoint, else the shipped one where T fits, else GPT-2
/// 124M with seeded weights. Stays in memory.
const Checkpoint& model_for(int T);

/// Bytes and flops of a pass in which each weight is read once and each activation that rung 5
/// stores is moved once.
warpwise::lesson::Needs pass_needs(const Dimensions& d, int B, int T);

/// The input of the ladder: tokens of the shipped debug state in turn for the shipped model, seeded
/// ones otherwise. Row 0 of a shorter problem is the beginning of a longer one's.
std::vector<int> tokens_of(const Dimensions& d, int B, int T);

/// Device memory of one pass that is no ladder's. Lives as long as the object.
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
