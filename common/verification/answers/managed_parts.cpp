// Advice and prefetches for parts of a managed allocation.
#include "answers.h"

using namespace answers;

namespace {

constexpr std::size_t page = 4096;
const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};

char* managed_pages(std::size_t count) {
  char* fresh = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&fresh), count * page);
  return fresh;
}

void ask_about(const char* what, const char* from, std::size_t bytes) {
  int values[8] = {};
  constexpr cudaMemRangeAttribute all[] = {
      cudaMemRangeAttributeReadMostly,
      cudaMemRangeAttributePreferredLocation,
      cudaMemRangeAttributeLastPrefetchLocation,
      cudaMemRangeAttributePreferredLocationType,
      cudaMemRangeAttributePreferredLocationId,
      cudaMemRangeAttributeLastPrefetchLocationType,
      cudaMemRangeAttributeLastPrefetchLocationId,
  };
  std::printf("%s:", what);
  for (int i = 0; i < 7; ++i) {
    const cudaError_t error = cudaMemRangeGetAttribute(&values[i], 4, all[i], from, bytes);
    if (error == cudaSuccess)
      std::printf(" %d", values[i]);
    else
      std::printf(" %s", cudaGetErrorName(error));
  }
  int users[3] = {};
  const cudaError_t error =
      cudaMemRangeGetAttribute(users, sizeof users, cudaMemRangeAttributeAccessedBy, from, bytes);
  std::printf("; %s %d %d %d\n", cudaGetErrorName(error), users[0], users[1], users[2]);
  cudaGetLastError();
}

}  // namespace

SUBJECT(managed_parts) {
  char* m = managed_pages(1024);
  const auto parts = [&] {
    ask_about("page 0", m, page);
    ask_about("page 1", m + page, page);
    ask_about("page 2", m + 2 * page, page);
    ask_about("pages 0 and 1", m, 2 * page);
    ask_about("pages 1 and 2", m + page, 2 * page);
    ask_about("page 16", m + 16 * page, page);
    ask_about("page 512", m + 512 * page, page);
    ask_about("all", m, 1024 * page);
    ask_about("a byte of page 0", m + 17, 1);
    ask_about("a byte of page 1", m + page + 17, 1);
  };
  about("at first");
  parts();
  about("page 1 mostly read");
  ASK(cudaMemAdvise(m + page, page, cudaMemAdviseSetReadMostly, device));
  parts();
  about("page 1 not");
  ASK(cudaMemAdvise(m + page, page, cudaMemAdviseUnsetReadMostly, device));
  parts();
  about("all mostly read, page 1 not");
  ASK(cudaMemAdvise(m, 1024 * page, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemAdvise(m + page, page, cudaMemAdviseUnsetReadMostly, device));
  parts();
  ASK(cudaMemAdvise(m, 1024 * page, cudaMemAdviseUnsetReadMostly, device));
  about("page 1 preferred on the device");
  ASK(cudaMemAdvise(m + page, page, cudaMemAdviseSetPreferredLocation, device));
  parts();
  about("page 0 on the host");
  ASK(cudaMemAdvise(m, page, cudaMemAdviseSetPreferredLocation, host));
  parts();
  about("all on the device");
  ASK(cudaMemAdvise(m, 1024 * page, cudaMemAdviseSetPreferredLocation, device));
  parts();
  ASK(cudaMemAdvise(m, 1024 * page, cudaMemAdviseUnsetPreferredLocation, device));
  about("page 1 accessed by the device, page 2 also by the host");
  ASK(cudaMemAdvise(m + page, 2 * page, cudaMemAdviseSetAccessedBy, device));
  ASK(cudaMemAdvise(m + 2 * page, page, cudaMemAdviseSetAccessedBy, host));
  parts();
  ask_about("pages 1 to 2", m + page, 2 * page);
  ASK(cudaMemAdvise(m, 1024 * page, cudaMemAdviseUnsetAccessedBy, device));
  ASK(cudaMemAdvise(m, 1024 * page, cudaMemAdviseUnsetAccessedBy, host));
  about("page 1 prefetched to the device");
  ASK(cudaMemPrefetchAsync(m + page, page, device, 0, nullptr));
  cudaDeviceSynchronize();
  parts();
  about("page 0 prefetched to the host");
  ASK(cudaMemPrefetchAsync(m, page, host, 0, nullptr));
  cudaDeviceSynchronize();
  parts();
  about("all prefetched to the device");
  ASK(cudaMemPrefetchAsync(m, 1024 * page, device, 0, nullptr));
  cudaDeviceSynchronize();
  parts();
  about("crooked ranges");
  ASK(cudaMemAdvise(m + page + 100, 10, cudaMemAdviseSetReadMostly, device));
  parts();
  ASK(cudaMemAdvise(m + 100, page, cudaMemAdviseUnsetReadMostly, device));
  parts();
  ASK(cudaMemAdvise(m + page - 1, 2, cudaMemAdviseSetReadMostly, device));
  parts();
  about("across the end");
  ASK(cudaMemAdvise(m + 1023 * page, 2 * page, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemPrefetchAsync(m + 1023 * page, 2 * page, device, 0, nullptr));
  ask_about("beyond the end", m + 1023 * page, 2 * page);
  about("allocations of few bytes");
  char *few = nullptr, *more = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&few), 100);
  cudaMallocManaged(reinterpret_cast<void**>(&more), 100);
  ask_about("100 bytes", few, 100);
  ask_about("101 bytes", few, 101);
  ASK(cudaMemAdvise(few, 100, cudaMemAdviseSetReadMostly, device));
  ask_about("advised", few, 100);
  ask_about("another", more, 100);
  ASK(cudaMemAdvise(few, 101, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemAdvise(few, page, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemPrefetchAsync(few, page, device, 0, nullptr));
  about("freed, and made again");
  ASK(cudaFree(m));
  m = managed_pages(1024);
  ask_about("all", m, 1024 * page);
  about("both");
  int values[2] = {};
  void* outputs[] = {&values[0], &values[1]};
  std::size_t sizes[] = {4, 4};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly,
                                   cudaMemRangeAttributePreferredLocation};
  ASK(cudaMemAdvise(m + page, page, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemAdvise(m, 2 * page, cudaMemAdviseSetPreferredLocation, device));
  ASK(cudaMemRangeGetAttributes(outputs, sizes, which, 2, m, 2 * page));
  SHOW(values[0]);
  SHOW(values[1]);
  ASK(cudaMemRangeGetAttributes(outputs, sizes, which, 2, m + page, page));
  SHOW(values[0]);
  SHOW(values[1]);
}
