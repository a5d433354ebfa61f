#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/cudart/queue/queue.h"
#include "simulator/machine/launch/module.h"

namespace warpwise::cudart {

/// One launch's view of the others. Launches that wait hold the share of the device that their
/// resident blocks take; the others have the rest.
class LaunchNeighbours : public machine::Neighbours {
 public:
  /// @param most blocks of the launch that the device holds at a time, where it holds nothing else.
  /// @param keeps_footprint of the bytes that the launch touches, if they can be known.
  LaunchNeighbours(std::uint64_t most, const Launched& launch, bool keeps_footprint = false)
      : most_(most), launch_(launch), keeps_footprint_(keeps_footprint) {}

  /// Waits until there is room for `blocks` blocks. @return false where the launch cannot begin any
  /// more: the device has failed.
  bool wait_for_room(std::uint64_t blocks);
  /// True where the launch ended without a report, because the device failed elsewhere.
  bool gave_up() const { return gave_up_; }
  /// False for one that may wait for others while it runs.
  bool was_compared() const { return was_compared_; }
  /// The bytes that the launch touched; null where they were not kept.
  const std::shared_ptr<const watch::Footprint>& footprint() const { return footprint_; }

  std::uint64_t room() const override;
  Outlook let_others_run(const Waiting& waiting) override;
  std::string others() const override;
  bool wants_footprint() const override;
  bool begins_early() const override;
  bool wants_host_footprint() const override;
  void keep_host_footprint(std::shared_ptr<const watch::Footprint> footprint) override;
  std::vector<Conflict> compare_early(const std::shared_ptr<const watch::Footprint>& footprint,
                                      bool lets_begin) override;
  std::vector<Conflict> compare(std::shared_ptr<const watch::Footprint> footprint) override;

 private:
  const std::uint64_t most_;
  const Launched& launch_;
  const bool keeps_footprint_;
  std::shared_ptr<const watch::Footprint> footprint_;
  bool gave_up_ = false;
  bool was_compared_ = false;
};

}  // namespace warpwise::cudart
