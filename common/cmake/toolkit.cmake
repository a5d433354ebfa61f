# Finds nvcc (on PATH, in CUDACXX, or in /usr/local/cuda), refuses a toolkit that is not CUDA 13,
# and enables the CUDA language. One line says what to install.
set(warpwise_toolkit_help
    "install CUDA 13: apt-get install cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0 from \
https://developer.download.nvidia.com/compute/cuda/repos (about 400 MB)")

find_program(WARPWISE_NVCC nvcc HINTS $ENV{CUDACXX} ENV CUDA_PATH PATH_SUFFIXES bin)
if(NOT WARPWISE_NVCC)
  find_program(WARPWISE_NVCC nvcc PATHS /usr/local/cuda/bin /usr/local/cuda-13.0/bin NO_DEFAULT_PATH)
endif()
if(NOT WARPWISE_NVCC)
  message(FATAL_ERROR "nvcc was not found: ${warpwise_toolkit_help}")
endif()
execute_process(COMMAND ${WARPWISE_NVCC} --version OUTPUT_VARIABLE warpwise_nvcc_version)
if(NOT warpwise_nvcc_version MATCHES "release 13\\.")
  string(REGEX MATCH "release [0-9.]+" warpwise_found "${warpwise_nvcc_version}")
  message(FATAL_ERROR "${WARPWISE_NVCC} is ${warpwise_found}, not 13: ${warpwise_toolkit_help}")
endif()

set(CMAKE_CUDA_COMPILER ${WARPWISE_NVCC})
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
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
