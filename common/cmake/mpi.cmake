# The part of chapter 10 that needs MPI, where there is one: build/lesson/ch10_many_gpus_mpi.so. Nothing
# else needs it, and the chapter says in one line where it is absent.
set(mpi_tests four_ranks wrong_number one_rank unknown_word)
set(MPI_CXX_SKIP_MPICXX TRUE)  # the interface for C alone
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND OR NOT MPIEXEC_EXECUTABLE)
  foreach(test ${mpi_tests})
    warpwise_skipped_test(ch10_many_gpus.mpi.${test} "no MPI here")
  endforeach()
  warpwise_status_test(ch10_many_gpus.mpi.absent 3 $<TARGET_FILE:ch10_many_gpus> --mpi)
  return()
endif()

file(GLOB mpi_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/chapters/ch10_many_gpus/mpi/*.cpp)
add_library(ch10_many_gpus_mpi MODULE ${mpi_sources}
            ${PROJECT_SOURCE_DIR}/common/lesson/open_library.cpp)
target_include_directories(ch10_many_gpus_mpi PRIVATE ${PROJECT_SOURCE_DIR}/common
                           ${PROJECT_SOURCE_DIR}/chapters/ch10_many_gpus)
target_include_directories(ch10_many_gpus_mpi SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_options(ch10_many_gpus_mpi PRIVATE ${warpwise_warnings})
target_link_libraries(ch10_many_gpus_mpi PRIVATE MPI::MPI_CXX CUDA::cudart ${CMAKE_DL_LIBS})
set_target_properties(ch10_many_gpus_mpi PROPERTIES
  PREFIX "" BUILD_RPATH ${CUDAToolkit_LIBRARY_DIR}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lesson)
add_dependencies(ch10_many_gpus ch10_many_gpus_mpi)

# Four ranks on any machine; Open MPI wants to be told that it may run as root.
set(mpi_run env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})
set(mpi_program $<TARGET_FILE:ch10_many_gpus> --mpi --device sim)
warpwise_status_test(ch10_many_gpus.mpi.four_ranks 0 ${mpi_run} 4 ${mpi_program})
warpwise_status_test(ch10_many_gpus.mpi.wrong_number 1 env WARPWISE_WRONG_RANK=3 ${mpi_run} 4
                     ${mpi_program})
warpwise_status_test(ch10_many_gpus.mpi.one_rank 2 ${mpi_run} 1 ${mpi_program})
warpwise_status_test(ch10_many_gpus.mpi.unknown_word 2 ${mpi_run} 1 $<TARGET_FILE:ch10_many_gpus>
                     --mpi --frobnicate)
foreach(test ${mpi_tests})
  set_tests_properties(ch10_many_gpus.mpi.${test} PROPERTIES TIMEOUT 60)
endforeach()
set_tests_properties(ch10_many_gpus.mpi.wrong_number PROPERTIES TIMEOUT 20)
