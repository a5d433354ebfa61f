// The rule by which products and sums become one instruction, held against ptxas: of hand-written
// kernels and random ones, the simulator's fma instructions are as many as the machine code's.

#include "simulator/code/lowering/contraction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "simulator/code/flow/liveness.h"
#include "simulator/image/compile_fixture.h"
#include "simulator/image/elf.h"

using namespace warpwise;
using namespace warpwise::code;

namespace {

/// A kernel whose body finds values in %x1 to %x4 and stores results.
std::string kernel(const std::string& name, const std::string& type, const std::string& body) {
  std::string text = ".visible .entry " + name + "(.param .u64 p)\n{\n.reg .b64 %rd<4>; .reg ." +
                     type + " %x<60>; .reg .pred %p<4>;\nld.param.u64 %rd1,[p];\n" +
                     "setp.eq.u64 %p1,%rd1,5;\n";
  for (int i = 1; i <= 4; ++i)
    text += "ld.volatile.global." + type + " %x" + std::to_string(i) + ",[%rd1+" +
            std::to_string(16 * i) + "];\n";
  return text + body + "\nret;\n}\n";
}

std::string stored(int value, const std::string& type) {
  return "st.volatile.global." + type + " [%rd1+" + std::to_string(64 + 16 * value) + "],%x" +
         std::to_string(value) + ";\n";
}

/// Kernels compiled once, and the fma instructions of each: ours and ptxas's.
class Kernels {
 public:
  void add(const std::string& name, const std::string& type, const std::string& body) {
    text_ += kernel(name, type, body);
  }

  void compile() {
    module_ = ptx::parse(text_);
    cubin_ = image::test::compile("-cubin -arch=sm_90", text_, "kernels.ptx");
  }

  std::size_t ours(const std::string& name) const {
    const ptx::Function& function = *module_.find(name);
    const auto blocks = basic_blocks(function);
    const auto contracted = contract(function, blocks, live_at_starts(function, blocks));
    const auto& body = contracted ? contracted->body : function.body;
    return static_cast<std::size_t>(std::count_if(
        body.begin(), body.end(), [](const auto& one) { return one.opcode.starts_with("fma"); }));
  }

  std::size_t of_ptxas(const std::string& name) const {
    const image::Elf elf = image::read_elf(cubin_);
    const auto bytes = elf.find(".text." + name)->bytes;
    std::size_t count = 0;
    for (std::size_t i = 0; i + 16 <= bytes.size(); i += 16) {
      std::uint16_t word = 0;
      std::memcpy(&word, &bytes[i], sizeof word);
      const unsigned operation = word & 0x1ff;
      count += operation == ffma || operation == dfma;
    }
    return count;
  }

 private:
  static constexpr unsigned ffma = 0x23, dfma = 0x2b;  ///< the low 9 bits of the machine code

  std::string text_ = ".version 9.0\n.target sm_90\n.address_size 64\n";
  ptx::Module module_;
  image::test::Bytes cubin_;
};

/// Sums and products of the values before them; unread values are stored, and some others.
/// @param parted whether blocks, fences and constants are in between
std::string random_body(std::mt19937& random, const std::string& type, bool parted) {
  struct Instruction {
    std::string opcode;
    int a, b;
    auto operator<=>(const Instruction&) const = default;
  };
  const auto below = [&](int limit) { return static_cast<int>(random() % unsigned(limit)); };
  std::set<Instruction> seen;  // ptxas computes equal things once
  std::set<int> unread;
  std::string text;
  int values = 4;
  for (int wanted = 4 + below(20); wanted > 0; --wanted) {
    const auto pick = [&] {
      return 1 + (below(4) ? std::max(0, values - 6) + below(std::min(6, values)) : below(values));
    };
    const int kind = below(10);
    Instruction next{kind < 4   ? "mul."
                     : kind < 7 ? "add."
                     : kind < 9 ? "sub."
                                : "add.rn.",
                     pick(), pick()};
    if (next.opcode[0] != 's' && next.a > next.b) std::swap(next.a, next.b);
    if (!seen.insert(next).second || (next.opcode[0] != 'm' && next.a == next.b)) continue;
    if (next.opcode[0] != 's' && below(2)) std::swap(next.a, next.b);
    const std::string d = std::to_string(++values);
    text += next.opcode + type + " %x" + d + ",%x" + std::to_string(next.a) + ",%x" +
            std::to_string(next.b) + ";\n";
    unread.erase(next.a), unread.erase(next.b);
    unread.insert(values);
    if (below(9) == 0) text += stored(values, type), unread.erase(values);
    const int factor = 1 + below(values);
    if (!parted || below(4) || !seen.insert({"mul.", factor, 0}).second) continue;
    // A value that only a later block reads may be computed there by ptxas.
    for (int value : unread) text += stored(value, type);
    unread = {++values};
    const std::string e = std::to_string(values), to = "L" + e;
    text += "mul." + type + " %x" + e + ",%x" + std::to_string(factor) + "," +
            (type == "f32" ? "0f3DCCCCCD" : "0d3FB999999999999A") + ";\n";
    if (below(3) == 0) text += "membar.cta;\n";
    if (below(2) == 0) text += "@%p1 bra " + to + ";" + stored(1, type) + to + ":\n";
  }
  for (int value : unread) text += stored(value, type);
  return text;
}

}  // namespace

TEST_CASE("sums take products where ptxas takes them") {
  const std::string product = "mul.f32 %x5,%x1,%x2;\n", sum = "add.f32 %x6,%x5,%x3;\n";
  const std::string end = stored(6, "f32");
  const std::string by_constant = "mul.f32 %x5,%x1,0f3DCCCCCD;\n";
  const std::string elsewhere = "@%p1 bra B;" + stored(1, "f32") + "B:";
  const std::map<std::string, std::pair<std::string, std::size_t>> cases{
      {"alone", {product + sum, 1}},
      {"commuted", {product + "add.f32 %x6,%x3,%x5;", 1}},
      {"subtracted", {product + "sub.f32 %x6,%x3,%x5;", 1}},
      {"difference", {product + "sub.f32 %x6,%x5,%x3;", 1}},
      {"rounded_product", {"mul.rn.f32 %x5,%x1,%x2;" + sum, 0}},
      {"rounded_sum", {product + "add.rn.f32 %x6,%x5,%x3;", 0}},
      {"also_stored", {product + sum + stored(5, "f32"), 0}},
      {"two_sums", {product + sum + "add.f32 %x7,%x5,%x4;" + stored(7, "f32"), 2}},
      {"sum_and_product", {product + sum + "mul.f32 %x7,%x5,%x4;" + stored(7, "f32"), 0}},
      {"two_products", {product + "mul.f32 %x7,%x3,%x4; add.f32 %x6,%x5,%x7;", 1}},
      {"with_itself", {product + "add.f32 %x6,%x5,%x5;", 0}},
      {"moved", {product + "mov.f32 %x7,%x5; add.f32 %x6,%x7,%x3;", 1}},
      {"moved_as_bits",
       {product + ".reg .b32 %b; mov.b32 %b,%x5; mov.b32 %x7,%b; add.f32 %x6,%x7,%x3;", 1}},
      {"negated", {product + "neg.f32 %x7,%x5; add.f32 %x6,%x7,%x3;", 1}},
      {"absolute", {product + "abs.f32 %x7,%x5; add.f32 %x6,%x7,%x3;", 0}},
      {"other_block", {product + "@%p1 bra L;" + stored(1, "f32") + "L:" + sum, 0}},
      {"read_in_other_block",
       {product + sum + end + "@%p1 bra L; add.f32 %x7,%x5,%x4;" + stored(7, "f32") + "L:", 0}},
      {"label_between", {product + "L:" + sum, 1}},
      {"jump_between", {product + "bra L; L:" + sum, 1}},
      {"barrier_between", {product + "bar.sync 0;" + sum, 1}},
      {"exit_between", {product + "@%p1 exit;" + sum, 0}},
      {"guarded_sum", {product + "mov.f32 %x6,%x4; @%p1 " + sum, 1}},
      {"guarded_product", {"mov.f32 %x5,%x4; @%p1 " + product + sum, 0}},
      {"in_a_loop",
       {"mov.f32 %x6,%x3; L:" + product +
            "add.f32 %x6,%x6,%x5; ld.volatile.global.f32 %x2,[%rd1]; setp.ne.f32 %p2,%x2,%x3; @%p2 "
            "bra L;",
        1}},
      {"around_a_loop",
       {product + "mov.f32 %x6,%x3; L: add.f32 %x6,%x6,%x5; ld.volatile.global.f32 %x2,[%rd1]; "
                  "setp.ne.f32 %p2,%x2,%x3; @%p2 bra L;",
        0}},
      {"flushed", {"mul.ftz.f32 %x5,%x1,%x2; add.ftz.f32 %x6,%x5,%x3;", 1}},
      {"flushed_product", {"mul.ftz.f32 %x5,%x1,%x2;" + sum, 0}},
      {"saturated_sum", {product + "add.sat.f32 %x6,%x5,%x3;", 1}},
      {"saturated_product", {"mul.sat.f32 %x5,%x1,%x2;" + sum, 0}},
      {"constant", {by_constant + sum, 1}},
      {"constant_in_other_block", {by_constant + elsewhere + sum, 1}},
      {"parameter_in_other_block",
       {"ld.param.f32 %x9,[p]; mul.f32 %x5,%x9,%x1;" + elsewhere + sum, 1}},
      {"constant_held_in_other_block",
       {"mov.f32 %x9,0f3DCCCCCD; mul.f32 %x5,%x9,%x1;" + elsewhere + sum, 1}},
      {"constant_in_two_blocks",
       {by_constant + "add.f32 %x7,%x5,%x4;" + stored(7, "f32") + elsewhere + sum, 2}},
      {"constant_negated_in_other_block",
       {by_constant + elsewhere + "neg.f32 %x7,%x5; add.f32 %x6,%x7,%x3;", 1}},
      {"constant_negated_here",
       {by_constant + "neg.f32 %x7,%x5;" + elsewhere + "add.f32 %x6,%x7,%x3;", 1}},
      {"constant_stored_here", {by_constant + stored(5, "f32") + elsewhere + sum, 0}},
      {"constant_stored_there", {by_constant + sum + end + elsewhere + stored(5, "f32"), 0}},
      {"constant_of_either_way",
       {by_constant + "@%p1 bra L; mul.f32 %x5,%x2,0f3DCCCCCD; L:" + sum, 0}},
      {"constant_before_a_fence", {by_constant + "membar.gl;" + sum, 1}},
      {"constant_around_a_loop",
       {by_constant + "mov.f32 %x6,%x3; L: ld.volatile.global.f32 %x2,[%rd1]; "
                      "add.f32 %x6,%x6,%x5; add.rn.f32 %x6,%x6,%x2; setp.ne.f32 %p2,%x2,%x3; "
                      "@%p2 bra L;",
        1}},
      {"constant_of_a_changing_factor",
       {"L:" + by_constant +
            "ld.volatile.global.f32 %x2,[%rd1]; setp.eq.f32 %p2,%x2,%x3; @%p2 bra M;" + sum + end +
            "M: ld.volatile.global.f32 %x1,[%rd1]; setp.ne.f32 %p2,%x2,%x4; @%p2 bra L;"
            "mov.f32 %x6,%x1;",
        1}},
  };
  Kernels kernels;
  for (const auto& [name, one] : cases) kernels.add(name, "f32", one.first + end);
  kernels.compile();
  for (const auto& [name, one] : cases) {
    CAPTURE(name);
    CHECK(kernels.of_ptxas(name) == one.second);
    CHECK(kernels.ours(name) == one.second);
  }
}

TEST_CASE("a product does not pass what ptxas makes branches of") {
  const std::string names =
      ".reg .b32 %i<4>; .reg .b16 %h<3>; .reg .b64 %l; .reg .f64 %e;"
      "ld.volatile.global.u32 %i1,[%rd1]; ld.volatile.global.u16 %h1,[%rd1];"
      "ld.volatile.global.f64 %e,[%rd1];\n";
  const std::string word = "st.volatile.global.u32 [%rd1],%i2;",
                    half = "st.volatile.global.u16 [%rd1],%h2;",
                    wide = "st.volatile.global.u64 [%rd1],%l;",
                    twice = "st.volatile.global.f64 [%rd1],%e;";
  const std::map<std::string, bool> passed{
      {"div.rn.f32 %x8,%x3,%x4;" + stored(8, "f32"), false},
      {"div.rz.ftz.f32 %x8,%x3,%x4;" + stored(8, "f32"), false},
      {"div.approx.f32 %x8,%x3,%x4;" + stored(8, "f32"), true},
      {"div.full.f32 %x8,%x3,%x4;" + stored(8, "f32"), true},
      {"rcp.rn.f32 %x8,%x3;" + stored(8, "f32"), false},
      {"rcp.approx.f32 %x8,%x3;" + stored(8, "f32"), true},
      {"sqrt.rn.ftz.f32 %x8,%x3;" + stored(8, "f32"), false},
      {"sqrt.approx.f32 %x8,%x3;" + stored(8, "f32"), true},
      {"rsqrt.approx.f32 %x8,%x3;" + stored(8, "f32"), true},
      {"div.rn.f64 %e,%e,0d4008000000000000;" + twice, false},
      {"rcp.rn.f64 %e,%e;" + twice, false},
      {"sqrt.rn.f64 %e,%e;" + twice, false},
      {"rsqrt.approx.f64 %e,%e;" + twice, false},
      {"rcp.approx.ftz.f64 %e,%e;" + twice, true},
      {"rsqrt.approx.ftz.f64 %e,%e;" + twice, true},
      {"div.u32 %i2,%i1,%i1;" + word, true},
      {"rem.u32 %i2,77,%i1;" + word, true},
      {"div.s32 %i2,77,%i1;" + word, false},
      {"rem.s32 %i2,%i1,77;" + word, false},
      {"div.u16 %h2,77,%h1;" + half, false},
      {"rem.s16 %h2,77,%h1;" + half, false},
      {"div.u64 %l,77,%rd1;" + wide, false},
      {"rem.s64 %l,77,%rd1;" + wide, false},
      {"membar.cta;", false},
      {"membar.gl;", false},
      {"fence.sc.gpu;", false},
      {"fence.acq_rel.cluster;", false},
      {"fence.acquire.sync_restrict::shared::cluster.cluster;", true},
      {"fence.release.sync_restrict::shared::cta.cluster;", true},
      {"fence.mbarrier_init.release.cluster;", true},
      {"fence.proxy.async;", true},
      {"fence.proxy.alias;", true},
      {"griddepcontrol.launch_dependents;", false},
      {"griddepcontrol.wait;", true},
      {"ld.acquire.gpu.global.u32 %i2,[%rd1];" + word, true},
      {"st.release.gpu.global.u32 [%rd1],%i1;", true},
      {"atom.acq_rel.gpu.global.add.u32 %i2,[%rd1],%i1;" + word, true},
      {"shfl.sync.bfly.b32 %i2,%i1,1,31,-1;" + word, true},
      {"nanosleep.u32 %i1;", true},
  };
  Kernels kernels;
  std::size_t number = 0;
  for (const auto& [between, passes] : passed)
    for (const std::string rounding : {"", ".rn"})
      kernels.add("k" + std::to_string(number++), "f32",
                  names + "mul" + rounding + ".f32 %x5,%x1,%x2;" + between +
                      "add.f32 %x6,%x5,%x3;" + stored(6, "f32"));
  kernels.compile();
  number = 0;
  for (const auto& [between, passes] : passed) {
    CAPTURE(between);
    const std::string name = "k" + std::to_string(number++), apart = "k" + std::to_string(number++);
    CHECK(kernels.of_ptxas(name) - kernels.of_ptxas(apart) == passes);
    CHECK(kernels.ours(name) - kernels.ours(apart) == passes);
  }
}

TEST_CASE("a quotient that is not exact and that one sum reads is a product with a reciprocal") {
  for (const std::string kind : {"approx.ftz", "approx", "full", "full.ftz"}) {
    CAPTURE(kind);
    Kernels kernels;
    const std::string ending = kind.ends_with("ftz") ? ".ftz.f32 " : ".f32 ";
    const auto quotient = [&](const std::string& operands) {
      return "div." + kind + ".f32 " + operands + ";";
    };
    const auto sum = [&](const std::string& operation, const std::string& operands) {
      return operation + ending + operands + ";";
    };
    const std::string first = quotient("%x5,%x1,%x2");
    const std::map<std::string, std::pair<std::string, std::size_t>> cases = {
        {"one_sum", {first + sum("add", "%x6,%x5,%x3") + stored(6, "f32"), 1}},
        {"difference", {first + sum("sub", "%x6,%x3,%x5") + stored(6, "f32"), 1}},
        {"also_stored",
         {first + sum("add", "%x6,%x5,%x3") + stored(5, "f32") + stored(6, "f32"), 0}},
        {"one_of_two",
         {first + quotient("%x6,%x3,%x4") + sum("add", "%x7,%x5,%x6") + stored(7, "f32"), 1}},
        {"of_a_quotient",
         {first + quotient("%x6,%x5,%x3") + sum("add", "%x7,%x6,%x4") + stored(7, "f32"), 1}},
    };
    for (const auto& [name, one] : cases) kernels.add(name, "f32", one.first);
    kernels.compile();
    for (const auto& [name, one] : cases) {
      CHECK_MESSAGE(kernels.of_ptxas(name) == one.second, name);
      CHECK_MESSAGE(kernels.ours(name) == one.second, name);
    }
  }
}

TEST_CASE("random sums and products become as many fma instructions as ptxas makes") {
  for (const std::string type : {"f32", "f64"}) {
    std::mt19937 random(20);
    Kernels kernels;
    constexpr int count = 300;
    for (int i = 0; i < count; ++i)
      kernels.add("k" + std::to_string(i), type, random_body(random, type, i % 2 == 1));
    kernels.compile();
    std::size_t taken = 0;
    for (int i = 0; i < count; ++i) {
      const std::string name = "k" + std::to_string(i);
      CAPTURE(type);
      CAPTURE(name);
      CHECK(kernels.ours(name) == kernels.of_ptxas(name));
      taken += kernels.ours(name);
    }
    CHECK(taken > count);
  }
}

TEST_CASE("a factor that changed, -G and -fmad=false keep product and sum separate") {
  const auto fmas = [](const std::string& body, bool may_contract) {
    ptx::Module module =
        ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + kernel("k", "f32", body));
    ptx::Function function = *module.find("k");
    function.may_contract = may_contract;
    const auto blocks = basic_blocks(function);
    return contract(function, blocks, live_at_starts(function, blocks)).has_value();
  };
  const std::string product = "mul.f32 %x5,%x1,%x2;\n",
                    sum = "add.f32 %x6,%x5,%x3;\n" + stored(6, "f32");
  CHECK(fmas(product + sum, true));
  CHECK_FALSE(fmas(product + sum, false));
  CHECK_FALSE(fmas(product + "mov.f32 %x1,%x3;" + sum, true));
}
