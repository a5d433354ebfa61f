// Texts of PTX that people write and nvcc does not: constant expressions, initial values of every
// kind, elements of arrays, vectors of registers, variables of inner braces, aliases, and a guarded
// jump through a table.
#include "ptx_case.h"

/// Reads 32 words of the variable: those of %lane and, for 64 words, of %lane + 32.
#define WORDS(variable)       \
  "  mov.u64 %rd1, " variable \
  "; mad.wide.u32 %rd1, %lane, 4, %rd1; ld.global.u32 %r0, [%rd1]; ld.global.u32 %r1, [%rd1+128];"

/// Reads as many words as the variable has.
#define FIRST_WORDS(variable, count)                                    \
  "  mov.u64 %rd1, " variable                                           \
  "; mad.wide.u32 %rd1, %lane, 4, %rd1; setp.lt.u32 %p1, %lane, " count \
  "; @%p1 ld.global.u32 %r0, [%rd1];"

static const char one_constant_each[] = R"(
  mov.u32 %r2, (1+2)*3; mov.u32 %r3, ~7; mov.u32 %r4, (5>3)?11:12; mov.s32 %r5, -(2);
  mov.u32 %r6, 1<<4|3; mov.u32 %r7, 7 % 3; mov.u32 %r8, 6/2-1; mov.u32 %r9, !0;
  mov.u32 %r10, (1==1)&&(2!=3)||0; mov.u32 %r11, 5&3^1; mov.s64 %rd2, (.s64)-1 >> 3;
  mov.u64 %rd3, (.u64)-1 >> 60; mov.u32 %r12, 3<=4; mov.u32 %r13, WARP_SZ-1;
  mov.u32 %r14, 0b101; mov.u32 %r15, 017; mov.u32 %r16, -1>>1; mov.u32 %r17, 2+3*4-1;
  mov.u32 %r18, +5; cvt.u32.u64 %r19, %rd2; cvt.u32.u64 %r1, %rd3;
  add.u32 %r0, %r2, %r3; mad.lo.u32 %r0, %r0, 31, %r4; mad.lo.u32 %r0, %r0, 31, %r5;
  mad.lo.u32 %r0, %r0, 31, %r6; mad.lo.u32 %r0, %r0, 31, %r7; mad.lo.u32 %r0, %r0, 31, %r8;
  mad.lo.u32 %r0, %r0, 31, %r9; mad.lo.u32 %r0, %r0, 31, %r10; mad.lo.u32 %r0, %r0, 31, %r11;
  mad.lo.u32 %r0, %r0, 31, %r12; mad.lo.u32 %r0, %r0, 31, %r13; mad.lo.u32 %r0, %r0, 31, %r14;
  mad.lo.u32 %r0, %r0, 31, %r15; mad.lo.u32 %r0, %r0, 31, %r16; mad.lo.u32 %r0, %r0, 31, %r17;
  mad.lo.u32 %r0, %r0, 31, %r18; mad.lo.u32 %r0, %r0, 31, %r19; add.s32 %r1, %r1, -3*2+1;)";

static const char array_of_lanes[] = R"(
  .shared .align 4 .u32 tile[64];
  { .reg .u32 at; mov.u32 at, tile; mad.lo.u32 at, %lane, 4, at; add.u32 %r2, %lane, 100;
    st.shared.u32 [at], %r2; st.shared.u32 [at+128], %r2; bar.sync 0; }
)";
static const std::string by_constants = std::string(array_of_lanes) + R"(
  ld.shared.u32 %r0, tile[3]; mov.u32 %r1, tile[5]; mov.u32 %r2, tile; sub.u32 %r1, %r1, %r2;)";
static const std::string by_registers = std::string(array_of_lanes) + R"(
  and.b32 %r3, %lane, 7; ld.shared.u32 %r0, tile[%r3]; ld.shared.u32 %r1, tile[%r3+2*2];)";

static const PtxCase cases[] = {
    {"constant expressions", "", one_constant_each},
    {"decimal fractions", "", R"(
  mov.f32 %f1, .5; add.f32 %f1, %f1, 1.; mov.b32 %r0, %f1;
  mov.f64 %fd1, -1.5e2; add.f64 %fd1, %fd1, 1e1; cvt.rn.f32.f64 %f2, %fd1; mov.b32 %r1, %f2;)"},
    {"values of every form",
     ".global .u32 v[64] = {(1+2)*3, 1 ? 2 : 3, WARP_SZ, 0b11, 017, +4, -(5), 0X1fU};", WORDS("v")},
    {"rows that are not full", ".global .u32 v[2][3] = {{1}, {3, 4}};", FIRST_WORDS("v", "6")},
    {"an open dimension", ".global .u32 v[][2] = {{1, 2}, {3, 4}, {5}};", FIRST_WORDS("v", "6")},
    {"floats", ".global .f32 v[64] = {1.0/3.0, 2.5, -1e3, .5, -(2.0), 0f3f800000};", WORDS("v")},
    {"doubles", ".global .f64 v[32] = {1.0/3.0, 2.5, 7.0*2.0-1.0, 0d3ff0000000000000};",
     WORDS("v")},
    {"vectors as variables",
     ".global .v4 .f32 v[16] = {{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}};", WORDS("v")},
    {"shifts and quotients",
     ".global .u64 v[32] = {1<<70, 1<<-1, -1>>64, 5/2, -5/2, -5 % 3, 5U/3, -5/2U, -5>3U, (-1)<1U, "
     "!5, !0, ~0U, 5&&0, 0||7, 3^1};",
     WORDS("v")},
    {"precedences and types",
     ".global .u64 v[32] = {9223372036854775808, 18446744073709551615, 0x8000000000000000 >> 63, "
     "(.s64)0x8000000000000000 >> 63, 2>1>0, 1-2-3, 100/10/5, 5 % -3, (.u64)3 - 5 < 0, 3 - 5 < 0, "
     "0x10 & 0x3 == 3, 1|2^3&4, -1 < 1U ? 1 : 2, 1 ? 2 : 0 ? 4 : 5};",
     WORDS("v")},
    {"bytes that do not fit", ".global .align 4 .u8 v[256] = {-1, 0xff, 300, 256};", WORDS("v")},
    {"addresses, whole and in bytes", R"(
.global .align 8 .u64 a[4];
.global .align 8 .u8 bytes[] = {0xff(a), 0xff00(a), 0xff0000(a), 0xff000000(a), 0xff00000000(a),
  0xff0000000000(a), 0xff000000000000(a), 0xff00000000000000(a), 0xff(a+8), 0xff00(a+8),
  0xff0000(a+8), 0xff000000(a+8), 0xff00000000(a+8), 0xff0000000000(a+8),
  0xff000000000000(a+8), 0xff00000000000000(a+8)};
.global .u64 whole[] = {a, a+4*2, generic(a)+24};
.global .u32 low = a;)",
     R"(
  mov.u64 %rd1, a; ld.global.u64 %rd2, [bytes]; ld.global.u64 %rd3, [bytes+8];
  sub.u64 %rd2, %rd2, %rd1; sub.u64 %rd3, %rd3, %rd1; cvt.u32.u64 %r0, %rd2;
  cvt.u32.u64 %r1, %rd3; ld.global.u64 %rd4, [whole+8]; sub.u64 %rd4, %rd4, %rd1;
  cvt.u32.u64 %r2, %rd4; mad.lo.u32 %r0, %r2, 1000, %r0; ld.global.u64 %rd4, [whole+16];
  cvta.to.global.u64 %rd4, %rd4; sub.u64 %rd4, %rd4, %rd1; cvt.u32.u64 %r2, %rd4;
  mad.lo.u32 %r1, %r2, 1000, %r1; ld.global.u32 %r3, [low]; cvt.u32.u64 %r4, %rd1;
  sub.u32 %r3, %r3, %r4; add.u32 %r1, %r1, %r3;)"},
    {"elements by constants", "", by_constants.c_str()},
    {"elements by registers", "", by_registers.c_str()},
    {"elements of two bytes", ".global .u16 odd[8] = {1, 3, 5, 7, 9, 11, 13, 15};", R"({
  .reg .u16 h; ld.global.u16 h, odd[3]; cvt.u32.u16 %r0, h; and.b32 %r2, %lane, 7;
  cvt.u64.u32 %rd2, %r2; ld.global.u16 h, odd[%rd2]; cvt.u32.u16 %r1, h; })"},
    {"vectors of registers", "", R"(
  .reg .v4 .b32 V, W<3>; .reg .v2 .b32 %u; .shared .align 16 .b8 tile[512];
  mov.b32 V.x, %lane; mov.b32 V.y, 5; mov.b32 V.b, 6; mov.b32 V.a, 7;
  mov.u32 %r2, tile; mad.lo.u32 %r2, %lane, 16, %r2; st.shared.v4.b32 [%r2], V;
  ld.shared.v4.b32 W2, [%r2]; mad.lo.u32 %r0, W2.x, 100, W2.z;
  mov.b64 %u, 0x300000004; mad.lo.u32 %r1, %u.x, 16, %u.y; mov.b64 %rd2, %u;
  add.u32 %r1, %r1, W2.w; mov.v2.b32 %u, {%u.y, %u.x}; mad.lo.u32 %r1, %u.x, 4096, %r1;)"},
    {"variables of inner braces", "", R"(
  .global .u32 g = 4; .const .u32 c[2] = {5, 6};
  ld.global.u32 %r0, [g]; ld.const.u32 %r1, [c+4];
  { .shared .align 4 .u32 s[32]; .global .u32 g = 40; .local .align 4 .u32 own[2];
    ld.global.u32 %r2, [g]; add.u32 %r0, %r0, %r2;
    mov.u32 %r3, s; mad.lo.u32 %r3, %lane, 4, %r3; st.shared.u32 [%r3], 11;
    st.local.u32 [own+4], %lane;
    { .shared .align 4 .u64 s[32]; .local .align 4 .u32 own[4];
      mov.u32 %r4, s; mad.lo.u32 %r4, %lane, 8, %r4; st.shared.u64 [%r4], -1;
      st.local.u32 [own+4], 9; st.local.u32 [own], 9; }
    ld.shared.u32 %r5, [%r3]; add.u32 %r0, %r0, %r5;
    ld.local.u32 %r6, [own+4]; mad.lo.u32 %r1, %r6, 100, %r1; })"},
    {"an alias before its function", R"(
.visible .func (.param .u32 r) f(.param .u32 a);
.visible .func (.param .u32 r) g(.param .u32 a);
.alias g, f;
.visible .func (.param .u32 r) f(.param .u32 a) {
  .reg .u32 t; ld.param.u32 t, [a]; add.u32 t, t, 5; st.param.u32 [r], t; ret;
})",
     R"({ .param .u32 a; .param .u32 b;
  st.param.u32 [a], %lane; call (b), g, (a); ld.param.u32 %r0, [b]; })"},
    {"a guarded jump through a table", "", R"(
  T: .branchtargets A, B, C;
  setp.lt.u32 %p1, %lane, 16; rem.u32 %r2, %lane, 3; @%p1 brx.idx %r2, T;
  mov.u32 %r0, 77; bra E; A: mov.u32 %r0, 1; bra E; B: mov.u32 %r0, 2; bra E; C: mov.u32 %r0, 3;
  E:)"},
};

int main() {
  for (const PtxCase& one : cases) run(one);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
