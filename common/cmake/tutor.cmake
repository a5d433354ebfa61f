# The tutor: room common/tutor and the program build/tutor/learn.

add_executable(learn_tutor common/tutor/learn/first.cpp)

# The tests of grading mostly wait: for limits to pass, and for cells to end.
warpwise_room(tutor tutor APART grade warpwise_base warpwise_report warpwise_image warpwise_occupancy
              nlohmann_json::nlohmann_json fmt::fmt Threads::Threads)
# `learn` without words: the watcher.
warpwise_room(tutor_live tutor/live warpwise_tutor nlohmann_json::nlohmann_json)

# What only learn_commands needs: grading, the authors' checks, the pages, updates, any CUDA program. A
# first verdict does not wait for it. A file that `learn` needs does not belong here: it would not link.
set(warpwise_only_commands adversaries archive assignment bench bubblewrap check check_adversaries
    check_judged check_paper check_pasted compare_command course_files declarations docs docs_facts
    docs_packages doctor export git grade grade_command grade_report isa latency list_json pasting
    predict predictions
    program_adversaries program_file rungs sandbox scalar_products screening sim sim_report sim_view
    source_lines step submission submit tally template_arguments test update update_apply update_git
    update_plan)
list(JOIN warpwise_only_commands "|" warpwise_only_commands)
set(warpwise_command_sources)
foreach(library warpwise_tutor warpwise_tutor_live)
  get_target_property(sources ${library} SOURCES)
  set(needed ${sources})
  list(FILTER needed EXCLUDE REGEX "/(${warpwise_only_commands})\\.cpp$")
  set_target_properties(${library} PROPERTIES SOURCES "${needed}")
  warpwise_compile_together(${library})
  list(REMOVE_ITEM sources ${needed})
  list(APPEND warpwise_command_sources ${sources})
endforeach()
add_library(warpwise_tutor_commands STATIC ${warpwise_command_sources})
warpwise_compile_together(warpwise_tutor_commands)
target_link_libraries(warpwise_tutor_commands PUBLIC warpwise_tutor_live LibArchive::LibArchive)
foreach(library warpwise_tutor warpwise_tutor_commands)
  target_compile_definitions(${library} PRIVATE
    WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WARPWISE_BUILD_DIR="${PROJECT_BINARY_DIR}"
    WARPWISE_NVCC="${WARPWISE_NVCC}")
endforeach()
foreach(test test_tutor test_tutor_live)
  if(TARGET ${test})
    target_link_libraries(${test} PRIVATE warpwise_tutor_commands)
  endif()
endforeach()

# All commands: `learn` becomes this program for what it does not know itself.
add_executable(learn_commands common/tutor/learn/main.cpp)
target_compile_definitions(learn_commands PRIVATE WARPWISE_VERSION="${PROJECT_VERSION}")
target_link_libraries(learn_commands PRIVATE warpwise_tutor_commands CLI11::CLI11)
set_target_properties(learn_commands PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tutor)

# Makes images of solutions where they are kept.
add_executable(kept_image EXCLUDE_FROM_ALL common/tutor/attempt/kept_image_main.cpp)
target_link_libraries(kept_image PRIVATE warpwise_tutor)
set_target_properties(kept_image PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tutor)

# The tutor waits for compilers and programs: the time that counts is that of building it.
foreach(target learn_tutor learn_commands kept_image warpwise_tutor warpwise_tutor_live warpwise_tutor_commands)
  target_compile_options(${target} PRIVATE ${warpwise_warnings} -Og -g0)
endforeach()
target_link_libraries(learn_tutor PRIVATE warpwise_tutor_live)
set_target_properties(learn_tutor PROPERTIES OUTPUT_NAME learn
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tutor)
if(TARGET test_tutor)
  # It starts thousands of processes, which take five minutes where starting one is slow.
  set_tests_properties(tutor tutor.grade PROPERTIES TIMEOUT 900 COST 200)
  # Its tests run the program too.
  add_dependencies(test_tutor learn_tutor learn_commands conformance)
  # Cheats are graded as any submission is.
  if(TARGET host_runner)
    add_dependencies(test_tutor host_runner)
  endif()
  foreach(check 01_grid_size 02_index 06_five_steps)
    if(TARGET check_ch01_programming_model_${check})
      add_dependencies(test_tutor check_ch01_programming_model_${check})
    endif()
  endforeach()
  # Cheats, and what learners read.
  foreach(check ch02_coalescing_01_scale_columns ch02_coalescing_07_pick_rows
          ch05_warp_reduce_01_lane_sum)
    if(TARGET check_${check})
      add_dependencies(test_tutor check_${check})
    endif()
  endforeach()
  if(TARGET warpwise_stand_in)
    add_dependencies(test_tutor warpwise_stand_in)
  endif()
endif()
