#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \defgroup occupancy Occupancy
/// How many blocks of a kernel one SM holds at the same time, and why not more.
///
/// A block becomes resident on an SM when four things are free there: registers, shared memory,
/// warps and a block slot. Each is handed out in units, so each admits a whole number of blocks;
/// the smallest number wins, and its resource is the *limiter*. Resident warps over the warps an SM
/// can hold is the *occupancy*.
///
/// | file         | idea                                                                       |
/// |--------------|----------------------------------------------------------------------------|
/// | gpu_table.h  | what each GPU offers: limits of an SM, and the peaks of the product        |
/// | gpu_facts.h  | a row of that table as text                                                |
/// | occupancy.h  | the four limits, the limiter, the resident blocks; why a block does not fit|
/// | cliffs.h     | the smallest change of the kernel that gains or loses a block              |
/// | waves.h      | how often a grid fills the GPU, and how full the last time is              |
/// | derivation.h | all of it as sentences, with the arithmetic                                |
/// | text.h       | numbers and lines as text                                                  |
///
/// The arithmetic equals the CUDA toolkit's own `cuda_occupancy.h`; the tests compare the two. The
/// folder uses no exceptions, streams or threads and links to nothing, so that a web page can use
/// it through WebAssembly.
///
/// Left out, because the kernels of this tutorial do not meet it: clusters, a shared memory
/// carve-out other than the default (all the shared memory an SM has may be used), and named
/// barriers.

/// \file
/// The GPUs that a lesson can assume, from T4 to B200, each number with its source.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// Threads of a warp, on every GPU here.
inline constexpr int warp_size = 32;

/// The resources of one SM and how it hands them out; a property of the compute capability. Units
/// are positive.
struct SmLimits {
  int compute_capability = 0;       ///< major * 10 + minor: 90 is sm_90.
  int warps_per_sm = 0;             ///< most warps resident at once.
  int blocks_per_sm = 0;            ///< most blocks resident at once ("block slots").
  int threads_per_sm = 0;           ///< warps_per_sm * warp_size.
  int threads_per_block = 1024;     ///< most threads of one block.
  int registers_per_sm = 65536;     ///< 32-bit registers.
  int registers_per_block = 65536;  ///< most registers of one block.
  int registers_per_thread = 255;   ///< most that an instruction can name.
  int register_unit = 256;          ///< a warp's registers are rounded up to this.
  int warp_unit = 4;                ///< partitions of an SM; a warp's registers are in one of them.
  int schedulers_per_sm = 4;        ///< warp instructions issued per clock, at most.
  int fp32_lanes_per_sm = 0;        ///< fp32 additions or multiplications per clock.
  int shared_bytes_per_sm = 0;      ///< with the largest carve-out.
  int shared_bytes_per_block = 49152;  ///< without asking.
  int shared_bytes_per_block_max = 0;  ///< after the kernel opted in to more.
  int shared_reserved_per_block = 0;   ///< bytes that the runtime takes from the SM for each block.
  int shared_unit = 128;               ///< a block's shared memory is rounded up to this.
};

/// One GPU. A number that is 0 is not known. The texts point to storage that outlives the row.
struct Gpu : SmLimits {
  std::string_view id{};           ///< for the command line: "rtx4090".
  std::string_view name{};         ///< for people: "NVIDIA GeForce RTX 4090".
  std::string_view driver_name{};  ///< cudaDeviceProp::name of the product the row describes.
  /// False for a GPU that CUDA 13 cannot compile for; its row is for arithmetic only.
  bool supported_by_cuda_13 = true;
  int sms = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;  ///< nominal, or measured where the source says so.
  double memory_gbps = 0;         ///< peak, read plus written, in 10^9 bytes per second.
  double fp32_tflops = 0;         ///< peak without tensor cores, a fused multiply-add as two.
  double bf16_tensor_tflops = 0;  ///< peak, dense, fp32 accumulation; see has_bf16_tensor_cores().
  int boost_mhz = 0;              ///< the clock that the peaks assume.
  std::string_view source{};      ///< where the product's numbers come from.

  /// Tensor cores take bf16 from compute capability 8.0 on.
  bool has_bf16_tensor_cores() const { return compute_capability >= 80; }
};

/// All rows: T4, the V100-like one, then by compute capability.
std::span<const Gpu> gpu_table();

/// The row of that name: its id, its name or the driver's name for it. Case, blanks, punctuation
/// and a leading NVIDIA do not matter: "rtx4090", "RTX 4090", "NVIDIA GeForce RTX 4090", "GeForce
/// RTX 4090".
/// @return null when no row has the name. A name that only begins like a row's ("RTX 4090 D") is
/// another product and finds nothing.
const Gpu* find_gpu(std::string_view name);

/// The row whose SM is most like that of a compute capability: the first one of exactly that
/// capability, else the newest older one; for 12.x the row of 8.9, whose SM has the same limits.
/// Compare the row's compute_capability to see whether it is exact. Never fails: below 7.0 it is
/// the row of 7.0.
/// @param compute_capability major * 10 + minor.
const Gpu& nearest_gpu(int compute_capability);

/// "t4, v100, a100, ...": for the message about a name that find_gpu() does not know.
std::string gpu_ids();

}  // namespace warpwise::occupancy
