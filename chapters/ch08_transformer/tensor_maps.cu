/// \file
/// The host's part of chapter 6's and 7's bulk copies, compiled into this program.
#include "../ch06_tensor_cores/tensor_map.cu"
#include "../ch07_attention/head_map.cu"
