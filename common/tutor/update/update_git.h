#pragma once
#include <filesystem>
#include <string>

#include "tutor/system/context.h"
#include "tutor/system/files.h"
#include "tutor/update/archive.h"
#include "tutor/update/git.h"
#include "tutor/update/update_plan.h"

namespace warpwise::tutor {

/// How much the archive of a whole course may hold.
inline constexpr ArchiveLimits limits_of_a_course{.bytes = std::uint64_t{2} << 30,
                                                  .entries = 200'000};

/// Puts the files of a commit into a new folder.
/// @throws Failure (status 3).
void unpack_commit(const Git& git, const std::string& commit, const std::filesystem::path& folder);

/// The newer course of a git checkout: what its upstream branch has.
class UpstreamCourse {
 public:
  /// Fetches and unpacks it.
  /// @throws Failure: status 3 without an upstream, when it cannot be reached, or while a merge or
  ///   rebase is in progress; Interrupted.
  explicit UpstreamCourse(const Context& context);

  /// Whether the checkout has everything of it already.
  bool is_here() const { return is_here_; }
  /// Its files.
  std::filesystem::path folder() const { return place_.path() / "next"; }
  /// The course that the learner's work is based on.
  UpdateBase base() const;

  /// Records the update in git: the branch moves to the upstream's commit or, with commits of the
  /// learner's, to a merge of both in which edited exercises stay. The files of the checkout are
  /// not touched. Staged changes stay reachable as refs/learn/before_update.
  /// @throws Failure (status 3) with git's words; the branch is then where it was.
  void commit() const;

 private:
  std::string merge_commit() const;

  const Context& context_;
  TemporaryFolder place_;
  std::string head_, target_, fork_;
  bool is_here_ = false;
};

}  // namespace warpwise::tutor
