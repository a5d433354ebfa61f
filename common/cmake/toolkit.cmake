# Finds nvcc 13, enables the CUDA language and chooses the GPUs to compile for.

# Where nvcc may be, the first toolkit that is CUDA 13 wins: another one on PATH does no harm.
function(warpwise_find_nvcc)
  find_program(on_path nvcc NO_CACHE)
  file(GLOB versioned LIST_DIRECTORIES true /usr/local/cuda-13*/bin)
  list(SORT versioned ORDER DESCENDING)
  set(candidates ${WARPWISE_NVCC} "$ENV{CUDACXX}" ${on_path} "$ENV{CUDA_PATH}/bin/nvcc"
      /usr/local/cuda/bin/nvcc)
  foreach(folder ${versioned})
    list(APPEND candidates ${folder}/nvcc)
  endforeach()
  set(seen "nvcc was not found")
  foreach(candidate ${candidates})
    if(NOT EXISTS ${candidate} OR IS_DIRECTORY ${candidate})
      continue()
    endif()
    execute_process(COMMAND ${candidate} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(version MATCHES "release 13\\.")
      set(WARPWISE_NVCC ${candidate} CACHE FILEPATH "nvcc of CUDA 13" FORCE)
      return()
    endif()
    string(REGEX MATCH "release [0-9.]+" found "${version}")
    set(seen "${candidate} is CUDA ${found}, CUDA 13 is needed")
  endforeach()
  message(FATAL_ERROR "${seen}: ./learn prints how to install it")
endfunction()
warpwise_find_nvcc()

# The GPU of this machine, as "75"; empty without one.
function(warpwise_find_gpu out)
  set(${out} "" PARENT_SCOPE)
  find_program(nvidia_smi nvidia-smi NO_CACHE)
  if(nvidia_smi)
    execute_process(COMMAND ${nvidia_smi} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capability ERROR_QUIET RESULT_VARIABLE failed TIMEOUT 20)
    if(NOT failed AND capability MATCHES "^([0-9]+)\\.([0-9])")
      set(${out} ${CMAKE_MATCH_1}${CMAKE_MATCH_2} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# PTX and machine code for sm_90, which everything is counted on, and machine code for the GPU found.
# `./learn run --gpu NAME` adds to the list.
set(warpwise_architectures 90)
warpwise_find_gpu(warpwise_gpu)
# CUDA 13 compiles for nothing older than 7.5.
if(warpwise_gpu AND NOT warpwise_gpu EQUAL 90 AND NOT warpwise_gpu LESS 75)
  list(APPEND warpwise_architectures ${warpwise_gpu}-real)
endif()
set(CMAKE_CUDA_ARCHITECTURES "${warpwise_architectures}" CACHE STRING "GPUs to compile for")

# The same choice as flags of nvcc, for the images of exercises; the tutor reads the file.
set(WARPWISE_CODE_FLAGS "")
foreach(architecture ${CMAKE_CUDA_ARCHITECTURES})
  string(REGEX MATCH "^[0-9]+" number "${architecture}")
  if(architecture MATCHES "-real$")
    string(APPEND WARPWISE_CODE_FLAGS " -gencode arch=compute_${number},code=sm_${number}")
  else()
    string(APPEND WARPWISE_CODE_FLAGS
           " -gencode arch=compute_${number},code=[compute_${number},sm_${number}]")
  endif()
endforeach()
string(STRIP "${WARPWISE_CODE_FLAGS}" WARPWISE_CODE_FLAGS)
file(WRITE ${PROJECT_BINARY_DIR}/code_flags.txt "${WARPWISE_CODE_FLAGS}\n")

set(CMAKE_CUDA_COMPILER ${WARPWISE_NVCC})
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
enable_language(CUDA)
# CMake 3.25 knows no C++20 flag for nvcc.
foreach(kind STANDARD EXTENSION)
  if(NOT DEFINED CMAKE_CUDA20_${kind}_COMPILE_OPTION)
    set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
  endif()
endforeach()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
find_package(CUDAToolkit 13 REQUIRED)

# Editors: clang's own CUDA header includes one that CUDA 13 no longer has; see .clangd.
# Newer versions of CMake name several folders.
find_file(WARPWISE_TEXTURE_FETCH texture_fetch_functions.h PATHS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
if(NOT WARPWISE_TEXTURE_FETCH)
  file(WRITE ${PROJECT_BINARY_DIR}/editor/texture_fetch_functions.h "#pragma once\n")
endif()
