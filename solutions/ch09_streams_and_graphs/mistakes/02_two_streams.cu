// Typical wrong answers to 02_two_streams. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= one_stream: every piece is in the first stream, and the others stay empty
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[0];
    const int first = p * length, count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);  // expect: gate chain
    line<<<(count + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, count, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }

//= one_buffer: the streams take turns, and all of them use the arrays of the first
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[0];
    const cudaStream_t stream = lanes[p % lane_count].stream;
    const int first = p * length, count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, stream);  // expect: race
    line<<<(count + 255) / 256, 256, 0, stream>>>(lane.x, lane.y, count, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, stream);
  }

//= kernel_in_default_stream: the kernel waits for all streams, and all wait for the kernel
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const int first = p * length, count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);
    line<<<(count + 255) / 256, 256>>>(lane.x, lane.y, count, 3, 1);  // expect: gate chain
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }

//= waits_in_the_loop: the host waits for each piece before it issues the next
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const int first = p * length, count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);
    line<<<(count + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, count, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, lane.stream);
    cudaStreamSynchronize(lane.stream);  // expect: gate chain
  }

//= last_piece_too_long: the last piece is as long as the others, and there is no more
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const int first = p * length;
    const size_t bytes = length * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);  // expect: invalid-copy
    line<<<(length + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, length, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, lane.stream);
  }

//= waiting_copies: cudaMemcpy has no stream, so that it uses the default one, and waits
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const int first = p * length, count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemcpy(lane.x, x + first, bytes, cudaMemcpyHostToDevice);
    line<<<(count + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, count, 3, 1);
    cudaMemcpy(y + first, lane.y, bytes, cudaMemcpyDeviceToHost);  // expect: gate chain
  }

//= copy_out_of_another: the copy out is in the next stream, which does not wait for the kernel
  for (int p = 0; p * length < n; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const cudaStream_t next = lanes[(p + 1) % lane_count].stream;
    const int first = p * length, count = std::min(length, n - first);
    const size_t bytes = count * sizeof(float);
    cudaMemsetAsync(lane.y, 0, bytes, lane.stream);
    cudaStreamSynchronize(lane.stream);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);
    line<<<(count + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, count, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, next);  // expect: race in the frame
  }

//= last_piece_lost: the number of pieces is rounded down
  for (int p = 0; p < n / length; ++p) {
    const Lane& lane = lanes[p % lane_count];
    const int first = p * length;
    const size_t bytes = length * sizeof(float);
    cudaMemcpyAsync(lane.x, x + first, bytes, cudaMemcpyHostToDevice, lane.stream);
    line<<<(length + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, length, 3, 1);
    cudaMemcpyAsync(y + first, lane.y, bytes, cudaMemcpyDeviceToHost, lane.stream);  // expect: wrong result
  }

//= stage_by_stage: right: all copies of a round of streams, then its kernels, then its copies back
  for (int round = 0; round * length < n; round += lane_count) {
    const auto each = [&](auto work) {
      for (int p = round; p < round + lane_count && p * length < n; ++p) {
        const int first = p * length;
        work(lanes[p % lane_count], first, std::min(length, n - first));
      }
    };
    each([&](const Lane& lane, int first, int count) {
      cudaMemcpyAsync(lane.x, x + first, count * sizeof(float), cudaMemcpyHostToDevice, lane.stream);
    });
    each([&](const Lane& lane, int, int count) {
      line<<<(count + 255) / 256, 256, 0, lane.stream>>>(lane.x, lane.y, count, 3, 1);
    });
    each([&](const Lane& lane, int first, int count) {  // expect: pass
      cudaMemcpyAsync(y + first, lane.y, count * sizeof(float), cudaMemcpyDeviceToHost, lane.stream);
    });
  }
