/// \file
/// Chapter 7's attention on tensor cores, its rung 5, compiled into this program:
/// start_warp_products() of ../ch07_attention/attention_rungs.h.
#include "../ch07_attention/warp_products.cu"
