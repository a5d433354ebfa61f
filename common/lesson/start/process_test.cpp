#include "lesson/start/process.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>

#include "lesson/device/error.h"
#include "lesson/start/paths.h"

using namespace warpwise::lesson;

TEST_CASE("a child's status, output and errors come back") {
  const ChildResult result =
      run_child({"/bin/sh", "-c", "echo $FRUIT; echo no >&2; exit 7"}, {"FRUIT=plum"});
  CHECK(result.status == 7);
  CHECK(result.output == "plum\n");
  CHECK(result.errors == "no\n");
  CHECK(run_child({"/bin/sh", "-c", "kill -9 $$"}).status == 128 + 9);
  CHECK_THROWS_AS(run_child({"/no/such/program"}), Stop);
}

TEST_CASE("a child that does not end is ended") {
  const ChildResult result = run_child({"/bin/sh", "-c", "echo begun; exec sleep 60"}, {}, 0.3);
  CHECK(result.timed_out);
  CHECK(result.status == 128 + 9);
  CHECK(result.output == "begun\n");
  CHECK_FALSE(run_child({"/bin/true"}, {}, 20).timed_out);
}

TEST_CASE("standard output is caught whether it was buffered or not, and comes back") {
  StdoutCapture capture;
  std::printf("one ");
  std::fflush(stdout);
  CHECK(::write(STDOUT_FILENO, "two", 3) == 3);
  CHECK(capture.finish() == "one two");
}

TEST_CASE("files are written whole or not at all") {
  const TemporaryFile file;
  write_file(file.path(), "text");
  CHECK(read_file(file.path()) == "text");
  // Replaced under its name: the file that a child inherited is another one.
  CHECK(file.text() == "text");
  CHECK(file.inherited_text().empty());
  file.write("own");
  CHECK(file.inherited_text() == "own");
  CHECK(file.text() == "text");
  CHECK_THROWS_AS(write_file("/no/such/folder/x", "text"), Stop);
  CHECK_THROWS_AS(read_file("/no/such/file"), Stop);
  CHECK_THROWS_AS(read_file("/"), Stop);
  check_writable(file.path());
  CHECK_THROWS_AS(check_writable("/no/such/folder/x"), Stop);
  CHECK_THROWS_AS(check_writable("/"), Stop);
  write_file(file.path(), "");
  CHECK(read_file(file.path()).empty());
}

TEST_CASE("paths are found from a folder upward") {
  CHECK(find_upward("/usr/lib", "usr"));
  CHECK_FALSE(find_upward("/usr/lib", "no/such/thing"));
  CHECK(shown_path("/no/such/x.cu") == "/no/such/x.cu");
}
