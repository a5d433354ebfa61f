# The stand-in for libcudart.so.13: <build>/simulator/libcudart.so.13.
# exports.txt lists what the real library exports. Each name gets a weak stub that says it is not
# available; a real definition in simulator/cudart/ wins over it, so there is no second list to keep.
warpwise_room(cudart simulator/cudart warpwise_base warpwise_machine warpwise_image
              warpwise_occupancy fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
target_compile_options(warpwise_cudart PRIVATE -Og)
target_compile_options(test_cudart PRIVATE -O1)
target_include_directories(warpwise_cudart SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
include(${CMAKE_CURRENT_LIST_DIR}/driver_names.cmake)

set(stand_in_list ${PROJECT_SOURCE_DIR}/common/simulator/cudart/exports.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${stand_in_list})
file(STRINGS ${stand_in_list} stand_in_names)
set(stand_in_own warpwise_bytes_for_host warpwise_count_operations warpwise_count_participants
    warpwise_forget_contents warpwise_name_array warpwise_note_heap_leaks warpwise_set_budget
    warpwise_take_operations warpwise_take_report)

set(stand_in_stubs "extern \"C\" [[noreturn]] void warpwise_not_available(const char*);\n")
set(stand_in_versions "libcudart.so.13 {\n  global:\n")
foreach(name IN LISTS stand_in_names)
  string(APPEND stand_in_stubs
    "extern \"C\" [[gnu::weak]] void ${name}() { warpwise_not_available(\"${name}\"); }\n")
endforeach()
foreach(name IN LISTS stand_in_names stand_in_own)
  string(APPEND stand_in_versions "    ${name};\n")
endforeach()
string(APPEND stand_in_versions "  local: *;\n};\n")
# file(CONFIGURE) leaves an unchanged file alone, so that a new configuration does not link again.
set(stand_in_folder ${PROJECT_BINARY_DIR}/simulator)
file(CONFIGURE OUTPUT ${stand_in_folder}/stubs.cpp CONTENT "${stand_in_stubs}" @ONLY)
file(CONFIGURE OUTPUT ${stand_in_folder}/exports.map CONTENT "${stand_in_versions}" @ONLY)

# preloaded/ is only for the library that programs load: a test must not take its first and last acts.
file(GLOB stand_in_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/common/simulator/cudart/preloaded/*.cpp)
add_library(warpwise_stand_in SHARED ${stand_in_sources} ${stand_in_folder}/stubs.cpp)
# The stubs declare the runtime's functions as they are not.
set_source_files_properties(${stand_in_folder}/stubs.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
warpwise_compile_together(warpwise_stand_in)
target_compile_options(warpwise_stand_in PRIVATE ${warpwise_warnings})
target_link_libraries(warpwise_stand_in PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,warpwise_cudart>)
# -Bsymbolic: the program's own functions must not replace the ones that this library calls.
target_link_options(warpwise_stand_in PRIVATE
  -Wl,-soname,libcudart.so.13 -Wl,--version-script=${stand_in_folder}/exports.map
  -Wl,-Bsymbolic -Wl,-z,defs)
set_target_properties(warpwise_stand_in PROPERTIES
  OUTPUT_NAME cudart SUFFIX .so.13 NO_SONAME ON
  LINK_DEPENDS ${stand_in_folder}/exports.map
  LIBRARY_OUTPUT_DIRECTORY ${stand_in_folder})

# A program as nvcc builds any other, which the tests run with the stand-in loaded.
add_executable(warpwise_program_under_test
  ${PROJECT_SOURCE_DIR}/common/verification/loaded/program_under_test.cu)
target_compile_options(warpwise_program_under_test PRIVATE -lineinfo -Xcompiler=-g1)
target_compile_definitions(test_cudart PRIVATE
  WARPWISE_PROGRAM="$<TARGET_FILE:warpwise_program_under_test>"
  WARPWISE_TOOLKIT="${CUDAToolkit_TARGET_DIR}")
add_dependencies(test_cudart warpwise_stand_in warpwise_program_under_test)

# A right program of which nothing may be told, as it is built mostly and without optimisation.
foreach(how lineinfo G)
  add_executable(careful_threads_${how} ${PROJECT_SOURCE_DIR}/common/verification/loaded/careful_threads.cu)
  target_compile_options(careful_threads_${how} PRIVATE -${how})
  add_dependencies(test_cudart careful_threads_${how})
endforeach()
target_compile_definitions(test_cudart PRIVATE
  WARPWISE_CAREFUL_THREADS="$<TARGET_FILE:careful_threads_lineinfo>"
  WARPWISE_CAREFUL_THREADS_DEBUG="$<TARGET_FILE:careful_threads_G>")

# One program in every way that nvcc offers. Compilers take their time: each tries several options.
set(build_modes_from ${PROJECT_SOURCE_DIR}/common/verification/loaded/build_modes)
set(build_modes_to ${PROJECT_BINARY_DIR}/build_modes)
file(MAKE_DIRECTORY ${build_modes_to})
function(warpwise_build_mode name)
  set(units ${build_modes_from}/main.cu)
  if("-rdc=true" IN_LIST ARGN)
    list(APPEND units ${build_modes_from}/other.cu)
  endif()
  add_custom_command(OUTPUT ${build_modes_to}/${name}
    COMMAND ${CMAKE_CUDA_COMPILER} -std=c++17 --cudart shared ${ARGN} -o ${build_modes_to}/${name} ${units}
    DEPENDS ${build_modes_from}/main.cu ${build_modes_from}/other.cu ${build_modes_from}/header.h VERBATIM)
  set_property(GLOBAL APPEND PROPERTY warpwise_build_modes ${name})
endfunction()
warpwise_build_mode(fast -arch=sm_90 -lineinfo -use_fast_math)
warpwise_build_mode(debug -arch=sm_90 -G --compress-mode=size)
warpwise_build_mode(older -arch=sm_75 --compress-mode=speed)
warpwise_build_mode(newer -gencode arch=compute_100,code=compute_100 --compress-mode=none)
warpwise_build_mode(many -gencode arch=compute_90,code=sm_90
  -gencode arch=compute_100,code=[sm_100,compute_100])
warpwise_build_mode(separate -arch=sm_90 -rdc=true)
warpwise_build_mode(separate_debug -arch=sm_90 -rdc=true -G)
get_property(build_modes GLOBAL PROPERTY warpwise_build_modes)
list(TRANSFORM build_modes PREPEND ${build_modes_to}/ OUTPUT_VARIABLE build_mode_programs)
add_custom_target(build_modes DEPENDS ${build_mode_programs})
add_dependencies(test_cudart build_modes)
list(JOIN build_modes " " build_modes)
target_compile_definitions(test_cudart PRIVATE WARPWISE_BUILD_MODES="${build_modes}")

# Programs that a GPU ran once, for verification/recorded: the tests run them again on the simulator.
foreach(recorded access_patterns atomic_patterns matrix_patterns wide_patterns matrix_products
    sparse_products meeting_values wgmma_products)
  add_executable(${recorded} ${PROJECT_SOURCE_DIR}/common/verification/patterns/${recorded}.cu)
  target_compile_options(${recorded} PRIVATE -lineinfo)
  add_dependencies(test_cudart ${recorded})
endforeach()
set_target_properties(wgmma_products PROPERTIES CUDA_ARCHITECTURES 90a)
target_compile_definitions(test_cudart PRIVATE
  WARPWISE_PATTERNS="$<TARGET_FILE:access_patterns>"
  WARPWISE_MATRIX_PATTERNS="$<TARGET_FILE:matrix_patterns>"
  WARPWISE_MATRIX_PRODUCTS="$<TARGET_FILE:matrix_products>")

# Questions to the runtime whose answers an H200 gave are recorded beside them: answers_test.cpp
# compares what the stand-in answers. Not built with the rest of the tests' own code: it is a program.
file(GLOB answers_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/common/verification/answers/*.cpp
  ${PROJECT_SOURCE_DIR}/common/verification/answers/wrong/*.cpp
  ${PROJECT_SOURCE_DIR}/common/verification/answers/*.cu)
add_executable(runtime_answers ${answers_sources})
warpwise_compile_together(runtime_answers)
# These see the runtime's C interface alone, without the overloads that C++ adds.
set(answers_of_c ${answers_sources})
list(FILTER answers_of_c INCLUDE REGEX "/wrong_[a-z]+\\.cpp$")
set_source_files_properties(${answers_of_c} PROPERTIES UNITY_GROUP answers_of_c)
# A subject asserts.
target_compile_options(runtime_answers PRIVATE -UNDEBUG
  "$<$<COMPILE_LANGUAGE:CXX>:-O0;-Wno-deprecated-declarations>")
target_include_directories(runtime_answers PRIVATE ${PROJECT_SOURCE_DIR}/common/verification/answers)
target_include_directories(runtime_answers SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_definitions(runtime_answers PRIVATE ANSWERS_EXPORTS="${stand_in_list}")
# Images for other GPUs than the one that the answers came from.
set(answers_images ${PROJECT_BINARY_DIR}/answers_images)
function(answers_image name)
  add_custom_command(OUTPUT ${answers_images}/${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${answers_images}
    COMMAND ${CMAKE_CUDA_COMPILER} ${ARGN} -o ${answers_images}/${name}
      ${PROJECT_SOURCE_DIR}/common/verification/answers/images/far.cu
    DEPENDS ${PROJECT_SOURCE_DIR}/common/verification/answers/images/far.cu VERBATIM)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/common/verification/answers/foreign_images.cpp
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/common/verification/answers/foreign_images.cpp
    APPEND PROPERTY OBJECT_DEPENDS ${answers_images}/${name})
endfunction()
answers_image(code_80_fatbin -fatbin -gencode arch=compute_80,code=sm_80)
answers_image(code_100_fatbin -fatbin -gencode arch=compute_100,code=sm_100)
answers_image(text_100_fatbin -fatbin -gencode arch=compute_100,code=compute_100)
answers_image(code_80_cubin -cubin -arch=sm_80)
answers_image(code_100_cubin -cubin -arch=sm_100)
target_compile_definitions(runtime_answers PRIVATE ANSWERS_IMAGES="${answers_images}")
target_compile_definitions(test_cudart PRIVATE WARPWISE_ANSWERS="$<TARGET_FILE:runtime_answers>")
add_dependencies(test_cudart runtime_answers)
