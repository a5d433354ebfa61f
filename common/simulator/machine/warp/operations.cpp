#include <cstring>

#include "simulator/machine/warp/lanes.h"
#include "simulator/machine/worker.h"

/// Instructions too rare for an Op of their own.
namespace warpwise::machine {

/// @return false where the group has to wait.
bool Worker::operation(Group& group, const code::Instruction& instruction, std::uint32_t mask) {
  using isa::Kind;
  const code::Operation& operation = program_.operations[instruction.access];
  bool meets = instruction.s[3] != code::no_slot;
  const std::uint32_t present = meets ? warp_meetings_.meet_named(group, instruction, mask) : mask;
  if (!present) return false;
  if (isa::is_of_warpgroup(operation.kind) && mask != all_lanes)
    matrices_.report_missing_lanes(mask);
  if (warp_->undefined().any()) {
    for (const code::Operation::Value& value : operation.s)
      if (value.is_there()) uninitialized_.use_value(value.slot, mask);
    warp_->undefined().define(operation.d.slot, mask);
    warp_->undefined().define(operation.d2.slot, mask);
  }
  const auto* masks =
      meets ? reinterpret_cast<const std::uint32_t*>(warp_->slot(instruction.s[3])) : nullptr;
  switch (operation.kind) {
    case Kind::match_any:
    case Kind::match_all:
      warp_meetings_.match(operation, masks, mask, present);
      return true;
    case Kind::reduce:
      warp_meetings_.reduce(operation, masks, mask, present);
      return true;
    case Kind::elect:
      warp_meetings_.elect(operation, masks, mask, present);
      return true;
    case Kind::cluster_arrive:
      cluster_.arrive(mask);
      return true;
    case Kind::cluster_wait:
      return cluster_.wait(group, mask);
    case Kind::map_shared:
      cluster_.map_shared(operation, mask);
      return true;
    case Kind::shared_rank:
      cluster_.shared_rank(operation, mask);
      return true;
    case Kind::copy_async:
      async_copies_.copy_async(instruction, operation, mask);
      return true;
    case Kind::copy_bulk:
      async_copies_.copy_bulk(instruction, operation, mask);
      return true;
    case Kind::copy_tensor:
      tensor_copies_.execute(instruction, operation, mask);
      return true;
    case Kind::store_async:
      async_copies_.store_async(instruction, operation, mask);
      return true;
    case Kind::commit_copies:
      block_->copies.commit(warp_index_, mask, Copies::Of::copies);
      return true;
    case Kind::commit_bulk:
      block_->copies.commit(warp_index_, mask, Copies::Of::bulk);
      block_->bulk_targets.commit(warp_index_, mask);
      return true;
    case Kind::wait_copies:
      async_copies_.wait_copies(operation, mask, Copies::Of::copies);
      return true;
    case Kind::wait_bulk:
      async_copies_.wait_copies(operation, mask, Copies::Of::bulk);
      return true;
    case Kind::proxy_fence:
      warpgroups_.fence_proxies();
      return true;
    case Kind::warpgroup_fence:
      warpgroups_.fence();
      return true;
    case Kind::warpgroup_product:
      warpgroups_.meet(group, mask);
      return false;
    case Kind::commit_products:
      ++warp_->products.committed;
      return true;
    case Kind::wait_products:
      warpgroups_.wait(operation, mask);
      return true;
    case Kind::mbarrier_pending:
      mbarriers_.pending_count(operation, mask);
      return true;
    case Kind::texture:
    case Kind::surface_load:
    case Kind::surface_store:
      textures_.execute(operation, mask);
      return true;
    case Kind::cache_policy:
      for_lanes(mask, [&](unsigned lane) { set_lane(operation.d, lane, 0); });
      return true;
    default:
      return true;
  }
}

}  // namespace warpwise::machine
