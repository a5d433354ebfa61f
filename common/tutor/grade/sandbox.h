#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tutor/grade/bubblewrap.h"
#include "tutor/grade/confinement.h"
#include "tutor/system/context.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

/// How far a stranger's text is kept from this machine.
enum class Isolation {
  namespaces,  ///< bubblewrap: another user, no network, own processes, no file but the tools.
  user,        ///< another user without privileges; no network where it can be taken away.
  none         ///< limits alone.
};

/// Numbers of users without an account, one for each cell, so that cells cannot touch each other's
/// processes and files, nor those of another program that grades at the same time.
class UserRange {
 public:
  /// Does nothing unless this process is root's.
  /// @throws Failure (status 3) when too many programs grade at the same time.
  UserRange();
  UserRange(const UserRange&) = delete;
  UserRange& operator=(const UserRange&) = delete;
  ~UserRange();

  static constexpr std::size_t size = 256;
  unsigned user(std::size_t cell) const { return first_ + static_cast<unsigned>(cell % size); }

 private:
  unsigned first_ = 0;
  int lock_ = -1;
};

/// Isolates the compiling and running of strangers' texts from this machine and from each other.
/// Made of programs that every distribution has (bwrap, setpriv, unshare, prlimit, env), as the
/// words that a command begins with.
class Sandbox {
 public:
  /// Takes the strongest isolation of those asked for that works here; each is tried by compiling.
  /// @param wanted "auto" (never ends at none), "namespaces", "user" or "none".
  /// @param cells how many jobs may run at the same time.
  /// @throws Failure: status 2 for another word, 3 with the reasons when nothing asked for works.
  Sandbox(const Context& context, std::string_view wanted, std::size_t cells);

  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  /// Ends the cells: no process and no file of theirs is left.
  ~Sandbox();

  std::size_t cells() const { return cells_; }
  Isolation isolation() const { return way_.isolation; }
  /// Describes it in a few words.
  std::string description() const;
  /// The threats that it does not keep out, a sentence each.
  std::vector<std::string> gaps() const;

  /// Empties a cell: ends whatever was left running in it, and gives it a new folder.
  /// @param number below `cells`; one job at a time in each.
  Confinement fresh_cell(std::size_t number) const;

 private:
  /// One way to isolate. Flags of ways that were not found to work are meaningless.
  struct Way {
    Isolation isolation = Isolation::none;
    bool user_namespace = false;  ///< bubblewrap without root.
    bool own_network = false;     ///< isolation `user`, with a network of its own: an empty one.
  };

  std::vector<std::string> words(const Way& way, std::size_t number, Purpose purpose) const;
  void end_cell(std::size_t number) const;
  bool can_read(const std::filesystem::path& folder) const;
  std::string why_not(const Way& way) const;
  std::filesystem::path cell_folder(std::size_t number) const;

  const Context& context_;
  std::size_t cells_;
  UserRange users_;
  TemporaryFolder folder_;
  Way way_;
};

}  // namespace warpwise::tutor
