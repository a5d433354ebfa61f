// Which stores come after the reads of all lanes, because a matrix product is in between.

#include "simulator/code/values/through_products.h"

#include <doctest/doctest.h>

#include <string>

using namespace warpwise;

namespace through_products_test {

const std::string head = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p) {
  .reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [p];
  ld.shared.u32 %r1, [%rd1];
)";
const std::string product =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},{%r1,%r2},{%r3},"
    "{%f1,%f2,%f3,%f4};\n";

/// The gathering between the load and the last store.
code::Gathered gathered(const std::string& text) {
  const auto module = ptx::parse(head + text + "ret;\n}\n");
  const ptx::Function& function = *module.find("kernel");
  return code::gathering_between(function, 1, function.body.size() - 2);
}
code::Gathering gathering(const std::string& text) {
  const code::Gathered found = gathered(text);
  return found.lanes == ~0u ? found.by : code::Gathering::none;
}
bool goes_through(const std::string& text) { return gathering(text) == code::Gathering::product; }

TEST_CASE("what a product has made of the values that were read is written after all reads") {
  CHECK(goes_through(product + "st.shared.f32 [%rd1], %f2;\n"));
  CHECK(goes_through("mov.u32 %r3, %r1; mov.u32 %r1, 0;\n" + product +
                     "add.f32 %f5, %f3, %f6; st.shared.v2.f32 [%rd1], {%f5, %f1};\n"));
}

TEST_CASE("what all lanes have exchanged is written after all reads") {
  const std::string vote = "vote.sync.ballot.b32 %r2, %p1, -1;\n";
  const std::string store = "st.shared.u32 [%rd1], %r3;\n";
  CHECK(gathering("setp.ne.s32 %p1, %r1, 0;\n" + vote + "popc.b32 %r3, %r2;\n" + store) ==
        code::Gathering::exchange);
  CHECK(gathering("shfl.sync.down.b32 %r3, %r1, 1, 31, -1;\n" + store) ==
        code::Gathering::exchange);
  CHECK(gathering("redux.sync.add.s32 %r3, %r1, -1;\n" + store) == code::Gathering::exchange);
  CHECK(gathering("mov.u32 %r5, -1; redux.sync.add.s32 %r3, %r1, %r5;\n" + store) ==
        code::Gathering::exchange);
  // Of some lanes only, of another value, or with a value that does not pass through it.
  CHECK(gathering("mov.u32 %r5, -1; @%p1 mov.u32 %r5, 1; redux.sync.add.s32 %r3, %r1, %r5;\n" +
                  store) == code::Gathering::none);
  CHECK(gathering("shfl.sync.down.b32 %r3, %r1, 1, 31, 255;\n" + store) == code::Gathering::none);
  CHECK(gathering("setp.ne.s32 %p1, %r4, 0;\n" + vote + "popc.b32 %r3, %r2;\n" + store) ==
        code::Gathering::none);
  CHECK(gathering("shfl.sync.down.b32 %r3, %r1, 1, 31, -1;\nst.shared.v2.u32 [%rd1], {%r3, "
                  "%r1};\n") == code::Gathering::none);
}

TEST_CASE("what some lanes have exchanged is written after the reads of these") {
  const std::string shuffle = "shfl.sync.idx.b32 %r3, %r1, 1, 31, -2;\n";
  const code::Gathered of_some =
      gathered(shuffle + "add.s32 %r4, %r3, %r5; st.shared.u32 [%rd1], %r4;\n");
  CHECK(of_some.by == code::Gathering::exchange);
  CHECK(of_some.lanes == 0xfffffffe);
  // The first one counts: each lane has read before it.
  const code::Gathered of_more = gathered(
      "mov.u32 %r5, 255; redux.sync.add.s32 %r3, %r1, %r5;\n"
      "shfl.sync.down.b32 %r3, %r3, 1, 31, -1; st.shared.u32 [%rd1], %r3;\n");
  CHECK(of_more.lanes == 255);
}

TEST_CASE("what is written independently of the product may come before a read") {
  CHECK_FALSE(goes_through(product + "st.shared.u32 [%rd1], %r1;\n"));
  CHECK_FALSE(goes_through(product + "st.shared.v2.f32 [%rd1], {%f1, %f5};\n"));
  CHECK_FALSE(goes_through(product + "mov.f32 %f1, 0f00000000; st.shared.f32 [%rd1], %f1;\n"));
  CHECK_FALSE(goes_through("mov.u32 %r1, 0;\n" + product + "st.shared.f32 [%rd1], %f1;\n"));
  CHECK_FALSE(goes_through("st.shared.u32 [%rd1], %r1;\n"));
}

}  // namespace through_products_test
