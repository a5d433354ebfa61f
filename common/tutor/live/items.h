#pragma once
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/live/state.h"
#include "tutor/system/context.h"

namespace warpwise::tutor::watch {

/// @return the exercises of a course in order, with their states and texts.
std::vector<Item> items_of(const Context& context, const Course& course);

/// @return for a user without a terminal: how far the learner is, and the next step.
std::string state_and_next_step(const std::vector<Item>& items);

/// @return the text of a task without its heading and hints.
std::string task_text(const std::string& markdown);

/// @return the first paragraph of words after the heading, with the picture above it or the one it
/// announces.
std::string first_paragraph(const std::string& markdown);

}  // namespace warpwise::tutor::watch
