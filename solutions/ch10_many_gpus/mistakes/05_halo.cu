// Typical wrong answers to 05_halo. Each is only the text that replaces the blank of the solution; the
// line that causes the failure carries what the check must say about it.

//= no_waits: nothing orders a device and its neighbours
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);  // expect: race in the frame
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= left_only: a device waits for its left neighbour alone
  for (int t = 0; t < T; ++t) {
    for (int d = 1; d < n; ++d) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);  // expect: race in the frame
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= recorded_too_early: the record covers the copies and not the step
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);  // expect: race in the frame
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      cudaEventRecord(device[d].done, device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
    }
  }

//= not_recorded: the events still stand for the first numbers
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);  // expect: race
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
    }
  }

//= no_halo: the halo is never filled
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);  // expect: wrong result
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= first_step_only: the halo is fetched before the first step alone
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (t == 0 && d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);
      if (t == 0 && d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);  // expect: wrong result
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= wrong_end: the halo gets the first cell of the left neighbour
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + 1, d - 1, sizeof(float), device[d].stream);  // expect: wrong result
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= off_by_one: the halo of the neighbour in place of its last cell
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length + 1, d - 1, sizeof(float), device[d].stream);  // expect: race
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= device_not_set: every launch goes to the device that happens to be current
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);  // expect: wrong-device
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= one_step_less: T - 1 steps
  for (int t = 0; t < T - 1; ++t) {  // expect: wrong result
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }

//= device_after_device: right, but a device waits until its neighbour has done the same step
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
      cudaEventRecord(device[d].done, device[d].stream);  // expect: gate chain
    }
  }

//= host_waits: right, but the host stands between the steps
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);  // expect: gate waits
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyPeerAsync(from, d, device[d - 1].cells[t % 2] + device[d - 1].length, d - 1, sizeof(float), device[d].stream);
      if (d + 1 < n) cudaMemcpyPeerAsync(from + length + 1, d, device[d + 1].cells[t % 2] + 1, d + 1, sizeof(float), device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
    }
  }

//= over_the_host: right, but the cells go over the host
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) cudaStreamSynchronize(device[d].stream);
    float cell;
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) {
        cudaMemcpy(&cell, device[d - 1].cells[t % 2] + device[d - 1].length, sizeof(float), cudaMemcpyDeviceToHost);  // expect: gate peer
        cudaMemcpy(from, &cell, sizeof(float), cudaMemcpyHostToDevice);
      }
      if (d + 1 < n) {
        cudaMemcpy(&cell, device[d + 1].cells[t % 2] + 1, sizeof(float), cudaMemcpyDeviceToHost);
        cudaMemcpy(from + length + 1, &cell, sizeof(float), cudaMemcpyHostToDevice);
      }
      cudaDeviceSynchronize();
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);
    }
  }

//= default_copies: right: the addresses say which devices they belong to
  for (int t = 0; t < T; ++t) {
    for (int d = 0; d < n; ++d) {
      if (d > 0) cudaStreamWaitEvent(device[d].stream, device[d - 1].done, 0);
      if (d + 1 < n) cudaStreamWaitEvent(device[d].stream, device[d + 1].done, 0);
    }
    for (int d = 0; d < n; ++d) {
      const int length = device[d].length;
      float* from = device[d].cells[t % 2];
      cudaSetDevice(d);
      if (d > 0) cudaMemcpyAsync(from, device[d - 1].cells[t % 2] + device[d - 1].length, sizeof(float), cudaMemcpyDefault, device[d].stream);
      if (d + 1 < n) cudaMemcpyAsync(from + length + 1, device[d + 1].cells[t % 2] + 1, sizeof(float), cudaMemcpyDefault, device[d].stream);
      average<<<(length + 255) / 256, 256, 0, device[d].stream>>>(from, device[d].cells[1 - t % 2], length);  // expect: pass
      cudaEventRecord(device[d].done, device[d].stream);
    }
  }
