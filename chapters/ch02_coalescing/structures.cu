/// \file
/// An array of structures against a structure of arrays: the kinetic energy of particles.
///
/// The question: the energy needs four of a particle's eight numbers. What do the other four cost?
///
///     build/ch02_coalescing --only structures
///
/// The rungs of `structures`, as the table lists them, and their kernels:
///
///      1  structures, by field  energy_1_fields
///      2  structures, float4    energy_2_float4
///      3  arrays                energy_3_arrays
///      4  arrays, float4        energy_4_arrays_float4
///      5  streamed stores       energy_5_streamed_stores
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int block_threads = 256;
constexpr int floats_of_particle = 8;

/// 32 bytes, one sector. What a fast core likes: all of a particle in one cache line.
struct alignas(16) Particle {
  float x, y, z, charge;
  float vx, vy, vz, mass;
};

__device__ float energy_of(float vx, float vy, float vz, float mass) {
  return 0.5F * mass * (vx * vx + vy * vy + vz * vz);
}

// ---- rung 1: an array of structures, field by field ----

/// Each load of a warp picks one word out of 32 sectors.
/// @param[in] particles n, device. @param[out] energy n floats, device.
/// @pre blocks of 256 threads; a thread for each particle.
/// @cost 20 bytes a particle are needed, 36 are moved: 4 requests of 32 sectors each.
__global__ void energy_1_fields(const float* particles, float* energy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* own = particles + i * floats_of_particle;
  energy[i] = energy_of(own[4], own[5], own[6], own[7]);
}

// ---- rung 2: the four fields are neighbours, one 16-byte load ----

/// The compiler knows the alignment, so the four words are one request; half of each sector is
/// still for nothing.
/// @param[in] particles n, device. @param[out] energy n floats, device.
/// @pre blocks of 256 threads; a thread for each particle.
/// @cost as rung 1 in bytes; 1 request of 32 sectors.
__global__ void energy_2_float4(const Particle* particles, float* energy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 own = *reinterpret_cast<const float4*>(&particles[i].vx);
  energy[i] = energy_of(own.x, own.y, own.z, own.w);
}

// ---- rung 3: a structure of arrays ----

/// Field after field: a warp reads neighbouring words of each.
/// @param[in] fields 8 arrays of n floats, one after the other, device.
/// @param[out] energy n floats, device.
/// @pre blocks of 256 threads; a thread for each particle.
/// @cost the 20 bytes a particle that are needed; 4 requests of 4 sectors.
__global__ void energy_3_arrays(const float* fields, float* energy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* vx = fields + size_t{4} * n;
  energy[i] = energy_of(vx[i], vx[size_t{1} * n + i], vx[size_t{2} * n + i], vx[size_t{3} * n + i]);
}

// ---- rung 4: four particles a thread ----

/// The energies of four neighbours. @param[in] fields of n particles, device, as in rung 3.
/// @param[in] pack of four particles, below packs = n / 4.
__device__ float4 energies_of(const float* fields, int pack, int packs) {
  const float4* v = reinterpret_cast<const float4*>(fields) + size_t{4} * packs + pack;
  const float4 vx = v[0], vy = v[size_t{1} * packs], vz = v[size_t{2} * packs],
               mass = v[size_t{3} * packs];
  return {energy_of(vx.x, vy.x, vz.x, mass.x), energy_of(vx.y, vy.y, vz.y, mass.y),
          energy_of(vx.z, vy.z, vz.z, mass.z), energy_of(vx.w, vy.w, vz.w, mass.w)};
}

/// Structure of arrays and 16-byte loads together.
/// @param[in] fields as in rung 3. @param[out] energy n floats, device.
/// @pre n % 4 == 0, so that each array begins at a whole pack; blocks of 256 threads; a thread for
/// each four particles.
/// @cost as rung 3; 4 requests of 16 sectors for four times as many particles.
__global__ void energy_4_arrays_float4(const float* fields, float* energy, int n) {
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs) reinterpret_cast<float4*>(energy)[pack] = energies_of(fields, pack, packs);
}

// ---- rung 5: stores that say that nobody reads them soon ----

/// __stcs marks the stored lines as the first to leave the L2 cache.
/// @param[in] fields as in rung 3. @param[out] energy n floats, device.
/// @pre as rung 4. @cost as rung 4.
/// @source CUDA C++ Programming Guide, load and store functions with cache hints.
__global__ void energy_5_streamed_stores(const float* fields, float* energy, int n) {
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / 4;
  if (pack < packs)
    __stcs(reinterpret_cast<float4*>(energy) + pack, energies_of(fields, pack, packs));
}

// ---- launchers ----

void structure_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::vector<float> fields =
      lesson::uniform_numbers(static_cast<std::size_t>(n) * floats_of_particle);
  std::vector<float> particles(fields.size());
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    double v[floats_of_particle];
    for (int field = 0; field < floats_of_particle; ++field) {
      const float value = fields[static_cast<std::size_t>(field) * n + i];
      particles[static_cast<std::size_t>(i) * floats_of_particle + field] = value;
      v[field] = value;
    }
    expected[i] = 0.5 * v[7] * (v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
  }
  const float* as_structures = run.input("particles", particles);
  const float* as_arrays = run.input("fields", fields);
  // Five roundings, each half a unit in the last place.
  float* energy = run.output("energy", std::move(expected), {.relative = 5 * 0x1p-24});

  const auto blocks_for = [n](int particles_per_thread) {
    return lesson::ceil_div(lesson::ceil_div(n, particles_per_thread), block_threads);
  };
  const lesson::Shape each{.grid = blocks_for(1), .block = block_threads};
  run.variant("structures, by field", energy_1_fields, each, as_structures, energy, n);
  run.variant("structures, float4", energy_2_float4, each,
              reinterpret_cast<const Particle*>(as_structures), energy, n);
  run.variant("arrays", energy_3_arrays, each, as_arrays, energy, n);
  const lesson::Shape packs{.grid = blocks_for(4), .block = block_threads};
  const auto with_packs = [&](const char* name, auto kernel) {
    if (n % 4 == 0)
      run.variant(name, kernel, packs, as_arrays, energy, n);
    else
      run.skip(name, "the arrays begin at whole packs only when n is a multiple of 4");
  };
  with_packs("arrays, float4", energy_4_arrays_float4);
  with_packs("streamed stores", energy_5_streamed_stores);
}

}  // namespace

void structure_ladder(lesson::Run& run) {
  run.ladder({.name = "structures",
              .title = "kinetic energy of particles with eight numbers each, float32",
              .full = {1 << 24},
              .small = {1 << 16},
              .awkward = {{1}, {33}, {257}, {1000}, {4100}},
              .needs =
                  [](const lesson::Size& size) {
                    const auto particles = static_cast<double>(size.elements());
                    return lesson::Needs{.bytes = 20 * particles, .flops = 7 * particles};
                  }},
             structure_rungs);
}
