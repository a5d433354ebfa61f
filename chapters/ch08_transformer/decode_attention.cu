/// \file
/// Chapter 7's attention of one query against a cache, compiled into this program:
/// start_decode_in_one() of ../ch07_attention/decode.h.
#include "../ch07_attention/decode.cu"
#include "../ch07_attention/decode_bulk.cu"
