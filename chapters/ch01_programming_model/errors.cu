/// \file
/// errors: launches that go wrong, and who says so.
///
/// The question: a launch returns at once. Then where does an error show?
///
///     build/ch01_programming_model --only errors
#include <string>

#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

/// Does nothing that anybody could see.
__global__ void do_nothing() {}

/// Writes where nothing is. @param nowhere a null pointer.
__global__ void write_to(int* nowhere) { *nowhere = 1; }

/// One row: what the two ways to ask answer.
void add_row(lesson::Demonstration& table, const std::string& what) {
  const std::string launch = cudaGetErrorName(cudaGetLastError());
  const std::string wait = cudaGetErrorName(cudaDeviceSynchronize());
  table.rows.push_back({what, launch, wait});
  (void)cudaGetLastError();
}

lesson::Demonstration errors() {
  lesson::Demonstration table;
  table.title = "two questions after a launch";
  table.columns = {"what was launched", "cudaGetLastError()", "then cudaDeviceSynchronize()"};
  do_nothing<<<1, 256>>>();
  add_row(table, "one block of 256 threads");
  do_nothing<<<1, dim3(32, 33)>>>();
  add_row(table, "a block of 32 x 33 = 1056 threads");
  do_nothing<<<1, dim3(100, 100)>>>();
  add_row(table, "a block of 100 x 100 threads");
  do_nothing<<<0, 256>>>();
  add_row(table, "no block at all");
  do_nothing<<<dim3(1, 65536), 256>>>();
  add_row(table, "65536 blocks in y");
  do_nothing<<<1, 256, std::size_t{1} << 20>>>();
  add_row(table, "1 MiB of shared memory for a block");
  // The last one: after it the device refuses every call of this process.
  write_to<<<1, 1>>>(nullptr);
  add_row(table, "a kernel that writes through a null pointer");
  void* memory = nullptr;
  const std::string after = cudaGetErrorName(cudaMalloc(&memory, 4));
  table.rows.push_back({"nothing: cudaMalloc after it returns", after, "-"});
  table.note =
      "A launch that is refused says so at once. What a kernel does wrong shows at the next "
      "call that waits, and stays.";
  return table;
}

}  // namespace

/// @pre nothing that needs the device comes after it.
void error_table(lesson::Run& run) { run.table("errors", errors); }
