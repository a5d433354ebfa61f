// Typical wrong answers to 02_pass_it_on. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= no_wait: nothing makes the receiver wait until the sender has its numbers
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);  // expect: race in the frame
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
  }

//= sender_copies: the copy is in the sender's stream, and nothing makes the addition wait for it
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[sender].stream);  // expect: race
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
  }

//= empty_chunk: a chunk without elements is a grid without blocks
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);  // expect: launch-configuration
  }

//= device_not_set: every launch goes to the device that happens to be current
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);  // expect: wrong-device
  }

//= own_chunk: the receiver's number in place of the sender's
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(d, n, count), length = begin_of(d + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);  // expect: wrong result
  }

//= last_does_not_send: the ring is a line: device 0 gets nothing
  for (int d = 1; d < n; ++d) {  // expect: wrong result
    const int sender = d - 1;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
  }

//= overwrites: what arrives replaces the receiver's numbers
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].x + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].x + first, length);  // expect: wrong result
  }

//= whole_arrays: each device sends all its numbers, also those that it is adding to
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].arrived, d, device[sender].x, sender, count * sizeof(float), device[d].stream);  // expect: race
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
  }

//= device_after_device: right, but each waits until its neighbour has added
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
    cudaEventRecord(device[d].ready, device[d].stream);  // expect: gate chain
  }

//= host_waits: right, but the host stands between neighbours
  for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);  // expect: gate waits
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaMemcpyPeerAsync(device[d].arrived + first, d, device[sender].x + first, sender, length * sizeof(float), device[d].stream);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
  }

//= reads_directly: right: the addition reads the neighbour's chunk over the link
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaStreamWaitEvent(device[d].stream, device[sender].ready, 0);
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[sender].x + first, length);  // expect: pass
  }

//= over_the_host: right, but the numbers go over the host
  float* chunk = new float[count];
  for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    const int first = begin_of(sender, n, count), length = begin_of(sender + 1, n, count) - first;
    if (length == 0) continue;
    cudaSetDevice(d);
    cudaMemcpy(chunk, device[sender].x + first, length * sizeof(float), cudaMemcpyDeviceToHost);  // expect: gate peer
    cudaMemcpy(device[d].arrived + first, chunk, length * sizeof(float), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    add<<<(length + 255) / 256, 256, 0, device[d].stream>>>(device[d].x + first, device[d].arrived + first, length);
  }
  delete[] chunk;
