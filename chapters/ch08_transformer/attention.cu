/// \file
/// Chapter 7's attention, its rungs 3 and 4, compiled into this program: start_online() and
/// start_tiles() of ../ch07_attention/attention_rungs.h.
#include "../ch07_attention/online.cu"
#include "../ch07_attention/tiles.cu"
