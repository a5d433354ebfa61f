// Which sources are the user's.

#include "simulator/code/values/library_files.h"

#include <doctest/doctest.h>

#include "simulator/image/compile_fixture.h"

using warpwise::code::is_library_file;

TEST_CASE("the folders of toolkits and compilers are libraries, as compilers write them") {
  for (const char* path :
       {"/nowhere/cuda/include/sm_30_intrinsics.hpp", "/nowhere/cuda-13.0/include/crt/mma.hpp",
        "/nowhere/cuda-13/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp",
        "/nowhere/cuda-13.0/bin/../targets/sbsa-linux/include/cccl/cub/block/block_scan.cuh",
        "/nowhere/hpc_sdk/Linux_x86_64/25.9/cuda/13.0/include/cuda_fp16.hpp",
        "/nowhere/site-packages/nvidia/cu13/include/cuda_fp16.hpp",
        "/nowhere/site-packages/nvidia/cuda_cccl/include/cub/cub.cuh",
        "../../nowhere/cuda-13.0/include/cuda_fp16.hpp", "/usr/include/c++/12/bits/stl_algo.h",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h"}) {
    CAPTURE(path);
    CHECK(is_library_file(path));
  }
}

TEST_CASE("a course's own headers are the user's, whatever its folder is called") {
  for (const char* path : {"/nowhere/cuda-course/include/tile.cuh", "/nowhere/learn/rows.h",
                           "/nowhere/cuda/kernels/include/tile.cuh", "kernel.cu", ""}) {
    CAPTURE(path);
    CHECK_FALSE(is_library_file(path));
  }
}

TEST_CASE("of a folder that exists its files tell, not its name") {
  warpwise::image::test::Workbench folder;
  folder.write("cuda/include/tile.cuh", "");
  CHECK_FALSE(is_library_file(folder.path("cuda/include/tile.cuh")));
  const auto header = folder.path("compilers/include/crt/mma.hpp");
  folder.write("compilers/include/crt/mma.hpp", "");
  CHECK_FALSE(is_library_file(header));
  folder.write("compilers/include/cuda_runtime_api.h", "");
  CHECK(is_library_file(header));
}
