#include "simulator/machine/copies/tensor_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "simulator/machine/access/addresses.h"
#include "simulator/machine/copies/tensor_box.h"
#include "simulator/machine/copies/tensor_tile.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using What = code::TensorCopy::What;

}  // namespace

void TensorCopies::execute(const code::Instruction& instruction, const code::Operation& operation,
                           std::uint32_t mask) {
  const code::TensorCopy& copy = here_.program_.tensor_copies[operation.tensor];
  for (const code::Operation::Value& at : copy.coordinates)
    if (at.is_there()) parts_.uninitialized.use_value(at.slot, mask, "is part of a coordinate");
  for (const code::Operation::Value& offset : copy.offsets)
    if (offset.is_there())
      parts_.uninitialized.use_value(offset.slot, mask, "is part of a coordinate");
  std::uint64_t maps[32], targets[32] = {}, barriers[32] = {};
  parts_.accesses.lane_addresses(here_.program_.accesses[copy.map], maps);
  if (copy.what == What::load) {
    parts_.accesses.lane_addresses(here_.program_.accesses[operation.to], targets);
    parts_.accesses.lane_addresses(here_.program_.accesses[operation.barrier], barriers);
  }
  for_lanes(mask, [&](unsigned lane) {
    const TensorBox box = box_of(copy, lane, maps[lane]);
    if (copy.what == What::load)
      load(instruction, operation, lane, box, targets[lane], barriers[lane]);
    else if (copy.what != What::prefetch)
      store(instruction, operation, lane, box);
  });
}

/// One read, and a write for each block that gets the box.
void TensorCopies::load(const code::Instruction& instruction, const code::Operation& operation,
                        unsigned lane, const TensorBox& box, std::uint64_t target,
                        std::uint64_t barrier) {
  const code::Access &from = here_.program_.accesses[operation.from],
                     &to = here_.program_.accesses[operation.to];
  check_tile_address(lane, target);
  TensorTile tile(box);
  if (box.map().fills_with_nan) tile.fill_with_nan();
  box.for_rows([&](const TensorBox::Row& row) {
    check_row(from, lane, row);
    code::Access part = from;
    part.element_bytes = row.bytes;
    const AsyncCopies::Reached source = parts_.async_copies.reach(part, lane, row.address);
    std::memcpy(tile.bytes.data() + row.offset, source.bytes, row.bytes);
    if (source.valid) std::memcpy(tile.valid.data() + row.offset, source.valid, row.bytes);
    tile.round(box.map().element, row.offset, row.bytes);
  });
  here_.set_lane(here_.program_.tensor_copies[operation.tensor].bytes, lane, box.bytes());
  CopiesInFlight::Copy copy;
  copy.site = to.site;
  copy.warp = here_.warp_index_;
  copy.lanes = 1u << lane;
  copy.of = CopiesInFlight::Of::bulk;
  const auto arrive = [&](std::uint64_t at, std::uint64_t told) {
    fill_shared(to, lane, box, tile, at);
    parts_.async_copies.complete_copy(instruction, operation, copy, at, told, box.pieces(target));
  };
  if (!operation.is_multicast) return arrive(target, barrier);
  for_named_blocks(here_.lane_value(operation.s[0], lane), [&](std::uint64_t name) {
    arrive(in_block(name, target), in_block(name, barrier));
  });
}

void TensorCopies::fill_shared(const code::Access& to, unsigned lane, const TensorBox& box,
                               const TensorTile& tile, std::uint64_t target) {
  code::Access part = to;
  AsyncCopies::Reached whole{};
  for (const code::Piece& piece : box.pieces(target)) {
    part.element_bytes = piece.bytes;
    const AsyncCopies::Reached into = parts_.async_copies.reach(part, lane, target + piece.offset);
    if (!whole.owner) whole = {into.owner, into.bytes - piece.offset, into.valid - piece.offset};
  }
  box.for_chunks(target, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(whole.bytes + at, tile.bytes.data() + offset, TensorBox::chunk_bytes);
    std::memcpy(whole.valid + at, tile.valid.data() + offset, TensorBox::chunk_bytes);
  });
  ++here_.changes_;
}

/// The tile that a store takes from the block's shared memory.
TensorTile TensorCopies::shared_tile(const code::Access& from, unsigned lane, const TensorBox& box,
                                     std::uint64_t address, std::span<const code::Piece> pieces) {
  TensorTile tile(box);
  code::Access part = from;
  AsyncCopies::Reached whole{};
  for (const code::Piece& piece : pieces) {
    part.element_bytes = piece.bytes;
    const AsyncCopies::Reached source =
        parts_.async_copies.reach(part, lane, address + piece.offset);
    parts_.async_copies.check_proxies(source, lane, piece.bytes);
    if (!whole.owner)
      whole = {source.owner, source.bytes - piece.offset, source.valid - piece.offset};
  }
  box.for_stored_chunks(address, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(tile.bytes.data() + offset, whole.bytes + at, TensorBox::chunk_bytes);
    std::memcpy(tile.valid.data() + offset, whole.valid + at, TensorBox::chunk_bytes);
  });
  return tile;
}

void TensorCopies::store(const code::Instruction& instruction, const code::Operation& operation,
                         unsigned lane, const TensorBox& box) {
  const code::Access &from = here_.program_.accesses[operation.from],
                     &to = here_.program_.accesses[operation.to];
  std::uint64_t sources[32];
  parts_.accesses.lane_addresses(from, sources);
  check_tile_address(lane, sources[lane]);
  const std::vector<code::Piece> pieces = box.stored_pieces(sources[lane]);
  const TensorTile tile = shared_tile(from, lane, box, sources[lane], pieces);
  box.for_rows([&](TensorBox::Row row) {
    row.bytes = std::min(row.stored_bytes(), check_row(to, lane, row));
    parts_.uninitialized.check_bulk_source(
        sources[lane], {tile.valid.data() + row.offset, row.bytes}, lane, to.is_atomic);
    if (to.is_atomic)
      reduce_row(instruction, operation, lane, box.map().element, tile, row);
    else
      store_row(to, lane, tile, row);
  });
  CopiesInFlight::Copy copy;
  copy.site = from.site;
  copy.warp = here_.warp_index_;
  copy.lanes = 1u << lane;
  copy.of = CopiesInFlight::Of::bulk;
  copy.only_reads = true;
  for (const code::Piece& piece : pieces) {
    copy.at[lane] = static_cast<std::uint32_t>(sources[lane]) + piece.offset;
    copy.bytes = piece.bytes;
    here_.block_->copies.add(copy);
  }
}

void TensorCopies::store_row(const code::Access& to, unsigned lane, const TensorTile& tile,
                             const TensorBox::Row& row) {
  code::Access part = to;
  part.element_bytes = row.bytes;
  here_.bulk_source_ = tile.bytes.data() + row.offset;
  const AsyncCopies::Reached into = parts_.async_copies.reach(part, lane, row.address);
  here_.bulk_source_ = nullptr;
  std::memcpy(into.bytes, tile.bytes.data() + row.offset, row.bytes);
  if (into.valid) std::memcpy(into.valid, tile.valid.data() + row.offset, row.bytes);
  ++here_.changes_;
}

/// One update for each element.
void TensorCopies::reduce_row(const code::Instruction& instruction,
                              const code::Operation& operation, unsigned lane,
                              TensorMap::Element element, const TensorTile& tile,
                              const TensorBox::Row& row) {
  const code::TensorCopy& copy = here_.program_.tensor_copies[operation.tensor];
  code::Access to = here_.program_.accesses[operation.to];
  to.type = type_of(element);
  to.element_bytes = size_bytes(element);
  to.keeps_subnormals = element == TensorMap::Element::f32 || element == TensorMap::Element::tf32;
  code::Instruction update = instruction;
  update.s[0] = copy.element.slot;
  update.function = element == TensorMap::Element::f16    ? copy.f16
                    : element == TensorMap::Element::bf16 ? copy.bf16
                                                          : nullptr;
  std::byte* value = here_.warp_->slot(copy.element.slot) + std::size_t{lane} * to.element_bytes;
  for (std::uint32_t done = 0; done + to.element_bytes <= row.bytes; done += to.element_bytes) {
    std::memcpy(value, tile.bytes.data() + row.offset + done, to.element_bytes);
    std::uint64_t addresses[32] = {};
    addresses[lane] = row.address + done;
    parts_.accesses.access_space(update, to, to.space, 1u << lane, addresses);
  }
}

}  // namespace warpwise::machine
