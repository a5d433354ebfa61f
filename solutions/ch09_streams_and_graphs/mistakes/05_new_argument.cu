// Typical wrong answers to 05_new_argument. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= host_variable_changed: the node has a copy of the rate, and changing the variable does not reach it
  float rate = rates[0];
  const int blocks = (n + 255) / 256;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  scale<<<blocks, 256, 0, stream>>>(state, rate, n);
  add<<<blocks, 256, 0, stream>>>(state, x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int run = 0; run < runs; ++run) {
    rate = rates[run];
    cudaGraphLaunch(instance, stream);
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);  // expect: wrong result

//= updated_after_the_launch: an update holds from the next launch on, so that each run is one late
  const int blocks = (n + 255) / 256;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  scale<<<blocks, 256, 0, stream>>>(state, rates[0], n);
  add<<<blocks, 256, 0, stream>>>(state, x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphNode_t first;
  size_t count = 1;
  cudaGraphGetRootNodes(graph, &first, &count);
  cudaKernelNodeParams params = {};
  cudaGraphKernelNodeGetParams(first, &params);
  for (int run = 0; run < runs; ++run) {
    float rate = rates[run];
    void* arguments[] = {&state, &rate, &n};
    params.kernelParams = arguments;
    cudaGraphLaunch(instance, stream);
    cudaGraphExecKernelNodeSetParams(instance, first, &params);
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);  // expect: wrong result

//= graph_changed_not_instance: the graph is changed, which the instance no longer looks at
  const int blocks = (n + 255) / 256;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  scale<<<blocks, 256, 0, stream>>>(state, rates[0], n);
  add<<<blocks, 256, 0, stream>>>(state, x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphNode_t first;
  size_t count = 1;
  cudaGraphGetRootNodes(graph, &first, &count);
  cudaKernelNodeParams params = {};
  cudaGraphKernelNodeGetParams(first, &params);
  for (int run = 0; run < runs; ++run) {
    float rate = rates[run];
    void* arguments[] = {&state, &rate, &n};
    params.kernelParams = arguments;
    cudaGraphKernelNodeSetParams(first, &params);
    cudaGraphLaunch(instance, stream);
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);  // expect: wrong result

//= instantiated_each_time: right, and each run pays for a new instance
  for (int run = 0; run < runs; ++run) {
    const int blocks = (n + 255) / 256;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    scale<<<blocks, 256, 0, stream>>>(state, rates[run], n);
    add<<<blocks, 256, 0, stream>>>(state, x, n);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);  // expect: gate instances
    cudaGraphLaunch(instance, stream);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
  }

//= plain_launches: right, without a graph
  for (int run = 0; run < runs; ++run) {
    scale<<<(n + 255) / 256, 256, 0, stream>>>(state, rates[run], n);
    add<<<(n + 255) / 256, 256, 0, stream>>>(state, x, n);  // expect: gate graphs
  }

//= waits_for_each_run: right, and the host waits for each run before it changes the graph
  const int blocks = (n + 255) / 256;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  scale<<<blocks, 256, 0, stream>>>(state, rates[0], n);
  add<<<blocks, 256, 0, stream>>>(state, x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphNode_t first;
  size_t count = 1;
  cudaGraphGetRootNodes(graph, &first, &count);
  cudaKernelNodeParams params = {};
  cudaGraphKernelNodeGetParams(first, &params);
  for (int run = 0; run < runs; ++run) {
    float rate = rates[run];
    void* arguments[] = {&state, &rate, &n};
    params.kernelParams = arguments;
    cudaGraphExecKernelNodeSetParams(instance, first, &params);
    cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);  // expect: gate waits
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);

//= never_launched: the graph is updated for each run, and nothing runs
  const int blocks = (n + 255) / 256;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  scale<<<blocks, 256, 0, stream>>>(state, rates[0], n);
  add<<<blocks, 256, 0, stream>>>(state, x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphNode_t first;
  size_t count = 1;
  cudaGraphGetRootNodes(graph, &first, &count);
  cudaKernelNodeParams params = {};
  cudaGraphKernelNodeGetParams(first, &params);
  for (int run = 0; run < runs; ++run) {
    float rate = rates[run];
    void* arguments[] = {&state, &rate, &n};
    params.kernelParams = arguments;
    cudaGraphExecKernelNodeSetParams(instance, first, &params);
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);  // expect: wrong result

//= captured_again: right: a new capture of the same nodes updates the instance as a whole
  const int blocks = (n + 255) / 256;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  scale<<<blocks, 256, 0, stream>>>(state, rates[0], n);
  add<<<blocks, 256, 0, stream>>>(state, x, n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&instance, graph, 0);
  for (int run = 0; run < runs; ++run) {
    cudaGraph_t fresh;
    cudaGraphExecUpdateResultInfo info;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    scale<<<blocks, 256, 0, stream>>>(state, rates[run], n);
    add<<<blocks, 256, 0, stream>>>(state, x, n);
    cudaStreamEndCapture(stream, &fresh);
    cudaGraphExecUpdate(instance, fresh, &info);
    cudaGraphDestroy(fresh);
    cudaGraphLaunch(instance, stream);
  }
  cudaGraphExecDestroy(instance);
  cudaGraphDestroy(graph);  // expect: pass
