#pragma once
// For tests only: a course in a git repository, and a learner's clone of it.

#include <functional>
#include <map>
#include <string>

#include "base/frame.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"
#include "tutor/system/files.h"
#include "tutor/update/git.h"
#include "tutor/update/keep.h"

namespace warpwise::tutor::test {

/// A course of two exercises at its home, and the learner's checkout of it.
class UpdateFixture {
 public:
  UpdateFixture() {
    static const Template made;
    std::filesystem::copy(made.folder.path(), folder.path(),
                          std::filesystem::copy_options::recursive);
    git(root, {"remote", "set-url", "origin", home.string()});
    make_folder(context.build);
  }

  static void write(const std::filesystem::path& path, const std::string& text) {
    make_folder(path.parent_path());
    write_atomically(path, text);
  }
  static std::string git(const std::filesystem::path& where,
                         const std::vector<std::string>& words) {
    std::vector<std::string> all{"-c", "user.name=a", "-c", "user.email=a@b"};
    all.insert(all.end(), words.begin(), words.end());
    return Git(where).ask(all);
  }
  static std::string frame(const std::string& solution, const std::string& task = "task") {
    return "// " + task + "\nvoid f() {\n// BEGIN YOUR CODE\n" + solution +
           "\n// END YOUR CODE\n}\n";
  }
  /// Adds or changes an exercise at home: frame, stub, check, task.
  void exercise(const std::string& name, const std::string& solution,
                const std::string& task = "task") const {
    add_exercise(home, name, solution, task);
  }
  void commit_home(const std::string& words) const { commit(home, words); }
  static void add_exercise(const std::filesystem::path& home, const std::string& name,
                           const std::string& solution, const std::string& task) {
    const Exercise files = exercise_files(home, "ch09_try", name);
    write(home / "solutions/ch09_try" / (name + ".cu"), frame(solution, task));
    write(files.learner, lesson::make_stub(frame(solution, task)));
    write(files.check, "int main() {}\n");
    write(files.task, "# Task\n");
  }
  static void commit(const std::filesystem::path& home, const std::string& words) {
    git(home, {"add", "--all"});
    git(home, {"commit", "--quiet", "-m", words});
  }
  std::filesystem::path mine(const std::string& name) const {
    return root / "exercises/ch09_try" / (name + ".cu");
  }
  std::string head(const std::filesystem::path& where) const {
    return git(where, {"rev-parse", "HEAD"});
  }
  std::string status() const { return git(root, {"status", "--porcelain"}); }

  /// Every file of the learner's folder with its text, and where git is.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string path = entry.path().lexically_relative(root).string();
      if (entry.is_regular_file() && !path.starts_with(".git/")) {
        files[path] = read_file(entry.path());
      }
    }
    if (std::filesystem::exists(root / ".git")) files["HEAD"] = head(root);
    return files;
  }

  TemporaryFolder folder;
  std::filesystem::path home = folder.path() / "home", root = folder.path() / "mine";
  Context context{root, folder.path() / "build", {}, {}, {}};

 private:
  /// Made once; every test copies it.
  struct Template {
    Template() {
      make_folder(home);
      git(home, {"init", "--quiet", "--initial-branch=main"});
      write(home / "learn", "#!/bin/sh\n");
      write(home / "CMakeLists.txt", "project(warpwise VERSION 1.0 LANGUAGES CXX)\n");
      write(home / "README.md", "one\n\ntwo\n\nthree\n");
      write(home / "common/tutor/tool.cpp", "int tool;\n");
      write(home / ".gitignore", "/build/\n/.kept/\n/.progress*\n/exercises/*/*.new_stub\n");
      add_exercise(home, "01_first", "int one;", "task");
      add_exercise(home, "02_second", "int two;", "task");
      commit(home, "begin");
      git(folder.path(), {"clone", "--quiet", home.string(), (folder.path() / "mine").string()});
    }
    TemporaryFolder folder;
    std::filesystem::path home = folder.path() / "home";
  };
};

}  // namespace warpwise::tutor::test
