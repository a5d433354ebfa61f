#pragma once
#include "all_reduce_arrays.h"

/// \file
/// All-reduce: n devices hold an array each, and every device gets the sums. Six ways, each with
/// work in the devices' streams alone; the caller begins and ends them.

/// Rung 1: every array to the host, which adds, and back. The host waits once for each device.
template <class T>
void over_the_host(const AllReduce<T>& a);
/// Rung 2: device 0 gets every array, adds it to its own, and sends the sums to all.
template <class T>
void over_device_0(const AllReduce<T>& a);
/// Rung 3: reduce-scatter and all-gather around a ring, ordered by events.
template <class T>
void ring(const AllReduce<T>& a);
/// Rung 4: two rings, each over half of the elements, in streams of their own.
template <class T>
void two_rings(const AllReduce<T>& a);
/// One ring over elements [first, first + count), in the streams `which` of all devices, after what
/// these have already.
template <class T>
void ring_of(const AllReduce<T>& a, long long first, long long count, int which);
/// Rung 5: a kernel on each device reads the arrays of all; out of place.
template <class T>
void read_all_peers(const AllReduce<T>& a);
/// Rung 6: a kernel on each device reduces one chunk and writes it to all; in place.
template <class T>
void chunk_to_all_peers(const AllReduce<T>& a);
