#include <algorithm>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/matrix/matrix_bits.h"
#include "simulator/isa/rows/matrix/matrix_integer.h"
#include "simulator/isa/rows/matrix/matrix_quarters.h"
#include "simulator/isa/rows/matrix/matrix_sparse.h"

/// Products of matrices that a warp holds in its registers.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// An input NaN comes out, made quiet: the first of B, C and A. A new NaN has a sign.
double fused(double a, double b, double c) {
  double result = std::fma(a, b, c);
  if (result == result) return result;
  constexpr uint64_t quiet = 1ull << 51;
  for (double x : {b, c, a})
    if (x != x) return std::bit_cast<double>(std::bit_cast<uint64_t>(x) | quiet);
  return std::bit_cast<double>(0xfff8000000000000ull);
}

/// f64: one fused multiply-add after another, k upwards.
void double_product(const Operands& o, Shape s) {
  double a[most_elements], b[most_elements], c[most_elements];
  gather_a(o, 0, s.m, s.k, a);
  gather_b(o, 1, s.n, s.k, b);
  gather_accumulator(o, 2, s.m, s.n, c);
  for (unsigned i = 0; i < s.m; ++i)
    for (unsigned l = 0; l < s.k; ++l)
      for (unsigned j = 0; j < s.n; ++j)
        c[i * s.n + j] = fused(a[i * s.k + l], b[l * s.n + j], c[i * s.n + j]);
  scatter_accumulator(o, s.m, s.n, c);
}

using Product = void (*)(const Operands&, Shape);

/// The function for one of some shapes by name. Eight rows by 32 columns are computed as 32 by
/// eight, transposed.
template <Product Function, Shape... Shapes>
LaneFunction with_shape(const Variant& v) {
  std::optional<Shape> wanted = shape_named(v["shape"]);
  LaneFunction found = nullptr;
  (..., (wanted == Shapes ? void(found = [](const Operands& o) { Function(o, Shapes); }) : void()));
  return found;
}
template <Product Function>
void transposed(const Operands& o, Shape) {
  Operands swapped = o;
  std::swap(swapped.s[0], swapped.s[1]);
  Function(swapped, {32, 8, 16});
}
/// The shapes that wmma has for f16, bf16 and bytes.
/// @tparam Swapped the product of B and A in this order; the same where they have one type.
template <Product Function, Product Swapped = Function>
LaneFunction with_tile(const Variant& v) {
  LaneFunction wide = with_shape<Function, Shape{16, 16, 16}, Shape{32, 8, 16}>(v);
  return wide ? wide : with_shape<transposed<Swapped>, Shape{8, 32, 16}>(v);
}

/// Calls make with one of two types.
template <class First, class Second, class Make>
LaneFunction choose(bool first, Make make) {
  return first ? make.template operator()<First>() : make.template operator()<Second>();
}

template <class A, class B, bool Saturates>
LaneFunction select_integer(const Variant& v) {
  constexpr Product product = integer_product<A, B, Saturates>;
  if constexpr (A::per_byte == 2)
    return with_shape<product, Shape{8, 8, 32}, Shape{16, 8, 32}, Shape{16, 8, 64}>(v);
  LaneFunction tile = with_tile<product, integer_product<B, A, Saturates>>(v);
  return tile ? tile : with_shape<product, Shape{8, 8, 16}, Shape{16, 8, 16}, Shape{16, 8, 32}>(v);
}

template <class Signed, class Unsigned>
LaneFunction select_integers(const Variant& v) {
  return choose<Signed, Unsigned>(v["atype"][0] == 's', [&]<class A>() {
    return choose<Signed, Unsigned>(v["btype"][0] == 's', [&]<class B>() {
      return v.has("satfinite") ? select_integer<A, B, true>(v) : select_integer<A, B, false>(v);
    });
  });
}

template <bool And>
LaneFunction select_bit(const Variant& v) {
  return with_shape<bit_product<And>, Shape{8, 8, 128}, Shape{16, 8, 128}, Shape{16, 8, 256}>(v);
}
LaneFunction select_bits(const Variant& v) {
  return v.has("and") ? select_bit<true>(v) : select_bit<false>(v);
}

LaneFunction select_double(const Variant& v) {
  return with_shape<double_product, Shape{8, 8, 4}, Shape{16, 8, 4}, Shape{16, 8, 8},
                    Shape{16, 8, 16}>(v);
}

/// C and D have the same type, one of two.
template <class A, class B>
LaneFunction select_alike(const Variant& v) {
  if (v["dtype"] != v["ctype"]) return nullptr;
  return choose<F32, F16>(v["dtype"] == "f32", [&]<class D>() {
    return with_shape<float_product<A, B, D, D>, Shape{16, 8, 8}, Shape{16, 8, 16}>(v);
  });
}
template <class A, class B>
LaneFunction select_byte_floats(const Variant& v) {
  if (v["dtype"] != v["ctype"]) return nullptr;
  return choose<F32, F16>(v["dtype"] == "f32", [&]<class D>() {
    return with_shape<byte_float_product<A, B, D>, Shape{16, 8, 16}, Shape{16, 8, 32}>(v);
  });
}
LaneFunction select_float8(const Variant& v) {
  return choose<E4M3, E5M2>(v["atype"] == "e4m3", [&]<class A>() {
    return choose<E4M3, E5M2>(v["btype"] == "e4m3",
                              [&]<class B>() { return select_byte_floats<A, B>(v); });
  });
}

/// C and D can have different types.
LaneFunction select_half_tile(const Variant& v) {
  return choose<F32, F16>(v["ctype"] == "f32", [&]<class C>() {
    return choose<F32, F16>(v["dtype"] == "f32",
                            [&]<class D>() { return with_tile<float_product<F16, F16, C, D>>(v); });
  });
}

template <class F, Shape... Shapes>
LaneFunction select_to_f32(const Variant& v) {
  return with_shape<float_product<F, F, F32, F32>, Shapes...>(v);
}
/// Compiled code makes them from sums of four products, where mma has eight.
LaneFunction select_tf32_tile(const Variant& v) {
  return with_shape<float_product<TF32, TF32, F32, F32, 4>, Shape{16, 16, 8}>(v);
}
LaneFunction select_bf16_tile(const Variant& v) {
  return with_tile<float_product<BF16, BF16, F32, F32>>(v);
}

template <class C, class D>
LaneFunction select_layouts(const Variant& v) {
  const bool a = v["alayout"] == "col", b = v["blayout"] == "col";
  if (a) return b ? quarter_products<C, D, true, true> : quarter_products<C, D, true, false>;
  return b ? quarter_products<C, D, false, true> : quarter_products<C, D, false, false>;
}
/// To f32 from either type, to f16 from f16.
LaneFunction select_quarters(const Variant& v) {
  const bool from_f32 = v["ctype"] == "f32";
  if (v["dtype"] == "f32")
    return from_f32 ? select_layouts<F32, F32>(v) : select_layouts<F16, F32>(v);
  return from_f32 ? nullptr : select_layouts<F16, F16>(v);
}

template <class F, Shape... Shapes>
LaneFunction select_sparse(const Variant& v) {
  if (v["dtype"] != v["ctype"]) return nullptr;
  if constexpr (std::is_same_v<F, F16>)
    if (v["dtype"] == "f16") return with_shape<sparse_float_product<F, F16>, Shapes...>(v);
  return with_shape<sparse_float_product<F, F32>, Shapes...>(v);
}
LaneFunction select_sparse_float8(const Variant& v) {
  return choose<E4M3, E5M2>(v["atype"] == "e4m3", [&]<class A>() {
    return choose<E4M3, E5M2>(v["btype"] == "e4m3", [&]<class B>() {
      return with_shape<sparse_byte_float_product<A, B>, Shape{16, 8, 64}>(v);
    });
  });
}
template <class Signed, class Unsigned, Shape... Shapes>
LaneFunction select_sparse_integers(const Variant& v) {
  return choose<Signed, Unsigned>(v["atype"][0] == 's', [&]<class A>() {
    return choose<Signed, Unsigned>(v["btype"][0] == 's', [&]<class B>() {
      return v.has("satfinite") ? with_shape<sparse_integer_product<A, B, true>, Shapes...>(v)
                                : with_shape<sparse_integer_product<A, B, false>, Shapes...>(v);
    });
  });
}

}  // namespace

std::span<const Row> matrix_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c; "
       ".atype = {.f16}; .btype = {.f16}; .shape = {.m16n8k8, .m16n8k16}; .dtype = {.f16, .f32}; "
       ".ctype = {.f16, .f32}",
       K::matrix, select_alike<F16, F16>},
      {"mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype d, a, b, c; "
       ".shape = {.m8n8k4}; .alayout = {.row, .col}; .blayout = {.row, .col}; "
       ".atype = {.f16}; .btype = {.f16}; .dtype = {.f16, .f32}; .ctype = {.f16, .f32}",
       K::matrix, select_quarters},
      {"mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.f32}; .atype = {.bf16}; .btype = {.bf16}; .ctype = {.f32}; "
       ".shape = {.m16n8k8, .m16n8k16}",
       K::matrix, select_to_f32<BF16, Shape{16, 8, 8}, Shape{16, 8, 16}>},
      {"mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.f32}; .atype = {.tf32}; .btype = {.tf32}; .ctype = {.f32}; "
       ".shape = {.m16n8k4, .m16n8k8}",
       K::matrix, select_to_f32<TF32, Shape{16, 8, 4}, Shape{16, 8, 8}>},
      {"mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c; "
       ".shape = {.m16n8k16, .m16n8k32}; .dtype = {.f16, .f32}; .atype = {.e4m3, .e5m2}; "
       ".btype = {.e4m3, .e5m2}; .ctype = {.f16, .f32}",
       K::matrix, select_float8},
      {"mma.sync.aligned.shape.row.col{.rn}.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.f64}; .atype = {.f64}; .btype = {.f64}; .ctype = {.f64}; "
       ".shape = {.m8n8k4, .m16n8k4, .m16n8k8, .m16n8k16}",
       K::matrix, select_double},
      {"mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.s32}; .ctype = {.s32}; "
       ".shape = {.m8n8k16, .m16n8k16, .m16n8k32}; .atype = {.s8, .u8}; .btype = {.s8, .u8}",
       K::matrix, select_integers<S8, U8>},
      {"mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.s32}; .ctype = {.s32}; "
       ".shape = {.m8n8k32, .m16n8k32, .m16n8k64}; .atype = {.s4, .u4}; .btype = {.s4, .u4}",
       K::matrix, select_integers<S4, U4>},
      {"mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype.op.popc d, a, b, c; "
       ".dtype = {.s32}; .atype = {.b1}; .btype = {.b1}; .ctype = {.s32}; "
       ".shape = {.m8n8k128, .m16n8k128, .m16n8k256}; .op = {.and, .xor}",
       K::matrix, select_bits},
      {"mma.sparse.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c, e, immSelector; "
       ".sparse = {.sp, .sp::ordered_metadata}; .shape = {.m16n8k16, .m16n8k32}; "
       ".dtype = {.f16, .f32}; .atype = {.f16}; .btype = {.f16}; .ctype = {.f16, .f32}",
       K::matrix, select_sparse<F16, Shape{16, 8, 16}, Shape{16, 8, 32}>},
      {"mma.sparse.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c, e, immSelector; "
       ".sparse = {.sp, .sp::ordered_metadata}; .shape = {.m16n8k16, .m16n8k32}; "
       ".dtype = {.f32}; .atype = {.bf16}; .btype = {.bf16}; .ctype = {.f32}",
       K::matrix, select_sparse<BF16, Shape{16, 8, 16}, Shape{16, 8, 32}>},
      {"mma.sparse.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c, e, immSelector; "
       ".sparse = {.sp, .sp::ordered_metadata}; .shape = {.m16n8k8, .m16n8k16}; "
       ".dtype = {.f32}; .atype = {.tf32}; .btype = {.tf32}; .ctype = {.f32}",
       K::matrix, select_sparse<TF32, Shape{16, 8, 8}, Shape{16, 8, 16}>},
      {"mma.sparse.sync.aligned.shape.row.col.dtype.atype.btype.ctype d, a, b, c, e, immSelector; "
       ".sparse = {.sp, .sp::ordered_metadata}; .shape = {.m16n8k64}; .dtype = {.f32}; "
       ".atype = {.e4m3, .e5m2}; .btype = {.e4m3, .e5m2}; .ctype = {.f32}",
       K::matrix, select_sparse_float8},
      {"mma.sparse.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype "
       "d, a, b, c, e, immSelector; "
       ".sparse = {.sp, .sp::ordered_metadata}; .shape = {.m16n8k32, .m16n8k64}; "
       ".dtype = {.s32}; .atype = {.s8, .u8}; .btype = {.s8, .u8}; .ctype = {.s32}",
       K::matrix, select_sparse_integers<S8, U8, Shape{16, 8, 32}, Shape{16, 8, 64}>},
      {"mma.sparse.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype "
       "d, a, b, c, e, immSelector; "
       ".sparse = {.sp, .sp::ordered_metadata}; .shape = {.m16n8k64, .m16n8k128}; "
       ".dtype = {.s32}; .atype = {.s4, .u4}; .btype = {.s4, .u4}; .ctype = {.s32}",
       K::matrix, select_sparse_integers<S4, U4, Shape{16, 8, 64}, Shape{16, 8, 128}>},
      {"wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype d, a, b, c; "
       ".alayout = {.row, .col}; .blayout = {.row, .col}; "
       ".shape = {.m16n16k16, .m32n8k16, .m8n32k16}; .dtype = {.f16, .f32}; .ctype = {.f16, .f32}",
       K::matrix, select_half_tile},
      {"wmma.mma.sync.aligned.alayout.blayout.shape.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.f32}; .atype = {.bf16}; .btype = {.bf16}; .ctype = {.f32}; "
       ".alayout = {.row, .col}; .blayout = {.row, .col}; "
       ".shape = {.m16n16k16, .m32n8k16, .m8n32k16}",
       K::matrix, select_bf16_tile},
      {"wmma.mma.sync.aligned.alayout.blayout.shape.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.f32}; .atype = {.tf32}; .btype = {.tf32}; .ctype = {.f32}; "
       ".alayout = {.row, .col}; .blayout = {.row, .col}; .shape = {.m16n16k8}",
       K::matrix, select_tf32_tile},
      {"wmma.mma.sync.aligned.alayout.blayout.shape{.rn}.dtype.atype.btype.ctype{.rn} d, a, b, c; "
       ".dtype = {.f64}; .atype = {.f64}; .btype = {.f64}; .ctype = {.f64}; "
       ".alayout = {.row, .col}; .blayout = {.row, .col}; .shape = {.m8n8k4}",
       K::matrix, select_double},
      {"wmma.mma.sync.aligned.alayout.blayout.shape.dtype.atype.btype.ctype{.satfinite} d, a, b, "
       "c; "
       ".dtype = {.s32}; .ctype = {.s32}; "
       ".alayout = {.row, .col}; .blayout = {.row, .col}; "
       ".shape = {.m16n16k16, .m32n8k16, .m8n32k16}; .atype = {.s8, .u8}; .btype = {.s8, .u8}",
       K::matrix, select_integers<S8, U8>},
      {"wmma.mma.sync.aligned.row.col.shape.dtype.atype.btype.ctype{.satfinite} d, a, b, c; "
       ".dtype = {.s32}; .ctype = {.s32}; "
       ".shape = {.m8n8k32}; .atype = {.s4, .u4}; .btype = {.s4, .u4}",
       K::matrix, select_integers<S4, U4>},
      {"wmma.mma.op.popc.sync.aligned.row.col.shape.dtype.atype.btype.ctype d, a, b, c; "
       ".dtype = {.s32}; .atype = {.b1}; .btype = {.b1}; .ctype = {.s32}; "
       ".shape = {.m8n8k128}; .op = {.and, .xor}",
       K::matrix, select_bits},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
