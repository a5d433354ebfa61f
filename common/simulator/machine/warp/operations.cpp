#include <array>
#include <cstddef>

#include "simulator/machine/block_runner.h"
#include "simulator/machine/warp/lanes.h"

/// Instructions too rare for an Op of their own: a table says which part has the family of each.
namespace warpwise::machine {

/// What a part sees of an operation.
struct OperationHere {
  Group& group;
  const code::Instruction& instruction;
  const code::Operation& operation;
  const std::uint32_t* masks;  ///< by lane, of those that meet: the lanes that it names; else null
  std::uint32_t mask;          ///< lanes at the instruction
  std::uint32_t present;       ///< all that take part
};

namespace {

using isa::Kind;

constexpr std::size_t kinds = static_cast<std::size_t>(Kind::nothing) + 1;

/// Calls the function of the part with what it takes; the group goes on.
/// @tparam part a field of the runner. @tparam function of the part.
template <auto part, auto function>
bool go_on(BlockRunner& runner, const OperationHere& here) {
  auto& family = runner.*part;
  if constexpr (requires { (family.*function)(here.instruction, here.operation, here.mask); })
    (family.*function)(here.instruction, here.operation, here.mask);
  else if constexpr (requires { (family.*function)(here.operation, here.mask); })
    (family.*function)(here.operation, here.mask);
  else if constexpr (requires { (family.*function)(here.mask); })
    (family.*function)(here.mask);
  else if constexpr (requires { (family.*function)(); })
    (family.*function)();
  else
    (family.*function)(here.operation, here.masks, here.mask, here.present);
  return true;
}

}  // namespace

/// By kind; null: nothing is to be done.
BlockRunner::Family BlockRunner::family_of(Kind kind) {
  struct Row {
    Kind kind;
    Family family;
  };
  static constexpr Row rows[] = {
      {Kind::match_any, go_on<&BlockRunner::warp_meetings_, &WarpMeetings::match>},
      {Kind::match_all, go_on<&BlockRunner::warp_meetings_, &WarpMeetings::match>},
      {Kind::reduce, go_on<&BlockRunner::warp_meetings_, &WarpMeetings::reduce>},
      {Kind::elect, go_on<&BlockRunner::warp_meetings_, &WarpMeetings::elect>},
      {Kind::cluster_arrive, go_on<&BlockRunner::cluster_, &Clusters::arrive>},
      {Kind::cluster_wait,
       [](BlockRunner& runner, const OperationHere& here) {
         return runner.cluster_.wait(here.group, here.mask);
       }},
      {Kind::map_shared, go_on<&BlockRunner::cluster_, &Clusters::map_shared>},
      {Kind::shared_rank, go_on<&BlockRunner::cluster_, &Clusters::shared_rank>},
      {Kind::copy_async, go_on<&BlockRunner::async_copies_, &AsyncCopies::copy_async>},
      {Kind::copy_bulk, go_on<&BlockRunner::async_copies_, &AsyncCopies::copy_bulk>},
      {Kind::copy_tensor, go_on<&BlockRunner::tensor_copies_, &TensorCopies::execute>},
      {Kind::store_async, go_on<&BlockRunner::async_copies_, &AsyncCopies::store_async>},
      {Kind::commit_copies, go_on<&BlockRunner::async_copies_, &AsyncCopies::commit_copies>},
      {Kind::commit_bulk, go_on<&BlockRunner::async_copies_, &AsyncCopies::commit_bulk>},
      {Kind::wait_copies, go_on<&BlockRunner::async_copies_, &AsyncCopies::wait_copies>},
      {Kind::wait_bulk, go_on<&BlockRunner::async_copies_, &AsyncCopies::wait_bulk>},
      {Kind::proxy_fence, go_on<&BlockRunner::warpgroups_, &Warpgroups::fence_proxies>},
      {Kind::warpgroup_fence, go_on<&BlockRunner::warpgroups_, &Warpgroups::fence>},
      {Kind::warpgroup_product,
       [](BlockRunner& runner, const OperationHere& here) {
         runner.warpgroups_.meet(here.group, here.mask);
         return false;
       }},
      {Kind::commit_products, go_on<&BlockRunner::warpgroups_, &Warpgroups::commit>},
      {Kind::wait_products, go_on<&BlockRunner::warpgroups_, &Warpgroups::wait>},
      {Kind::mbarrier_pending, go_on<&BlockRunner::mbarriers_, &Mbarriers::pending_count>},
      {Kind::texture, go_on<&BlockRunner::textures_, &Textures::execute>},
      {Kind::surface_load, go_on<&BlockRunner::textures_, &Textures::execute>},
      {Kind::surface_store, go_on<&BlockRunner::textures_, &Textures::execute>},
      {Kind::cache_policy,
       [](BlockRunner& runner, const OperationHere& here) {
         for_lanes(here.mask, [&](unsigned lane) { runner.set_lane(here.operation.d, lane, 0); });
         return true;
       }},
  };
  static constexpr auto by_kind = [] {
    std::array<Family, kinds> families{};
    for (const Row& row : rows) families[static_cast<std::size_t>(row.kind)] = row.family;
    return families;
  }();
  return by_kind[static_cast<std::size_t>(kind)];
}

/// @return false where the group has to wait.
bool BlockRunner::operation(Group& group, const code::Instruction& instruction,
                            std::uint32_t mask) {
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
  const Family family = family_of(operation.kind);
  return !family || family(*this, {group, instruction, operation, masks, mask, present});
}

}  // namespace warpwise::machine
