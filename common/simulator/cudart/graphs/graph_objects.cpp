#include <cuda_runtime_api.h>

#include "simulator/cudart/graphs/graph.h"
#include "simulator/cudart/graphs/user_object.h"
#include "simulator/cudart/report/error.h"

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return call_without_device("cudaGraphRetainUserObject", [&] {
    if ((flags & ~unsigned{cudaGraphUserObjectMove}) != 0) throw Failure{cudaErrorInvalidValue, ""};
    Graph& owner = find_graph(graph);
    UserObject* kept = checked(object, count);
    if (flags != cudaGraphUserObjectMove) retain(kept, count);
    owner.objects.add(kept, count);
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return call_without_device("cudaGraphReleaseUserObject", [&] {
    find_graph(graph).objects.remove(checked(object, count), count);
  });
}
}
