#include "simulator/image/fatbin.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"

using namespace warpwise::image;
using test::Bytes;
using test::compile;

namespace fatbin_test {

const std::string kSource = R"(
__global__ void scale(float* x, float f) { x[threadIdx.x] *= f; }
__global__ void reverse(float* x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}
int main() { scale<<<1, 32>>>(nullptr, 2); }
)";

const std::string kBoth = "-gencode arch=compute_90,code=[sm_90,compute_90] ";

/// Containers anywhere in a program's file, found by their magic number.
std::vector<std::span<const std::byte>> containers_in(const Bytes& program) {
  const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba};
  std::vector<std::span<const std::byte>> found;
  for (std::size_t at = 0; at + 16 <= program.size(); at += 8) {
    if (std::memcmp(program.data() + at, magic, 4) == 0) {
      found.push_back(std::span(program).subspan(at));
    }
  }
  return found;
}

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// A container with one entry whose header is filled in by the caller at offset 16.
Bytes container_with_entry(std::size_t payload) {
  Bytes bytes(16 + 64 + payload);
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, 64 + payload);
  put<std::uint16_t>(bytes, 16, 1);
  put<std::uint32_t>(bytes, 20, 64);
  put<std::uint64_t>(bytes, 24, payload);
  return bytes;
}

std::string error_of(std::span<const std::byte> bytes) {
  try {
    read_container(bytes);
  } catch (const ImageError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("every compression mode gives the same PTX and cubin") {
  const Bytes plain_bytes = compile("-fatbin -compress-mode=none " + kBoth, kSource);
  const auto plain = read_container(plain_bytes);
  REQUIRE(plain.size() == 2);
  CHECK(plain[0].kind == Entry::Kind::cubin);
  CHECK(plain[1].kind == Entry::Kind::ptx);
  const std::string ptx = plain[1].ptx_text();
  CHECK(ptx.find(".visible .entry _Z5scalePff(") != std::string::npos);
  CHECK(ptx.find(".visible .entry _Z7reversePf(") != std::string::npos);
  CHECK(ptx.back() == '\n');
  CHECK(ptx.find('\0') == std::string::npos);

  // The last one compresses the cubin by LZ4 as well.
  for (const char* mode :
       {"-compress-mode=default", "-compress-mode=size", "-compress-mode=balance",
        "-compress-mode=speed", "-compress-mode=speed -Xfatbin -compress-all"}) {
    CAPTURE(mode);
    const Bytes bytes = compile("-fatbin " + kBoth + mode, kSource);
    CHECK(bytes.size() < plain_bytes.size());
    const auto entries = read_container(bytes);
    REQUIRE(entries.size() == 2);
    CHECK(entries[1].ptx_text() == ptx);
    CHECK(read_cubin(entries[0].payload).size() == 2);
  }
}

TEST_CASE("several architectures and their flags") {
  const auto entries =
      read_container(compile("-fatbin -gencode arch=compute_75,code=sm_75 -gencode "
                             "arch=compute_90a,code=[sm_90a,compute_90a] "
                             "-gencode arch=compute_100f,code=compute_100f",
                             kSource));
  REQUIRE(entries.size() == 4);
  const auto find = [&](unsigned architecture, Entry::Kind kind) -> const Entry& {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.architecture == architecture && entry.kind == kind;
    });
    REQUIRE(found != entries.end());
    return *found;
  };
  const Entry& plain = find(75, Entry::Kind::cubin);
  CHECK_FALSE(plain.architecture_specific);
  CHECK_FALSE(plain.family_specific);
  CHECK_FALSE(plain.debug);
  for (auto kind : {Entry::Kind::cubin, Entry::Kind::ptx}) {
    CHECK(find(90, kind).architecture_specific);
    CHECK_FALSE(find(90, kind).family_specific);
  }
  CHECK(find(90, Entry::Kind::ptx).ptx_text().find(".target sm_90a") != std::string::npos);
  CHECK(find(100, Entry::Kind::ptx).family_specific);
  CHECK_FALSE(find(100, Entry::Kind::ptx).architecture_specific);
}

TEST_CASE("code compiled with -G says so") {
  for (const Entry& entry : read_container(compile("-fatbin -G " + kBoth, kSource))) {
    CHECK(entry.debug);
    CHECK_FALSE(entry.may_contract());
  }
}

TEST_CASE("PTX says whether products and sums may become one instruction") {
  const auto ptx_of = [](const std::string& options) {
    for (const Entry& entry : read_container(compile("-fatbin " + options + " " + kBoth, kSource)))
      if (entry.kind == Entry::Kind::ptx) return entry;
    FAIL("no PTX");
    return Entry{};
  };
  CHECK(ptx_of("").options.empty());
  CHECK(ptx_of("").may_contract());
  CHECK(ptx_of("-use_fast_math -lineinfo").may_contract());
  CHECK_FALSE(ptx_of("-fmad=false").may_contract());
  CHECK_FALSE(ptx_of("-lineinfo -fmad=false -maxrregcount=32").may_contract());
  CHECK_FALSE(ptx_of("-Xptxas -O0").may_contract());
  CHECK_FALSE(ptx_of("-Xptxas --opt-level=0").may_contract());
  CHECK(ptx_of("-Xptxas -O3").may_contract());
  CHECK(ptx_of("-O0").may_contract());  // the host's
}

TEST_CASE("an executable's containers, the empty first one included") {
  const Bytes program =
      compile("--cudart shared -gencode arch=compute_80,code=compute_80", kSource);
  const auto containers = containers_in(program);
  REQUIRE(containers.size() == 2);
  CHECK(read_container(containers[0]).empty());
  for (const auto& entries :
       {read_container(containers[1]), read_container_at(containers[1].data())}) {
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].architecture == 80);
    CHECK(entries[0].ptx_text().find(".visible .entry _Z5scalePff(") != std::string::npos);
  }
}

TEST_CASE("bytes that are not a container are an error") {
  CHECK(error_of({}).find("ends too early") != std::string::npos);
  CHECK(error_of(test::to_bytes("#!/bin/sh\necho hello\n")).find("not a fat binary") !=
        std::string::npos);
  Bytes bytes = container_with_entry(8);
  CHECK(error_of(bytes) == "no error");
  put<std::uint16_t>(bytes, 4, 9);
  CHECK(error_of(bytes).find("version 9") != std::string::npos);
  CHECK_THROWS_AS(read_container_at(nullptr), ImageError);
  const std::string other(64, 'x');
  CHECK_THROWS_AS(read_container_at(other.data()), ImageError);
}

TEST_CASE("sizes that cannot be are errors, not allocations") {
  Bytes bytes = container_with_entry(64);
  put<std::uint64_t>(bytes, 8, ~std::uint64_t{0} - 8);
  CHECK(error_of(bytes).find("cannot be") != std::string::npos);

  bytes = container_with_entry(64);
  put<std::uint64_t>(bytes, 24, ~std::uint64_t{0} - 63);
  CHECK(error_of(bytes).find("ends too early") != std::string::npos);

  bytes = container_with_entry(64);
  put<std::uint32_t>(bytes, 20, 16);
  CHECK(error_of(bytes).find("header is too short") != std::string::npos);

  for (const std::uint64_t flag : {0x2000, 0x8000}) {
    bytes = container_with_entry(64);
    put<std::uint64_t>(bytes, 16 + 40, flag);
    put<std::uint32_t>(bytes, 16 + 16, 65);
    CHECK(error_of(bytes).find("longer than its place") != std::string::npos);
    put<std::uint32_t>(bytes, 16 + 16, 64);
    put<std::uint64_t>(bytes, 16 + 56, std::uint64_t{900} << 20);
    CHECK(error_of(bytes).find("claims") != std::string::npos);
    put<std::uint64_t>(bytes, 16 + 56, 64);
    CHECK(error_of(bytes).find("damaged") != std::string::npos);
  }
}

TEST_CASE("code runs on GPUs of its kind, PTX also on newer ones") {
  const auto runs = [](Entry::Kind kind, unsigned architecture, unsigned device,
                       bool specific = false, bool family = false) {
    Entry entry = {};
    entry.kind = kind;
    entry.architecture = architecture;
    entry.architecture_specific = specific;
    entry.family_specific = family;
    return entry.runs_on(device);
  };
  const auto ptx = Entry::Kind::ptx, cubin = Entry::Kind::cubin;
  CHECK(runs(ptx, 80, 90));
  CHECK_FALSE(runs(ptx, 100, 90));
  CHECK(runs(ptx, 90, 90, true));
  CHECK_FALSE(runs(ptx, 90, 100, true));
  CHECK(runs(ptx, 100, 103, false, true));
  CHECK_FALSE(runs(ptx, 100, 120, false, true));
  CHECK(runs(cubin, 86, 89));
  CHECK_FALSE(runs(cubin, 89, 86));
  CHECK_FALSE(runs(cubin, 80, 90));
  CHECK_FALSE(runs(cubin, 90, 100));
  CHECK_FALSE(runs(cubin, 90, 103, true));
}

TEST_CASE("entries of other kinds are passed over") {
  Bytes bytes = container_with_entry(8);
  put<std::uint16_t>(bytes, 16, 77);
  CHECK(read_container(bytes).empty());
}

}  // namespace fatbin_test
