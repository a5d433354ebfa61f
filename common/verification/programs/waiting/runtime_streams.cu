// Streams, events and host functions: order within a stream, waiting between streams, the default
// stream.
#include <cstdio>
#include <string>
#include <vector>

__global__ void append(int* log, int* length, int what) { log[(*length)++] = what; }

__global__ void spin(volatile int* flag) {
  while (*flag == 0) {
  }
}

struct Note {
  std::string* text;
  char c;
};

void CUDART_CB write_note(void* p) {
  Note* note = static_cast<Note*>(p);
  note->text->push_back(note->c);
}

void CUDART_CB callback(cudaStream_t, cudaError_t status, void* p) {
  *(int*)p = status == cudaSuccess ? 1 : -1;
}

int main() {
  int *log, *length, *flag;
  cudaMallocManaged(&log, 100 * sizeof(int));
  cudaMallocManaged(&length, sizeof(int));
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  *length = 0;
  *flag = 0;
  cudaStream_t a, b, c;
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStreamCreate(&a);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreateWithPriority(&c, cudaStreamNonBlocking, greatest);
  int priority = 7;
  unsigned flags = 7;
  cudaStreamGetPriority(c, &priority);
  cudaStreamGetFlags(b, &flags);
  printf("priorities %d to %d, this one %d, flags %u\n", least, greatest, priority, flags);

  cudaEvent_t first, second, timed;
  cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&second, cudaEventDisableTiming | cudaEventBlockingSync);
  cudaEventCreate(&timed);
  printf("never recorded: %s\n", cudaGetErrorName(cudaEventQuery(first)));

  // b is held up by a kernel that waits for the host; c waits for b; a waits for c.
  spin<<<1, 1, 0, b>>>(flag);
  append<<<1, 1, 0, b>>>(log, length, 1);
  cudaEventRecord(first, b);
  printf("b: %s, event: %s\n", cudaGetErrorName(cudaStreamQuery(b)),
         cudaGetErrorName(cudaEventQuery(first)));
  cudaStreamWaitEvent(c, first, 0);
  append<<<1, 1, 0, c>>>(log, length, 2);
  cudaEventRecord(second, c);
  cudaStreamWaitEvent(a, second, 0);
  append<<<1, 1, 0, a>>>(log, length, 3);
  // The legacy default stream waits for a, as a is a blocking stream.
  append<<<1, 1>>>(log, length, 4);
  *flag = 1;
  cudaDeviceSynchronize();
  for (int i = 0; i < *length; ++i) printf("%d ", log[i]);
  printf("\nb: %s, event: %s\n", cudaGetErrorName(cudaStreamQuery(b)),
         cudaGetErrorName(cudaEventQuery(first)));

  std::string text;
  Note notes[4] = {{&text, 'w'}, {&text, 'a'}, {&text, 'r'}, {&text, 'p'}};
  for (Note& note : notes) cudaLaunchHostFunc(a, write_note, &note);
  cudaStreamSynchronize(a);
  int called = 0;
  cudaStreamAddCallback(b, callback, &called, 0);
  cudaStreamSynchronize(b);
  printf("%s %d\n", text.c_str(), called);

  float ms = -1;
  cudaEvent_t end;
  cudaEventCreate(&end);
  cudaEventRecord(timed, a);
  append<<<1, 1, 0, a>>>(log, length, 5);
  cudaEventRecord(end, a);
  cudaEventSynchronize(end);
  printf("elapsed: %s, %d\n", cudaGetErrorName(cudaEventElapsedTime(&ms, timed, end)), ms >= 0);
  printf("without timing: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, first, second)));
  cudaGetLastError();
  printf("per-thread stream: ");
  append<<<1, 1, 0, cudaStreamPerThread>>>(log, length, 6);
  printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(cudaStreamPerThread)));
  append<<<1, 1, 0, cudaStreamLegacy>>>(log, length, 7);
  cudaStreamSynchronize(0);
  printf("%d entries, last %d\n", *length, log[*length - 1]);
  for (cudaEvent_t e : {first, second, timed, end}) cudaEventDestroy(e);
  for (cudaStream_t s : {a, b, c}) cudaStreamDestroy(s);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(log), cudaFree(length), cudaFreeHost(flag);
}
