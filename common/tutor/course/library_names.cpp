#include "tutor/course/library_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::tutor {

bool is_among(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<std::string>& names_of_cuda() {
  static const std::vector<std::string> names = {"threadIdx",
                                                 "blockIdx",
                                                 "blockDim",
                                                 "gridDim",
                                                 "warpSize",
                                                 "__syncthreads",
                                                 "__syncwarp",
                                                 "__shared__",
                                                 "__global__",
                                                 "__device__",
                                                 "__host__",
                                                 "__constant__",
                                                 "__restrict__",
                                                 "__shfl_sync",
                                                 "__shfl_down_sync",
                                                 "__shfl_up_sync",
                                                 "__shfl_xor_sync",
                                                 "__ballot_sync",
                                                 "__any_sync",
                                                 "__all_sync",
                                                 "__activemask",
                                                 "atomicAdd",
                                                 "atomicMax",
                                                 "atomicMin",
                                                 "atomicExch",
                                                 "atomicCAS",
                                                 "__threadfence",
                                                 "__threadfence_block",
                                                 "float2",
                                                 "float4",
                                                 "make_float2",
                                                 "make_float4",
                                                 "cudaMalloc",
                                                 "cudaFree",
                                                 "cudaMemcpy",
                                                 "cudaMemset",
                                                 "cudaMallocManaged",
                                                 "cudaMallocAsync",
                                                 "cudaDeviceSynchronize",
                                                 "cudaGetLastError",
                                                 "cudaMemcpyHostToDevice",
                                                 "cudaMemcpyDeviceToHost",
                                                 "cudaMemcpyDeviceToDevice",
                                                 "cudaError_t",
                                                 "cudaSuccess",
                                                 "rsqrtf",
                                                 "sqrtf",
                                                 "fmaxf",
                                                 "fminf",
                                                 "fmaf",
                                                 "fabsf",
                                                 "printf",
                                                 "sizeof",
                                                 "unsigned",
                                                 "volatile",
                                                 "return",
                                                 "const",
                                                 "float",
                                                 "double",
                                                 "while",
                                                 "nullptr",
                                                 "INFINITY",
                                                 "FLT_MAX"};
  return names;
}

std::string header_of(const std::string& name) {
  if (is_among(name, {"min", "max", "clamp", "sort", "swap", "fill", "minmax", "copy"})) {
    return "algorithm";
  }
  if (is_among(name, {"ceil", "floor",  "round", "sqrt", "pow",   "exp",   "log",    "log2",
                      "fabs", "isnan",  "isinf", "fmin", "fmax",  "ceilf", "floorf", "sqrtf",
                      "abs",  "lround", "fma",   "cbrt", "hypot", "trunc"})) {
    return "cmath";
  }
  if (is_among(name, {"accumulate", "inner_product", "iota", "gcd", "lcm", "reduce"})) {
    return "numeric";
  }
  if (is_among(name, {"cout", "cerr", "endl", "cin"})) return "iostream";
  if (is_among(name, {"numeric_limits"})) return "limits";
  if (is_among(name, {"unique_ptr", "make_unique", "shared_ptr"})) return "memory";
  if (is_among(name, {"vector", "string", "array", "map", "set", "complex", "optional", "span",
                      "function", "bit"})) {
    return name == "function" ? "functional" : name;
  }
  if (is_among(name, {"int32_t", "int64_t", "uint32_t", "uint64_t", "uint8_t", "uint16_t"})) {
    return "cstdint";
  }
  if (is_among(name, {"printf", "fprintf"})) return "cstdio";
  if (is_among(name, {"malloc", "free", "exit", "rand"})) return "cstdlib";
  if (is_among(name, {"memcpy", "memset", "strlen"})) return "cstring";
  if (is_among(name, {"INT_MAX", "UINT_MAX", "INT_MIN"})) return "climits";
  if (is_among(name, {"FLT_MAX", "FLT_MIN", "FLT_EPSILON"})) return "cfloat";
  if (name == "assert") return "cassert";
  return "";
}

std::string on_the_device(const std::string& name) {
  if (is_among(name, {"vector", "string", "map", "set", "list", "deque", "unordered_map",
                      "unique_ptr", "shared_ptr", "function", "make_unique", "allocator"})) {
    return fmt::format(
        "std::{} does not exist on the device: a kernel has arrays, such as float v[4], and "
        "pointers. Use an array of fixed size, or memory that the caller allocates.",
        name);
  }
  if (is_among(name, {"cout", "cerr", "endl", "cin", "basic_ostream", "ostream"})) {
    return "A kernel has no streams. Use printf(\"%f\\n\", value).";
  }
  if (is_among(name, {"min", "max", "clamp"})) {
    return "Use min(a, b) and max(a, b) without std::; the device has them built in.";
  }
  if (header_of(name) == "cmath") {
    return fmt::format("Use {}f(...) without std::; the device has it built in.",
                       name.ends_with('f') ? name.substr(0, name.size() - 1) : name);
  }
  return fmt::format(
      "std::{} is a function of the host; a kernel can call __device__ functions only. Write the "
      "loop yourself.",
      name);
}

}  // namespace warpwise::tutor
