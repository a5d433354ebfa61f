// Typical wrong answers to 01_grid_size. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= rounded_down: the elements of the last, partial block get no thread
  return elements / threads;  // expect: wrong result

//= one_more: a block for nothing where the division is exact; of the largest int there is no next
  return elements / threads + 1;  // expect: undefined-behaviour

//= sum_overflows: the sum is larger than the largest int
  return (elements + threads - 1) / threads;  // expect: undefined-behaviour

//= off_by_one: a block for nothing where the division is exact, by the sum
  return static_cast<int>((static_cast<long long>(elements) + threads) / threads);  // expect: wrong result

//= in_floats: a float counts only to 2^24 without gaps
  const float blocks = static_cast<float>(elements) / static_cast<float>(threads);
  const int whole = static_cast<int>(blocks);  // expect: wrong result
  return whole + (static_cast<float>(whole) < blocks ? 1 : 0);

//= for_nothing: no elements, and still a block
  if (elements <= threads) return 1;  // expect: wrong result
  return elements / threads + (elements % threads != 0 ? 1 : 0);

//= remainder_swapped: the remainder of the wrong division
  return elements / threads + (threads % elements != 0 ? 1 : 0);  // expect: undefined-behaviour

//= counts_for_ever: counts up, and begins with an overflow before it ends
  int blocks = 0;
  while (blocks * threads < elements) {  // expect: undefined-behaviour
    ++blocks;
  }
  return blocks;

//= never_ends: the loop's variable does not change
  int blocks = 0;
  for (volatile int covered = 0; covered < elements; covered = blocks * threads) {  // expect: time-limit
    blocks = blocks + 0;
  }
  return blocks;

//= leaves: ends the program, which is no answer
  __builtin_exit(0);  // expect: exit

//= no_include: right: what wants a header in C++, and none is included
  const auto order = elements <=> 0;
  if (order < 0 || threads < 1) std::abort();
  int blocks = elements / threads;
  for (const int rest : {elements % threads, 0}) blocks += rest != 0;  // expect: pass
  return blocks;
