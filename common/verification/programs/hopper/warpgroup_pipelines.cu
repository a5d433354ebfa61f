// architecture: 90a
// Pipelines around wgmma: products that go on while the next begin, two warpgroups in turn, a
// softmax between two products, results that leave by stmatrix and a bulk copy, tiles for a
// cluster.
#include <cuda_bf16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

__device__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
/// The descriptor of a tile in rows of 128 bytes, swizzled.
__device__ uint64_t descriptor(uint32_t address, uint32_t leading = 16) {
  return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(leading >> 4) << 16 |
         (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}
__device__ void fence_registers() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory"); }
template <int Groups>
__device__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(Groups) : "memory");
}
/// 64 x 256, rows of 128 bytes along K.
__device__ void multiply_wide(float (&d)[128], uint64_t a, uint64_t b, int adds) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, "
      "%38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, "
      "%74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, "
      "%92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, "
      "%108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
      "%123, %124, %125, %126, %127}, %128, %129, p, 1, 1, 0, 0;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b), "r"(adds));
}
/// 64 x 64, rows of 128 bytes along K.
__device__ void multiply(float (&d)[32], uint64_t a, uint64_t b, int adds) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b), "r"(adds));
}
/// The same with A in registers and B in columns.
__device__ void multiply_held(float (&d)[32], const uint32_t* a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, "
      "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, 1, "
      "1, 1, 1;\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

// Barriers in shared memory

__device__ void init(uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(shared_address(barrier)),
               "r"(arrivals));
}
__device__ void wait_for(uint64_t* barrier, int phase) {
  asm volatile(
      "{\n.reg .pred P1;\nLAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra.uni DONE;\nbra.uni LAB_WAIT;\nDONE:\n}\n" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}
__device__ void expect(uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(
                   shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void arrive(uint64_t* barrier) {
  asm volatile(
      "mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];\n" ::"r"(shared_address(barrier))
      : "memory");
}
__device__ void arrive_at(uint64_t* barrier, int rank) {
  asm volatile(
      "{.reg .b32 remote;\nmapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n}" ::"r"(
          shared_address(barrier)),
      "r"(rank)
      : "memory");
}
__device__ void fetch(void* to, const void* from, int bytes, uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
__device__ void fetch_for_all(void* to, const void* from, int bytes, uint64_t* barrier,
                              uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1], %2, [%3], %4;\n" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"(blocks)
      : "memory");
}
__device__ void named_barrier(int id, int threads) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(id), "r"(threads) : "memory");
}
__device__ int row_of(int i) {
  return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}
__device__ int column_of(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }

constexpr int tile_bytes = 64 * 128, stages = 3;

/// Tiles are in global memory as shared memory wants them. Warpgroup 0 fetches; each of the others
/// multiplies its own 64 rows with 256 columns, and leaves one group of products in flight.
struct WideStages {
  alignas(1024) unsigned char a[stages][2][tile_bytes], b[stages][4][tile_bytes];
  alignas(8) uint64_t full[stages], empty[stages];
};
__global__ __launch_bounds__(384) void one_in_flight(const unsigned char* a, const unsigned char* b,
                                                     float* c, int tiles) {
  extern __shared__ __align__(1024) unsigned char memory[];
  WideStages& s = *reinterpret_cast<WideStages*>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) init(&s.full[i], 1), init(&s.empty[i], 2);
    asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
  }
  __syncthreads();
  const int group = threadIdx.x / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;\n");
    if (threadIdx.x == 0)
      for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile % stages;
        if (tile >= stages) wait_for(&s.empty[stage], (tile / stages - 1) & 1);
        expect(&s.full[stage], 6 * tile_bytes);
        fetch(s.a[stage], a + tile * 2 * tile_bytes, 2 * tile_bytes, &s.full[stage]);
        fetch(s.b[stage], b + tile * 4 * tile_bytes, 4 * tile_bytes, &s.full[stage]);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;\n");
    float d[128];
    for (int tile = 0; tile < tiles; ++tile) {
      const int stage = tile % stages;
      wait_for(&s.full[stage], tile / stages & 1);
      fence_registers();
      for (int step = 0; step < 4; ++step)
        multiply_wide(d, descriptor(shared_address(s.a[stage][group - 1]) + 32 * step),
                      descriptor(shared_address(s.b[stage]) + 32 * step), tile + step > 0);
      commit();
      wait<1>();
      if (tile > 0 && threadIdx.x % 128 == 0) arrive(&s.empty[(tile - 1) % stages]);
    }
    wait<0>();
    for (int i = 0; i < 128; ++i) c[((group - 1) * 64 + row_of(i)) * 256 + column_of(i)] = d[i];
  }
}

/// Two warpgroups take turns at the tensor cores: one multiplies while the other stores.
__global__ void in_turns(const unsigned char* a, const unsigned char* b, float* c, int rounds) {
  __shared__ alignas(1024) unsigned char of_a[2][tile_bytes], of_b[tile_bytes];
  const int group = threadIdx.x / 128, thread = threadIdx.x % 128;
  for (int i = threadIdx.x; i < tile_bytes / 16; i += 256)
    reinterpret_cast<uint4*>(of_b)[i] = reinterpret_cast<const uint4*>(b)[i];
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
  __syncthreads();
  if (group == 1) asm volatile("bar.arrive 1, 256;\n" ::: "memory");
  for (int round = 0; round < rounds; ++round) {
    const int tile = round * 2 + group;
    for (int i = thread; i < tile_bytes / 16; i += 128)
      reinterpret_cast<uint4*>(of_a[group])[i] =
          reinterpret_cast<const uint4*>(a + tile * tile_bytes)[i];
    asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
    named_barrier(3 + group, 128);
    named_barrier(1 + group, 256);
    float d[32];
    fence_registers();
    for (int step = 0; step < 4; ++step)
      multiply(d, descriptor(shared_address(of_a[group]) + 32 * step),
               descriptor(shared_address(of_b) + 32 * step), step);
    commit();
    // The other's turn; none comes for the last one.
    if (round * 2 + group + 1 < 2 * rounds)
      asm volatile("bar.arrive %0, 256;\n" ::"r"(2 - group) : "memory");
    wait<0>();
    for (int i = 0; i < 32; ++i) c[(tile * 64 + row_of(i)) * 64 + column_of(i)] = d[i];
  }
}

/// y = softmax(q * k^T / 8) * v for 64 rows of q: the scores of the next tile begin before the
/// softmax of this one.
__global__ void attention(const unsigned char* q, const unsigned char* k, const unsigned char* v,
                          __nv_bfloat16* y, int tiles) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned char *of_q = memory, *of_k = memory + tile_bytes, *of_v = of_k + 2 * tile_bytes;
  auto load = [](unsigned char* to, const unsigned char* from) {
    for (int i = threadIdx.x; i < tile_bytes / 16; i += 128)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(to) + 16 * i),
                   "l"(from + 16 * i));
  };
  auto arrived = [] {
    asm volatile("cp.async.wait_all;\n" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
    __syncthreads();
  };
  auto begin_scores = [&](float(&s)[32], int tile) {
    fence_registers();
    for (int step = 0; step < 4; ++step)
      multiply(s, descriptor(shared_address(of_q) + 32 * step),
               descriptor(shared_address(of_k) + tile % 2 * tile_bytes + 32 * step), step);
    commit();
  };
  load(of_q, q);
  load(of_k, k);
  load(of_v, v);
  arrived();
  float sum[32] = {}, scores[2][32], largest[2] = {-INFINITY, -INFINITY}, total[2] = {};
  begin_scores(scores[0], 0);
#pragma unroll
  for (int tile = 0; tile < 4; ++tile) {
    if (tile >= tiles) break;
    if (tile + 1 < tiles) {
      load(of_k + (tile + 1) % 2 * tile_bytes, k + (tile + 1) * tile_bytes);
      load(of_v + (tile + 1) % 2 * tile_bytes, v + (tile + 1) * tile_bytes);
      arrived();
      begin_scores(scores[(tile + 1) % 2], tile + 1);
      wait<1>();
    } else {
      wait<0>();
    }
    float(&s)[32] = scores[tile % 2];
    for (int half = 0; half < 2; ++half) {
      float most = largest[half];
      for (int i = 0; i < 32; ++i)
        if (i / 2 % 2 == half) most = fmaxf(most, s[i]);
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
      const float scale = exp2f((largest[half] - most) * 0.125f);
      largest[half] = most;
      float here = 0;
      for (int i = 0; i < 32; ++i) {
        if (i / 2 % 2 != half) continue;
        s[i] = exp2f((s[i] - most) * 0.125f);
        here += s[i];
        sum[i] *= scale;
      }
      total[half] = total[half] * scale + here;
    }
    uint32_t held[16];
    for (int i = 0; i < 16; ++i) {
      const __nv_bfloat162 both = __floats2bfloat162_rn(s[2 * i], s[2 * i + 1]);
      held[i] = reinterpret_cast<const uint32_t&>(both);
    }
    fence_registers();
    for (int step = 0; step < 4; ++step)
      multiply_held(sum, held + 4 * step,
                    descriptor(shared_address(of_v) + tile % 2 * tile_bytes + 2048 * step, 1024));
    commit();
    wait<0>();
    __syncthreads();
  }
  for (int half = 0; half < 2; ++half) {
    total[half] += __shfl_xor_sync(~0u, total[half], 1);
    total[half] += __shfl_xor_sync(~0u, total[half], 2);
  }
  // Results leave by way of shared memory, 16 rows by each warp.
  uint32_t out[16];
  for (int i = 0; i < 16; ++i) {
    const __nv_bfloat162 both =
        __floats2bfloat162_rn(sum[2 * i] / total[i % 2], sum[2 * i + 1] / total[i % 2]);
    out[i] = reinterpret_cast<const uint32_t&>(both);
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int part = 0; part < 4; ++part) {
    const uint32_t to =
        shared_address(of_q) + (warp * 16 + lane % 16) * 128 + part * 32 + lane / 16 * 16;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};\n" ::"r"(to),
                 "r"(out[4 * part]), "r"(out[4 * part + 1]), "r"(out[4 * part + 2]),
                 "r"(out[4 * part + 3])
                 : "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n" ::"l"(y),
                 "r"(shared_address(of_q)), "r"(tile_bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n" ::: "memory");
  }
}

/// Two blocks multiply rows of their own with the same columns; each fetches half of these for
/// both.
struct SharedStages {
  alignas(1024) unsigned char a[2][tile_bytes], b[2][tile_bytes];
  alignas(8) uint64_t full[2], empty[2];
};
__global__ __cluster_dims__(2) void for_a_cluster(const unsigned char* a, const unsigned char* b,
                                                  float* c, int tiles) {
  __shared__ SharedStages s;
  const int rank = blockIdx.x % 2;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) init(&s.full[i], 1), init(&s.empty[i], 2);
    asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n" ::
                   : "memory");
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128)
      for (int tile = 0; tile < tiles; ++tile) {
        const int stage = tile % 2;
        if (tile >= 2) wait_for(&s.empty[stage], (tile / 2 - 1) & 1);
        expect(&s.full[stage], 2 * tile_bytes);
        fetch(s.a[stage], a + (rank * tiles + tile) * tile_bytes, tile_bytes, &s.full[stage]);
        fetch_for_all(s.b[stage] + rank * tile_bytes / 2,
                      b + tile * tile_bytes + rank * tile_bytes / 2, tile_bytes / 2, &s.full[stage],
                      3);
      }
  } else {
    float d[32];
    for (int tile = 0; tile < tiles; ++tile) {
      const int stage = tile % 2;
      wait_for(&s.full[stage], tile / 2 & 1);
      fence_registers();
      for (int step = 0; step < 4; ++step)
        multiply(d, descriptor(shared_address(s.a[stage]) + 32 * step),
                 descriptor(shared_address(s.b[stage]) + 32 * step), tile + step);
      commit();
      wait<0>();
      if (threadIdx.x < 2) arrive_at(&s.empty[stage], threadIdx.x);
    }
    for (int i = 0; i < 32; ++i) c[(rank * 64 + row_of(i)) * 64 + column_of(i)] = d[i];
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n" ::
                   : "memory");
}

// The host

uint32_t state = 4711;
float small() {
  state = state * 1664525u + 1013904223u;
  return ((int)(state >> 8) % 65 - 32) / 16.0f;
}
/// Tiles of 64 x 64, swizzled: as they are stored, and element by element.
struct Tiles {
  explicit Tiles(int count) : values(count * 4096) {
    std::vector<__nv_bfloat16> memory(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t row = i / 64, at = i % 64;
      const __nv_bfloat16 value = __float2bfloat16(small());
      values[i] = __bfloat162float(value);
      memory[row * 64 + ((at / 8 ^ row % 8) << 3) + at % 8] = value;
    }
    cudaMalloc(&device, memory.size() * 2);
    cudaMemcpy(device, memory.data(), memory.size() * 2, cudaMemcpyHostToDevice);
  }
  float at(int tile, int row, int column) const { return values[tile * 4096 + row * 64 + column]; }
  std::vector<float> values;
  unsigned char* device;
};
template <class T>
struct Result {
  explicit Result(size_t count) : values(count) { cudaMalloc(&device, count * sizeof(T)); }
  void fetch() {
    cudaMemcpy(values.data(), device, values.size() * sizeof(T), cudaMemcpyDeviceToHost);
  }
  void show(const char* name, bool is_right) {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < values.size() * sizeof(T); ++i)
      hash = (hash ^ reinterpret_cast<unsigned char*>(values.data())[i]) * 0x100000001b3ull;
    printf("%s: %016llx, %s, %s\n", name, (unsigned long long)hash, is_right ? "right" : "wrong",
           cudaGetErrorString(cudaGetLastError()));
  }
  std::vector<T> values;
  T* device;
};

void run_one_in_flight() {
  const int tiles = 7;
  Tiles a(2 * tiles), b(4 * tiles);
  Result<float> c(128 * 256);
  cudaFuncSetAttribute(one_in_flight, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       sizeof(WideStages));
  one_in_flight<<<1, 384, sizeof(WideStages)>>>(a.device, b.device, c.device, tiles);
  c.fetch();
  bool is_right = true;
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 256; ++j) {
      double sum = 0;
      for (int l = 0; l < 64 * tiles; ++l)
        sum +=
            a.at(l / 64 * 2 + i / 64, i % 64, l % 64) * b.at(l / 64 * 4 + j / 64, j % 64, l % 64);
      is_right &= fabs(sum - c.values[i * 256 + j]) < 1e-3;
    }
  c.show("one group in flight", is_right);
}
void run_in_turns() {
  const int rounds = 3;
  Tiles a(2 * rounds), b(1);
  Result<float> c(2 * rounds * 4096);
  in_turns<<<1, 256>>>(a.device, b.device, c.device, rounds);
  c.fetch();
  bool is_right = true;
  for (int i = 0; i < 2 * rounds * 64; ++i)
    for (int j = 0; j < 64; ++j) {
      double sum = 0;
      for (int l = 0; l < 64; ++l) sum += a.at(i / 64, i % 64, l) * b.at(0, j, l);
      is_right &= fabs(sum - c.values[i * 64 + j]) < 1e-3;
    }
  c.show("in turns", is_right);
}
void run_attention() {
  const int tiles = 4;
  Tiles q(1), k(tiles), v(tiles);
  Result<__nv_bfloat16> y(4096);
  cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, 5 * tile_bytes);
  attention<<<1, 128, 5 * tile_bytes>>>(q.device, k.device, v.device, y.device, tiles);
  y.fetch();
  bool is_right = true;
  for (int i = 0; i < 64; ++i) {
    std::vector<double> weights(64 * tiles);
    double total = 0;
    for (int j = 0; j < 64 * tiles; ++j) {
      double score = 0;
      for (int l = 0; l < 64; ++l) score += q.at(0, i, l) * k.at(j / 64, j % 64, l);
      total += weights[j] = exp2(score / 8);
    }
    for (int l = 0; l < 64; ++l) {
      double sum = 0;
      for (int j = 0; j < 64 * tiles; ++j) sum += weights[j] / total * v.at(j / 64, j % 64, l);
      is_right &= fabs(sum - __bfloat162float(y.values[i * 64 + l])) < 0.03;
    }
  }
  y.show("attention", is_right);
}
void run_for_a_cluster() {
  const int tiles = 5;
  Tiles a(2 * tiles), b(tiles);
  Result<float> c(2 * 4096);
  for_a_cluster<<<2, 160>>>(a.device, b.device, c.device, tiles);
  c.fetch();
  bool is_right = true;
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 64; ++j) {
      double sum = 0;
      for (int l = 0; l < 64 * tiles; ++l)
        sum += a.at(i / 64 * tiles + l / 64, i % 64, l % 64) * b.at(l / 64, j, l % 64);
      is_right &= fabs(sum - c.values[i * 64 + j]) < 1e-3;
    }
  c.show("for a cluster", is_right);
}

int main() {
  run_one_in_flight();
  run_in_turns();
  run_attention();
  run_for_a_cluster();
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
