// Functions of streams with one argument wrong at a time.
#include "wrong_arguments.h"

PROBES(streams) {
  PROBE(memory, cudaDeviceGetStreamPriorityRange);
  PROBE(memory, cudaEventCreate);
  PROBE(memory, cudaEventCreateWithFlags);
  PROBE(memory, cudaEventDestroy);
  PROBE(memory, cudaEventElapsedTime);
  PROBE(memory, cudaEventQuery);
  PROBE(memory, cudaEventRecord);
  PROBE(memory, cudaEventRecordWithFlags);
  PROBE(memory, cudaEventSynchronize);
  PROBE(memory, cudaLaunchHostFunc);
  PROBE(memory, cudaStreamAddCallback);
  PROBE(memory, cudaStreamBeginCapture);
  PROBE(memory, cudaStreamCreate);
  PROBE(memory, cudaStreamCreateWithFlags);
  PROBE(memory, cudaStreamCreateWithPriority);
  PROBE(memory, cudaStreamDestroy);
  PROBE(memory, cudaStreamEndCapture);
  PROBE(memory, cudaStreamGetAttribute);
  PROBE(memory, cudaStreamGetCaptureInfo);
  PROBE(memory, cudaStreamGetDevice);
  PROBE(memory, cudaStreamGetFlags);
  PROBE(memory, cudaStreamGetId);
  PROBE(memory, cudaStreamGetPriority);
  PROBE(memory, cudaStreamIsCapturing);
  PROBE(memory, cudaStreamQuery);
  PROBE(memory, cudaStreamSetAttribute);
  PROBE(memory, cudaStreamSynchronize);
  PROBE(memory, cudaStreamUpdateCaptureDependencies);
  PROBE(memory, cudaStreamWaitEvent);
  PROBE(memory, cudaThreadExchangeStreamCaptureMode);
}
