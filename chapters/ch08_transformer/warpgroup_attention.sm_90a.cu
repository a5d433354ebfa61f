/// \file
/// Chapter 7's attention by warpgroups, its rungs 6 to 8, compiled into this program:
/// start_warpgroup_rung() of ../ch07_attention/attention_rungs.h. Code for sm_90a.
#include "../ch07_attention/warpgroups.sm_90a.cu"
