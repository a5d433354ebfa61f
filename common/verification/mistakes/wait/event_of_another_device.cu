// An event is recorded in a stream of another device than its own.
// gpus: 2
int main() {
  cudaEvent_t done;
  cudaStream_t stream;
  cudaSetDevice(0);
  cudaEventCreate(&done);
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  const cudaError_t error = cudaEventRecord(done, stream);  // expect: wrong-device
  cudaGetLastError();
  cudaStreamDestroy(stream);
  cudaEventDestroy(done);
  return error == cudaErrorInvalidResourceHandle ? 0 : 1;
}
