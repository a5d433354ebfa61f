# Chapters, their checks and the images of solutions. The directory is the list: a folder
# chapters/chNN_NAME with a main.cu is a program, each file of its checks/ a check. A learner's files
# are compiled with their chapter's target, and no target fails because of one.

# How nvcc makes an image of a learner's file, by the kind of its exercise: device code alone; host and
# device code in a shared object, with just enough debug information for the lines of host code; plain
# C++, in which arithmetic that C++ leaves undefined ends with a line. A check is of the kind whose header
# check/KIND.h it includes. The tutor reads these files.
set(warpwise_kinds exercise program parent arithmetic)
list(JOIN warpwise_kinds " " kinds)
set_source_files_properties(${PROJECT_SOURCE_DIR}/common/base/exercise_kind.cpp TARGET_DIRECTORY warpwise_base
                            PROPERTIES COMPILE_DEFINITIONS "WARPWISE_KINDS=\" ${kinds} \"")
# What a C++ programmer writes first, std::min, std::clamp, a constexpr helper, works in kernels.
set(warpwise_device_flags "-lineinfo --expt-relaxed-constexpr ${WARPWISE_CODE_FLAGS}")
set(warpwise_exercise_flags "-fatbin ${warpwise_device_flags}")
set(warpwise_program_flags "-shared -cudart shared ${warpwise_device_flags}")
string(APPEND warpwise_program_flags " -Xcompiler -fPIC,-g1 -Xlinker -zdefs")
configure_file(${PROJECT_SOURCE_DIR}/common/check/plain_cpp.h
               ${PROJECT_BINARY_DIR}/image_flags/plain_cpp.h COPYONLY)
set(warpwise_arithmetic_flags "-x c++ -shared -cudart none -O1 -g -Xlinker -zdefs")
string(APPEND warpwise_arithmetic_flags " -include \"${PROJECT_BINARY_DIR}/image_flags/plain_cpp.h\"")
string(APPEND warpwise_arithmetic_flags
       " -Xcompiler -fPIC,-fsanitize=undefined,-fno-sanitize-recover=all")
# A variable without a value does not hold 0 by luck: in every byte 0xFE.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-ftrivial-auto-var-init=pattern WARPWISE_CAN_FILL_VARIABLES)
if(WARPWISE_CAN_FILL_VARIABLES)
  string(APPEND warpwise_program_flags " -Xcompiler -ftrivial-auto-var-init=pattern")
  string(APPEND warpwise_arithmetic_flags " -Xcompiler -ftrivial-auto-var-init=pattern")
endif()
# A program whose kernels launch kernels wants the device linker, which takes as long again. For others nvcc calls it,
# too, and it does nothing.
set(warpwise_parent_flags "${warpwise_program_flags} -rdc=true")
string(APPEND warpwise_program_flags " -nodlink -cudadevrt none")
# A flag a line: paths may hold blanks.
foreach(kind ${warpwise_kinds})
  separate_arguments(flags UNIX_COMMAND "-std=c++20 ${warpwise_${kind}_flags}")
  list(JOIN flags "\n" lines)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/image_flags/${kind}.txt CONTENT "${lines}\n" @ONLY)
endforeach()

# The kind of a check; configured anew when the check changes.
function(warpwise_kind_of check out)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${check})
  set(${out} exercise PARENT_SCOPE)
  foreach(kind ${warpwise_kinds})
    file(STRINGS ${check} found REGEX "^#include \"check/${kind}\\.h\"")
    if(found)
      set(${out} ${kind} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# common/check and the subfolders of common/lesson: what a check of a kernel needs. The files of common/lesson itself
# only chapters' programs need, and common/check/host only checks that call a learner's host code: the first verdict on
# a kernel does not wait for them.
set(warpwise_lesson_folder ${PROJECT_SOURCE_DIR}/common/lesson)
set(warpwise_check_folder ${PROJECT_SOURCE_DIR}/common/check)
warpwise_sources(warpwise_lesson_sources ${warpwise_lesson_folder})
warpwise_sources(warpwise_check_sources ${warpwise_check_folder})
set(warpwise_ladder_sources ${warpwise_lesson_sources})
list(FILTER warpwise_ladder_sources INCLUDE REGEX "/common/lesson/[^/]+$")
list(REMOVE_ITEM warpwise_lesson_sources ${warpwise_ladder_sources})
set(warpwise_host_check_sources ${warpwise_check_sources})
list(FILTER warpwise_host_check_sources INCLUDE REGEX "/common/check/host/")
list(REMOVE_ITEM warpwise_check_sources ${warpwise_host_check_sources})
target_sources(warpwise_lesson PRIVATE ${warpwise_lesson_sources} ${warpwise_check_sources})
add_library(warpwise_ladders STATIC ${warpwise_ladder_sources})
add_library(warpwise_host_checks STATIC ${warpwise_host_check_sources})
target_link_libraries(warpwise_lesson PUBLIC warpwise_base warpwise_report warpwise_occupancy CUDA::cudart)
target_link_libraries(warpwise_ladders PUBLIC warpwise_lesson PRIVATE benchmark::benchmark)
target_link_libraries(warpwise_host_checks PUBLIC warpwise_lesson PRIVATE ${WARPWISE_FFI})
target_include_directories(warpwise_host_checks PRIVATE ${WARPWISE_FFI_HEADERS})
foreach(library warpwise_lesson warpwise_ladders warpwise_host_checks)
  warpwise_compile_together(${library})
  target_include_directories(${library} PUBLIC ${PROJECT_SOURCE_DIR}/common)
  # What it does between launches is little: the time that counts is that of building it.
  target_compile_options(${library} PRIVATE -Og ${warpwise_warnings})
  target_compile_definitions(${library} PRIVATE WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${library} PRIVATE fmt::fmt ${CMAKE_DL_LIBS})
endforeach()

# Programs of lessons find the toolkit's runtime wherever they are started.
function(warpwise_lesson_program target)
  target_link_libraries(${target} PRIVATE warpwise_lesson)
  set_target_properties(${target} PROPERTIES BUILD_RPATH ${CUDAToolkit_LIBRARY_DIR})
endfunction()

# The simulator's comes in through LD_PRELOAD, which wins over that.
function(warpwise_simulated_program target)
  warpwise_lesson_program(${target})
  if(TARGET warpwise_stand_in)
    add_dependencies(${target} warpwise_stand_in)
  endif()
endfunction()

# Calls a learner's host function for a check: build/lesson/host_runner.
add_executable(host_runner ${warpwise_check_folder}/host_runner/main.cpp)
target_compile_options(host_runner PRIVATE -Og ${warpwise_warnings})
target_link_libraries(host_runner PRIVATE warpwise_host_checks fmt::fmt ${CMAKE_DL_LIBS})
warpwise_lesson_program(host_runner)
set_target_properties(host_runner PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lesson)

# Makes the images of a learner's files for the target of their chapter: build/lesson/image_maker.
add_executable(image_maker ${warpwise_lesson_folder}/image_maker/main.cpp)
target_compile_options(image_maker PRIVATE -Og ${warpwise_warnings})
target_link_libraries(image_maker PRIVATE fmt::fmt warpwise_ladders)
warpwise_lesson_program(image_maker)
set_target_properties(image_maker PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lesson)

# Target your_images_CHAPTER: the image of each exercise that is solved, build/exercises/CHAPTER/NAME.image.
# It depends on no file of a learner's and ends well whatever they hold.
function(warpwise_learner_images chapter)
  add_custom_target(your_images_${chapter} COMMAND image_maker ${chapter} ${WARPWISE_NVCC}
    COMMENT "Your exercises of ${chapter}" VERBATIM)
endfunction()

# A test that runs a command and wants one exit status.
function(warpwise_status_test name status)
  add_test(NAME ${name} COMMAND sh -c "\"$@\"; test $? -eq ${status}" sh ${ARGN})
endfunction()

# A test that cannot be here, and why: it counts as skipped.
function(warpwise_skipped_test name reason)
  add_test(NAME ${name} COMMAND sh -c "echo 'skipped: ${reason}'; exit 77")
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# Target check_CHAPTER_NAME: the program build/checks/CHAPTER/NAME.
function(warpwise_check_program chapter file)
  get_filename_component(name ${file} NAME_WE)
  # Checks hold no device code: the host compiler alone is faster.
  set_source_files_properties(${file} PROPERTIES LANGUAGE CXX)
  add_executable(check_${chapter}_${name} ${file})
  target_compile_options(check_${chapter}_${name} PRIVATE -Wall -Wextra)
  # A kernel's check calls no host function of a learner's; that of arithmetic runs no CUDA: the
  # first verdict of a course does not wait for the simulator.
  warpwise_kind_of(${file} kind)
  if(kind STREQUAL arithmetic)
    warpwise_lesson_program(check_${chapter}_${name})
  else()
    warpwise_simulated_program(check_${chapter}_${name})
  endif()
  if(NOT kind STREQUAL exercise)
    target_link_libraries(check_${chapter}_${name} PRIVATE warpwise_host_checks)
    add_dependencies(check_${chapter}_${name} host_runner)
  endif()
  set_target_properties(check_${chapter}_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/${chapter})
endfunction()

# The program and its tests.
function(warpwise_check chapter file)
  warpwise_check_program(${chapter} ${file})
  get_filename_component(name ${file} NAME_WE)
  if(EXISTS ${PROJECT_SOURCE_DIR}/solutions/${chapter}/${name}.cu)
    warpwise_status_test(${chapter}.${name}.solution 0 $<TARGET_FILE:check_${chapter}_${name}>
      --device sim --image ${PROJECT_BINARY_DIR}/solutions/${chapter}/${name}.image)
  else()
    warpwise_skipped_test(${chapter}.${name}.solution "this course has no solutions")
  endif()
  warpwise_status_test(${chapter}.${name}.no_image 3 $<TARGET_FILE:check_${chapter}_${name}>
    --device sim --image /no/such/file)
  warpwise_status_test(${chapter}.${name}.unknown_flag 2 $<TARGET_FILE:check_${chapter}_${name}>
    --frobnicate)
endfunction()

# Solutions seldom change: .ci/run keeps their images, where `./learn check` finds them, too.
set(WARPWISE_KEPT_IMAGES "" CACHE PATH "A folder that keeps the images of solutions; none where it is empty")
if(DEFINED ENV{WARPWISE_KEPT_IMAGES})
  set(WARPWISE_KEPT_IMAGES $ENV{WARPWISE_KEPT_IMAGES} CACHE PATH "" FORCE)
endif()
set(warpwise_image_launcher)
if(WARPWISE_KEPT_IMAGES)
  set(warpwise_image_launcher kept_image ${WARPWISE_KEPT_IMAGES})
endif()

# Target images_CHAPTER: the image of each solution, build/solutions/CHAPTER/NAME.image.
function(warpwise_solution_images chapter)
  file(GLOB solutions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/solutions/${chapter}/*.cu)
  set(folder ${PROJECT_BINARY_DIR}/solutions/${chapter})
  set(images "")
  foreach(solution ${solutions})
    get_filename_component(name ${solution} NAME_WE)
    warpwise_kind_of(${PROJECT_SOURCE_DIR}/chapters/${chapter}/checks/${name}.cu kind)
    separate_arguments(flags UNIX_COMMAND "-std=c++20 ${warpwise_${kind}_flags}")
    add_custom_command(OUTPUT ${folder}/${name}.image
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${warpwise_image_launcher} ${WARPWISE_NVCC} ${flags} -o ${folder}/${name}.image ${solution}
      DEPENDS ${solution} COMMENT "Image of solution ${chapter}/${name}" VERBATIM)
    list(APPEND images ${folder}/${name}.image)
  endforeach()
  add_custom_target(images_${chapter} DEPENDS ${images})
endfunction()

# What needs no file that a learner may have edited: ladders, flags, and the checks of solutions.
function(warpwise_chapter_tests chapter)
  set(program $<TARGET_FILE:${chapter}>)
  warpwise_status_test(${chapter}.ladders 0 ${program} --device sim)
  set_tests_properties(${chapter}.ladders PROPERTIES ENVIRONMENT WARPWISE_COUNTS_ONLY=1 COST 50)
  warpwise_status_test(${chapter}.help 0 ${program} --help)
  warpwise_status_test(${chapter}.unknown_flag 2 ${program} --frobnicate)
  warpwise_status_test(${chapter}.negative_size 2 ${program} --size -3x5)
  warpwise_status_test(${chapter}.huge_size 2 ${program} --size 99999999x99999999)
  warpwise_status_test(${chapter}.unknown_rung 2 ${program} --device sim --only frobnicate)
  warpwise_status_test(${chapter}.json_nowhere 3 ${program} --device sim --json /no/such/folder/x)
endfunction()

# What device code of one architecture alone is in, such as wgmma, is named NAME.sm_90a.cu. It is
# compiled for that whatever GPU is here; the chapter skips its rungs where it cannot run.
function(warpwise_special_sources chapter sources)
  foreach(source ${sources})
    string(REGEX MATCH "sm_([0-9]+a?)\\.cu$" found ${source})
    string(MAKE_C_IDENTIFIER ${chapter}_${CMAKE_MATCH_1} target)
    if(NOT TARGET ${target})
      add_library(${target} OBJECT)
      target_link_libraries(${target} PRIVATE warpwise_ladders)
      target_compile_options(${target} PRIVATE ${warpwise_chapter_options})
      set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${CMAKE_MATCH_1})
      target_link_libraries(${chapter} PRIVATE ${target})
    endif()
    target_sources(${target} PRIVATE ${source})
  endforeach()
endfunction()

# A chapter with a source that launches kernels from kernels is linked for the device, too.
function(warpwise_parents chapter sources)
  foreach(source ${sources})
    file(STRINGS ${source} launches REGEX "^[^/]*cudaStreamFireAndForget" LIMIT_COUNT 1)
    if(launches)
      set_target_properties(${chapter} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    endif()
  endforeach()
endfunction()

# Whole programs that a README shows, chapters/CHAPTER/programs/NAME.cu. A test wants on the simulator
# what the line `// prints: ` of each says.
function(warpwise_shown_programs chapter)
  file(GLOB shown CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/chapters/${chapter}/programs/*.cu)
  foreach(source ${shown})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${chapter}_${name} ${source})
    set_target_properties(${chapter}_${name} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/shown/${chapter}
      BUILD_RPATH ${CUDAToolkit_LIBRARY_DIR})
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} prints REGEX "^// prints: ")
    string(REPLACE "// prints: " "" prints "${prints}")
    add_test(NAME ${chapter}.${name}.prints COMMAND ${CMAKE_COMMAND} -E env
      LD_LIBRARY_PATH=$<TARGET_FILE_DIR:warpwise_stand_in> $<TARGET_FILE:${chapter}_${name}>)
    set_tests_properties(${chapter}.${name}.prints PROPERTIES PASS_REGULAR_EXPRESSION "^${prints}")
    add_dependencies(${chapter}_${name} warpwise_stand_in)
  endforeach()
endfunction()

# Without libstdc++'s special functions, std::riemann_zeta and the like, whose headers each <cmath> brings along.
set(warpwise_chapter_options
    -D_GLIBCXX_BITS_SPECFUN_H=1
    $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -Xcompiler=-g1 -Xcompiler=-Wall -Xcompiler=-Wextra>
    "$<$<COMPILE_LANGUAGE:CXX>:-g1;-Wall;-Wextra>")

# A chapter's main.cu that only names its ladders: nvcc would take four times as long as the host's compiler.
function(warpwise_main_without_kernels main)
  file(STRINGS ${main} device REGEX "__(global|device|host)__|<<<|\\.cuh" LIMIT_COUNT 1)
  if(NOT device)
    set_source_files_properties(${main} PROPERTIES LANGUAGE CXX)
  endif()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${main})
endfunction()

function(warpwise_chapter folder)
  get_filename_component(chapter ${folder} NAME)
  # .cpp: without device code.
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cu ${folder}/*.cpp)
  set(special ${sources})
  list(FILTER special INCLUDE REGEX "\\.sm_[0-9]+a?\\.cu$")
  list(REMOVE_ITEM sources ${special})
  add_executable(${chapter} ${sources})
  warpwise_main_without_kernels(${folder}/main.cu)
  warpwise_simulated_program(${chapter})
  target_link_libraries(${chapter} PRIVATE warpwise_ladders warpwise_models)
  set_target_properties(${chapter} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_compile_options(${chapter} PRIVATE ${warpwise_chapter_options})
  warpwise_parents(${chapter} "${sources}")
  warpwise_special_sources(${chapter} "${special}")
  warpwise_solution_images(${chapter})
  warpwise_learner_images(${chapter})
  add_dependencies(${chapter} images_${chapter} your_images_${chapter})
  warpwise_chapter_tests(${chapter})
  warpwise_shown_programs(${chapter})
  file(GLOB checks CONFIGURE_DEPENDS ${folder}/checks/*.cu)
  foreach(check ${checks})
    get_filename_component(name ${check} NAME_WE)
    warpwise_check(${chapter} ${check})
    add_dependencies(${chapter} check_${chapter}_${name})
  endforeach()
endfunction()

file(GLOB warpwise_chapters CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/chapters/ch*/main.cu)
foreach(main ${warpwise_chapters})
  get_filename_component(folder ${main} DIRECTORY)
  warpwise_chapter(${folder})
endforeach()

# An instructor's own exercises: private/ is laid out as this folder is. Their checks are built when
# they are asked for.
file(GLOB warpwise_private_checks CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/private/chapters/*/checks/*.cu)
foreach(check ${warpwise_private_checks})
  get_filename_component(folder ${check} DIRECTORY)
  get_filename_component(folder ${folder} DIRECTORY)
  get_filename_component(chapter ${folder} NAME)
  get_filename_component(name ${check} NAME_WE)
  warpwise_check_program(${chapter} ${check})
  set_target_properties(check_${chapter}_${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endforeach()

warpwise_tests(warpwise_lesson_tests ${warpwise_lesson_folder})
warpwise_tests(warpwise_check_tests ${warpwise_check_folder})
add_executable(test_lesson ${warpwise_lesson_tests} ${warpwise_check_tests})
warpwise_compile_together(test_lesson)
target_link_libraries(test_lesson PRIVATE warpwise_doctest nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(test_lesson PRIVATE WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                           WARPWISE_BUILD_DIR="${PROJECT_BINARY_DIR}")
target_compile_options(test_lesson PRIVATE -O0 ${warpwise_warnings})
warpwise_simulated_program(test_lesson)
target_link_libraries(test_lesson PRIVATE warpwise_ladders warpwise_host_checks)
# Its tests compare what chapters count with what was recorded.
foreach(main ${warpwise_chapters})
  get_filename_component(folder ${main} DIRECTORY)
  get_filename_component(chapter ${folder} NAME)
  add_dependencies(test_lesson ${chapter})
endforeach()
add_test(NAME lesson COMMAND test_lesson)

# A chapter whose ladders want two or three numbers; one is called product, another has such a rung.
warpwise_status_test(misfit_size 2 $<TARGET_FILE:ch06_tensor_cores> --device sim --size 5)
warpwise_status_test(misfit_size_of_ladder 2 $<TARGET_FILE:ch06_tensor_cores> --device sim
                     --only product --size 5)
