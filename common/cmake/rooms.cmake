# A room is a folder below common/ with its subfolders: its .cpp files are a library, its *_test.cpp files a
# test program.
enable_testing()

option(WARPWISE_FUZZ "Build everything for libFuzzer (clang), with ASan and UBSan" OFF)
if(WARPWISE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -w)
  add_link_options(-fsanitize=address,undefined)
endif()

# Presets asan and tsan: only what the host compiler makes, and all that is linked, so that the runtime of the
# sanitizer is in a program before the simulator is loaded into it.
set(WARPWISE_SANITIZE "" CACHE STRING "Sanitizers for everything but device code: address,undefined or thread")
if(WARPWISE_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WARPWISE_SANITIZE};-fno-omit-frame-pointer;-g1;-w>")
  add_link_options(-fsanitize=${WARPWISE_SANITIZE})
endif()

# Most of the time of compiling a file goes into headers; compiled together, files read them once.
option(WARPWISE_TOGETHER "Compile a library's files in groups: a build from nothing takes half the time" OFF)
# A library is one group: what its files share, headers and the functions of templates, is compiled once. Tests
# are groups of 40: somebody changes one, and waits for its group.
function(warpwise_compile_together target)
  get_target_property(sources ${target} SOURCES)
  set(index 0)
  foreach(source ${sources})
    set(group 0)
    if(target MATCHES "^test_")
      math(EXPR group "${index} / 40")
      math(EXPR index "${index} + 1")
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WARPWISE_TOGETHER} UNITY_BUILD_MODE GROUP)
  # The compiler need not save memory by looking for garbage all the time.
  if(WARPWISE_TOGETHER AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
  endif()
endfunction()

# Subfolders that are a library or a program of their own.
set(warpwise_own_folders "(^|/)(rows|preloaded|live|learn|host_runner|image_maker)/")

# The sources of a folder and its subfolders, those of libraries and programs of their own left out. Files that
# are compiled together are neighbours by name: their unnamed namespaces must not collide.
function(warpwise_sources out folder)
  file(GLOB_RECURSE sources RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "${warpwise_own_folders}|_(test|main)\\.cpp$")
  list(TRANSFORM sources PREPEND ${folder}/)
  list(SORT sources COMPARE FILE_BASENAME)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# The tests beside those.
function(warpwise_tests out folder)
  file(GLOB_RECURSE tests RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  list(FILTER tests EXCLUDE REGEX ${warpwise_own_folders})
  list(TRANSFORM tests PREPEND ${folder}/)
  list(SORT tests COMPARE FILE_BASENAME)
  set(${out} ${tests} PARENT_SCOPE)
endfunction()

# What runs the tests, and its main(): compiled once for all of them.
add_library(warpwise_doctest STATIC ${PROJECT_SOURCE_DIR}/common/cmake/doctest_main.cpp)
target_compile_options(warpwise_doctest PRIVATE -O1)
target_link_libraries(warpwise_doctest PUBLIC doctest::doctest)

# warpwise_room(NAME FOLDER [LIBRARY OTHER] [APART SUBFOLDER] LINK...): library warpwise_NAME and, where tests exist,
# program test_NAME.
# With LIBRARY the sources are a part of warpwise_OTHER: two rooms that are always used together read headers once.
# With APART the tests in that subfolder run as a test of their own, NAME.SUBFOLDER, beside the others.
function(warpwise_room name folder)
  cmake_parse_arguments(PARSE_ARGV 2 room "" "LIBRARY;APART" "")
  set(library warpwise_${name})
  if(room_LIBRARY)
    set(library warpwise_${room_LIBRARY})
  endif()
  set(path ${PROJECT_SOURCE_DIR}/common/${folder})
  warpwise_sources(sources ${path})
  if(sources)
    if(NOT TARGET ${library})
      add_library(${library} STATIC)
    endif()
    target_sources(${library} PRIVATE ${sources})
    warpwise_compile_together(${library})
    target_include_directories(${library} PUBLIC ${PROJECT_SOURCE_DIR}/common)
    target_compile_options(${library} PRIVATE ${warpwise_warnings})
    target_link_libraries(${library} PUBLIC ${room_UNPARSED_ARGUMENTS})
  endif()
  warpwise_tests(tests ${path})
  if(tests)
    add_executable(test_${name} ${tests})
    warpwise_compile_together(test_${name})
    target_link_libraries(test_${name} PRIVATE ${library} warpwise_doctest)
    # What counts is that it costs little to build: what is tested is in the library.
    target_compile_options(test_${name} PRIVATE -O0)
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/common)
    target_compile_definitions(test_${name} PRIVATE
      WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WARPWISE_BUILD_DIR="${PROJECT_BINARY_DIR}"
      WARPWISE_NVCC="${WARPWISE_NVCC}")
    # A room's test takes up to some minutes: such tests begin first, so that none runs alone at the end.
    set(others)
    if(room_APART)
      set(apart */${folder}/${room_APART}/*)
      add_test(NAME ${name}.${room_APART} COMMAND test_${name} --source-file=${apart})
      set_tests_properties(${name}.${room_APART} PROPERTIES COST 100)
      set(others --source-file-exclude=${apart})
    endif()
    add_test(NAME ${name} COMMAND test_${name} ${others})
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endfunction()

option(WARPWISE_EVERY_PROCESSOR
       "the simulator also runs on x86-64 processors without AVX2; else on this machine's kind" OFF)

# Sets `result` to whether this machine has what x86-64-v3 and isa/level.cpp ask for.
function(warpwise_has_v3 result)
  set(${result} OFF PARENT_SCOPE)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    if(flags MATCHES " avx2 " AND flags MATCHES " fma " AND flags MATCHES " bmi2 ")
      set(${result} ON PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Compiles a library that decides how fast the simulator is for the processor of this machine.
# isa/level.cpp ends a program on an older one before any of it runs. Atomics add what products gave:
# contraction would make one fma of both. prefetchw does nothing on those of these that do not know it.
function(warpwise_for_this_processor target)
  warpwise_has_v3(has_v3)
  if(has_v3 AND NOT WARPWISE_EVERY_PROCESSOR)
    target_compile_options(${target} PRIVATE -march=x86-64-v3 -mprfchw -ffp-contract=off)
  endif()
endfunction()

# isa/ is compiled for the processor of this machine, x86-64-v3 or any (arm64 too), or for both;
# isa/level.cpp chooses at run time.
function(warpwise_isa_room)
  set(path ${PROJECT_SOURCE_DIR}/common/simulator/isa)
  file(GLOB_RECURSE rows CONFIGURE_DEPENDS ${path}/rows/*.cpp)
  warpwise_has_v3(has_v3)
  set(levels)
  if(has_v3)
    list(APPEND levels v3)
  endif()
  if(WARPWISE_EVERY_PROCESSOR OR NOT has_v3)
    list(APPEND levels portable)
  endif()
  foreach(level ${levels})
    add_library(warpwise_isa_${level} OBJECT ${rows})
    warpwise_compile_together(warpwise_isa_${level})
    target_include_directories(warpwise_isa_${level} PRIVATE ${PROJECT_SOURCE_DIR}/common)
    target_compile_definitions(warpwise_isa_${level} PRIVATE WARPWISE_ISA_LEVEL=${level})
    # Contraction would turn a separate multiply and add into one fma. Rounding modes change at run time,
    # but around loops from memory to memory, which no arithmetic can leave: -frounding-math would only
    # keep them from becoming vector code, as traps would.
    target_compile_options(warpwise_isa_${level} PRIVATE ${warpwise_warnings} -Wno-pedantic
                           -ffp-contract=off -fno-trapping-math -fno-math-errno
                           -fno-semantic-interposition)
  endforeach()
  # By themselves: rows that are long to compile, and those of which a name occurs in others (packed_integer,
  # matrix_memory).
  foreach(name compare convert convert_packed float float_sm100 half matrix/matrix matrix/matrix_memory
          matrix/warpgroup packed_integer set special_function video)
    set_source_files_properties(${path}/rows/${name}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  # Loops over lanes become vector code, as with -O3, which takes the compiler a sixth longer. Few programs
  # have the instructions of the files with -O1.
  foreach(level ${levels})
    target_compile_options(warpwise_isa_${level} PRIVATE -O2 -fvect-cost-model=dynamic)
  endforeach()
  set_source_files_properties(${path}/rows/float_sm100.cpp ${path}/rows/set.cpp ${path}/rows/video.cpp
                              PROPERTIES COMPILE_OPTIONS -O1)
  if(has_v3)
    target_compile_options(warpwise_isa_v3 PRIVATE -march=x86-64-v3)
  endif()
  warpwise_room(isa simulator/isa)
  foreach(level ${levels})
    target_sources(warpwise_isa PRIVATE $<TARGET_OBJECTS:warpwise_isa_${level}>)
    target_compile_definitions(warpwise_isa PRIVATE WARPWISE_ISA_HAS_${level})
  endforeach()
endfunction()

# Files are compiled in the order in which their libraries are named: the long ones first, so that no processor
# waits for the last one. What the first screen needs, then what the first verdict needs.
foreach(name tutor tutor_live report machine cudart watch lesson code)
  add_library(warpwise_${name} STATIC)
endforeach()

# What each room may use: the arrows of docs/ARCHITECTURE.md. A room without sources is no library yet.
warpwise_room(base base fmt::fmt)
target_compile_options(warpwise_base PRIVATE -Og)
warpwise_room(occupancy occupancy)
warpwise_room(models models)
warpwise_room(report report warpwise_occupancy fmt::fmt nlohmann_json::nlohmann_json)
target_compile_options(warpwise_report PRIVATE -Og)
warpwise_room(image simulator/image warpwise_base ${WARPWISE_ZSTD})
warpwise_isa_room()
warpwise_room(ptx simulator/ptx LIBRARY code warpwise_base warpwise_isa)
warpwise_room(code simulator/code warpwise_image)
# They read a program once, before it runs; occupancy is worked out once a launch.
foreach(room image occupancy)
  target_compile_options(warpwise_${room} PRIVATE -O1)
endforeach()
# The largest of them: a first verdict waits 6 s less of a processor, and a program of Thrust starts in 0.4 s, not 0.3.
target_compile_options(warpwise_code PRIVATE -Og)
warpwise_room(memory simulator/memory LIBRARY watch fmt::fmt)
warpwise_room(watch simulator/watch warpwise_report warpwise_code fmt::fmt)
warpwise_room(machine simulator/machine warpwise_watch Threads::Threads)
# In a shared library anybody could put another function in the place of one of these, if the compiler did not
# know better: then it may not inline them.
foreach(library warpwise_watch warpwise_machine)
  target_compile_options(${library} PRIVATE -fno-semantic-interposition)
  warpwise_for_this_processor(${library})
endforeach()

# What hardware gave, compared: a library, its tests, and the program that records on a GPU.
warpwise_room(conformance verification/conformance warpwise_machine fmt::fmt ${WARPWISE_ZSTD} ${CMAKE_DL_LIBS})
add_executable(conformance
  ${PROJECT_SOURCE_DIR}/common/verification/conformance/conformance_main.cpp)
target_link_libraries(conformance PRIVATE warpwise_conformance)
set_target_properties(conformance PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/simulator)

# Most tests need not be fast. These compute for long, by models that are easy to read and slow.
foreach(room code conformance isa occupancy watch)
  target_compile_options(test_${room} PRIVATE -O1)
endforeach()

# The readers of foreign bytes, and hostile ones thrown at them: common/verification/fuzz/run.
warpwise_room(fuzz verification/fuzz warpwise_code)
add_executable(fuzz_seeded EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/verification/fuzz/seeded_main.cpp)
target_link_libraries(fuzz_seeded PRIVATE warpwise_fuzz)
target_compile_definitions(fuzz_seeded PRIVATE WARPWISE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# The same inputs each time, some seconds for each reader, with `./learn test --all`. New ones take longer.
set(fuzz_targets fatbin cubin ptx)
set(fuzz_inputs 1000000 1000000 150000)
foreach(target inputs IN ZIP_LISTS fuzz_targets fuzz_inputs)
  add_test(NAME fuzz.${target} COMMAND fuzz_seeded ${target} ${inputs})
  set_tests_properties(fuzz.${target} PROPERTIES LABELS long)
endforeach()
if(WARPWISE_FUZZ)
  foreach(target ${fuzz_targets})
    add_executable(fuzz_${target} ${PROJECT_SOURCE_DIR}/common/verification/fuzz/${target}_main.cpp)
    target_link_libraries(fuzz_${target} PRIVATE warpwise_fuzz)
    target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  endforeach()
endif()

# The toolkit's cuda_occupancy.h is what occupancy/ is compared with.
if(TARGET test_occupancy)
  target_include_directories(test_occupancy PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
endif()

# For comparing what image/ reads of a cubin with a disassembler.
add_executable(cubin_dump EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/common/simulator/image/cubin_dump_main.cpp)
target_link_libraries(cubin_dump PRIVATE warpwise_image)

# How fast the simulator is on this machine.
add_executable(simulator_bench EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/common/simulator/machine/bench/simulator_bench_main.cpp)
target_link_libraries(simulator_bench PRIVATE warpwise_machine)
target_compile_definitions(simulator_bench PRIVATE WARPWISE_NVCC="${WARPWISE_NVCC}")
