#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "simulator/machine/access/addresses.h"
#include "simulator/machine/copies/tensor_box.h"
#include "simulator/machine/copies/tensor_tile.h"
#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

/// Copies of boxes of tensors: like those in bulk, but a tensor map says where the bytes are.
namespace warpwise::machine {
namespace {

using code::Space;
using What = code::TensorCopy::What;

}  // namespace

void Worker::copy_tensor(const code::Instruction& instruction, const code::Operation& operation,
                         std::uint32_t mask) {
  const code::TensorCopy& copy = program_.tensor_copies[operation.tensor];
  for (const code::Operation::Value& at : copy.coordinates)
    if (at.is_there()) uninitialized_.use_value(at.slot, mask, "is part of a coordinate");
  for (const code::Operation::Value& offset : copy.offsets)
    if (offset.is_there()) uninitialized_.use_value(offset.slot, mask, "is part of a coordinate");
  std::uint64_t maps[32], targets[32] = {}, barriers[32] = {};
  lane_addresses(program_.accesses[copy.map], maps);
  if (copy.what == What::load) {
    lane_addresses(program_.accesses[operation.to], targets);
    lane_addresses(program_.accesses[operation.barrier], barriers);
  }
  for_lanes(mask, [&](unsigned lane) {
    const TensorBox box = tensor_box(copy, lane, maps[lane]);
    if (copy.what == What::load)
      load_tensor(instruction, operation, lane, box, targets[lane], barriers[lane]);
    else if (copy.what != What::prefetch)
      store_tensor(instruction, operation, lane, box);
  });
}

/// One read, and a write for each block that gets the box.
void Worker::load_tensor(const code::Instruction& instruction, const code::Operation& operation,
                         unsigned lane, const TensorBox& box, std::uint64_t target,
                         std::uint64_t barrier) {
  const code::Access &from = program_.accesses[operation.from],
                     &to = program_.accesses[operation.to];
  check_tile_address(lane, target);
  TensorTile tile(box);
  if (box.map().fills_with_nan) tile.fill_with_nan();
  box.for_rows([&](const TensorBox::Row& row) {
    check_tensor_row(from, lane, row);
    code::Access part = from;
    part.element_bytes = row.bytes;
    const Reached source = reach(part, lane, row.address);
    std::memcpy(tile.bytes.data() + row.offset, source.bytes, row.bytes);
    if (source.valid) std::memcpy(tile.valid.data() + row.offset, source.valid, row.bytes);
    tile.round(box.map().element, row.offset, row.bytes);
  });
  set_lane(program_.tensor_copies[operation.tensor].bytes, lane, box.bytes());
  Copies::Copy copy;
  copy.site = to.site;
  copy.warp = warp_index_;
  copy.lanes = 1u << lane;
  copy.of = Copies::Of::bulk;
  const auto arrive = [&](std::uint64_t at, std::uint64_t told) {
    fill_shared(to, lane, box, tile, at);
    complete_copy(instruction, operation, copy, at, told, box.pieces(target));
  };
  if (!operation.is_multicast) return arrive(target, barrier);
  for_named_blocks(lane_value(operation.s[0], lane), [&](std::uint64_t name) {
    arrive(in_block(name, target), in_block(name, barrier));
  });
}

void Worker::fill_shared(const code::Access& to, unsigned lane, const TensorBox& box,
                         const TensorTile& tile, std::uint64_t target) {
  code::Access part = to;
  Reached whole{};
  for (const code::Piece& piece : box.pieces(target)) {
    part.element_bytes = piece.bytes;
    const Reached into = reach(part, lane, target + piece.offset);
    if (!whole.owner) whole = {into.owner, into.bytes - piece.offset, into.valid - piece.offset};
  }
  box.for_chunks(target, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(whole.bytes + at, tile.bytes.data() + offset, TensorBox::chunk_bytes);
    std::memcpy(whole.valid + at, tile.valid.data() + offset, TensorBox::chunk_bytes);
  });
  ++changes_;
}

/// The tile that a store takes from the block's shared memory.
TensorTile Worker::shared_tile(const code::Access& from, unsigned lane, const TensorBox& box,
                               std::uint64_t address, std::span<const code::Piece> pieces) {
  TensorTile tile(box);
  code::Access part = from;
  Reached whole{};
  for (const code::Piece& piece : pieces) {
    part.element_bytes = piece.bytes;
    const Reached source = reach(part, lane, address + piece.offset);
    check_proxies(source, lane, piece.bytes);
    if (!whole.owner)
      whole = {source.owner, source.bytes - piece.offset, source.valid - piece.offset};
  }
  box.for_stored_chunks(address, [&](std::uint32_t offset, std::uint32_t at) {
    std::memcpy(tile.bytes.data() + offset, whole.bytes + at, TensorBox::chunk_bytes);
    std::memcpy(tile.valid.data() + offset, whole.valid + at, TensorBox::chunk_bytes);
  });
  return tile;
}

void Worker::store_tensor(const code::Instruction& instruction, const code::Operation& operation,
                          unsigned lane, const TensorBox& box) {
  const code::Access &from = program_.accesses[operation.from],
                     &to = program_.accesses[operation.to];
  std::uint64_t sources[32];
  lane_addresses(from, sources);
  check_tile_address(lane, sources[lane]);
  const std::vector<code::Piece> pieces = box.stored_pieces(sources[lane]);
  const TensorTile tile = shared_tile(from, lane, box, sources[lane], pieces);
  box.for_rows([&](TensorBox::Row row) {
    row.bytes = std::min(row.stored_bytes(), check_tensor_row(to, lane, row));
    uninitialized_.check_bulk_source(sources[lane], {tile.valid.data() + row.offset, row.bytes},
                                     lane, to.is_atomic);
    if (to.is_atomic)
      reduce_tensor_row(instruction, operation, lane, box.map().element, tile, row);
    else
      store_tensor_row(to, lane, tile, row);
  });
  Copies::Copy copy;
  copy.site = from.site;
  copy.warp = warp_index_;
  copy.lanes = 1u << lane;
  copy.of = Copies::Of::bulk;
  copy.only_reads = true;
  for (const code::Piece& piece : pieces) {
    copy.at[lane] = static_cast<std::uint32_t>(sources[lane]) + piece.offset;
    copy.bytes = piece.bytes;
    block_->copies.add(copy);
  }
}

void Worker::store_tensor_row(const code::Access& to, unsigned lane, const TensorTile& tile,
                              const TensorBox::Row& row) {
  code::Access part = to;
  part.element_bytes = row.bytes;
  bulk_source_ = tile.bytes.data() + row.offset;
  const Reached into = reach(part, lane, row.address);
  bulk_source_ = nullptr;
  std::memcpy(into.bytes, tile.bytes.data() + row.offset, row.bytes);
  if (into.valid) std::memcpy(into.valid, tile.valid.data() + row.offset, row.bytes);
  ++changes_;
}

/// One update for each element.
void Worker::reduce_tensor_row(const code::Instruction& instruction,
                               const code::Operation& operation, unsigned lane,
                               TensorMap::Element element, const TensorTile& tile,
                               const TensorBox::Row& row) {
  const code::TensorCopy& copy = program_.tensor_copies[operation.tensor];
  code::Access to = program_.accesses[operation.to];
  to.type = type_of(element);
  to.element_bytes = size_bytes(element);
  to.keeps_subnormals = element == TensorMap::Element::f32 || element == TensorMap::Element::tf32;
  code::Instruction update = instruction;
  update.s[0] = copy.element.slot;
  update.function = element == TensorMap::Element::f16    ? copy.f16
                    : element == TensorMap::Element::bf16 ? copy.bf16
                                                          : nullptr;
  std::byte* value = warp_->slot(copy.element.slot) + std::size_t{lane} * to.element_bytes;
  for (std::uint32_t done = 0; done + to.element_bytes <= row.bytes; done += to.element_bytes) {
    std::memcpy(value, tile.bytes.data() + row.offset + done, to.element_bytes);
    std::uint64_t addresses[32] = {};
    addresses[lane] = row.address + done;
    access_space(update, to, to.space, 1u << lane, addresses);
  }
}

}  // namespace warpwise::machine
