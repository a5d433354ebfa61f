// Typical wrong answers to 07_checked_steps. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= launch_not_asked: a launch returns nothing, and nothing asks about it
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
  }
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;  // expect: wrong result

//= asked_too_early: the question comes before the launch, and hears of an earlier call
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    error = cudaGetLastError();
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
  }
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;  // expect: wrong result

//= early_return: an early exit leaves the arrays before it allocated
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);  // expect: leak
  if (error != cudaSuccess) return cudaGetLastError();
  error = cudaMalloc(&device_b, bytes);
  if (error != cudaSuccess) return cudaGetLastError();
  error = cudaMalloc(&device_sum, bytes);
  if (error != cudaSuccess) return cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;

//= goes_on: the steps go on after an allocation that failed
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum, bytes);
  if (n < 1000000) {
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  }
  add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);  // expect: null-pointer in the frame
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;

//= last_code: a later call that works hides the first that failed
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  error = cudaMalloc(&device_b, bytes);
  error = cudaMalloc(&device_sum, bytes);
  if (error == cudaSuccess) {
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
    error = cudaGetLastError();
    error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;  // expect: wrong result

//= exits: a function that ends the program
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum, bytes);
  if (error != cudaSuccess) _Exit(1);  // expect: exit
  if (error == cudaSuccess) error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;

//= left_dirty: the error of an allocation is still there at the next launch
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error = cudaMalloc(&device_a, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  return error;  // expect: wrong result

//= asked_once: right: the runtime keeps the error until it is asked for
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  if (device_sum != nullptr) {
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
    add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
    cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  return cudaGetLastError();  // expect: pass

//= one_exit: right: a label for the one exit
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaError_t error;
  if ((error = cudaMalloc(&device_a, bytes)) != cudaSuccess) goto done;  // expect: pass
  if ((error = cudaMalloc(&device_b, bytes)) != cudaSuccess) goto done;
  if ((error = cudaMalloc(&device_sum, bytes)) != cudaSuccess) goto done;
  if ((error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto done;
  if ((error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto done;
  add<<<blocks_for(n, block), block>>>(device_a, device_b, device_sum, n);
  if ((error = cudaPeekAtLastError()) != cudaSuccess) goto done;
  error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
done:
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaGetLastError();
  return error;
