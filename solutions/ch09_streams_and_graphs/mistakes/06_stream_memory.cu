// Typical wrong answers to 06_stream_memory. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= malloc_in_the_loop: right, and each piece holds up the host and all streams
  float* squares = nullptr;
  cudaMalloc(&squares, n * sizeof(float));  // expect: gate allocations
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);
  cudaFree(squares);

//= never_freed: every piece keeps its temporary array
  float* squares = nullptr;
  cudaMallocAsync(&squares, n * sizeof(float), stream);  // expect: leak
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);

//= freed_too_early: the array is given back before the last kernel that reads it
  float* squares = nullptr;
  cudaMallocAsync(&squares, n * sizeof(float), stream);
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);
  cudaFreeAsync(squares, stream);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);  // expect: use-after-free in the frame

//= freed_by_the_host: cudaFree does not wait for memory of a pool
  float* squares = nullptr;
  cudaMallocAsync(&squares, n * sizeof(float), stream);
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);
  cudaFree(squares);  // expect: use-after-free in the frame

//= allocated_elsewhere: the default stream allocates, and this stream need not wait for that
  static cudaStream_t other = nullptr;
  if (other == nullptr) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  float* squares = nullptr;
  cudaMallocAsync(&squares, n * sizeof(float), other);
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);  // expect: race in the frame
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);
  cudaFreeAsync(squares, stream);

//= freed_elsewhere: another stream frees, and does not wait for the kernels of this one
  static cudaStream_t other = nullptr;
  if (other == nullptr) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  float* squares = nullptr;
  cudaMallocAsync(&squares, n * sizeof(float), stream);
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);
  cudaFreeAsync(squares, other);  // expect: race

//= shared_by_all: one temporary array for pieces of all streams
  static float* squares = nullptr;
  static int room = 0;
  if (room < n) {
    cudaDeviceSynchronize();
    if (squares != nullptr) cudaFree(squares);
    cudaMalloc(&squares, n * sizeof(float));
    room = n;
  }
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);  // expect: race in the frame
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);

//= waits_before_it_frees: right, and the host waits for each piece
  float* squares = nullptr;
  cudaMallocAsync(&squares, n * sizeof(float), stream);
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);
  cudaStreamSynchronize(stream);  // expect: gate chain
  cudaFreeAsync(squares, stream);

//= elements_for_bytes: a quarter of the memory
  float* squares = nullptr;
  cudaMallocAsync(&squares, n, stream);
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, squares, n);  // expect: out-of-bounds in the frame
  halve<<<(n + 255) / 256, 256, 0, stream>>>(squares, y, n);
  cudaFreeAsync(squares, stream);

//= in_place: right: the second kernel may overwrite its own input, so y serves as the temporary
  square<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(y, y, n);  // expect: pass
