#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstring>
#include <string>

#include "simulator/machine/together/warpgroup.h"
#include "simulator/machine/warp/lanes.h"

/// Products of matrices by a warpgroup, of which each warp forms 16 rows: what descriptors say, and
/// how matrices come from shared memory into the form of registers.
namespace warpwise::machine {
namespace {

/// Matrices are read in pieces: elements that are adjacent.
constexpr unsigned piece_bytes = 16;
/// A block of 8 x 8 pieces' elements, 8 pieces one after another: what a register of a warp holds.
constexpr unsigned block_bytes = 8 * piece_bytes;
constexpr unsigned most_columns = 256;
constexpr unsigned rows_of_warp = 16, registers_of_a = 4, blocks_at_once = 4;

/// The 64 bits that say where a matrix is in shared memory. An H100 found elements so for all 272
/// descriptors that were tried.
class Descriptor {
 public:
  explicit Descriptor(std::uint64_t bits)
      : start_((bits & 0x3fff) * piece_bytes),
        leading_((bits >> 16 & 0x3fff) * piece_bytes),
        stride_((bits >> 32 & 0x3fff) * piece_bytes),
        base_offset_(bits >> 49 & 7),
        mode_(static_cast<unsigned>(bits >> 62)) {}

  /// Address of a piece: of elements along K, or along M or N where the matrix is in columns.
  /// @param line in which row or column of a block of eight.
  /// @param across which block of eight along M or N.
  /// @param along which block of 16 bytes along K (in columns: of eight elements).
  std::uint64_t piece(bool in_columns, unsigned line, unsigned across, unsigned along) const {
    constexpr unsigned widths[] = {1, 8, 4, 2};  // in pieces, of a line of the swizzle
    const unsigned width = widths[mode_];
    std::uint64_t offset = std::uint64_t{line} * width * piece_bytes;
    if (width == 1)
      offset += across * stride_ + along * leading_;
    else if (in_columns)
      offset += across % width * piece_bytes + across / width * leading_ + along * stride_;
    else
      offset += across * stride_ + along * piece_bytes;
    const std::uint64_t address = start_ + offset;
    // Each of every eight lines of 128 bytes has its pieces in an order of its own.
    return (address ^ (((address >> 7) - base_offset_) & (width - 1)) << 4) & address_bits;
  }
  std::string text() const {
    constexpr const char* modes[] = {"none", "128 bytes", "64 bytes", "32 bytes"};
    return fmt::format(
        "start at offset {}, leading dimension {} bytes, stride {} bytes, swizzle {}",
        static_cast<std::int64_t>(start_) - code::shared_base, leading_, stride_, modes[mode_]);
  }

 private:
  static constexpr std::uint64_t address_bits = (1u << 18) - 1;
  std::uint64_t start_, leading_, stride_;
  std::uint64_t base_offset_;
  unsigned mode_;
};

/// A block of elements of 16 bits, of which the columns came.
void transpose(std::byte* block) {
  std::uint16_t from[8][8], to[8][8];
  std::memcpy(from, block, sizeof from);
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned j = 0; j < 8; ++j) to[j][i] = from[i][j];
  std::memcpy(block, to, sizeof to);
}

/// Changes the sign of floats.
void negate(std::byte* bytes, std::size_t count, unsigned element_bits) {
  const std::uint64_t signs = element_bits == 8    ? 0x8080808080808080ull
                              : element_bits == 16 ? 0x8000800080008000ull
                                                   : 0x8000000080000000ull;
  for (std::size_t i = 0; i < count; i += sizeof signs) {
    std::uint64_t value;
    std::memcpy(&value, bytes + i, sizeof value);
    value ^= signs;
    std::memcpy(bytes + i, &value, sizeof value);
  }
}

}  // namespace

/// A and B in the form of registers: of A the blocks of rows 0 to 7 and 8 to 15, then the same
/// further along K; of B two along K for each eight columns.
struct Warpgroups::Factors {
  alignas(64) std::byte a[registers_of_a][block_bytes];
  alignas(64) std::byte b[most_columns / 8 * 2][block_bytes];
  std::bitset<rows_of_warp> undefined_rows;
  std::bitset<most_columns> undefined_columns;
  std::uint32_t origin = UndefinedValues::no_origin;
};

void Warpgroups::form_product(const code::Instruction& instruction,
                              const code::Operation& operation) {
  const code::WarpgroupProduct& product = here_.program_.warpgroup_products[operation.product];
  if (!here_.warp_->products.fenced) note_missing_fence();
  Factors factors;
  if (product.a.empty()) fetch(product, 0, here_.lane_value(operation.s[2], 0), factors);
  for (std::size_t i = 0; i < product.a.size(); ++i) {
    if (here_.warp_->undefined().any()) use_factor(product.a[i], static_cast<unsigned>(i), factors);
    std::memcpy(factors.a[i], here_.warp_->slot(product.a[i]), block_bytes);
  }
  fetch(product, 1, here_.lane_value(operation.s[0], 0), factors);
  if (product.is_negated[0]) negate(factors.a[0], sizeof factors.a, product.element_bits);
  if (product.is_negated[1])
    negate(factors.b[0], product.columns / 8 * 2 * block_bytes, product.element_bits);
  const bool adds = (here_.warp_->mask_at(operation.s[1].slot) & 1) != 0;
  if (here_.warp_->undefined().any() || factors.origin != UndefinedValues::no_origin)
    follow_product(product, factors, adds);
  alignas(64) static constexpr std::byte nothing[block_bytes] = {};
  constexpr std::size_t most_registers = most_columns / 2;
  void* d[most_registers];
  const void *c[most_registers], *a[registers_of_a], *b[most_columns / 8 * 2];
  for (std::size_t i = 0; i < product.d.size(); ++i) {
    d[i] = here_.warp_->slot(product.d[i]);
    c[i] = adds ? d[i] : nothing;
  }
  for (unsigned i = 0; i < registers_of_a; ++i) a[i] = factors.a[i];
  for (unsigned i = 0; i < product.columns / 4; ++i) b[i] = factors.b[i];
  isa::Operands operands;
  operands.d = d;
  operands.s[0] = a;
  operands.s[1] = b;
  operands.s[2] = c;
  operands.s[3] = &product.columns;
  instruction.function(operands);
  const auto origin = static_cast<std::uint32_t>(&instruction - here_.program_.code.data());
  for (const code::Slot slot : product.d)
    here_.warp_->undefined().set_in_flight(slot, here_.warp_->products.committed + 1, origin);
}

/// A register of A is read: a block of eight rows.
void Warpgroups::use_factor(code::Slot slot, unsigned block, Factors& factors) {
  if (here_.warp_->undefined().in_flight(slot))
    parts_.uninitialized.report_in_flight(slot, all_lanes);
  const std::uint32_t lanes = here_.warp_->undefined().lanes(slot);
  if (lanes) factors.origin = here_.warp_->undefined().origin(slot);
  for_lanes(lanes, [&](unsigned lane) { factors.undefined_rows.set(block % 2 * 8 + lane / 4); });
}

/// Reads the rows of this warp of A, or all of B.
void Warpgroups::fetch(const code::WarpgroupProduct& product, int matrix, std::uint64_t descriptor,
                       Factors& factors) {
  const Descriptor at(descriptor);
  const code::Access& access = here_.program_.accesses[product.reads[matrix]];
  const bool is_a = matrix == 0, in_columns = product.in_columns[matrix];
  const unsigned blocks = is_a ? registers_of_a : product.columns / 4;
  const unsigned first_across = is_a ? here_.warp_index_ % warpgroup_warps * (rows_of_warp / 8) : 0;
  for (unsigned first = 0; first < blocks; first += blocks_at_once) {
    const unsigned count = std::min(blocks_at_once, blocks - first);
    alignas(64) std::uint64_t addresses[32] = {};
    for (unsigned lane = 0; lane < 8 * count; ++lane) {
      const unsigned block = first + lane / 8;
      const unsigned across = is_a ? block % 2 : block / 2, along = is_a ? block / 2 : block % 2;
      addresses[lane] = at.piece(in_columns, lane % 8, first_across + across, along);
    }
    const std::uint32_t lanes = count == blocks_at_once ? all_lanes : (1u << 8 * count) - 1;
    read_pieces(access, lanes, addresses, is_a ? "A" : "B", at.text());
    for_lanes(lanes, [&](unsigned lane) {
      const unsigned block = first + lane / 8;
      std::byte* to = (is_a ? factors.a[block] : factors.b[block]) + lane % 8 * piece_bytes;
      for (unsigned half = 0; half < 2; ++half)
        std::memcpy(to + 8 * half, here_.warp_->slot(access.data[half]) + std::size_t{lane} * 8, 8);
    });
    if (in_columns)
      for (unsigned block = first; block < first + count; ++block)
        transpose(is_a ? factors.a[block] : factors.b[block]);
    if (here_.warp_->undefined().any())
      note_undefined(access, lanes, is_a, in_columns, first, factors);
  }
}

/// Undefined parts of pieces just read make their rows of A, or columns of B, undefined.
void Warpgroups::note_undefined(const code::Access& access, std::uint32_t lanes, bool is_a,
                                bool in_columns, unsigned first, Factors& factors) {
  for (const code::Slot half : {access.data[0], access.data[1]}) {
    const std::uint32_t undefined = here_.warp_->undefined().lanes(half) & lanes;
    if (undefined) factors.origin = here_.warp_->undefined().origin(half);
    for_lanes(undefined, [&](unsigned lane) {
      const unsigned block = first + lane / 8, across = 8 * (is_a ? block % 2 : block / 2);
      const unsigned from = in_columns ? half == access.data[0] ? 0 : 4 : lane % 8;
      for (unsigned line = from; line < from + (in_columns ? 4 : 1); ++line)
        is_a ? void(factors.undefined_rows.set(across + line))
             : void(factors.undefined_columns.set(across + line));
    });
    here_.warp_->undefined().define(half, all_lanes);
  }
}

/// Reads a piece in each of the lanes, into the registers of the access. They have to stay until
/// the product has been waited for.
void Warpgroups::read_pieces(const code::Access& access, std::uint32_t lanes,
                             const std::uint64_t* addresses, const char* matrix,
                             const std::string& descriptor) {
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t offset = addresses[lane] - code::shared_base;
    if (offset < here_.grid_.shared_bytes && offset + piece_bytes <= here_.grid_.shared_bytes)
      return;
    here_.fault(here_.finding(
        "out-of-bounds",
        fmt::format("this wgmma reads matrix {} at offset {} of the block's shared "
                    "memory, which has {} bytes. Its descriptor says: {}. Check these "
                    "numbers, which count bytes divided by 16 there, and the size of the "
                    "shared memory.",
                    matrix, static_cast<std::int64_t>(offset), here_.grid_.shared_bytes,
                    descriptor),
        0));
  });
  if (const std::uint32_t unfenced = here_.block_->ordinary_writes.unfenced(lanes, addresses))
    parts_.copy_checks.report_missing_proxy_fence(
        fmt::format("this wgmma reads matrix {} at", matrix), 0,
        addresses[std::countr_zero(unfenced)]);
  CopiesInFlight::Copy copy;
  copy.site = access.site;
  copy.warp = here_.warp_index_ / warpgroup_warps * warpgroup_warps;
  copy.lanes = lanes;
  copy.bytes = piece_bytes;
  copy.of = CopiesInFlight::Of::products;
  copy.only_reads = true;
  copy.groups.fill(here_.warp_->products.committed + 1);
  std::copy(addresses, addresses + 32, copy.at.begin());
  alignas(64) std::uint64_t places[32];
  std::copy(addresses, addresses + 32, places);
  parts_.accesses.access_space(*here_.current_, access, code::Space::shared, lanes, places);
  // All four warps read the same B.
  const bool is_noted = copy.warp == here_.warp_index_ || *matrix == 'A';
  if (here_.block_->order && is_noted) here_.block_->copies.add(copy);
}

/// An element of D is undefined where its row of A, its column of B or what it is added to is.
void Warpgroups::follow_product(const code::WarpgroupProduct& product, const Factors& factors,
                                bool adds) {
  UndefinedValues& undefined = here_.warp_->undefined();
  for (unsigned reg = 0; reg < product.d.size(); ++reg) {
    const code::Slot slot = product.d[reg];
    std::uint32_t lanes = adds ? undefined.lanes(slot) : 0;
    const std::uint32_t origin = lanes ? undefined.origin(slot) : factors.origin;
    for (unsigned lane = 0; lane < 32 && factors.origin != UndefinedValues::no_origin; ++lane)
      for (unsigned part = 0; part < product.per_register; ++part) {
        const isa::Position at = isa::fragment::of_accumulator(rows_of_warp, product.columns, lane,
                                                               reg * product.per_register + part);
        if (factors.undefined_rows[at.row] || factors.undefined_columns[at.column])
          lanes |= 1u << lane;
      }
    undefined.define(slot, all_lanes);
    undefined.set(slot, lanes, origin);
  }
}

void Warpgroups::note_missing_fence() {
  here_.warp_->products.fenced = true;  // reported once
  watch::Finding found = here_.finding("race", {}, 0);
  found.severity = watch::Severity::note;
  if (here_.diagnoses_.count_only(found)) return;
  found.message =
      "no wgmma.fence came before this first wgmma. The compiler puts one there, so it works; the "
      "manual wants it before the first, and where other instructions have written the registers: "
      "wgmma.fence.sync.aligned.";
  here_.diagnoses_.report(std::move(found));
}

}  // namespace warpwise::machine
