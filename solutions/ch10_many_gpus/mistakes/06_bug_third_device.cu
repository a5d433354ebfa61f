// Typical wrong answers to 06_bug_third_device. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= as_given: the chunk goes the wrong way around, which two devices cannot show
  for (int s = 0; s < n - 1; ++s) {
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender + s) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender,  // expect: race
                            length * sizeof(float), device[d].stream);
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= own_chunk_only: in every step each device sends its first chunk again
  for (int s = 0; s < n - 1; ++s) {
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = sender;  // expect: wrong result
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= chunk_of_receiver: the receiver asks for a chunk that the sender gets one step later
  for (int s = 0; s < n - 1; ++s) {
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (d - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: wrong result
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= negative_remainder: the remainder of a negative number is negative
  for (int s = 0; s < n - 1; ++s) {
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: invalid-copy
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= one_step_short: one step too few
  for (int s = 0; s < n - 2; ++s) {  // expect: wrong result
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= no_waits: nothing makes a device wait until its neighbour has the chunk
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: race in the frame
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= recorded_too_early: the mark is set before the copy that it stands for
  for (int s = 0; s < n - 1; ++s) {
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      cudaEventRecord(device[d].ready, device[d].stream);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: race
      }
    }
  }

//= device_after_device: right, but a wait comes after the first record of its step
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);  // expect: gate chain
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= host_waits: right, but the host waits before every step
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);  // expect: gate waits
    // All waits before the first record of the step: a wait uses the latest record.
    for (int d = 0; d < n; ++d) {
      cudaStreamWaitEvent(device[d].stream, device[(d + n - 1) % n].ready, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int sender = (d + n - 1) % n, chunk = (sender - s + n) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) {
        cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
      }
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= from_the_owner: right: each device fetches every chunk from the device that had it first
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) {
      const int owner = (d + n - 1 - s) % n;
      const int first = begin_of(owner, n, count), length = begin_of(owner + 1, n, count) - first;
      if (length == 0) continue;
      cudaSetDevice(d);
      cudaStreamWaitEvent(device[d].stream, device[owner].ready, 0);
      cudaMemcpyPeerAsync(device[d].x + first, d, device[owner].x + first, owner, length * sizeof(float), device[d].stream);  // expect: pass
    }
  }

//= other_direction: right: the ring the other way around
  for (int s = 0; s < n - 1; ++s) {
    for (int d = 0; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[(d + 1) % n].ready, 0);
    for (int d = 0; d < n; ++d) {
      const int sender = (d + 1) % n, chunk = (sender + s) % n;
      const int first = begin_of(chunk, n, count), length = begin_of(chunk + 1, n, count) - first;
      cudaSetDevice(d);
      if (length > 0) cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: pass
      cudaEventRecord(device[d].ready, device[d].stream);
    }
  }

//= over_the_host: right, but the chunks go over the host
  float* chunk = new float[count];
  for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);
  for (int owner = 0; owner < n; ++owner) {
    const int first = begin_of(owner, n, count), length = begin_of(owner + 1, n, count) - first;
    if (length == 0) continue;
    cudaMemcpy(chunk, device[owner].x + first, length * sizeof(float), cudaMemcpyDeviceToHost);  // expect: gate peer
    for (int d = 0; d < n; ++d) {
      if (d != owner) cudaMemcpy(device[d].x + first, chunk, length * sizeof(float), cudaMemcpyHostToDevice);
    }
  }
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  delete[] chunk;
