// Typical wrong answers to 04_capture_loop. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= plain_launches: right, and every kernel is a launch of its own
  for (int step = 0; step < steps; ++step) {
    spread<<<(n + 255) / 256, 256, 0, stream>>>(step % 2 ? b : a, step % 2 ? a : b, n);  // expect: gate calls
    feed<<<(n + 255) / 256, 256, 0, stream>>>(step % 2 ? a : b, n);
  }
  return steps % 2 ? b : a;

//= pointers_changed_outside: one step is captured, and changing the host's pointers changes no node
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaMemsetAsync(b, 0, n * sizeof(float), stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  spread<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n);
  feed<<<(n + 255) / 256, 256, 0, stream>>>(b, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) {
    cudaGraphLaunch(instance, stream);
    float* other = a;
    a = b, b = other;
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  return a;  // expect: wrong result

//= never_launched: a capture runs nothing
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaMemsetAsync(b, 0, n * sizeof(float), stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int step = 0; step < steps; ++step) {
    spread<<<(n + 255) / 256, 256, 0, stream>>>(step % 2 ? b : a, step % 2 ? a : b, n);
    feed<<<(n + 255) / 256, 256, 0, stream>>>(step % 2 ? a : b, n);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  return steps % 2 ? b : a;  // expect: wrong result

//= instantiated_each_time: the graph is built again for each pair of steps
  for (int step = 0; step < steps; step += 2) {
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < 2 && step + i < steps; ++i) {
      spread<<<(n + 255) / 256, 256, 0, stream>>>(i ? b : a, i ? a : b, n);
      feed<<<(n + 255) / 256, 256, 0, stream>>>(i ? a : b, n);
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);  // expect: gate instances
    cudaGraphLaunch(instance, stream);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
  }
  return steps % 2 ? b : a;

//= allocates_inside: memory is asked for while the stream is captured, which spoils the capture
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  float* more;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaMalloc(&more, n * sizeof(float));
  spread<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n);
  feed<<<(n + 255) / 256, 256, 0, stream>>>(b, n);  // expect: unchecked-error
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  return b;

//= waits_inside: the stream is waited for while it is captured
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  spread<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n);
  cudaStreamSynchronize(stream);
  feed<<<(n + 255) / 256, 256, 0, stream>>>(b, n);  // expect: unchecked-error
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  return b;

//= without_its_stream: a kernel in the default stream is not captured, and may not run meanwhile
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  spread<<<(n + 255) / 256, 256>>>(a, b, n);
  feed<<<(n + 255) / 256, 256, 0, stream>>>(b, n);  // expect: unchecked-error
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int step = 0; step < steps; ++step) cudaGraphLaunch(instance, stream);
  return b;

//= waits_for_each_launch: right, and the host waits for each pair of steps
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int step = 0; step < 2; ++step) {
    spread<<<(n + 255) / 256, 256, 0, stream>>>(step ? b : a, step ? a : b, n);
    feed<<<(n + 255) / 256, 256, 0, stream>>>(step ? a : b, n);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int pair = 0; pair < steps / 2; ++pair) {
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);  // expect: gate waits
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  if (steps % 2 == 0) return a;
  spread<<<(n + 255) / 256, 256, 0, stream>>>(a, b, n);
  feed<<<(n + 255) / 256, 256, 0, stream>>>(b, n);
  return b;

//= odd_step_lost: pairs of steps alone, so that an odd number ends a step early
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int step = 0; step < 2; ++step) {
    spread<<<(n + 255) / 256, 256, 0, stream>>>(step ? b : a, step ? a : b, n);
    feed<<<(n + 255) / 256, 256, 0, stream>>>(step ? a : b, n);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int pair = 0; pair < steps / 2; ++pair) cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  return a;  // expect: wrong result

//= all_steps: right: one graph holds every step, and is launched once
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int step = 0; step < steps; ++step) {
    spread<<<(n + 255) / 256, 256, 0, stream>>>(step % 2 ? b : a, step % 2 ? a : b, n);
    feed<<<(n + 255) / 256, 256, 0, stream>>>(step % 2 ? a : b, n);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphLaunch(instance, stream);
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);
  return steps % 2 ? b : a;  // expect: pass
