#include "simulator/code/lowering/special_names.h"

#include <algorithm>
#include <iterator>

namespace warpwise::code {
namespace {

struct SpecialName {
  std::string_view name;
  Special special;
};
constexpr SpecialName special_names[] = {
    {"%tid.x", Special::tid_x},
    {"%ntid.x", Special::ntid_x},
    {"%ctaid.x", Special::ctaid_x},
    {"%nctaid.x", Special::nctaid_x},
    {"%clusterid.x", Special::clusterid_x},
    {"%nclusterid.x", Special::nclusterid_x},
    {"%cluster_ctaid.x", Special::cluster_ctaid_x},
    {"%cluster_nctaid.x", Special::cluster_nctaid_x},
    {"%tid.y", Special::tid_y},
    {"%ntid.y", Special::ntid_y},
    {"%ctaid.y", Special::ctaid_y},
    {"%nctaid.y", Special::nctaid_y},
    {"%clusterid.y", Special::clusterid_y},
    {"%nclusterid.y", Special::nclusterid_y},
    {"%cluster_ctaid.y", Special::cluster_ctaid_y},
    {"%cluster_nctaid.y", Special::cluster_nctaid_y},
    {"%tid.z", Special::tid_z},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.z", Special::nctaid_z},
    {"%clusterid.z", Special::clusterid_z},
    {"%nclusterid.z", Special::nclusterid_z},
    {"%cluster_ctaid.z", Special::cluster_ctaid_z},
    {"%cluster_nctaid.z", Special::cluster_nctaid_z},
    {"%cluster_ctarank", Special::cluster_ctarank},
    {"%cluster_nctarank", Special::cluster_nctarank},
    {"%is_explicit_cluster", Special::is_explicit_cluster},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%gridid", Special::gridid},
    {"%aggr_smem_size", Special::aggr_smem_size},
    {"%envreg1", Special::envreg1},
    {"%envreg2", Special::envreg2},
    {"%reserved_smem_offset_begin", Special::zero},
    {"%reserved_smem_offset_end", Special::reserved_shared_end},
    {"%reserved_smem_offset_cap", Special::reserved_shared_cap},
    {"%reserved_smem_offset_0", Special::zero},
    {"%reserved_smem_offset_1", Special::reserved_shared_tiles},
};

constexpr ClockRegister clocks[] = {
    {"%clock", Clock::block, 4, 0},           {"%clock_hi", Clock::block, 4, 32},
    {"%clock64", Clock::block, 8, 0},         {"%globaltimer", Clock::global, 8, 0},
    {"%globaltimer_lo", Clock::global, 4, 0}, {"%globaltimer_hi", Clock::global, 4, 32},
};

}  // namespace

std::optional<Special> special_named(std::string_view name) {
  for (const SpecialName& entry : special_names)
    if (entry.name == name) return entry.special;
  // The registers that the driver or a profiler would set: they are 0 here.
  for (std::string_view family : {"%envreg", "%pm"})
    if (name.starts_with(family)) return Special::zero;
  return std::nullopt;
}

const ClockRegister* clock_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(clocks), std::end(clocks),
                                   [&](const ClockRegister& clock) { return clock.name == name; });
  return found == std::end(clocks) ? nullptr : found;
}

}  // namespace warpwise::code
