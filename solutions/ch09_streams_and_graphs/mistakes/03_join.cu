// Typical wrong answers to 03_join. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= no_events: two streams and no order between them
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);  // expect: race in the frame
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);

//= no_fork: nothing makes the second stream wait for the copy
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);  // expect: race in the frame
  cudaEventRecord(d.found, d.second);
  cudaStreamWaitEvent(d.first, d.found, 0);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);

//= no_join: apply does not wait for the largest value
  cudaEventRecord(d.loaded, d.first);
  cudaStreamWaitEvent(d.second, d.loaded, 0);
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);  // expect: race in the frame

//= wait_before_record: the wait is issued before the event is recorded, and waits for nothing
  cudaEventRecord(d.loaded, d.first);
  cudaStreamWaitEvent(d.second, d.loaded, 0);
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);
  cudaStreamWaitEvent(d.first, d.found, 0);
  cudaEventRecord(d.found, d.second);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);  // expect: race in the frame

//= recorded_too_early: the record does not hold what is launched after it
  cudaEventRecord(d.loaded, d.first);
  cudaStreamWaitEvent(d.second, d.loaded, 0);
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  cudaEventRecord(d.found, d.second);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);
  cudaStreamWaitEvent(d.first, d.found, 0);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);  // expect: race in the frame

//= recorded_in_the_wrong_stream: the event is recorded in the stream that waits for it
  cudaEventRecord(d.loaded, d.first);
  cudaStreamWaitEvent(d.second, d.loaded, 0);
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);
  cudaEventRecord(d.found, d.first);
  cudaStreamWaitEvent(d.first, d.found, 0);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);  // expect: race in the frame

//= host_waits: right order, but the host stands between the streams
  cudaStreamSynchronize(d.first);
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);
  cudaStreamSynchronize(d.second);  // expect: gate waits
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);

//= one_stream: right, and the two searches take turns
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.first>>>(d.x, n, d.largest);  // expect: gate chain
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);

//= one_after_the_other: two streams, but the second kernel waits for the first
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  cudaEventRecord(d.loaded, d.first);
  cudaStreamWaitEvent(d.second, d.loaded, 0);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);  // expect: gate chain
  cudaEventRecord(d.found, d.second);
  cudaStreamWaitEvent(d.first, d.found, 0);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);

//= one_event: right: one event serves both directions, each wait uses its latest record
  cudaEventRecord(d.loaded, d.first);
  cudaStreamWaitEvent(d.second, d.loaded, 0);
  find_mean<<<1, 256, 0, d.first>>>(d.x, n, d.mean);
  find_largest<<<1, 256, 0, d.second>>>(d.x, n, d.largest);
  cudaEventRecord(d.loaded, d.second);
  cudaStreamWaitEvent(d.first, d.loaded, 0);
  apply<<<(n + 255) / 256, 256, 0, d.first>>>(d.x, d.mean, d.largest, d.y, n);  // expect: pass
