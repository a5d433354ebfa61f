// Typical wrong answers to 01_neighbours_memory. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= wrong_device: device 0 is still current at the second launch
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaEventRecord(doubled, device[0].stream);
  cudaStreamWaitEvent(device[1].stream, doubled, 0);
  cudaMemcpyPeerAsync(device[1].array, 1, device[0].array, 0, bytes, device[1].stream);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[1].array, device[1].array, n);  // expect: wrong-device
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);

//= no_access: the kernel reads the other device, and nobody has asked for that
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaEventRecord(doubled, device[0].stream);
  cudaSetDevice(1);
  cudaStreamWaitEvent(device[1].stream, doubled, 0);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[0].array, device[1].array, n);  // expect: peer-access in the frame
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);

//= opposite_direction: the owner has asked for access to the reader
  cudaDeviceEnablePeerAccess(1, 0);
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaEventRecord(doubled, device[0].stream);
  cudaSetDevice(1);
  cudaStreamWaitEvent(device[1].stream, doubled, 0);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[0].array, device[1].array, n);  // expect: peer-access in the frame
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);

//= no_event: nothing orders the two devices
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);  // expect: race
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMemcpyPeerAsync(device[1].array, 1, device[0].array, 0, bytes, device[1].stream);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[1].array, device[1].array, n);
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);

//= one_device_waited_for: cudaDeviceSynchronize waits for the current device alone
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaEventRecord(doubled, device[0].stream);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaStreamWaitEvent(device[1].stream, doubled, 0);
  cudaMemcpyPeerAsync(device[1].array, 1, device[0].array, 0, bytes, device[1].stream);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[1].array, device[1].array, n);
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaSetDevice(0);
  cudaDeviceSynchronize();  // expect: missing-sync in the frame

//= over_the_host: right, but without access the copy goes over the host
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaEventRecord(doubled, device[0].stream);
  cudaSetDevice(1);
  cudaStreamWaitEvent(device[1].stream, doubled, 0);
  cudaMemcpyPeerAsync(device[1].array, 1, device[0].array, 0, bytes, device[1].stream);  // expect: gate peer
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[1].array, device[1].array, n);
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);

//= host_waits: right, but the host stands between the devices
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaStreamSynchronize(device[0].stream);  // expect: gate waits
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMemcpyPeerAsync(device[1].array, 1, device[0].array, 0, bytes, device[1].stream);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[1].array, device[1].array, n);
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);

//= reads_directly: right: the kernel of device 1 reads the memory of device 0
  cudaMemcpyAsync(device[0].array, in, bytes, cudaMemcpyHostToDevice, device[0].stream);
  twice<<<blocks, 256, 0, device[0].stream>>>(device[0].array, n);
  cudaEventRecord(doubled, device[0].stream);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaStreamWaitEvent(device[1].stream, doubled, 0);
  plus_one<<<blocks, 256, 0, device[1].stream>>>(device[0].array, device[1].array, n);  // expect: pass
  cudaMemcpyAsync(out, device[1].array, bytes, cudaMemcpyDeviceToHost, device[1].stream);
  cudaStreamSynchronize(device[1].stream);
