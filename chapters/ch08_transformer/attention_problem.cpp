/// \file
/// Chapter 7's inputs and references of attention, compiled into this program.
#include "../ch07_attention/attention_problem.cpp"
