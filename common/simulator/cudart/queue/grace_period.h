#pragma once
#include <chrono>
#include <cstdint>

namespace warpwise::cudart {

/// Decides when work starts that no thread asks for: after a grace period, in which the program
/// could run and did not ask. On a busy machine the program may be kept from running for a while;
/// its next step may be the very mistake that shows only as long as the work has not begun.
class GracePeriod {
 public:
  using Clock = std::chrono::steady_clock;

  /// What a look at the program sees.
  struct Look {
    Clock::time_point now;
    std::chrono::nanoseconds (*had)();  ///< processor time of the program until now
    bool (*is_ready)();                 ///< whether a thread of it runs or could run; costly
  };
  /// This process, without the calling thread.
  static Look look();

  /// Whether an operation has waited long enough. To be asked again and again, by the thread that
  /// starts it.
  /// @param sequence identifies the operation.
  bool is_over(std::uint64_t sequence, Clock::time_point issued, Clock::duration grace_period,
               const Look& seen = look());

  /// When it is worth asking next.
  Clock::time_point next_look(Clock::time_point issued, Clock::duration grace_period) const;

 private:
  /// An operation whose time is over by the clock.
  struct Overdue {
    std::uint64_t sequence = 0;
    Clock::time_point looked;             ///< at the threads of the program, the last time.
    std::chrono::nanoseconds had_before;  ///< the program's processor time until then.
    bool was_asleep = false;
  };
  Overdue overdue_;
};

}  // namespace warpwise::cudart
