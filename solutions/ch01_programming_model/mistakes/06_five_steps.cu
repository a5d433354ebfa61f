// Typical wrong answers to 06_five_steps. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_copy_back: the sums stay on the device
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaDeviceSynchronize();  // expect: wrong result
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= no_copy_to: the kernel adds what the memory happens to hold
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);  // expect: uninitialized in the frame
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= elements_for_bytes: a quarter of the bytes are copied
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, n, cudaMemcpyHostToDevice);  // expect: uninitialized in the frame
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= too_little_memory: memory for n bytes, not n floats
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, n);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);  // expect: invalid-copy
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= rounded_down: no block for the last elements
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<n / 256, 256>>>(device_a, device_b, device_sum, n);  // expect: launch-configuration
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= one_block: one block of n threads, refused as soon as n is above 1024
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<1, n>>>(device_a, device_b, device_sum, n);  // expect: launch-configuration
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= host_pointers: the kernel gets addresses of host memory
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(a, b, sum, n);  // expect: host-pointer in the frame
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= never_freed: one of the three arrays stays allocated
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);  // expect: leak
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);

//= freed_too_early: the result is freed before it is copied back
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);  // expect: invalid-copy

//= copied_in_a_loop: device memory is read by the host, as if it were an array of its own
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  for (int i = 0; i < n; ++i) sum[i] = device_sum[i];  // expect: device-pointer-on-host
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= wrong_way: source and destination are exchanged in the copy back
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(device_sum, sum, bytes, cudaMemcpyHostToDevice);  // expect: wrong result
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= every_element_twice: two launches, and each stores all elements
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; ++i) {
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);  // expect: gate stores in the frame
  }
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= on_the_host: right, but no kernel has done anything
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];  // expect: gate launches

//= one_element_launched: the host does the work, a launch is only for show
  float* device_sum;
  cudaMalloc(&device_sum, sizeof(float));
  add<<<1, 1>>>(device_sum, device_sum, device_sum, 0);
  cudaFree(device_sum);
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];  // expect: gate stores in the frame

//= too_far: one element more than there are is copied back
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(sum, device_sum, bytes + 4, cudaMemcpyDeviceToHost);  // expect: invalid-copy
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= value_for_address: cudaMalloc gets what the pointers hold, not where they lie
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaMalloc((void**)device_a, bytes);  // expect: null-pointer
  cudaMalloc((void**)device_b, bytes);
  cudaMalloc((void**)device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);

//= size_of_a_pointer: a pointer is twice as large as a float, and the copy reads past the end of a
  const size_t bytes = n * sizeof(float*);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);  // expect: invalid-copy
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= grid_and_block_exchanged: the grid and the block have changed places, refused above 262144
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<256, (n + 255) / 256>>>(device_a, device_b, device_sum, n);  // expect: launch-configuration
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= result_of_the_host: a kernel computes the sums, they stay there, and the host adds once more
  const size_t bytes = n * sizeof(float);
  float *device_a, *device_b, *device_sum;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];  // expect: gate copies
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);

//= managed: right: one copy of each array that both sides reach
  const size_t bytes = n * sizeof(float);
  float *shared_a, *shared_b, *shared_sum;
  cudaMallocManaged(&shared_a, bytes);
  cudaMallocManaged(&shared_b, bytes);
  cudaMallocManaged(&shared_sum, bytes);
  for (int i = 0; i < n; ++i) shared_a[i] = a[i], shared_b[i] = b[i];
  add<<<(n + 255) / 256, 256>>>(shared_a, shared_b, shared_sum, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) sum[i] = shared_sum[i];  // expect: pass
  cudaFree(shared_a);
  cudaFree(shared_b);
  cudaFree(shared_sum);
