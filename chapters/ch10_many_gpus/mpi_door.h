#pragma once

/// \file
/// The way from the chapter's program to its part that needs MPI.

/// Whether the command line has --mpi.
bool asks_for_mpi(int argc, const char* const* argv);

/// Runs that part: it lies in a library of its own, so that the program needs no MPI. The line may
/// have --device as well, and nothing else. @return the exit status.
int over_mpi(int argc, const char* const* argv);
