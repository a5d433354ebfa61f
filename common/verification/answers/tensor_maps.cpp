// Tensor maps: the driver's functions that make them, found through the runtime.
#include <cuda.h>

#include <functional>
#include <string>

#include "answers.h"

using namespace answers;

namespace {

/// The arguments of both functions, right as they are.
struct MapArguments {
  CUtensorMap* map;
  void* address;
  int type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  unsigned rank = 2;
  cuuint64_t dims[5] = {64, 64, 8, 4, 2};
  cuuint64_t strides[4] = {256, 16384, 131072, 524288};
  cuuint32_t box[5] = {16, 8, 2, 2, 1}, steps[5] = {1, 1, 1, 1, 1};
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  int lower[3] = {}, upper[3] = {};
  unsigned channels = 16, pixels = 8;
};

using Change = std::function<void(MapArguments&)>;

template <class Function>
Function encoder(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
  return reinterpret_cast<Function>(found);
}

CUtensorMap maps[2];
char* memory;

MapArguments changed(const Change& change) {
  MapArguments with = {.map = maps, .address = memory};
  change(with);
  return with;
}

void tiled(const char* text, const Change& change) {
  static const auto encode = encoder<decltype(&cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
  const MapArguments a = changed(change);
  const CUresult result = encode(
      a.map, static_cast<CUtensorMapDataType>(a.type), a.rank, a.address, a.dims, a.strides, a.box,
      a.steps, static_cast<CUtensorMapInterleave>(a.interleave),
      static_cast<CUtensorMapSwizzle>(a.swizzle), static_cast<CUtensorMapL2promotion>(a.promotion),
      static_cast<CUtensorMapFloatOOBfill>(a.fill));
  std::printf("tiled, %s -> %d\n", text, result);
}

void im2col(const char* text, const Change& change) {
  static const auto encode = encoder<decltype(&cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col");
  MapArguments a = changed([](MapArguments&) {});
  a.rank = 4;
  change(a);
  const CUresult result = encode(a.map, static_cast<CUtensorMapDataType>(a.type), a.rank, a.address,
                                 a.dims, a.strides, a.lower, a.upper, a.channels, a.pixels, a.steps,
                                 static_cast<CUtensorMapInterleave>(a.interleave),
                                 static_cast<CUtensorMapSwizzle>(a.swizzle),
                                 static_cast<CUtensorMapL2promotion>(a.promotion),
                                 static_cast<CUtensorMapFloatOOBfill>(a.fill));
  std::printf("im2col, %s -> %d\n", text, result);
}

/// The same change with several values.
template <class Values>
void each(decltype(tiled)* ask_with, const char* what, const Values& values,
          const std::function<void(MapArguments&, long long)>& change) {
  for (const long long value : values)
    ask_with((std::string(what) + " " + std::to_string(value)).c_str(),
             [&](MapArguments& a) { change(a, value); });
}

using Numbers = std::initializer_list<long long>;

void look_at(const char* name, unsigned version) {
  void* found = nullptr;
  auto result = static_cast<cudaDriverEntryPointQueryResult>(9);
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &result);
  std::printf("%s of %u -> %s, %s, %d\n", name, version, cudaGetErrorName(error),
              found ? "found" : "null", result);
}

}  // namespace

SUBJECT(tensor_maps) {
  cudaMalloc(&memory, 1 << 20);
  about("entry points");
  for (const char* name :
       {"cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col", "cuTensorMapReplaceAddress"})
    for (const unsigned version : {0u, 11080u, 12000u, 13000u, 14000u}) look_at(name, version);
  for (const unsigned long long flags : {0, 1, 2, 3, 4}) {
    void* found = nullptr;
    SHOW(cudaGetErrorName(
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, flags, nullptr)));
    SHOW(found);
  }

  about("choices");
  tiled("right", [](MapArguments&) {});
  tiled("no map", [](MapArguments& a) { a.map = nullptr; });
  each(tiled, "rank", Numbers{0, 1, 2, 3, 4, 5, 6},
       [](MapArguments& a, long long i) { a.rank = i; });
  each(tiled, "type", Numbers{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
       [](MapArguments& a, long long i) { a.type = i; });
  each(tiled, "NaN outside of type", Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
       [](MapArguments& a, long long i) { a.type = i, a.fill = 1; });
  each(tiled, "fill", Numbers{-1, 0, 1, 2}, [](MapArguments& a, long long i) { a.fill = i; });
  each(tiled, "promotion", Numbers{-1, 0, 3, 4},
       [](MapArguments& a, long long i) { a.promotion = i; });
  each(tiled, "swizzle", Numbers{-1, 0, 2, 3, 4, 5, 6, 7},
       [](MapArguments& a, long long i) { a.swizzle = i; });
  each(tiled, "interleave of two dimensions", Numbers{-1, 0, 1, 2, 3},
       [](MapArguments& a, long long i) { a.interleave = i; });

  about("tensors");
  each(tiled, "address +", Numbers{0, 1, 4, 8, 16, 32},
       [](MapArguments& a, long long i) { a.address = memory + i; });
  each(tiled, "address of so many bits", Numbers{5, 40, 47, 48, 56, 57, 60},
       [](MapArguments& a, long long i) { a.address = reinterpret_cast<void*>(1ull << i); });
  tiled("address null", [](MapArguments& a) { a.address = nullptr; });
  for (const int i : {0, 1, 2})
    each(tiled,
         i == 0   ? "dim 0"
         : i == 1 ? "dim 1"
                  : "an unused dim",
         Numbers{0, 1, 3, 1ll << 31, 1ll << 32, (1ll << 32) + 1},
         [i](MapArguments& a, long long value) { a.dims[i] = value; });
  for (const int i : {0, 1})
    each(tiled, i == 0 ? "stride" : "an unused stride",
         Numbers{0, 4, 8, 16, 24, 32, 48, 240, (1ll << 40) - 16, 1ll << 40},
         [i](MapArguments& a, long long value) { a.strides[i] = value; });

  about("boxes");
  for (const int i : {0, 1, 2})
    each(tiled,
         i == 0   ? "row"
         : i == 1 ? "rows"
                  : "an unused length",
         Numbers{0, 1, 3, 4, 6, 8, 128, 252, 255, 256, 257},
         [i](MapArguments& a, long long value) { a.box[i] = value; });
  for (const int i : {0, 1, 2})
    each(tiled,
         i == 0   ? "step 0"
         : i == 1 ? "step 1"
                  : "an unused step",
         Numbers{0, 1, 2, 8, 9}, [i](MapArguments& a, long long value) { a.steps[i] = value; });
  for (const int swizzle : {1, 2, 3})
    each(tiled,
         swizzle == 1   ? "by 32, row"
         : swizzle == 2 ? "by 64, row"
                        : "by 128, row",
         Numbers{4, 8, 12, 16, 20, 32, 36, 64},
         [swizzle](MapArguments& a, long long value) { a.swizzle = swizzle, a.box[0] = value; });
  each(tiled, "rows of 1 KiB", Numbers{227, 228, 229, 256},
       [](MapArguments& a, long long i) { a.box[0] = 256, a.box[1] = i; });
  each(tiled, "rows of 1 KiB, every fourth", Numbers{227, 228, 229, 256},
       [](MapArguments& a, long long i) { a.box[0] = 256, a.box[1] = i, a.steps[1] = 4; });

  about("im2col");
  each(im2col, "rank", Numbers{0, 1, 2, 3, 4, 5, 6},
       [](MapArguments& a, long long i) { a.rank = i; });
  for (const int rank : {3, 4, 5}) {
    const std::string of = " of rank " + std::to_string(rank);
    const Numbers corners = {-32769, -32768, -129, -128, -17, -16, -1,  0,     1,
                             6,      7,      8,    15,   16,  127, 128, 32767, 32768};
    each(im2col, ("lower" + of).c_str(), corners,
         [rank](MapArguments& a, long long i) { a.rank = rank, a.lower[rank - 3] = i; });
    each(im2col, ("upper" + of).c_str(), corners,
         [rank](MapArguments& a, long long i) { a.rank = rank, a.upper[rank - 3] = i; });
  }
  each(im2col, "channels", Numbers{0, 1, 4, 8, 15, 256, 257, 260},
       [](MapArguments& a, long long i) { a.channels = i; });
  each(im2col, "pixels", Numbers{0, 1, 255, 1024, 1025},
       [](MapArguments& a, long long i) { a.pixels = i; });
  each(im2col, "pixels of 1 KiB", Numbers{228, 240},
       [](MapArguments& a, long long i) { a.channels = 256, a.pixels = i; });
  each(im2col, "step 1", Numbers{0, 1, 8, 9}, [](MapArguments& a, long long i) { a.steps[1] = i; });
  each(im2col, "by 64, channels", Numbers{8, 16, 20},
       [](MapArguments& a, long long i) { a.swizzle = 2, a.channels = i; });

  about("another address");
  const auto replace = encoder<decltype(&cuTensorMapReplaceAddress)>("cuTensorMapReplaceAddress");
  tiled("right", [](MapArguments&) {});
  for (const int offset : {0, 8, 16, 32})
    std::printf("+%d -> %d\n", offset, replace(maps, memory + offset));
  std::printf("null -> %d\n", replace(maps, nullptr));
  cudaFree(memory);
}
