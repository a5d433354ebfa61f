// Typical wrong answers to 03_reduce_scatter. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_waits: nothing orders a step and the one before it
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: race in the frame
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= records_missing: the events still stand for the first step
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: race
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
    }
  }

//= one_step_late: the record covers the copy and not the addition
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: race
      cudaEventRecord(device[d].ready, device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
    }
  }

//= same_chunk: every step sends the same chunk
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = sender;  // expect: wrong result
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= wrong_way: the chunk number grows with the step
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender + s) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);  // expect: race in the frame
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= n_steps: right, but one step too many sends every chunk once more
  for (int s = 0; s < n; ++s) {  // expect: gate peer
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= one_step: only the first step
  for (int s = 0; s < 1; ++s) {  // expect: wrong result
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= rest_lost: chunks of count / n: the rest belongs to no chunk
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = chunk * (count / n), length = count / n;  // expect: wrong result
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= empty_chunk: a chunk without elements is a grid without blocks
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);  // expect: launch-configuration
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= device_not_set: every launch goes to the device that happens to be current
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);  // expect: wrong-device
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= device_after_device: right, but a device waits until its neighbour has done the same step
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
      cudaEventRecord(device[d].ready, device[d].stream);  // expect: gate chain
    }
  }

//= host_waits: right, but the host stands between the steps
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);  // expect: gate waits
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
    }
  }

//= over_the_host: right, but the host adds
  float* sums = new float[count]();
  float* row = new float[count];
  for (int d = 0; d < n; ++d) {
    cudaStreamSynchronize(device[d].stream);
    cudaMemcpy(row, device[d].x, count * sizeof(float), cudaMemcpyDeviceToHost);  // expect: gate peer
    for (int i = 0; i < count; ++i) sums[i] += row[i];
  }
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    cudaMemset(device[d].arrived, 0, count * sizeof(float));
    cudaMemcpy(device[d].x, sums, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    add<<<(count + 255) / 256, 256, 0, device[d].stream>>>(device[d].x, device[d].arrived, count);
  }
  delete[] sums;
  delete[] row;

//= reads_directly: right: the addition reads the chunk of the sender over the link
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[sender].x + first, length);  // expect: pass
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }
