// Typical wrong answers to 04_rows_of_a_layer. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= odd_row_lost: both devices take K / 2 rows
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = K0;  // expect: wrong result
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= columns_of_x: the first columns of X meet all rows of W
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X, K, device[d].W, device[d].Y, M, N, rows);  // expect: wrong result
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= offset_by_columns: the rows of W begin at K0 columns
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + first, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);  // expect: wrong result
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= short_rows: a row of X is as long as the part of it
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, rows, device[d].W, device[d].Y, M, N, rows);  // expect: wrong result
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= no_event: device 0 does not wait for the product of device 1
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);  // expect: race in the frame
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= half_of_y: floats counted as bytes
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N, device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);  // expect: wrong result

//= one_result: both products write the Y of device 0
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[0].Y, M, N, rows);  // expect: race in the frame
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= one_after_the_other: right, but the second product waits for the first
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    if (d == 1) cudaStreamWaitEvent(device[1].stream, device[0].done, 0);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);  // expect: gate chain
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= all_weights_to_both: right, but each device gets all of W
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W, (size_t)K * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);  // expect: gate weights
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W + (size_t)first * N, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= weights_over_the_link: right, but device 1 gets its rows from device 0
  cudaSetDevice(0);
  cudaMemcpyAsync(device[0].W, W, (size_t)K * N * sizeof(float), cudaMemcpyHostToDevice, device[0].stream);
  cudaEventRecord(device[0].done, device[0].stream);
  product<<<grid, block, 0, device[0].stream>>>(device[0].X, K, device[0].W, device[0].Y, M, N, K0);
  cudaSetDevice(1);
  cudaStreamWaitEvent(device[1].stream, device[0].done, 0);
  cudaMemcpyPeerAsync(device[1].W, 1, device[0].W + (size_t)K0 * N, 0, (size_t)(K - K0) * N * sizeof(float), device[1].stream);  // expect: gate peer
  product<<<grid, block, 0, device[1].stream>>>(device[1].X + K0, K, device[1].W, device[1].Y, M, N, K - K0);
  cudaEventRecord(device[1].done, device[1].stream);
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= host_waits: right, but the host stands between the devices
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamSynchronize(device[1].stream);  // expect: gate waits
  cudaMemcpyPeerAsync(device[0].arrived, 0, device[1].Y, 1, (size_t)M * N * sizeof(float), device[0].stream);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[0].arrived, M * N);

//= reads_directly: right: the addition reads Y of device 1 over the link
  for (int d = 0; d < 2; ++d) {
    const int first = d * K0, rows = d == 0 ? K0 : K - K0;
    cudaSetDevice(d);
    cudaMemcpyAsync(device[d].W, W + (size_t)first * N, (size_t)rows * N * sizeof(float), cudaMemcpyHostToDevice, device[d].stream);
    product<<<grid, block, 0, device[d].stream>>>(device[d].X + first, K, device[d].W, device[d].Y, M, N, rows);
    cudaEventRecord(device[d].done, device[d].stream);
  }
  cudaSetDevice(0);
  cudaStreamWaitEvent(device[0].stream, device[1].done, 0);
  add<<<(M * N + 255) / 256, 256, 0, device[0].stream>>>(device[0].Y, device[1].Y, M * N);  // expect: pass
