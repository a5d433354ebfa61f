#pragma once
#define ANSWERS_C_INTERFACE
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "answers.h"

/// Calls with one argument wrong at a time: each parameter gets, by its type, every value that some
/// program passes by mistake, while the others keep one that is right, or at least there.
namespace wrong {

/// The first meaning of a pointer to void, and the amount of a size.
enum class Role { memory, host, kernel, variable, graph };

/// Objects to pass, made anew for each function, and for each call of those that end what they are
/// given.
class World {
 public:
  /// @param function that is called, whose name says what it works on.
  World(Role role, const char* function);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  bool is_for(std::string_view part) const { return function.find(part) != part.npos; }
  bool may_end_objects() const;
  /// Ends what a call has begun.
  void settle();
  /// True of a parameter that says how many nodes go before.
  bool counts_dependencies(std::size_t index) const {
    return role == Role::graph || (is_for("cudaGraphAdd") && index == 3);
  }
  void* inside() const { return static_cast<char*>(device) + 12; }

  Role role;
  std::string_view function;
  void *device = nullptr, *freed = nullptr, *pinned = nullptr, *managed = nullptr;
  cudaStream_t stream = nullptr, capturing = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr, other_graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmapped = nullptr;
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  cudaFunction_t handle = nullptr;
  cudaUserObject_t object = nullptr;
  /// Zeros for what a function writes or reads through a pointer, separately for each argument.
  alignas(16) char room[12][8192] = {};
  char host[8192] = {};

 private:
  void make_graph();
};

template <typename T>
struct Choice {
  const char* what;
  T value;
};
template <typename T>
using Choices = std::vector<Choice<T>>;

/// Where no overload says otherwise: numbers, kinds, and places for what comes back.
template <typename T>
struct Of {
  static Choices<T> choices(World& world, std::size_t index) {
    if constexpr (std::is_pointer_v<T>) {
      return {{"a place", reinterpret_cast<T>(world.room[index])}, {"null", nullptr}};
    } else {
      static_assert(std::is_enum_v<T>);
      return {{"0", T{}},
              {"1", static_cast<T>(1)},
              {"2", static_cast<T>(2)},
              {"99", static_cast<T>(99)},
              {"-1", static_cast<T>(-1)}};
    }
  }
};

#define CHOICES(type, ...)                                          \
  template <>                                                       \
  struct Of<type> {                                                 \
    static Choices<type> choices(World& world, std::size_t index) { \
      (void)world, (void)index;                                     \
      return __VA_ARGS__;                                           \
    }                                                               \
  }

CHOICES(cudaMemcpyKind, {{"default", cudaMemcpyDefault},
                         {"to device", cudaMemcpyHostToDevice},
                         {"to host", cudaMemcpyDeviceToHost},
                         {"on device", cudaMemcpyDeviceToDevice},
                         {"on host", cudaMemcpyHostToHost},
                         {"99", static_cast<cudaMemcpyKind>(99)}});
CHOICES(int, {{"0", 0}, {"-1", -1}, {"99", 99}});
CHOICES(cudaLaunchAttributeID, {{"a priority", cudaLaunchAttributePriority},
                                {"0", static_cast<cudaLaunchAttributeID>(0)},
                                {"cooperative", cudaLaunchAttributeCooperative},
                                {"a domain", cudaLaunchAttributeMemSyncDomain},
                                {"99", static_cast<cudaLaunchAttributeID>(99)},
                                {"-1", static_cast<cudaLaunchAttributeID>(-1)}});
CHOICES(unsigned long long, {{"0", 0}, {"1", 1}, {"99", 99}, {"all bits", ~0ull}});
CHOICES(std::size_t, {{"some", world.counts_dependencies(index) ? std::size_t{0} : std::size_t{4}},
                      {"0", 0},
                      {"1", 1},
                      {"2 to 40", std::size_t{1} << 40}});
CHOICES(dim3, {{"1", dim3(1, 1, 1)},
               {"0", dim3(0, 1, 1)},
               {"70000 in y", dim3(1, 70000, 1)},
               {"70 in z", dim3(1, 1, 70)}});
CHOICES(cudaExtent, {{"4 x 4 x 4", {4, 4, 4}},
                     {"nothing", {0, 0, 0}},
                     {"flat", {4, 0, 0}},
                     {"2 to 40", {std::size_t{1} << 40, 4, 4}}});
CHOICES(cudaPitchedPtr, {{"device", {world.device, 16, 16, 4}},
                         {"null", {nullptr, 16, 16, 4}},
                         {"host", {world.host, 16, 16, 4}},
                         {"no pitch", {world.device, 0, 16, 4}},
                         {"low pitch", {world.device, 2, 16, 4}}});
CHOICES(cudaMemLocation, {{"the device", {cudaMemLocationTypeDevice, 0}},
                          {"device 99", {cudaMemLocationTypeDevice, 99}},
                          {"the host", {cudaMemLocationTypeHost, 0}},
                          {"nowhere", {static_cast<cudaMemLocationType>(0), 0}},
                          {"kind 77", {static_cast<cudaMemLocationType>(77), 0}}});
CHOICES(cudaStream_t, {{"a stream", world.stream},
                       {"null", nullptr},
                       {"per thread", cudaStreamPerThread},
                       {"captured", world.capturing}});
CHOICES(cudaEvent_t, {{"an event", world.event}, {"null", nullptr}});
CHOICES(cudaGraph_t, {{"a graph", world.graph}, {"another", world.other_graph}, {"null", nullptr}});
CHOICES(cudaGraphNode_t, {{"a node", world.node}, {"null", nullptr}});
CHOICES(cudaGraphExec_t, {{"an instance", world.exec}, {"null", nullptr}});
CHOICES(cudaMemPool_t, {{"a pool", world.pool}, {"null", nullptr}});
CHOICES(cudaArray_t, {{"an array", world.array}, {"null", nullptr}});
CHOICES(cudaArray_const_t, {{"an array", world.array}, {"null", nullptr}});
CHOICES(cudaMipmappedArray_t, {{"an array", world.mipmapped}, {"null", nullptr}});
CHOICES(cudaMipmappedArray_const_t, {{"an array", world.mipmapped}, {"null", nullptr}});
CHOICES(cudaLibrary_t, {{"a library", world.library}, {"null", nullptr}});
CHOICES(cudaKernel_t, {{"a kernel", world.kernel}, {"null", nullptr}});
CHOICES(cudaUserObject_t, {{"an object", world.object}, {"null", nullptr}});
CHOICES(const char*, {{"one", "one"}, {"no text", ""}, {"null", nullptr}});
CHOICES(const cudaResourceViewDesc*, {{"null", nullptr}});
CHOICES(cudaHostFn_t, {{"a function", [](void*) {}}, {"null", nullptr}});
CHOICES(cudaStreamCallback_t,
        {{"a function", [](cudaStream_t, cudaError_t, void*) {}}, {"null", nullptr}});

/// Parameters in a structure: right ones, zeros, none.
#define STRUCTURE(type, ...)                                                                       \
  template <>                                                                                      \
  struct Of<type> {                                                                                \
    static Choices<type> choices(World& world, std::size_t index) {                                \
      auto* right =                                                                                \
          reinterpret_cast<std::remove_const_t<std::remove_pointer_t<type>>*>(world.room[index]);  \
      __VA_ARGS__;                                                                                 \
      return {                                                                                     \
          {"right", right}, {"zeros", reinterpret_cast<type>(world.room[11])}, {"null", nullptr}}; \
    }                                                                                              \
  }
STRUCTURE(const cudaKernelNodeParams*, right->func = const_cast<void*>(answers::nothing);
          right->gridDim = right->blockDim = dim3(1, 1, 1));
STRUCTURE(const cudaMemsetParams*, right->dst = world.device; right->elementSize = 4;
          right->width = right->height = 1);
STRUCTURE(
    const cudaHostNodeParams*, right->fn = [](void*) {});
STRUCTURE(const cudaMemcpy3DParms*, right->srcPtr = cudaPitchedPtr{world.pinned, 16, 16, 4};
          right->dstPtr = cudaPitchedPtr{world.device, 16, 16, 4};
          right->extent = cudaExtent{16, 4, 1}; right->kind = cudaMemcpyDefault);
STRUCTURE(const cudaLaunchConfig_t*, right->gridDim = right->blockDim = dim3(1, 1, 1));
STRUCTURE(const cudaChannelFormatDesc*, right->x = 32; right->f = cudaChannelFormatKindFloat);
STRUCTURE(const cudaMemPoolProps*, right->allocType = cudaMemAllocationTypePinned;
          right->location = {cudaMemLocationTypeDevice, 0});
STRUCTURE(cudaGraphNodeParams*, right->type = cudaGraphNodeTypeEmpty);
STRUCTURE(const cudaResourceDesc*, right->resType = cudaResourceTypeLinear;
          right->res.linear.devPtr = world.device; right->res.linear.sizeInBytes = 16;
          right->res.linear.desc = {32, 0, 0, 0, cudaChannelFormatKindFloat});
#undef STRUCTURE

template <>
struct Of<unsigned> {
  static Choices<unsigned> choices(World& world, std::size_t) {
    Choices<unsigned> all = {{"0", 0}, {"1", 1}, {"99", 99}, {"all bits", ~0u}};
    if (world.is_for("UserObject")) std::swap(all[0], all[1]);
    return all;
  }
};

template <>
struct Of<void*> {
  static Choices<void*> choices(World& world, std::size_t) {
    Choices<void*> all = {{"device", world.device}, {"host", world.host},
                          {"null", nullptr},        {"inside", world.inside()},
                          {"pinned", world.pinned}, {"managed", world.managed},
                          {"freed", world.freed}};
    // The object of a node may come to be later.
    if (world.is_for("Graph")) all.pop_back();
    // The host's own memory there is nowhere else.
    if (world.role == Role::host) return {all[1], all[2]};
    return all;
  }
};

template <>
struct Of<const void*> {
  static Choices<const void*> choices(World& world, std::size_t) {
    Choices<const void*> all = {
        {"device", world.device},   {"host", world.host},           {"null", nullptr},
        {"inside", world.inside()}, {"pinned", world.pinned},       {"managed", world.managed},
        {"freed", world.freed},     {"a kernel", answers::nothing}, {"a variable", answers::table}};
    if (world.role == Role::kernel) std::swap(all[0], all[7]);
    if (world.role == Role::variable) std::swap(all[0], all[8]);
    if (world.is_for("Graph")) all.erase(all.begin() + 6);
    return all;
  }
};

/// Around each call, where the questions are asked during a capture.
void begin_beside();
/// @return what has become of the capture, if anything.
std::string end_beside();

/// Makes one call.
template <typename... Parameters, std::size_t... index>
void call(World& world, const char* name, cudaError_t (*function)(Parameters...), std::size_t wrong,
          std::size_t which, std::index_sequence<index...>) {
  [[maybe_unused]] const char* what = "";
  const auto pick = [&]<typename T>(std::size_t at, const Choices<T>& all) {
    if (at != wrong) return all[0].value;
    what = all[which].what;
    return all[which].value;
  };
  const std::tuple<Parameters...> arguments{pick(index, Of<Parameters>::choices(world, index))...};
  std::string text = name;
  if (which != 0) text += ", argument " + std::to_string(wrong + 1) + " " + what;
  const auto make = [&] { return std::apply(function, arguments); };
  begin_beside();
  answers::ask(text.c_str(), make, end_beside);
  world.settle();
}

/// True where the next question is to be asked, and not only counted.
bool is_asked();
/// Asks the next question: at once, or after the fault that is to come before all of them.
void put(std::function<void()> question);
/// Asks all questions of the function after a kernel has faulted. Their objects are made before.
void after_fault(void (*questions)());
/// Asks all questions of the function while this thread captures another stream.
void beside_capture(void (*questions)());

/// Asks the function with all right, then with each argument wrong in each way.
template <typename... Parameters>
void probe(const char* name, cudaError_t (*function)(Parameters...), Role role) {
  constexpr auto all = std::make_index_sequence<sizeof...(Parameters)>();
  auto world = std::make_shared<World>(role, name);
  std::vector<std::size_t> counts;
  std::size_t index = 0;
  (counts.push_back(Of<Parameters>::choices(*world, index++).size()), ...);
  const auto one = [&](std::size_t wrong, std::size_t which) {
    if (is_asked() && world->may_end_objects()) world = std::make_shared<World>(role, name);
    put([=] { call(*world, name, function, wrong, which, all); });
  };
  one(0, 0);
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t k = 1; k < counts[i]; ++k) one(i, k);
}

}  // namespace wrong

// Three subjects: what the probes in braces say, what they say after a kernel has faulted, and
// during a capture.
#define PROBES(name)                                                                \
  static void name();                                                               \
  static const answers::Subject wrong_##name("wrong_" #name, name);                 \
  static const answers::Subject faulted_##name("faulted_" #name,                    \
                                               [] { wrong::after_fault(name); });   \
  static const answers::Subject beside_##name("beside_" #name,                      \
                                              [] { wrong::beside_capture(name); }); \
  static void name()
#define PROBE(role, function) wrong::probe(#function, function, wrong::Role::role)
