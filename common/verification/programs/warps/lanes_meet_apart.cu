// Lanes of a warp that meet at several instructions of one kind, with one mask: in loops that the
// compiler has unrolled lane by lane, and in branches.
#include <cstdio>

__host__ __device__ unsigned hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// Lanes leave the loop one after another, and tell those that stay.
__global__ void ballots(unsigned* out) {
  const int t = threadIdx.x;
  unsigned mask = ~0u, sum = 0;
  for (int turn = 0;; ++turn) {
    const bool stops = static_cast<int>(hash(t) % 9) <= turn;
    const unsigned stopping = __ballot_sync(mask, stops);
    sum = sum * 31 + stopping;
    mask &= ~stopping;
    if (stops) break;
  }
  out[t] = sum;
}

__global__ void reductions(unsigned* out) {
  const int t = threadIdx.x;
  unsigned mask = ~0u, sum = 0;
  for (int turn = 0;; ++turn) {
    const bool stops = static_cast<int>(hash(t) % 9) <= turn;
    const unsigned stopping = __ballot_sync(mask, stops);
    sum += __reduce_add_sync(mask, t);
    sum = sum * 3 + __match_any_sync(mask, t % 3);
    sum = sum * 5 + __shfl_sync(mask, t * turn, __ffs(mask) - 1);
    mask &= ~stopping;
    if (stops) break;
  }
  out[t] = sum;
}

// The text keeps compilers from making one instruction of the two.
__global__ void votes_in_branches(unsigned* out, int border) {
  const int t = threadIdx.x;
  unsigned votes;
  if (t < border) {
    asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 9; vote.sync.ballot.b32 %0, p, -1;}"
                 : "=r"(votes)
                 : "r"(t));
    votes += 1000;
  } else {
    asm volatile("{.reg .pred p; setp.gt.u32 p, %1, 20; vote.sync.ballot.b32 %0, p, -1;}"
                 : "=r"(votes)
                 : "r"(t));
    votes ^= 0x5555;
  }
  out[t] = votes;
}

__global__ void shuffles_in_branches(unsigned* out, int border) {
  const int t = threadIdx.x;
  unsigned got;
  if (t < border) {
    got = __shfl_sync(~0u, t * 3, (t + 7) % 32);
    out[t + 32] = got;
    got += 1000;
  } else {
    got = __shfl_sync(~0u, t * 5, (t + 9) % 32);
    out[t + 32] = got * 7;
    got ^= 0x5555;
  }
  out[t] = got;
}

__global__ void matches_in_branches(unsigned* out, int border) {
  const int t = threadIdx.x;
  unsigned alike, sum;
  if (t < border) {
    asm volatile("match.any.sync.b32 %0, %2, -1; redux.sync.add.u32 %1, %2, -1;"
                 : "=r"(alike), "=r"(sum)
                 : "r"(t % 5));
    alike += 1000;
  } else {
    asm volatile("match.any.sync.b32 %0, %2, -1; redux.sync.add.u32 %1, %2, -1;"
                 : "=r"(alike), "=r"(sum)
                 : "r"(t % 5));
    alike ^= 0x5555;
  }
  out[t] = alike + sum;
}

// Half a warp meets, at two places; the other half is not asked.
__global__ void half_a_warp(unsigned* out, int border) {
  const int t = threadIdx.x;
  unsigned got = 0;
  if (t < 16) {
    if (t < border) {
      asm volatile("shfl.sync.bfly.b32 %0, %1, 8, 31, 0xffff;" : "=r"(got) : "r"(t * 3));
    } else {
      asm volatile("shfl.sync.bfly.b32 %0, %1, 8, 31, 0xffff;" : "=r"(got) : "r"(t * 5));
      got += 7;
    }
  }
  out[t] = got;
}

int main() {
  unsigned *device = nullptr, host[64];
  cudaMalloc(&device, sizeof host);
  auto run = [&](const char* name, auto kernel, auto... arguments) {
    cudaMemset(device, 0, sizeof host);
    kernel<<<1, 32>>>(device, arguments...);
    const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s: %s", name, cudaGetErrorName(error));
    for (unsigned value : host) printf(" %x", value);
    printf("\n");
  };
  run("ballots", ballots);
  run("reductions", reductions);
  for (const int border : {16, 5, 31}) {
    run("votes in branches", votes_in_branches, border);
    run("shuffles in branches", shuffles_in_branches, border);
    run("matches in branches", matches_in_branches, border);
    run("half a warp", half_a_warp, border);
  }
  cudaFree(device);
}
