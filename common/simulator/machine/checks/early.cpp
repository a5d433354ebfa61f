// Accesses of a launch that may have begun before the previous one has ended, and those of one
// whose next launches may have begun.

#include "simulator/machine/worker.h"

namespace warpwise::machine {

void Worker::note_early(const code::Access& access, std::uint32_t mask,
                        const std::uint64_t* addresses) {
  const memory::Kind kind = cached_[access.site]->kind;
  if (kind == memory::Kind::heap || !block_->order) return;
  if (several_allocations_ && grid_.memory.has_registered()) return;
  const watch::AccessEvent event = event_of(access, mask, addresses);
  if (of_host_ && (memory::is_host_memory(kind) || kind == memory::Kind::managed))
    of_host_->access(*block_->order, warp_index_, event, {}, false);
  if (!early_ && !beside_) return;
  watch::StoredValues values;
  values.element_bytes = access.element_bytes;
  bool are_known = access.is_store && !access.is_copy;
  for (unsigned e = 0; access.is_store && e < access.elements; ++e) {
    are_known &= access.data[e] != code::no_slot;
    if (access.data[e] != code::no_slot) values.data[e] = warp_->slot(access.data[e]);
    values.register_bytes[e] = access.register_bytes[e];
  }
  if (early_) early_->access(*block_->order, warp_index_, event, values, are_known);
  if (beside_) beside_->access(*block_->order, warp_index_, event, values, are_known);
}

/// After a wait the previous launch has ended, for the lanes and for each thread ordered after
/// them.
void Worker::at_grid_control(code::GridControl control, std::uint32_t lanes) {
  if (!block_->order) return;
  if (control == code::GridControl::waits_for_prerequisites)
    early_->wait(*block_->order, warp_index_, lanes);
  else if (control == code::GridControl::lets_dependents_begin)
    early_->let_dependents_begin(*block_->order, warp_index_, lanes);
}

/// Compares with what the previous launch touched.
void Worker::report_early(watch::Diagnoses& diagnoses) {
  if (!early_) return;
  const auto footprint = std::make_shared<watch::Footprint>(early_->finish(lines_of_sites()));
  for (const Neighbours::Conflict& conflict :
       grid_.options.neighbours->compare_early(footprint, early_->was_early_to_let_begin())) {
    if (!is_of_library(conflict.site))
      race_reports_.report(conflict, "before it waits for the launch in front, where", diagnoses);
  }
}

void Worker::keep_host_footprint() {
  if (of_host_)
    grid_.options.neighbours->keep_host_footprint(
        std::make_shared<watch::Footprint>(of_host_->finish({})));
}

}  // namespace warpwise::machine
