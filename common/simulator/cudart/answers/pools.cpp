// Managed memory: advice, prefetches; memory pools.
#include "answers.h"

using namespace answers;

namespace {

void* device_bytes(std::size_t bytes) {
  void* fresh = nullptr;
  cudaMalloc(&fresh, bytes);
  return fresh;
}

}  // namespace

SUBJECT(managed_ranges) {
  char* m = nullptr;
  char* d = static_cast<char*>(device_bytes(1 << 20));
  int host = 0;
  const std::size_t bytes = 4 << 20;
  cudaMallocManaged(reinterpret_cast<void**>(&m), bytes);
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, cpu = {cudaMemLocationTypeHost, 0},
                        none = {cudaMemLocationTypeDevice, 9};
  ASK(cudaMemPrefetchAsync(m, bytes, device, 0, nullptr));
  ASK(cudaMemPrefetchAsync(m, bytes, cpu, 0, nullptr));
  ASK(cudaMemPrefetchAsync(m, bytes, none, 0, nullptr));
  ASK(cudaMemPrefetchAsync(m, bytes, device, 1, nullptr));
  ASK(cudaMemPrefetchAsync(m, 0, device, 0, nullptr));
  ASK(cudaMemPrefetchAsync(m, bytes * 8, device, 0, nullptr));
  ASK(cudaMemPrefetchAsync(d, 4096, device, 0, nullptr));
  ASK(cudaMemPrefetchAsync(d, 4096, none, 0, nullptr));
  ASK(cudaMemPrefetchAsync(nullptr, 4096, device, 0, nullptr));
  ASK(cudaMemPrefetchAsync(m, bytes, cudaMemLocation{cudaMemLocationTypeInvalid, 0}, 0, nullptr));
  int value = -7, list[2] = {-7, -7};
  const auto get = [&](cudaMemRangeAttribute attribute) {
    value = -7;
    return cudaMemRangeGetAttribute(&value, 4, attribute, m, bytes);
  };
  const auto advise = [&](cudaMemoryAdvise advice, cudaMemLocation where) {
    return cudaMemAdvise(m, bytes, advice, where);
  };
  cudaDeviceSynchronize();
  ASK(get(cudaMemRangeAttributeReadMostly));
  SHOW(value);
  ASK(get(cudaMemRangeAttributePreferredLocation));
  SHOW(value);
  ASK(get(cudaMemRangeAttributeLastPrefetchLocation));
  SHOW(value);
  ASK(get(cudaMemRangeAttributeAccessedBy));
  SHOW(value);
  ASK(get(cudaMemRangeAttributePreferredLocationType));
  SHOW(value);
  ASK(get(cudaMemRangeAttributePreferredLocationId));
  SHOW(value);
  ASK(get(cudaMemRangeAttributeLastPrefetchLocationType));
  SHOW(value);
  ASK(get(cudaMemRangeAttributeLastPrefetchLocationId));
  SHOW(value);
  ASK(advise(cudaMemAdviseSetReadMostly, device));
  ASK(get(cudaMemRangeAttributeReadMostly));
  SHOW(value);
  ASK(advise(cudaMemAdviseUnsetReadMostly, device));
  ASK(get(cudaMemRangeAttributeReadMostly));
  SHOW(value);
  ASK(advise(cudaMemAdviseSetPreferredLocation, device));
  ASK(get(cudaMemRangeAttributePreferredLocation));
  SHOW(value);
  ASK(advise(cudaMemAdviseSetPreferredLocation, cpu));
  ASK(get(cudaMemRangeAttributePreferredLocation));
  SHOW(value);
  ASK(get(cudaMemRangeAttributePreferredLocationType));
  SHOW(value);
  ASK(advise(cudaMemAdviseUnsetPreferredLocation, device));
  ASK(get(cudaMemRangeAttributePreferredLocation));
  SHOW(value);
  ASK(advise(cudaMemAdviseSetAccessedBy, device));
  ASK(cudaMemRangeGetAttribute(list, 8, cudaMemRangeAttributeAccessedBy, m, bytes));
  SHOW(list[0]);
  SHOW(list[1]);
  ASK(advise(cudaMemAdviseUnsetAccessedBy, device));
  ASK(advise(cudaMemAdviseSetPreferredLocation, none));
  ASK(advise(static_cast<cudaMemoryAdvise>(77), device));
  ASK(cudaMemAdvise(d, 4096, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemAdvise(m, 0, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemAdvise(nullptr, 4096, cudaMemAdviseSetReadMostly, device));
  ASK(cudaMemPrefetchAsync(m, bytes, device, 0, nullptr));
  cudaDeviceSynchronize();
  ASK(get(cudaMemRangeAttributeLastPrefetchLocation));
  SHOW(value);
  ASK(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, m, bytes));
  ASK(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, m, bytes));
  ASK(cudaMemRangeGetAttribute(&value, 4, static_cast<cudaMemRangeAttribute>(77), m, bytes));
  ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, d, 4096));
  void* outputs[] = {&list[0], &list[1]};
  std::size_t sizes[] = {4, 4};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly,
                                   cudaMemRangeAttributeLastPrefetchLocation};
  ASK(cudaMemRangeGetAttributes(outputs, sizes, which, 2, m, bytes));
  SHOW(list[0]);
  SHOW(list[1]);
  ASK(cudaMemRangeGetAttributes(outputs, sizes, which, 0, m, bytes));
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  ASK(cudaStreamAttachMemAsync(stream, m, 0, cudaMemAttachSingle));
  ASK(cudaStreamAttachMemAsync(stream, m, 0, cudaMemAttachGlobal));
  ASK(cudaStreamAttachMemAsync(stream, m, 0, 99));
  ASK(cudaStreamAttachMemAsync(stream, m + 4, 0, cudaMemAttachSingle));
  ASK(cudaStreamAttachMemAsync(nullptr, m, 0, cudaMemAttachSingle));
  ASK(cudaStreamAttachMemAsync(stream, d, 0, cudaMemAttachSingle));
  (void)host;
}

SUBJECT(pools) {
  cudaMemPool_t standard = nullptr, current = nullptr, own = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  void *p = nullptr, *q = nullptr;
  ASK(cudaDeviceGetDefaultMemPool(&standard, 0));
  ASK(cudaDeviceGetDefaultMemPool(&standard, 9));
  ASK(cudaDeviceGetDefaultMemPool(nullptr, 0));
  ASK(cudaDeviceGetMemPool(&current, 0));
  SHOW(current == standard);
  ASK(cudaMallocAsync(&p, 1000, stream));
  ASK(cudaMallocAsync(&q, 0, stream));
  SHOW(q);
  ASK(cudaMallocAsync(nullptr, 4, stream));
  ASK(cudaMallocAsync(&q, std::size_t{1} << 45, stream));
  ASK(cudaFreeAsync(nullptr, stream));
  const auto number = [&](cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    unsigned long long value = 0;
    const cudaError_t error = cudaMemPoolGetAttribute(pool, attribute, &value);
    return error == cudaSuccess ? static_cast<long long>(value) : -static_cast<long long>(error);
  };
  SHOW(number(standard, cudaMemPoolReuseFollowEventDependencies));
  SHOW(number(standard, cudaMemPoolReuseAllowOpportunistic));
  SHOW(number(standard, cudaMemPoolReuseAllowInternalDependencies));
  SHOW(number(standard, cudaMemPoolAttrReleaseThreshold));
  SHOW(number(standard, cudaMemPoolAttrUsedMemCurrent));
  SHOW(number(standard, cudaMemPoolAttrUsedMemHigh));
  SHOW(number(standard, cudaMemPoolAttrReservedMemCurrent));
  SHOW(number(standard, cudaMemPoolAttrReservedMemHigh));
  SHOW(number(standard, static_cast<cudaMemPoolAttr>(99)));
  ASK(cudaFreeAsync(p, stream));
  ASK(cudaFreeAsync(p, stream));
  ASK(cudaStreamSynchronize(stream));
  SHOW(number(standard, cudaMemPoolAttrUsedMemCurrent));
  SHOW(number(standard, cudaMemPoolAttrUsedMemHigh));
  SHOW(number(standard, cudaMemPoolAttrReservedMemCurrent));
  const auto set = [&](cudaMemPool_t pool, cudaMemPoolAttr attribute, unsigned long long value) {
    return cudaMemPoolSetAttribute(pool, attribute, &value);
  };
  ASK(set(standard, cudaMemPoolAttrUsedMemHigh, 0));
  SHOW(number(standard, cudaMemPoolAttrUsedMemHigh));
  ASK(set(standard, cudaMemPoolAttrUsedMemHigh, 5));
  ASK(set(standard, cudaMemPoolAttrReservedMemHigh, 0));
  ASK(set(standard, cudaMemPoolAttrUsedMemCurrent, 0));
  ASK(set(standard, cudaMemPoolAttrReservedMemCurrent, 0));
  ASK(set(standard, cudaMemPoolAttrReleaseThreshold, ~0ull));
  SHOW(number(standard, cudaMemPoolAttrReleaseThreshold) == -1);
  ASK(cudaMallocAsync(&p, 1000, stream));
  ASK(cudaFreeAsync(p, stream));
  ASK(cudaStreamSynchronize(stream));
  SHOW(number(standard, cudaMemPoolAttrReservedMemCurrent));
  ASK(cudaMemPoolTrimTo(standard, 0));
  SHOW(number(standard, cudaMemPoolAttrReservedMemCurrent));
  ASK(set(standard, cudaMemPoolReuseAllowOpportunistic, 0));
  SHOW(number(standard, cudaMemPoolReuseAllowOpportunistic));
  about("own pools");
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  ASK(cudaMemPoolCreate(&own, &props));
  SHOW(number(own, cudaMemPoolAttrReleaseThreshold));
  ASK(cudaMallocFromPoolAsync(&p, 5000, own, stream));
  SHOW(number(own, cudaMemPoolAttrUsedMemCurrent));
  ASK(cudaStreamSynchronize(stream));
  ASK(cudaFree(p));
  SHOW(number(own, cudaMemPoolAttrUsedMemCurrent));
  ASK(cudaDeviceSetMemPool(0, own));
  ASK(cudaDeviceGetMemPool(&current, 0));
  SHOW(current == own);
  ASK(cudaMallocAsync(&p, 100, stream));
  SHOW(number(own, cudaMemPoolAttrUsedMemCurrent));
  ASK(cudaFreeAsync(p, stream));
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  ASK(cudaMemPoolSetAccess(own, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  ASK(cudaMemPoolSetAccess(own, &access, 1));
  access.flags = cudaMemAccessFlagsProtRead;
  ASK(cudaMemPoolSetAccess(own, &access, 1));
  access = {{cudaMemLocationTypeDevice, 9}, cudaMemAccessFlagsProtReadWrite};
  ASK(cudaMemPoolSetAccess(own, &access, 1));
  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  ASK(cudaMemPoolGetAccess(&flags, own, &location));
  SHOW(static_cast<int>(flags));
  location.type = cudaMemLocationTypeHost;
  ASK(cudaMemPoolGetAccess(&flags, own, &location));
  SHOW(static_cast<int>(flags));
  ASK(cudaMemPoolDestroy(own));
  ASK(cudaDeviceGetMemPool(&current, 0));
  SHOW(current == standard);
  ASK(cudaMemPoolDestroy(standard));
  ASK(cudaMemPoolDestroy(nullptr));
  ASK(cudaMemPoolCreate(nullptr, &props));
  ASK(cudaMemPoolCreate(&own, nullptr));
  props.location.id = 9;
  ASK(cudaMemPoolCreate(&own, &props));
  props.location = {cudaMemLocationTypeInvalid, 0};
  ASK(cudaMemPoolCreate(&own, &props));
  props.location = {cudaMemLocationTypeDevice, 0};
  props.allocType = cudaMemAllocationTypeInvalid;
  ASK(cudaMemPoolCreate(&own, &props));
  props.allocType = cudaMemAllocationTypePinned;
  props.maxSize = 1 << 20;
  if (ASK(cudaMemPoolCreate(&own, &props))) {
    ASK(cudaMallocFromPoolAsync(&p, 1 << 30, own, stream));
    ASK(cudaMemPoolDestroy(own));
  }
  ASK(cudaMallocFromPoolAsync(&p, 100, nullptr, stream));
  ASK(cudaDeviceSetMemPool(0, nullptr));
  ASK(cudaDeviceSetMemPool(9, standard));
  location = {cudaMemLocationTypeDevice, 0};
  ASK(cudaMemGetDefaultMemPool(&current, &location, cudaMemAllocationTypePinned));
  ASK(cudaMemGetMemPool(&current, &location, cudaMemAllocationTypePinned));
  ASK(cudaMemSetMemPool(&location, cudaMemAllocationTypePinned, standard));
  int on_stack = 0;
  ASK(cudaFreeAsync(&on_stack, stream));
  p = device_bytes(100);
  ASK(cudaFreeAsync(p, stream));
  ASK(cudaStreamSynchronize(stream));
  ASK(cudaFree(p));
  unsigned long long memory = 5;
  ASK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &memory));
  SHOW(static_cast<long long>(memory));
  ASK(cudaDeviceGraphMemTrim(0));
  ASK(cudaDeviceGraphMemTrim(9));
}
