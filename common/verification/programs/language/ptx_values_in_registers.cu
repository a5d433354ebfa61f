// Functions of hand-written PTX that take and give their values in registers, as predicates cannot
// be: constants, vectors, several results, calls through pointers, and those that mix both kinds.
#include "ptx_case.h"

static const char add[] = R"(
.func (.reg .u32 %sum) add (.reg .u32 %a, .reg .f64 %b) {
  .reg .u32 %t; cvt.rzi.u32.f64 %t, %b; add.u32 %sum, %a, %t; ret;
})";

static const char two_of_floats[] = R"(
.func (.reg .f32 %y) next (.reg .f32 %x) { add.f32 %y, %x, 1.0; ret; }
.func (.reg .f32 %y) fourfold (.reg .f32 %x) { mul.f32 %y, %x, 4.0; ret; }
.global .u64 both[] = {next, fourfold};)";

static const char choose[] = R"(
  mov.u64 %rd1, next; mov.u64 %rd2, fourfold;
  setp.lt.u32 %p1, %lane, 9; selp.u64 %rd3, %rd1, %rd2, %p1; cvt.rn.f32.u32 %f2, %lane;
)";

static const std::string by_prototype = std::string(choose) + R"(
  P: .callprototype (.reg .f32 _) _ (.reg .f32 _);
  call (%f1), %rd3, (1.5), P; call (%f2), %rd3, (%f2), P;
  mov.b32 %r0, %f1; mov.b32 %r1, %f2;)";

static const std::string by_targets = std::string(choose) + R"(
  P: .calltargets next, fourfold;
  call (%f1), %rd3, (1.5), P; call (%f2), %rd3, (%f2), P;
  mov.b32 %r0, %f1; mov.b32 %r1, %f2;)";

static const PtxCase cases[] = {
    {"registers and constants", add, R"(
  mov.f64 %fd1, 0d4000000000000000; call (%r0), add, (%lane, %fd1);
  call (%r1), add, (7, 2.5); call.uni (%r2), add, (%r1, 0d4000000000000000);
  add.u32 %r1, %r1, %r2;)"},
    {"under a guard", add, R"(
  mov.u32 %r0, 55; setp.gt.u32 %p1, %lane, 20;
  @%p1 call (%r0), add, (%lane, 0d4059000000000000); @!%p1 call (%r1), add, (%lane, 1.0);)"},
    {"recursion", R"(
.func (.reg .u32 %f) fib (.reg .u32 %n) {
  .reg .pred %small; .reg .u32 %x, %y;
  mov.u32 %f, %n; setp.lt.u32 %small, %n, 2; @%small ret;
  sub.u32 %x, %n, 1; call (%x), fib, (%x); sub.u32 %y, %n, 2; call (%y), fib, (%y);
  add.u32 %f, %x, %y; ret;
})",
     "  rem.u32 %r2, %lane, 12; call (%r0), fib, (%r2);"},
    {"two results, one not wanted", R"(
.func (.reg .u32 %q, .reg .b64 %s) pair (.reg .u32 %p) {
  add.u32 %q, %p, 3; cvt.u64.u32 %s, %p; mul.lo.u64 %s, %s, 0x100000001;
})",
     R"(
  call (%r0, %rd1), pair, (%lane); shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r1, %rd1;
  call (_, %rd1), pair, (5);)"},
    {"parameters in memory and in registers", R"(
.func (.param .u32 q) mixed (.reg .u32 %p, .param .u32 z) {
  .reg .u32 %t; ld.param.u32 %t, [z]; mad.lo.u32 %t, %t, 100, %p; st.param.u32 [q], %t; ret;
}
.func (.param .u32 q) in_memory (.param .u32 p) {
  .reg .u32 %t; ld.param.u32 %t, [p]; add.u32 %t, %t, 9; st.param.u32 [q], %t; ret;
}
)",
     R"({ .param .u32 a, b;
  st.param.u32 [a], 3; call (b), mixed, (%lane, a); ld.param.u32 %r0, [b];
  call (%r1), in_memory, (%lane); call (%r2), in_memory, (41); add.u32 %r1, %r1, %r2;
  call (%r3), mixed, (%lane, 7); add.u32 %r1, %r1, %r3; })"},
    {"in memory for the caller, in registers for the function",
     ".func (.reg .u32 %q) in_registers (.reg .u32 %p) { add.u32 %q, %p, 1; ret; }", R"({
  .param .u32 a, b;
  st.param.u32 [a], %lane; call (b), in_registers, (a); ld.param.u32 %r0, [b]; })"},
    {"16 and 64 bits", R"(
.func (.reg .b16 %q) narrow (.reg .b16 %p, .reg .b64 %a, .reg .f32 %x) {
  .reg .b16 %t; cvt.u16.u64 %t, %a; add.u16 %q, %p, %t; cvt.rzi.u16.f32 %t, %x;
  add.u16 %q, %q, %t; ret;
})",
     R"({ .reg .b16 %h<3>;
  cvt.u16.u32 %h1, %lane; call (%h2), narrow, (%h1, -2, 1.5); cvt.u32.u16 %r0, %h2;
  call (%h2), narrow, (-1, 0x10003, 0f40000000); cvt.u32.u16 %r1, %h2; })"},
    {"vectors", R"(
.func (.reg .v4 .u32 %q) turned (.reg .v4 .u32 %p, .reg .v2 .u32 %d) {
  mov.u32 %q.x, %p.w; mov.u32 %q.y, %p.z; mov.u32 %q.z, %p.y; add.u32 %q.a, %p.r, %d.y; ret;
})",
     R"({ .reg .v4 .u32 %v, %w; .reg .v2 .u32 %d;
  mov.u32 %v.x, 2; mov.u32 %v.y, %lane; mov.u32 %v.z, 5; mov.u32 %v.w, 6; mov.u32 %d.y, 9;
  mov.u32 %d.x, 8; call (%w), turned, (%v, %d);
  mad.lo.u32 %r0, %w.x, 16, %w.y; mad.lo.u32 %r1, %w.z, 16, %w.w; })"},
    {"through pointers, by a prototype", two_of_floats, by_prototype.c_str()},
    {"through pointers, by a list", two_of_floats, by_targets.c_str()},
    {"through pointers, by a table", two_of_floats, R"(
  and.b32 %r2, %lane, 1; mov.u64 %rd1, both; mad.wide.u32 %rd1, %r2, 8, %rd1;
  ld.global.u64 %rd3, [%rd1]; cvt.rn.f32.u32 %f2, %lane;
  call (%f1), %rd3, (1.5), both; call (%f2), %rd3, (%f2), both;
  mov.b32 %r0, %f1; mov.b32 %r1, %f2;)"},
    {"a parameter that the function changes, two ways out", R"(
.func (.reg .u32 %q) grown (.reg .u32 %p) {
  .reg .pred %c;
  AGAIN: add.u32 %p, %p, 3; setp.lt.u32 %c, %p, 40; @%c bra AGAIN;
  mov.u32 %q, %p; setp.eq.u32 %c, %p, 41; @%c ret;
  { .reg .u32 %q; mov.u32 %q, 5; }
  add.u32 %q, %q, 1000;
})",
     "  mov.u32 %r2, %lane; call (%r0), grown, (%r2); mov.u32 %r1, %r2;"},
    {"a result that one way out does not set", R"(
.func (.reg .u32 %q) sometimes (.reg .u32 %p) {
  .reg .pred %c; setp.lt.u32 %c, %p, 40; @!%c ret; mov.u32 %q, 7; ret;
})",
     "  call (%r0), sometimes, (%lane); call (%r2), sometimes, (99);"},
};

int main() {
  for (const PtxCase& one : cases) run(one);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
