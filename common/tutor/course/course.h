#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor {

/// The part of an exercise's id that stays when exercises get other numbers:
/// "ch05_warp_reduce/lane_sum" of "ch05_warp_reduce/01_lane_sum". The number only says the order.
std::string without_number(std::string_view id);

/// Orders ids, with those of one exercise equal, whatever its number is or was.
struct ByExercise {
  using is_transparent = void;
  bool operator()(std::string_view one, std::string_view other) const {
    return without_number(one) < without_number(other);
  }
};

/// One exercise: six files with one stem. A path is where the file belongs, present or not.
struct Exercise {
  std::string chapter;                ///< "ch05_warp_reduce"
  std::string name;                   ///< "01_lane_sum"
  std::filesystem::path check;        ///< chapters/CH/checks/NAME.cu
  std::filesystem::path task;         ///< chapters/CH/checks/NAME.md
  std::filesystem::path learner;      ///< exercises/CH/NAME.cu
  std::filesystem::path frame;        ///< solutions/CH/NAME.cu; exported: the pristine stub.
  std::filesystem::path explanation;  ///< solutions/CH/NAME.md; exported: next to that stub.
  std::filesystem::path mistakes;     ///< solutions/CH/mistakes/NAME.cu
  /// The check's verdict on the solution, as JSON; only in a course exported without solutions.
  std::filesystem::path recorded;
  /// `learn export` left the solution out: `frame` has an empty blank and is not a solution; there
  /// may be no explanation, and there are no mistakes. See lesson::AnswerFiles.
  bool exported = false;

  std::string id() const { return chapter + "/" + name; }
  /// The name that the commands take: "ch05/01".
  std::string short_id() const {
    return chapter.substr(0, chapter.find('_')) + "/" + name.substr(0, name.find('_'));
  }
};

/// One chapter and its exercises, in order of their names.
struct Chapter {
  std::string name;              ///< also its folder, target and program.
  std::filesystem::path readme;  ///< chapters/CH/README.md
  bool has_program = false;      ///< chapters/CH/main.cu is there.
  bool is_private = false;       ///< from the folder private/: an instructor's own.
  std::vector<Exercise> exercises;
};

/// The lessons as they are on disk: the directory is the list.
struct Course {
  std::filesystem::path root;
  std::vector<Chapter> chapters;
};

/// Reads the folders, and those of the folder private/, where there is one: it is laid out as the
/// checkout is, belongs to an instructor, and is not part of the course for others. An exercise is
/// found when any of its six files exists.
/// @throws Failure (status 3) when the root has no chapters/ or a folder cannot be read.
Course read_course(const std::filesystem::path& root);

/// As read_course, without private/: what is published, exported and compared with other versions.
Course read_public_course(const std::filesystem::path& root);

/// @return the first heading of the chapter's README without its marks; its name without one.
std::string title(const Chapter& chapter);

/// @return the six paths of an exercise below `root`.
Exercise exercise_files(const std::filesystem::path& root, const std::string& chapter,
                        const std::string& name);

}  // namespace warpwise::tutor
