// Each kernel here makes one known access, written in PTX; the decoder has to find exactly that one
// in the machine code, for every architecture.

#include "simulator/image/sass.h"

#include <doctest/doctest.h>

#include <map>
#include <tuple>
#include <vector>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"

using namespace warpwise::image;
using Space = MemoryInstruction::Space;
using Access = MemoryInstruction::Access;

namespace {

struct Known {
  std::string name;
  std::string ptx;
  Space space;
  Access access;
  unsigned width_bytes;
  unsigned architecture = 75;  ///< the first that has it.
  unsigned count = 1;          ///< instructions of that space, access and width.
};

/// Register, vector suffix and list of registers for one load or store.
std::string registers(const std::string& type, unsigned count) {
  const std::string bits = type.substr(1);
  const std::string name = bits == "64" ? "%rd1" : bits == "32" ? "%r1" : "%rs1";
  std::string list;
  for (unsigned i = 0; i < count; ++i) list += (i ? "," : "") + name + std::to_string(i);
  return count == 1 ? list : "{" + list + "}";
}

void add_loads_and_stores(std::vector<Known>& all) {
  const std::tuple<const char*, Space, const char*> places[] = {
      {"global", Space::global, "[%rd1]"},
      {"shared", Space::shared, "[%r1]"},
      {"local", Space::local, "[%rd2]"},
      {"generic", Space::generic, "[%rd1]"}};
  const std::tuple<const char*, unsigned> types[] = {{"u8", 1},  {"s8", 1},  {"u16", 2},
                                                     {"s16", 2}, {"b32", 4}, {"b64", 8}};
  for (const auto& [place, space, address] : places) {
    for (const auto& [type, bytes] : types) {
      for (unsigned count = 1; count * bytes <= 16 && count <= 4; count *= 2) {
        const std::string vector = count == 1 ? "" : ".v" + std::to_string(count);
        const std::string state = space == Space::generic ? "" : std::string(".") + place;
        const std::string name = std::string(place) + "_" + type + "_" + std::to_string(count);
        // Volatile keeps ptxas from dropping or changing an access; local memory has no such thing.
        const std::string kept = space == Space::local ? "" : ".volatile";
        const std::string tail = kept + state + vector + "." + type + " ";
        const std::string list = registers(type, count);
        const std::string used = space == Space::local
                                     ? "st.global" + vector + "." + type + " [%rd3]," + list + ";"
                                     : std::string();
        all.push_back({"load_" + name, "ld" + tail + list + "," + address + ";" + used, space,
                       Access::load, bytes * count});
        all.push_back({"store_" + name, "st" + tail + address + "," + list + ";", space,
                       Access::store, bytes * count});
      }
    }
  }
}

void add_atomics(std::vector<Known>& all) {
  const auto add = [&](const char* name, const char* ptx, Space space, Access access,
                       unsigned bytes, unsigned architecture = 75) {
    all.push_back({name, ptx, space, access, bytes, architecture});
  };
  constexpr auto atomic = Access::atomic;
  constexpr auto reduction = Access::reduction;
  add("atom_u32", "atom.global.add.u32 %r10,[%rd1],%r11;st.global.b32 [%rd3],%r10;", Space::global,
      atomic, 4);
  add("atom_s32", "atom.global.max.s32 %r10,[%rd1],%r11;st.global.b32 [%rd3],%r10;", Space::global,
      atomic, 4);
  add("atom_u64", "atom.global.add.u64 %rd10,[%rd1],%rd11;st.global.b64 [%rd3],%rd10;",
      Space::global, atomic, 8);
  add("atom_s64", "atom.global.min.s64 %rd10,[%rd1],%rd11;st.global.b64 [%rd3],%rd10;",
      Space::global, atomic, 8);
  add("atom_f32", "atom.global.add.f32 %f1,[%rd1],%f2;st.global.f32 [%rd3],%f1;", Space::global,
      atomic, 4);
  add("atom_f64", "atom.global.add.f64 %fd1,[%rd1],%fd2;st.global.f64 [%rd3],%fd1;", Space::global,
      atomic, 8);
  add("atom_f16x2", "atom.global.add.noftz.f16x2 %r10,[%rd1],%r11;st.global.b32 [%rd3],%r10;",
      Space::global, atomic, 4);
  add("cas_32", "atom.global.cas.b32 %r10,[%rd1],%r11,%r12;st.global.b32 [%rd3],%r10;",
      Space::global, atomic, 4);
  add("cas_64", "atom.global.cas.b64 %rd10,[%rd1],%rd11,%rd12;st.global.b64 [%rd3],%rd10;",
      Space::global, atomic, 8);
  add("exchange_64", "atom.global.exch.b64 %rd10,[%rd1],%rd11;st.global.b64 [%rd3],%rd10;",
      Space::global, atomic, 8);
  add("cas_128",
      "mov.b128 %q1,{%rd10,%rd11};atom.global.cas.b128 %q2,[%rd1],%q1,%q1;"
      "mov.b128 {%rd10,%rd11},%q2;st.global.b64 [%rd3],%rd10;",
      Space::global, atomic, 16, 90);
  add("atom_v2_f32", "atom.global.v2.f32.add {%f1,%f2},[%rd1],{%f3,%f4};st.global.f32 [%rd3],%f1;",
      Space::global, atomic, 8, 90);
  add("red_u32", "red.global.add.u32 [%rd1],%r11;", Space::global, reduction, 4);
  add("red_u64", "red.global.add.u64 [%rd1],%rd11;", Space::global, reduction, 8);
  add("red_f32", "red.global.add.f32 [%rd1],%f1;", Space::global, reduction, 4);
  add("red_f64", "red.global.add.f64 [%rd1],%fd1;", Space::global, reduction, 8);
  add("red_v4_f32", "red.global.v4.f32.add [%rd1],{%f1,%f2,%f3,%f4};", Space::global, reduction, 16,
      90);
  add("red_v2_bf16x2", "red.global.v2.bf16x2.add.noftz [%rd1],{%r10,%r11};", Space::global,
      reduction, 8, 90);
  add("generic_u32", "atom.add.u32 %r10,[%rd1],%r11;st.global.b32 [%rd3],%r10;", Space::generic,
      atomic, 4);
  add("generic_cas_64", "atom.cas.b64 %rd10,[%rd1],%rd11,%rd12;st.global.b64 [%rd3],%rd10;",
      Space::generic, atomic, 8);
  // Two, because ptxas adds a loop of compare-and-swap for addresses in shared memory.
  all.push_back({"generic_f64", "atom.add.f64 %fd1,[%rd1],%fd2;st.global.f64 [%rd3],%fd1;",
                 Space::generic, atomic, 8, 90, 2});
  add("shared_u32", "atom.shared.add.u32 %r10,[%r1],%r11;st.global.b32 [%rd3],%r10;", Space::shared,
      atomic, 4);
  add("shared_cas_32", "atom.shared.cas.b32 %r10,[%r1],%r11,%r12;st.global.b32 [%rd3],%r10;",
      Space::shared, atomic, 4);
  add("shared_cas_64", "atom.shared.cas.b64 %rd10,[%r1],%rd11,%rd12;st.global.b64 [%rd3],%rd10;",
      Space::shared, atomic, 8);
  add("shared_exchange_64", "atom.shared.exch.b64 %rd10,[%r1],%rd11;st.global.b64 [%rd3],%rd10;",
      Space::shared, atomic, 8);
}

void add_the_rest(std::vector<Known>& all) {
  const auto add = [&](const char* name, const char* ptx, Space space, Access access,
                       unsigned bytes, unsigned architecture) {
    all.push_back({name, ptx, space, access, bytes, architecture});
  };
  constexpr auto copy = Access::async_copy;
  constexpr auto shared = Space::shared;
  add("copy_4", "cp.async.ca.shared.global [%r1],[%rd1],4;", shared, copy, 4, 80);
  add("copy_8", "cp.async.ca.shared.global [%r1],[%rd1],8;", shared, copy, 8, 80);
  add("copy_16", "cp.async.ca.shared.global [%r1],[%rd1],16;", shared, copy, 16, 80);
  add("copy_16_l2", "cp.async.cg.shared.global [%r1],[%rd1],16;", shared, copy, 16, 80);
  add("copy_16_fill", "cp.async.cg.shared.global [%r1],[%rd1],16,%r11;", shared, copy, 16, 80);
  add("matrix_1",
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10},[%r1];st.global.b32 [%rd3],%r10;", shared,
      Access::matrix_load, 16, 75);
  add("matrix_4",
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10,%r11,%r12,%r13},[%r1];"
      "st.global.v4.b32 [%rd3],{%r10,%r11,%r12,%r13};",
      shared, Access::matrix_load, 16, 75);
  add("matrix_store", "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1],{%r10,%r11};", shared,
      Access::matrix_store, 16, 90);
  add("bulk_in",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%r1],[%rd1],4096,[%r11];",
      shared, copy, 0, 90);
  add("bulk_out", "cp.async.bulk.global.shared::cta.bulk_group [%rd1],[%r1],4096;", shared, copy, 0,
      90);
  add("bulk_add", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1],[%r1],4096;",
      shared, copy, 0, 90);
  add("tensor_in",
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%r1],[%rd1,{%r10,%r11}],[%r12];",
      shared, copy, 0, 90);
  add("tensor_out",
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
      "[%rd1,{%r10,%r11}],[%r1];",
      shared, copy, 0, 90);
  add("tensor_add",
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
      "[%rd1,{%r10,%r11}],[%r1];",
      shared, copy, 0, 90);
  add("remote_store_8",
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 "
      "[%r1],%rd11,[%r11];",
      shared, Access::store, 8, 90);
  add("remote_store_16",
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 "
      "[%r1],{%r10,%r11,%r12,%r13},[%r11];",
      shared, Access::store, 16, 90);
  add("remote_add",
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
      "[%r1],%r10,[%r11];",
      shared, Access::reduction, 4, 90);
  add("multimem_16",
      "multimem.ld_reduce.relaxed.gpu.global.add.v4.f32 {%f1,%f2,%f3,%f4},[%rd1];"
      "st.global.v4.f32 [%rd3],{%f1,%f2,%f3,%f4};",
      Space::global, Access::load, 16, 90);
  add("load_32",
      "ld.global.v8.b32 {%r10,%r11,%r12,%r13,%r14,%r15,%r16,%r17},[%rd1];"
      "xor.b32 %r10,%r10,%r17;st.shared.v4.b32 [%r1],{%r10,%r11,%r12,%r13};"
      "st.shared.v4.b32 [%r1+16],{%r14,%r15,%r16,%r17};",
      Space::global, Access::load, 32, 100);
  add("store_32", "st.global.v4.b64 [%rd1],{%rd10,%rd11,%rd12,%rd13};", Space::global,
      Access::store, 32, 100);
}

/// Parameters also arrive by such loads, in 4 and 8 bytes; so only other widths here.
void add_constants(std::vector<Known>& all) {
  const auto add = [&](const char* name, const char* ptx, unsigned bytes) {
    all.push_back({name, ptx, Space::constant, Access::load, bytes});
  };
  add("constant_u8", "ld.const.u8 %rs10,[%rd4];st.global.b16 [%rd3],%rs10;", 1);
  add("constant_s8", "ld.const.s8 %rs10,[%rd4+3];st.global.b16 [%rd3],%rs10;", 1);
  add("constant_u16", "ld.const.u16 %rs10,[%rd4];st.global.b16 [%rd3],%rs10;", 2);
  add("constant_s16", "ld.const.s16 %r10,[%rd4+6];st.global.b32 [%rd3],%r10;", 2);
  // If the next step can use it, a uniform register is loaded.
  add("uniform_u8", "ld.const.u8 %rs10,[%rd4];cvt.rn.f64.u16 %fd1,%rs10;st.global.f64 [%rd3],%fd1;",
      1);
  add("uniform_u16",
      "ld.const.u16 %rs10,[%rd4];cvt.rn.f64.u16 %fd1,%rs10;st.global.f64 [%rd3],%fd1;", 2);
  add("fixed_u16",
      "ld.const.u16 %rd10,[table+6];add.u64 %rd10,%rd10,%rd1;st.global.b32 [%rd10],%r3;", 2);
  add("fixed_u8", "ld.const.u8 %r10,[table+5];add.s32 %r10,%r10,%r3;st.global.b32 [%rd3],%r10;", 1);
  add("parameter_u16",
      "ld.param.u16 %r10,[n+2];mul.lo.s32 %r10,%r10,%r3;st.global.b32 [%rd3],%r10;", 2);
}

/// Many instructions that are not memory accesses, and one store.
const char* const kOthers = R"(
  bar.sync 0;
  membar.gl;
  prefetch.global.L2 [%rd1];
  shfl.sync.bfly.b32 %r11,%r1,1,31,-1;
  setp.gt.s32 %p1,%r11,%r1;
  vote.sync.ballot.b32 %r12,%p1,-1;
  match.any.sync.b32 %r13,%r12,-1;
  popc.b32 %r14,%r13;
  mad.lo.s32 %r15,%r14,%r12,%r11;
  sin.approx.f32 %f1,%f2;
  ex2.approx.f32 %f2,%f1;
  fma.rn.f64 %fd1,%fd2,%fd2,%fd2;
  cvt.rn.f32.f64 %f3,%fd1;
  cvt.rni.s32.f32 %r16,%f3;
  mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f4,%f5,%f6,%f7},{%r14,%r15},{%r16},{%f1,%f2,%f3,%f1};
  add.f32 %f4,%f4,%f7;
  cvt.rzi.s32.f32 %r17,%f4;
  dp4a.s32.s32 %r17,%r17,%r15,%r14;
  prmt.b32 %r17,%r17,%r11,0x5410;
  lop3.b32 %r17,%r17,%r12,%r13,0x1e;
  st.global.b32 [%rd3],%r17;
)";

/// Addresses differ from lane to lane, so that ptxas keeps the access as it is; or they do not, so
/// that it can use uniform registers.
enum class Addresses { by_lane, uniform };

std::string prolog(Addresses addresses) {
  const std::string own = addresses == Addresses::by_lane ? "%tid.x" : "%r3";
  return R"((.param .u64 p, .param .u64 out, .param .u32 n) {
  .reg .pred %p<2>; .reg .b16 %rs<20>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
  .reg .f32 %f<8>; .reg .f64 %fd<4>;
  .local .align 16 .b8 place[4096];
  ld.param.u32 %r3,[n]; ld.param.u64 %rd1,[p]; ld.param.u64 %rd3,[out];
  mov.u32 %r2,)" +
         own + R"(; mad.lo.s32 %r2,%r2,64,%r3; cvt.u64.u32 %rd5,%r2; cvt.u32.u64 %r1,%rd5;
  add.u64 %rd1,%rd1,%rd5; add.u64 %rd3,%rd3,%rd5;
  mov.u64 %rd2,place; add.u64 %rd2,%rd2,%rd5; mov.u64 %rd4,table; add.u64 %rd4,%rd4,%rd5;
  cvt.rn.f32.s32 %f2,%r3; cvt.rn.f64.s32 %fd2,%r3;
)";
}

/// Every register that an access may send gets a value of its own.
std::string values() {
  std::string text;
  for (int i = 10; i < 18; ++i) {
    const std::string number = std::to_string(i);
    text += "add.s32 %r" + number + ",%r3," + number + "; mul.wide.s32 %rd" + number + ",%r" +
            number + ",%r3; cvt.u16.u32 %rs" + number + ",%r" + number + ";\n";
  }
  return text + "mov.f32 %f1,%f2; mov.f32 %f3,%f2; mov.f32 %f4,%f2; mov.f64 %fd1,%fd2;\n";
}

std::string module_for(unsigned architecture, const std::vector<Known>& kernels,
                       Addresses addresses) {
  std::string text = ".version 9.0\n.target sm_" + std::to_string(architecture) +
                     "\n.address_size 64\n.const .align 16 .b8 table[4096];\n";
  for (const Known& one : kernels) {
    if (one.architecture > architecture) continue;
    text += ".visible .entry " + one.name + prolog(addresses);
    if (one.name == "cas_128") text += ".reg .b128 %q<3>;\n";
    text += values() + one.ptx + "\nret;\n}\n";
  }
  return text;
}

std::map<std::string, KernelFacts> compile(unsigned architecture, const std::vector<Known>& kernels,
                                           Addresses addresses) {
  return read_cubin(test::compile("-cubin -arch=sm_" + std::to_string(architecture),
                                  module_for(architecture, kernels, addresses), "kernels.ptx"));
}

void check_all(unsigned architecture, const std::vector<Known>& kernels, Addresses addresses) {
  const auto facts = compile(architecture, kernels, addresses);
  for (const Known& one : kernels) {
    if (one.architecture > architecture) continue;
    CAPTURE(architecture);
    CAPTURE(one.name);
    unsigned alike = 0, expected = 0;
    for (const MemoryInstruction& access : facts.at(one.name).memory) {
      if (access.space != one.space || access.access != one.access) continue;
      const bool parameter = access.space == Space::constant && access.width_bytes >= 4;
      if (!parameter) ++alike;
      if (access.width_bytes == one.width_bytes) ++expected;
    }
    CHECK(alike == one.count);
    CHECK(expected == one.count);
  }
}

constexpr unsigned kArchitectures[] = {75, 80, 86, 89, 90, 100, 120};

}  // namespace

TEST_CASE("every kind and width of access is recognised on every architecture") {
  std::vector<Known> all;
  add_loads_and_stores(all);
  add_atomics(all);
  add_constants(all);
  add_the_rest(all);
  for (const unsigned architecture : kArchitectures) {
    check_all(architecture, all, Addresses::by_lane);
  }
}

TEST_CASE("loads and stores at uniform addresses are also recognised") {
  std::vector<Known> all;
  add_loads_and_stores(all);
  add_constants(all);
  for (const unsigned architecture : kArchitectures) {
    check_all(architecture, all, Addresses::uniform);
  }
}

TEST_CASE("an instruction that is not a memory access is not taken for one") {
  const std::vector<Known> others = {{"others", kOthers, Space::global, Access::store, 4}};
  for (const unsigned architecture : kArchitectures) {
    CAPTURE(architecture);
    unsigned accesses = 0;
    const auto facts = compile(architecture, others, Addresses::by_lane);
    for (const MemoryInstruction& access : facts.at("others").memory) {
      if (access.space != Space::constant) ++accesses;
    }
    CHECK(accesses == 1);
  }
}

TEST_CASE("accesses that ptxas switched off are not reported") {
  // ptxas writes `@!PT LDS` before some asynchronous copies.
  const auto facts = read_cubin(test::compile("-cubin -arch=sm_90", R"(
#include <cuda_pipeline.h>
__global__ void copy(int4* p) {
  __shared__ int4 s[64];
  __pipeline_memcpy_async(s + blockIdx.x, p + blockIdx.y, 16);
}
)"));
  REQUIRE(facts.size() == 1);
  for (const MemoryInstruction& access : facts.begin()->second.memory) {
    CHECK(access.access != Access::store);
    const bool shared_load = access.space == Space::shared && access.access == Access::load;
    CHECK_FALSE(shared_load);
  }
}
