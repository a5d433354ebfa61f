#include "tutor/update/update_git.h"

#include <fmt/format.h>

#include "tutor/course/course_files.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/update/update_apply.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

constexpr const char* by_hand =
    "a zip or a folder of the newer course will do as well: ./learn update --from FILE";

// "origin/main": what the branch follows, else the remote's usual branch.
std::string upstream_of(const Git& git) {
  const Outcome followed = git.run({"rev-parse", "--abbrev-ref", "@{upstream}"});
  if (followed.status == 0) return first_line(followed.out);
  const std::string remote = first_line(git.run({"remote"}).out);
  if (remote.empty()) {
    throw Failure(
        status_environment,
        fmt::format("this checkout has no remote to take a newer course from; {}", by_hand));
  }
  for (const char* branch : {"HEAD", "main", "master"}) {
    std::string name = fmt::format("{}/{}", remote, branch);
    if (git.run({"rev-parse", "--verify", "--quiet", "refs/remotes/" + name}).status == 0) {
      return name;
    }
  }
  throw Failure(
      status_environment,
      fmt::format("which branch of {} is the course? git branch --set-upstream-to={}/NAME "
                  "says so; {}",
                  remote, remote, by_hand));
}

void require_quiet(const Git& git, const fs::path& root) {
  for (const char* name : {"MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD"}) {
    std::error_code ignored;
    if (!fs::exists(root / git.ask({"rev-parse", "--git-path", name}), ignored)) continue;
    throw Failure(
        status_environment,
        "a merge or rebase of git is in progress here: finish or abort it first (git status)");
  }
}

void fetch(const Git& git, const std::string& upstream) {
  const std::string remote = upstream.substr(0, upstream.find('/'));
  const Outcome outcome = git.run({"fetch", "--quiet", remote});
  if (outcome.status == 0) return;
  throw Failure(
      status_environment,
      fmt::format("{} cannot be reached, are you offline? Nothing was changed.\n  git: {}\n  {}",
                  remote, first_line(outcome.err), by_hand));
}

// Commits need a name, also on a machine where git has none.
std::vector<std::pair<std::string, std::string>> identity(const Git& git) {
  if (git.run({"var", "GIT_COMMITTER_IDENT"}).status == 0) return {};
  return {{"GIT_AUTHOR_NAME", "learn"},
          {"GIT_AUTHOR_EMAIL", "learn@localhost"},
          {"GIT_COMMITTER_NAME", "learn"},
          {"GIT_COMMITTER_EMAIL", "learn@localhost"}};
}

}  // namespace

void unpack_commit(const Git& git, const std::string& commit, const fs::path& folder) {
  fs::path archive = folder;
  archive += ".tar";
  git.ask({"archive", "--format=tar", "--output=" + archive.string(), commit});
  make_folder(folder);
  unpack(archive, folder, limits_of_a_course);
}

UpstreamCourse::UpstreamCourse(const Context& context) : context_(context) {
  const Git git(context.root);
  require_quiet(git, context.root);
  const std::string upstream = upstream_of(git);
  fetch(git, upstream);
  head_ = git.ask({"rev-parse", "HEAD"});
  target_ = git.ask({"rev-parse", upstream + "^{commit}"});
  const Outcome fork = git.run({"merge-base", head_, target_});
  fork_ = first_line(fork.out);
  is_here_ = fork_ == target_;
  if (is_here_) return;
  unpack_commit(git, target_, folder());
  if (!fork_.empty()) unpack_commit(git, fork_, place_.path() / "base");
}

UpdateBase UpstreamCourse::base() const {
  if (fork_.empty()) return {};
  const fs::path base = place_.path() / "base", mine_file = place_.path() / "mine",
                 next_file = place_.path() / "theirs";
  UpdateBase result;
  result.files = record_course(base).files;
  result.merge = [git = Git(context_.root), base, mine_file, next_file](
                     const std::string& path, const std::string& mine,
                     const std::string& next) -> std::optional<std::string> {
    write_atomically(mine_file, mine);
    write_atomically(next_file, next);
    Outcome merged = git.run(
        {"merge-file", "-p", mine_file.string(), (base / path).string(), next_file.string()});
    if (merged.status != 0) return std::nullopt;
    return std::move(merged.out);
  };
  return result;
}

// The learner's commits and the upstream's, put together by the same rules as the files.
std::string UpstreamCourse::merge_commit() const {
  const Git git(context_.root);
  Context copy = context_;
  copy.root = place_.path() / "head";
  unpack_commit(git, head_, copy.root);
  apply_update(copy, plan_update(copy.root, folder(), base()));
  auto environment = identity(git);
  environment.emplace_back("GIT_INDEX_FILE", (place_.path() / "index").string());
  environment.emplace_back("GIT_WORK_TREE", copy.root.string());
  environment.emplace_back("GIT_DIR", git.ask({"rev-parse", "--absolute-git-dir"}));
  const Git merged(copy.root);
  merged.ask({"read-tree", head_}, environment);
  merged.ask({"add", "--all", "."}, environment);
  const std::string tree = merged.ask({"write-tree"}, environment);
  return merged.ask({"commit-tree", tree, "-p", head_, "-p", target_, "-m",
                     fmt::format("Course updated to {}", target_.substr(0, 10))},
                    environment);
}

void UpstreamCourse::commit() const {
  const Git git(context_.root);
  const auto environment = identity(git);
  const std::string staged = git.ask({"stash", "create", "before learn update"}, environment);
  if (!staged.empty()) git.ask({"update-ref", "refs/learn/before_update", staged});
  const std::string commit = fork_ == head_ ? target_ : merge_commit();
  git.ask({"reset", "--quiet", "--mixed", commit}, environment);
}

}  // namespace warpwise::tutor
