// Typical wrong answers to 01_pinned. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= pageable: the copies read and write the caller's arrays, which are pageable
  const size_t bytes = n * sizeof(float);
  float *device_x, *device_y;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemcpyAsync(device_x, x, bytes, cudaMemcpyHostToDevice);  // expect: gate pinned
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(y, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaFree(device_x);
  cudaFree(device_y);

//= pageable_back: the way in is page-locked, the way back is not
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *device_x, *device_y;
  cudaMallocHost(&pinned_x, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  std::memcpy(pinned_x, x, bytes);
  cudaMemcpyAsync(device_x, pinned_x, bytes, cudaMemcpyHostToDevice);
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(y, device_y, bytes, cudaMemcpyDeviceToHost);  // expect: gate back
  cudaDeviceSynchronize();
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_x);

//= no_wait: the result is read while the copy may still write it
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *pinned_y, *device_x, *device_y;
  cudaMallocHost(&pinned_x, bytes);
  cudaMallocHost(&pinned_y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  std::memcpy(pinned_x, x, bytes);
  cudaMemcpyAsync(device_x, pinned_x, bytes, cudaMemcpyHostToDevice);
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(pinned_y, device_y, bytes, cudaMemcpyDeviceToHost);
  std::memcpy(y, pinned_y, bytes);  // expect: missing-sync
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);

//= refilled_too_early: one pinned buffer for both arrays, cleared while it is being read
  const size_t bytes = n * sizeof(float);
  float *pinned, *device_x, *device_y;
  cudaMallocHost(&pinned, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  std::memcpy(pinned, x, bytes);
  cudaMemcpyAsync(device_x, pinned, bytes, cudaMemcpyHostToDevice);
  std::memset(pinned, 0, bytes);  // expect: missing-sync
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(pinned, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  std::memcpy(y, pinned, bytes);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned);

//= waits_in_each_copy: cudaMemcpy holds the host in both directions
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *pinned_y, *device_x, *device_y;
  cudaMallocHost(&pinned_x, bytes);
  cudaMallocHost(&pinned_y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  std::memcpy(pinned_x, x, bytes);
  cudaMemcpy(device_x, pinned_x, bytes, cudaMemcpyHostToDevice);  // expect: gate waits
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpy(pinned_y, device_y, bytes, cudaMemcpyDeviceToHost);
  std::memcpy(y, pinned_y, bytes);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);

//= two_streams_unordered: the copies have a stream of their own, which the kernel does not wait for
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *pinned_y, *device_x, *device_y;
  cudaStream_t copies;
  cudaMallocHost(&pinned_x, bytes);
  cudaMallocHost(&pinned_y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemset(device_x, 0, bytes);
  cudaMemset(device_y, 0, bytes);
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  std::memcpy(pinned_x, x, bytes);
  cudaMemcpyAsync(device_x, pinned_x, bytes, cudaMemcpyHostToDevice, copies);  // expect: race in the frame
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(pinned_y, device_y, bytes, cudaMemcpyDeviceToHost, copies);
  cudaDeviceSynchronize();
  std::memcpy(y, pinned_y, bytes);
  cudaStreamDestroy(copies);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);

//= elements_for_bytes: a quarter of the input is copied
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *pinned_y, *device_x, *device_y;
  cudaMallocHost(&pinned_x, bytes);
  cudaMallocHost(&pinned_y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  std::memcpy(pinned_x, x, bytes);
  cudaMemcpyAsync(device_x, pinned_x, n, cudaMemcpyHostToDevice);  // expect: uninitialized in the frame
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(pinned_y, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  std::memcpy(y, pinned_y, bytes);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_x);
  cudaFreeHost(pinned_y);

//= pinned_never_freed: page-locked memory is left to the system, which cannot use it
  const size_t bytes = n * sizeof(float);
  float *pinned_x, *pinned_y, *device_x, *device_y;
  cudaMallocHost(&pinned_x, bytes);  // expect: leak
  cudaMallocHost(&pinned_y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  std::memcpy(pinned_x, x, bytes);
  cudaMemcpyAsync(device_x, pinned_x, bytes, cudaMemcpyHostToDevice);
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(pinned_y, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  std::memcpy(y, pinned_y, bytes);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaFreeHost(pinned_y);

//= on_the_host: right numbers, and nothing is launched
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + b;  // expect: gate launches

//= registered: right: the caller's own pages are locked for as long as the copies take
  const size_t bytes = n * sizeof(float);
  float *device_x, *device_y;
  cudaHostRegister(const_cast<float*>(x), bytes, cudaHostRegisterDefault);
  cudaHostRegister(y, bytes, cudaHostRegisterDefault);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemcpyAsync(device_x, x, bytes, cudaMemcpyHostToDevice);
  line<<<(n + 255) / 256, 256>>>(device_x, device_y, n, a, b);
  cudaMemcpyAsync(y, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();  // expect: pass
  cudaHostUnregister(const_cast<float*>(x));
  cudaHostUnregister(y);
  cudaFree(device_x);
  cudaFree(device_y);
