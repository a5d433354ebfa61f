#pragma once
#ifdef ANSWERS_C_INTERFACE
#include <cuda_runtime_api.h>
#else
#include <cuda_runtime.h>
#endif

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

// Programs that ask the runtime right and wrong questions and print each answer on a line of its
// own. An H200's answers are recorded next to them; answers_test.cpp compares.
namespace answers {

/// Makes the call, even where it crashes, and prints "text -> code", with what cudaGetLastError()
/// then says where that differs.
/// @return true for cudaSuccess.
/// @param more what else to print on the line, asked after the call.
bool ask(
    const char* text, const std::function<cudaError_t()>& call,
    const std::function<std::string()>& more = [] { return ""; });

/// ANSWERS_FROM, which says that answers are being recorded (by ./record): the number of the first
/// question to ask. Before each, the number of the next goes to stderr. After a crash or a hang on
/// a GPU nothing can be trusted: the process ends with status 99.
/// @return nothing where the questions are asked one after the other.
std::optional<int> first_question();

/// Prints "  text = value".
void show(const char* text, long long value);
void show(const char* text, const char* value);
inline void show(const char* text, const void* value) {
  show(text, value == nullptr ? "null" : "a pointer");
}

/// Headline; then the questions in a process of their own, which no other's faults have reached.
/// The asking process itself must have made no call. Whether it came to its end is printed.
void apart(const char* what, const std::function<void()>& questions);

/// A kernel writes where nothing is, which all calls know from then on. Nothing is left for
/// cudaGetLastError.
void fault();

/// A headline between groups of questions.
inline void about(const char* what) { std::printf("# %s\n", what); }

/// The name of the last error, which stays or is taken.
inline const char* peek() { return cudaGetErrorName(cudaPeekAtLastError()); }
inline const char* take() { return cudaGetErrorName(cudaGetLastError()); }

/// Memory of the device.
inline void* device_bytes(std::size_t bytes) {
  void* fresh = nullptr;
  cudaMalloc(&fresh, bytes);
  return fresh;
}

/// A subject of its own process: "launch", with the function that asks.
struct Subject {
  Subject(const char* name, void (*run)());
};

// Kernels, as the host functions that nvcc makes of them.
extern const void* const fill;       ///< (int* x, int value, int n)
extern const void* const add_one;    ///< (int* x, int n)
extern const void* const nothing;    ///< ()
extern const void* const bounded;    ///< (int* x), launch bounds of 64, 256 bytes shared
extern const void* const many;       ///< (char a, double b, short c, float4 d)
extern const void* const clustered;  ///< (int* x), __cluster_dims__(2, 1, 1)
extern const void* const hungry;     ///< (float* x): about 200 registers
extern const void* const wild;       ///< (int* x): writes there, whatever it is
extern const void* const trapping;   ///< ()
extern const void* const asserting;  ///< ()
extern const void* const grid_sum;   ///< (int* x): a cooperative kernel
extern const void* const slow;       ///< (): some milliseconds on a GPU
extern const void* const table;      ///< __constant__ int[16]
extern const void* const counter;    ///< __device__ int

// fault_kernels.cu: of a kind of fault each, as (int* x) with memory that is there.
extern const void* const shared_beyond;    ///< stores far past its shared memory
extern const void* const shared_crooked;   ///< loads 16 bytes of shared memory from address 4
extern const void* const global_crooked;   ///< loads 8 bytes of x from address 4
extern const void* const local_atomic;     ///< an atomic operation on a local variable
extern const void* const endless;          ///< calls itself without end
extern const void* const constant_store;   ///< stores into a __constant__ variable
extern const void* const null_load;        ///< loads from null
extern const void* const break_point;      ///< __brkpt()
extern const void* const wild_free;        ///< frees x
extern const void* const double_free;      ///< frees a block of the heap twice
extern const void* const middle_free;      ///< frees a block of the heap by its middle
extern const void* const crooked_barrier;  ///< bar.sync for 33 threads
extern const void* const absent_barrier;   ///< bar.sync with number 16 and more

// heap_kernels.cu: of one thread each.
extern const void* const heap_largest;  ///< (unsigned long long* bytes): that can be had at once
extern const void* const heap_count;  ///< (unsigned long long* n, size_t bytes): so many can be had
extern const void* const heap_take;   ///< (void** x, size_t bytes)
extern const void* const heap_free;   ///< (void** x)

// stack_kernels.cu: (int* x) with zeros there.
extern const void* const framed_1000;  ///< with an array of so many bytes
extern const void* const framed_1300;
extern const void* const framed_5000;
extern const void* const
    framed_by_address;                      ///< calls functions with such arrays by their addresses
extern const void* const framed_recursive;  ///< (int* x, int depth): its function calls itself

}  // namespace answers

#define ASK(call) answers::ask(#call, [&] { return call; })
#define SHOW(value) answers::show(#value, value)
#define SUBJECT(name)                                                     \
  static void name##_subject();                                           \
  static const answers::Subject subject_of_##name(#name, name##_subject); \
  static void name##_subject()
