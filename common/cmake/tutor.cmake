# The tutor: room common/tutor and the program build/tutor/learn.

# Before its libraries: files are compiled in the order of their targets, and the last of many should
# not be a big one.
add_executable(learn_tutor common/tutor/learn/main.cpp)

warpwise_room(tutor tutor warpwise_base warpwise_image warpwise_occupancy
              nlohmann_json::nlohmann_json fmt::fmt Threads::Threads LibArchive::LibArchive)
target_compile_definitions(warpwise_tutor PRIVATE
  WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WARPWISE_BUILD_DIR="${PROJECT_BINARY_DIR}"
  WARPWISE_NVCC="${WARPWISE_NVCC}")

# `learn` without words: the watcher.
warpwise_room(tutor_live tutor/live warpwise_tutor nlohmann_json::nlohmann_json)

target_compile_options(learn_tutor PRIVATE ${warpwise_warnings})
# The tutor waits for compilers and programs: the time that counts is that of building it.
foreach(target warpwise_tutor warpwise_tutor_live learn_tutor)
  target_compile_options(${target} PRIVATE -Og -g0)
endforeach()
target_compile_definitions(learn_tutor PRIVATE WARPWISE_VERSION="${PROJECT_VERSION}")
target_link_libraries(learn_tutor PRIVATE warpwise_tutor_live CLI11::CLI11)
set_target_properties(learn_tutor PROPERTIES OUTPUT_NAME learn
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tutor)
if(TARGET test_tutor)
  # Its tests run the program too.
  add_dependencies(test_tutor learn_tutor conformance)
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
