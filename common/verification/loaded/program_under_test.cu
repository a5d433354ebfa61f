// A program built by nvcc as any other, for program_test.cpp: its first argument says what it does.
#include <cuda_runtime.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

__constant__ int factor;
__device__ int calls;
__managed__ int total;

__global__ void scale(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * factor + 1;
  if (i == 0) {
    calls = calls + 1;
    total = total + 10;
  }
}

__global__ void say(int number) { printf("thread %d says %d\n", threadIdx.x, number); }

// The last line races with both lines before it.
__global__ void sum_of_two(int* x) {
  __shared__ int first[64], second[64];
  const int t = static_cast<int>(threadIdx.x);
  first[t] = x[t];
  second[t] = x[t] + t;
  x[t] = first[63 - t] + second[63 - t];
}

__global__ void __launch_bounds__(64) bounded(int* x) {
  __shared__ int tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[63 - threadIdx.x];
}

// Takes its time, having used what was never written.
__global__ void search_for_long(const unsigned* start, unsigned long long* found) {
  unsigned long long state = 1;
  printf("begins\n");
  if (start[0] % 2 == 0) state = 3;                               // here: used unwritten
  while (state != 2) state = state * 6364136223846793005ull + 2;  // here: takes long
  *found = state;
}

static int interrupted() {
  void* memory = nullptr;
  cudaMalloc(&memory, 16);
  search_for_long<<<1, 1>>>(static_cast<unsigned*>(memory),
                            static_cast<unsigned long long*>(memory) + 1);
  std::thread([] {
    usleep(300'000);
    kill(getpid(), SIGINT);
  }).detach();
  return cudaDeviceSynchronize();
}

static int compute() {
  constexpr int n = 1000, three = 3;
  int host[n], *x = nullptr, done = 0;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<(n + 127) / 128, 128>>>(x, n);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != 3 * i + 1) return 1;
  }
  cudaMemcpyFromSymbol(&done, calls, sizeof done);
  std::printf("calls %d, total %d\n", done, total);
  return cudaFree(x) == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : 1;
}

static int attributes() {
  cudaFuncAttributes found = {};
  if (cudaFuncGetAttributes(&found, bounded) != cudaSuccess) return 1;
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0);
  std::printf("threads %d, shared %zu, registers %s, blocks %d\n", found.maxThreadsPerBlock,
              found.sharedSizeBytes, found.numRegs > 0 ? "known" : "unknown", blocks);
  bounded<<<1, 65>>>(nullptr);
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

static int registered() {
  int* own = static_cast<int*>(std::malloc(64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) own[i] = i;
  cudaHostRegister(own, 64 * sizeof(int), cudaHostRegisterDefault);
  bounded<<<1, 64>>>(own);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("launch: %s, own[0] %d\n", cudaGetErrorName(error), own[0]);
  bounded<<<1, 64>>>(own + 1);
  std::printf("beyond: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

static int out_of_bounds() {
  int* x = nullptr;
  cudaMalloc(&x, 4);
  scale<<<1, 128>>>(x, 128);  // here: faulting launch
  std::printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("free: %s\n", cudaGetErrorName(cudaFree(x)));
  return 0;
}

/// As a sandbox may: from now on no new process, EPERM.
static void forbid_children() {
  const unsigned calls[] = {SYS_clone, SYS_clone3, SYS_execve,
#ifdef SYS_vfork
                            SYS_fork, SYS_vfork
#endif
  };
  for (const unsigned call : calls) {
    sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program = {sizeof rules / sizeof *rules, rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) std::abort();
  }
}

/// An allocation and a copy that are too large, four frees of which one is right, and what a sum on
/// the host reads.
static int host_mistakes(bool touch) {
  int* x = nullptr;
  cudaDeviceSynchronize();  // The runtime's own threads come first.
  if (std::getenv("FORBID_CHILDREN") != nullptr) forbid_children();
  cudaMalloc(&x, std::size_t{1} << 50);                         // here: too much
  cudaMalloc(&x, 4000);                                         // here: four thousand
  if (!touch) cudaMemcpy(x, &x, 5000, cudaMemcpyHostToDevice);  // here: copy
  for (int i = 0; i < 2; ++i) cudaFree(x + 1);                  // here: free of the middle
  if (touch) return std::accumulate(x, x + 1000, 0);            // here: touched
  cudaFree(x);                                                  // here: first free
  return cudaFree(x) == cudaErrorInvalidValue ? 0 : 1;
}

/// A wrong copy after a launch that faults: the copy is reported before any wait for the launch.
static int wrong_copy_first() {
  int* x = nullptr;
  cudaMalloc(&x, 4);
  scale<<<1, 128>>>(x, 128);
  return cudaMemcpy(x, &x, 8, cudaMemcpyHostToDevice);
}

/// Runs this program again, to compute, in one of several ways.
int start_itself(const char* how) {
  static char name[] = "/proc/self/exe", what[] = "compute";
  char file[4096] = {};
  if (readlink(name, file, sizeof file - 1) < 0) return 2;
  char* const arguments[] = {file, what, nullptr};
  char* const nothing_set[] = {nullptr};
  char command[5000];
  std::snprintf(command, sizeof command, "'%s' compute && nm --version", file);
  if (std::strcmp(how, "by a shell") == 0) return std::system(command);
  if (std::strcmp(how, "through a pipe") == 0) {
    FILE* lines = popen(command, "r");
    for (int c = 0; (c = std::fgetc(lines)) != EOF;) std::putchar(c);
    return pclose(lines);
  }
  pid_t child = -1;
  if (std::strcmp(how, "spawned") == 0) {
    if (posix_spawn(&child, file, nullptr, nullptr, arguments, nothing_set) != 0) return 3;
  } else if ((child = fork()) == 0) {
    if (std::strcmp(how, "by a list") == 0) execl(file, file, what, nullptr);
    if (std::strcmp(how, "by name") == 0) execvp(file, arguments);
    if (std::strcmp(how, "without environment") == 0)
      execle(file, file, what, nullptr, nothing_set);
    execv(file, arguments);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child ? status : 4;
}

int main(int, char** arguments) {
  const char* what = arguments[1];
  if (std::strcmp(what, "compute") == 0) return compute();
  if (std::strcmp(what, "attributes") == 0) return attributes();
  if (std::strcmp(what, "out-of-bounds") == 0) return out_of_bounds();
  if (std::strcmp(what, "name-as-pointer") == 0) {
    scale<<<1, 1>>>(&calls, 1);
    return cudaDeviceSynchronize() == cudaSuccess;
  }
  if (std::strcmp(what, "registered") == 0) return registered();
  if (std::strcmp(what, "host mistakes") == 0) return host_mistakes(false);
  if (std::strcmp(what, "host loops") == 0) {
    cudaFree(nullptr);
    for (volatile bool ends = false; !ends;) cudaStreamQuery(nullptr);  // here: loop
  }
  if (std::strcmp(what, "interrupted") == 0) return interrupted();
  if (std::strcmp(what, "interrupts itself") == 0) {
    std::signal(SIGINT, [](int) { _exit(7); });
    return interrupted();
  }
  if (std::strcmp(what, "wrong copy first") == 0) return wrong_copy_first();
  if (std::strcmp(what, "host touches") == 0) return host_mistakes(true);
  if (std::strcmp(what, "leak") == 0) {
    int* x = nullptr;
    return cudaMalloc(&x, 4000);  // here: leak
  }
  if (std::strcmp(what, "leaks") == 0) {
    int* x = nullptr;
    for (int i = 0; i < 5; ++i) cudaMalloc(&x, 4000);  // here: leaks in a loop
    cudaMallocManaged(&x, 10);                         // here: managed leak
    for (int i = 0; i < 2; ++i) cudaMallocHost(&x, 20);
    cudaMalloc(&x, 100);
    return cudaMalloc(&x, 200);
  }
  if (std::strcmp(what, "leak at reset") == 0) {
    int* x = nullptr;
    cudaMalloc(&x, 4000);
    return cudaDeviceReset();
  }
  if (std::strcmp(what, "same again") == 0) {
    for (int i = 0; i < 4; ++i) {
      int* fresh;
      cudaMalloc(&fresh, 32 * sizeof(int));
      scale<<<1, 32>>>(fresh, 32);
      cudaFree(fresh);
    }
    return 0;
  }
  if (std::strcmp(what, "two on a line") == 0) {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    for (int i = 0; i < 3; ++i) sum_of_two<<<1, 64>>>(x);
    return cudaFree(x);
  }
  if (std::strcmp(what, "unchecked") == 0) {
    bounded<<<1, 65>>>(nullptr);  // here: unchecked
    return 0;
  }
  if (std::strcmp(what, "unasked") == 0) {
    int* x = nullptr;
    cudaMalloc(&x, std::size_t{1} << 50);
    return 0;
  }
  if (std::strcmp(what, "asked") == 0) {
    int* x = nullptr;
    return std::printf("%s\n", cudaGetErrorString(cudaMalloc(&x, std::size_t{1} << 50))) < 0;
  }
  if (std::strcmp(what, "imported") == 0) {
    cudaExternalMemory_t memory;
    return cudaImportExternalMemory(&memory, nullptr);
  }
  if (std::strcmp(what, "graph_for_kernels") == 0) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    return cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
  }
  if (std::strcmp(what, "environment") == 0) return std::system("env");
  if (std::strncmp(what, "start ", 6) == 0) return start_itself(what + 6);
  say<<<1, 2>>>(42);
  if (std::strcmp(what, "print") == 0) cudaDeviceSynchronize();
  if (std::strcmp(what, "abort") == 0) {
    cudaDeviceSynchronize();
    std::abort();
  }
  return 0;
}
