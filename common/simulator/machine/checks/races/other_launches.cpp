#include "simulator/machine/checks/races/other_launches.h"

namespace warpwise::machine {

OtherLaunches::OtherLaunches(RunnerState& here, RaceReports& race_reports)
    : here_(here), race_reports_(race_reports) {
  const Grid& grid = here.grid_;
  if (!grid.options.check_races) return;
  if (grid.begins_early) early_.emplace(here.global_cell_shift_, grid.has_one_history);
  if (!here.program_.runtime_calls.empty()) concurrent_.emplace(here.global_cell_shift_);
  if (grid.wants_host_footprint) of_host_.emplace(here.global_cell_shift_, true);
  are_watched_ = early_ || of_host_ || concurrent_;
}

void OtherLaunches::start_block() {
  if (early_) early_->start_block();
}

void OtherLaunches::forget(const watch::VectorClock& past) {
  if (concurrent_) concurrent_->forget(past);
}

void OtherLaunches::note(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses) {
  const memory::Kind kind = here_.cached_[access.site]->kind;
  if (kind == memory::Kind::heap || !here_.block_->order) return;
  if (here_.several_allocations_ && here_.grid_.memory.has_registered()) return;
  const watch::AccessEvent event = here_.event_of(access, mask, addresses);
  if (of_host_ && (memory::is_host_memory(kind) || kind == memory::Kind::managed))
    of_host_->access(*here_.block_->order, here_.warp_index_, event, {}, false);
  if (!early_ && !concurrent_) return;
  watch::StoredValues values;
  values.element_bytes = access.element_bytes;
  bool are_known = access.is_store && !access.is_copy;
  for (unsigned e = 0; access.is_store && e < access.elements; ++e) {
    are_known &= access.data[e] != code::no_slot;
    if (access.data[e] != code::no_slot) values.data[e] = here_.warp_->slot(access.data[e]);
    values.register_bytes[e] = access.register_bytes[e];
  }
  if (early_) early_->access(*here_.block_->order, here_.warp_index_, event, values, are_known);
  if (concurrent_)
    concurrent_->access(*here_.block_->order, here_.warp_index_, event, values, are_known);
}

void OtherLaunches::at_grid_control(code::GridControl control, std::uint32_t lanes) {
  if (!early_ || !here_.block_->order) return;
  if (control == code::GridControl::waits_for_prerequisites)
    early_->wait(*here_.block_->order, here_.warp_index_, lanes);
  else if (control == code::GridControl::lets_dependents_begin)
    early_->let_dependents_begin(*here_.block_->order, here_.warp_index_, lanes);
}

void OtherLaunches::report(watch::Diagnoses& diagnoses) {
  if (!early_) return;
  const auto footprint = std::make_shared<watch::Footprint>(early_->finish(here_.lines_of_sites()));
  for (const Neighbours::Conflict& conflict :
       here_.grid_.options.neighbours->compare_early(footprint, early_->was_early_to_let_begin())) {
    if (!here_.is_of_library(conflict.site))
      race_reports_.report(conflict, "before it waits for the launch in front, where", diagnoses);
  }
}

void OtherLaunches::keep_host_footprint() {
  if (of_host_)
    here_.grid_.options.neighbours->keep_host_footprint(
        std::make_shared<watch::Footprint>(of_host_->finish({})));
}

}  // namespace warpwise::machine
