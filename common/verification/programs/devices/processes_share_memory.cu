// Two processes share memory and events of one GPU by handles: cudaIpc...
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int small = 250, large = 1 << 20;  // numbers in the owner's arrays

struct Handles {
  cudaIpcMemHandle_t small, inside, large;
  cudaIpcEventHandle_t first, second;
};

// One end of a way in each direction, by which the processes take turns.
struct Channel {
  int in, out;
  template <typename T>
  void send(const T& value) const {
    std::fflush(stdout);
    if (write(out, &value, sizeof value) != sizeof value) _exit(3);
  }
  template <typename T>
  T receive() const {
    T value;
    if (read(in, &value, sizeof value) != sizeof value) _exit(3);
    return value;
  }
};

#define SAY(call) std::printf("  %s: %s\n", #call, cudaGetErrorName(call))

__global__ void number(int* array, int count, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) array[i] = first + i;
}

__global__ void add(int* array, int count, int what) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    array[i] += what;
}

// Ends when the host says so, or after a while.
__global__ void wait_for(const volatile int* word) {
  for (int i = 0; i < 100000000 && *word == 0; ++i) __nanosleep(1000);
}

int at(const int* array, int index) {
  int value = 0;
  cudaMemcpy(&value, array + index, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

int guest(const Channel& other) {
  const Handles handles = other.receive<Handles>();
  int *one = nullptr, *inside = nullptr, *many = nullptr, *again = nullptr;
  std::printf("the guest opens memory\n");
  SAY(cudaIpcOpenMemHandle((void**)&one, handles.small, 0));
  SAY(cudaIpcOpenMemHandle((void**)&one, handles.small, cudaIpcMemLazyEnablePeerAccess));
  SAY(cudaIpcOpenMemHandle((void**)&many, handles.large, cudaIpcMemLazyEnablePeerAccess));
  SAY(cudaIpcOpenMemHandle((void**)&again, handles.large, cudaIpcMemLazyEnablePeerAccess));
  std::printf("  opened twice: the same address %d\n", many == again);
  SAY(cudaIpcOpenMemHandle((void**)&inside, handles.inside, cudaIpcMemLazyEnablePeerAccess));
  std::printf("  a handle from the middle gives the begin %d\n", inside == many);
  std::printf("  it reads %d %d %d\n", at(one, 3), at(many, 0), at(many, large - 1));
  cudaPointerAttributes attributes;
  SAY(cudaPointerGetAttributes(&attributes, many + 5));
  std::printf("  of the device %d, number %d, for the host %d\n",
              attributes.type == cudaMemoryTypeDevice, attributes.device,
              attributes.hostPointer != nullptr);
  std::printf("the guest does what is not for it\n");
  cudaIpcMemHandle_t handle;
  SAY(cudaIpcGetMemHandle(&handle, many));
  SAY(cudaIpcCloseMemHandle(many + 1));
  SAY(cudaIpcCloseMemHandle(nullptr));
  int* own;
  SAY(cudaMalloc(&own, 400));
  SAY(cudaIpcCloseMemHandle(own));

  std::printf("the guest writes\n");
  add<<<64, 256>>>(many, large, 7);
  add<<<1, 32>>>(one, small, 1000);
  SAY(cudaMemset(own, 0, 400));
  SAY(cudaMemcpy(one + 10, own, 40, cudaMemcpyDeviceToDevice));
  SAY(cudaDeviceSynchronize());
  other.send(1);
  other.receive<int>();
  std::printf("the guest reads what the owner has written since: %d %d\n", at(many, 5),
              at(one, 20));

  std::printf("the guest opens events\n");
  cudaEvent_t first, second, same;
  SAY(cudaIpcOpenEventHandle(&first, handles.first));
  SAY(cudaIpcOpenEventHandle(&second, handles.second));
  SAY(cudaIpcOpenEventHandle(&same, handles.first));
  std::printf("  opened twice: the same event %d\n", first == same);
  cudaIpcEventHandle_t ticket;
  SAY(cudaIpcGetEventHandle(&ticket, first));
  SAY(cudaEventQuery(second));
  other.send(2);
  other.receive<int>();  // the owner has recorded `first` after a kernel that waits
  SAY(cudaEventQuery(first));
  cudaStream_t stream;
  SAY(cudaStreamCreate(&stream));
  SAY(cudaStreamWaitEvent(stream, first, 0));
  add<<<64, 256, 0, stream>>>(many, large, 100000);
  SAY(cudaStreamQuery(stream));
  SAY(cudaEventRecord(second, stream));
  other.send(3);
  SAY(cudaEventSynchronize(second));
  std::printf("  after both: %d\n", at(many, 9));
  SAY(cudaEventQuery(first));
  float ms;
  SAY(cudaEventElapsedTime(&ms, first, second));
  other.receive<int>();

  std::printf("the guest closes\n");
  SAY(cudaEventDestroy(first));
  SAY(cudaEventDestroy(second));
  SAY(cudaEventDestroy(same));
  SAY(cudaIpcCloseMemHandle(one));
  SAY(cudaIpcCloseMemHandle(many));
  std::printf("  opened three times, closed once: %d\n", at(many, 9));
  SAY(cudaIpcCloseMemHandle(many));
  SAY(cudaIpcCloseMemHandle(many));
  SAY(cudaIpcCloseMemHandle(many));
  SAY(cudaFree(own));
  SAY(cudaStreamDestroy(stream));
  SAY(cudaGetLastError());
  other.send(4);
  other.receive<int>();  // the owner has given everything back
  std::printf("the guest opens what is no more\n");
  SAY(cudaIpcOpenMemHandle((void**)&one, handles.small, cudaIpcMemLazyEnablePeerAccess));
  std::fflush(stdout);
  other.send(5);
  return 0;
}

int owner(const Channel& other) {
  int *one, *many;
  cudaMalloc(&one, small * sizeof(int));
  cudaMalloc(&many, large * sizeof(int));
  number<<<1, 256>>>(one, small, 100);
  number<<<large / 256, 256>>>(many, large, 0);
  Handles handles;
  cudaEvent_t first, second;
  SAY(cudaEventCreateWithFlags(&first, cudaEventInterprocess | cudaEventDisableTiming));
  SAY(cudaEventCreateWithFlags(&second, cudaEventInterprocess | cudaEventDisableTiming));
  SAY(cudaIpcGetMemHandle(&handles.small, one));
  SAY(cudaIpcGetMemHandle(&handles.inside, many + 1000));
  SAY(cudaIpcGetMemHandle(&handles.large, many));
  SAY(cudaIpcGetEventHandle(&handles.first, first));
  SAY(cudaIpcGetEventHandle(&handles.second, second));
  SAY(cudaDeviceSynchronize());
  other.send(handles);

  other.receive<int>();
  std::printf("the owner reads: %d %d %d %d\n", at(one, 3), at(one, 12), at(many, 0),
              at(many, large - 1));
  add<<<64, 256>>>(many, large, 30);
  add<<<1, 32>>>(one, small, 10000);
  SAY(cudaDeviceSynchronize());
  other.send(1);

  other.receive<int>();
  int* word;
  cudaMallocHost(&word, sizeof(int));
  *word = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  wait_for<<<1, 1, 0, stream>>>(word);
  add<<<64, 256, 0, stream>>>(many, large, 1000000);
  std::printf("the owner records\n");
  SAY(cudaEventRecord(first, stream));
  SAY(cudaEventQuery(first));
  other.send(2);
  other.receive<int>();  // the guest has recorded `second` after `first`
  usleep(20000);
  std::printf("  not done, as the owner sees it: %s\n", cudaGetErrorName(cudaEventQuery(second)));
  std::fflush(stdout);
  *(volatile int*)word = 1;
  const cudaError_t waited = cudaEventSynchronize(second);
  const int value = at(many, 9);
  cudaStreamWaitEvent(stream, second, 0);
  add<<<1, 32, 0, stream>>>(one, small, 5);
  const cudaError_t behind = cudaStreamSynchronize(stream);
  usleep(200000);  // the guest prints meanwhile
  std::printf("the owner waited: %s, %d, %s, %d\n", cudaGetErrorName(waited), value,
              cudaGetErrorName(behind), at(one, 1));
  other.send(3);

  other.receive<int>();
  std::printf("the owner gives back\n");
  SAY(cudaEventDestroy(first));
  SAY(cudaEventDestroy(second));
  SAY(cudaFree(one));
  SAY(cudaFree(many));
  SAY(cudaFreeHost(word));
  SAY(cudaStreamDestroy(stream));
  SAY(cudaGetLastError());
  other.send(4);
  other.receive<int>();
  int status;
  wait(&status);
  std::printf("the guest ended: %d\n", WEXITSTATUS(status));
  return 0;
}

}  // namespace

int main() {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0) return 3;
  std::fflush(stdout);
  if (fork() == 0) {
    const int status = guest({there[0], back[1]});
    std::fflush(stdout);
    _exit(status);
  }
  return owner({back[0], there[1]});
}
