# Whole CUDA programs that the simulator is judged by: verification/programs and mistakes/, built
# as nvcc builds any other program, and test_programs, which runs them under the stand-in. To compile
# them takes longer than all else together: `./learn test --all` builds and runs them.
set(verification_folder ${PROJECT_SOURCE_DIR}/common/verification)
set(programs_folder ${verification_folder}/programs)
set(programs_built ${PROJECT_BINARY_DIR}/programs)
file(GLOB programs_sources CONFIGURE_DEPENDS ${programs_folder}/*/*.cu)
list(FILTER programs_sources EXCLUDE REGEX "/bench/")
file(GLOB programs_mistakes CONFIGURE_DEPENDS ${verification_folder}/mistakes/*/*.cu)

# The architecture that a program is compiled for: 90, or what a line of its text says, as
# "// architecture: 90a" does for instructions of one architecture alone.
function(warpwise_architecture_of source result)
  file(STRINGS ${source} declared REGEX "^// architecture: [0-9]+[af]?$" LIMIT_COUNT 1)
  if(declared)
    string(REPLACE "// architecture: " "" architecture "${declared}")
  else()
    set(architecture 90)
  endif()
  set(${result} ${architecture} PARENT_SCOPE)
endfunction()

# Sets `result` to whether a line of the program's text is the comment.
function(warpwise_says source comment result)
  file(STRINGS ${source} lines REGEX "^// Built ")
  if("// ${comment}" IN_LIST lines)
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# The C++ that a program is compiled as: what its text says, what the headers of CCCL want, or the oldest that nvcc
# takes, with which the standard library's headers are a third less work.
function(warpwise_standard_of source result)
  warpwise_says(${source} "Built as C++20." is_latest)
  file(STRINGS ${source} of_cccl REGEX "^#include <(cooperative_groups|cub/|cuda/|nv/|thrust/)" LIMIT_COUNT 1)
  if(is_latest)
    set(${result} 20 PARENT_SCOPE)
  elseif(of_cccl)
    set(${result} 17 PARENT_SCOPE)
  else()
    set(${result} 14 PARENT_SCOPE)
  endif()
endfunction()

# NDEBUG would take away the assertions that are the point of some. The host's part is not what counts.
function(warpwise_corpus_program source name)
  string(MAKE_C_IDENTIFIER program_${name} target)
  add_executable(${target} EXCLUDE_FROM_ALL ${source})
  target_compile_options(${target} PRIVATE -UNDEBUG -Xcompiler=-O0 ${ARGN})
  warpwise_architecture_of(${source} architecture)
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${architecture} OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY ${programs_built})
  # Kernels that launch kernels have to be linked so, and say it.
  warpwise_says(${source} "Built with -rdc=true." separate)
  set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ${separate})
  warpwise_standard_of(${source} standard)
  set_target_properties(${target} PROPERTIES CUDA_STANDARD ${standard})
  set_property(GLOBAL APPEND PROPERTY warpwise_corpus_programs ${target})
endfunction()

# Where mistakes are declared, those of the host's part have lines, too.
foreach(source ${programs_sources} ${programs_mistakes})
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} declared REGEX "// expect: ")
  if(declared)
    warpwise_corpus_program(${source} ${name} -lineinfo -Xcompiler=-g1)
  else()
    warpwise_corpus_program(${source} ${name} -lineinfo)
  endif()
endforeach()

# The same programs as other people compile them: build/programs/NAME.VARIANT prints what NAME prints.
function(warpwise_variant variant flags)
  foreach(name ${ARGN})
    file(GLOB source ${programs_folder}/*/${name}.cu)
    warpwise_corpus_program(${source} ${name}.${variant} ${flags})
  endforeach()
endfunction()

# Instead of sm_90.
function(warpwise_variant_for variant code)
  warpwise_variant(${variant} "-lineinfo;--generate-code=${code}" ${ARGN})
  foreach(name ${ARGN})
    set_target_properties(program_${name}_${variant} PROPERTIES CUDA_ARCHITECTURES OFF)
  endforeach()
endfunction()

warpwise_variant(debug -G divergence checksums)
# Debug builds inline functions of the toolkit without a word, and call others.
foreach(name grid_sync_without_cooperative_launch shuffle_lane_of_tile_never_comes
             file_read_into_pending)
  file(GLOB source ${verification_folder}/mistakes/*/${name}.cu)
  warpwise_corpus_program(${source} ${name}.debug -G -Xcompiler=-g1)
endforeach()
warpwise_variant(fast_math "-lineinfo;-use_fast_math" mandelbrot matrix_products)
warpwise_variant(compress_size "-lineinfo;--compress-mode=size" text_processing)
warpwise_variant(compress_speed "-lineinfo;--compress-mode=speed" sorting)
warpwise_variant(compress_none "-lineinfo;--compress-mode=none" images)
warpwise_variant(rdc "-lineinfo;-Xcompiler=-g1" device_symbols big_integers indirect_calls)
foreach(name device_symbols big_integers indirect_calls)
  set_target_properties(program_${name}_rdc PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
endforeach()
warpwise_variant_for(turing "arch=compute_75,code=[compute_75,sm_75]"
                     blocks_in_order scans_and_segments cellular_automata
                     tiles_of_several_warps)
warpwise_variant_for(blackwell "arch=compute_100,code=compute_100" linear_algebra matrix_products)

file(GLOB programs_tests CONFIGURE_DEPENDS ${programs_folder}/*.cpp)
add_executable(test_programs EXCLUDE_FROM_ALL ${programs_tests})
warpwise_compile_together(test_programs)
target_include_directories(test_programs PRIVATE ${PROJECT_SOURCE_DIR}/common)
target_link_libraries(test_programs PRIVATE warpwise_base warpwise_report warpwise_doctest nlohmann_json::nlohmann_json fmt::fmt
                                            Threads::Threads)
target_compile_options(test_programs PRIVATE -O0 ${warpwise_warnings})
target_compile_definitions(test_programs PRIVATE WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                           WARPWISE_BUILD_DIR="${PROJECT_BINARY_DIR}")
get_property(programs_targets GLOBAL PROPERTY warpwise_corpus_programs)
add_dependencies(test_programs warpwise_stand_in ${programs_targets})
add_custom_target(corpus_programs DEPENDS ${programs_targets})
add_test(NAME programs COMMAND test_programs)
# What the tutor leaves out where nobody said --all.
set_tests_properties(programs PROPERTIES LABELS long)

# What whole programs take: `./learn bench simulator`.
add_executable(whole_program EXCLUDE_FROM_ALL ${programs_folder}/bench/whole_program.cu)
target_compile_options(whole_program PRIVATE -lineinfo)
set_target_properties(whole_program PROPERTIES CUDA_ARCHITECTURES 90)
add_executable(program_bench EXCLUDE_FROM_ALL ${programs_folder}/bench/program_bench_main.cpp)
target_link_libraries(program_bench PRIVATE warpwise_base fmt::fmt)
target_compile_options(program_bench PRIVATE ${warpwise_warnings})
target_compile_definitions(program_bench PRIVATE
                           WARPWISE_WHOLE_PROGRAM="$<TARGET_FILE:whole_program>"
                           WARPWISE_STAND_IN="$<TARGET_FILE:warpwise_stand_in>")
add_dependencies(program_bench warpwise_stand_in whole_program)
