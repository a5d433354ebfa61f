// Typical wrong answers to 05_full_waves. Each is only the text that replaces the blank of the
// solution; the line that causes the failure carries what the check must say about it.

//= one_block_an_sm: a wave is taken as one block for each SM
  const long long wave = sms;  // expect: wrong result
  const long long waves = (blocks + wave - 1) / wave;
  return static_cast<double>(blocks) / static_cast<double>(waves * wave);

//= only_last_wave: how full the last wave is, not all of them
  const long long wave = static_cast<long long>(sms) * resident;
  const long long last = blocks % wave == 0 ? wave : blocks % wave;
  return static_cast<double>(last) / static_cast<double>(wave);  // expect: wrong result

//= rounded_down: the last, partial wave is not counted
  const long long wave = static_cast<long long>(sms) * resident;
  const long long waves = blocks / wave;
  return static_cast<double>(blocks) / static_cast<double>(waves * wave);  // expect: wrong result

//= one_more_wave: a wave too many where the grid fills the last one
  const long long wave = static_cast<long long>(sms) * resident;
  const long long waves = blocks / wave + 1;  // expect: wrong result
  return static_cast<double>(blocks) / static_cast<double>(waves * wave);

//= whole_numbers: the division is one of integers
  const long long wave = static_cast<long long>(sms) * resident;
  const long long waves = (blocks + wave - 1) / wave;
  return static_cast<double>(blocks / (waves * wave));  // expect: wrong result

//= too_small: the room does not fit an int
  const int wave = sms * resident;
  const int waves = blocks / wave + (blocks % wave != 0 ? 1 : 0);
  return static_cast<double>(blocks) / (waves * wave);  // expect: undefined-behaviour

//= waves_returned: the waves with their fraction, not how well they are used
  const long long wave = static_cast<long long>(sms) * resident;
  return static_cast<double>(blocks) / static_cast<double>(wave);  // expect: wrong result

//= empty_part: the part that stays empty
  const long long wave = static_cast<long long>(sms) * resident;
  const long long waves = (blocks + wave - 1) / wave;
  return 1 - static_cast<double>(blocks) / static_cast<double>(waves * wave);  // expect: wrong result

//= by_ceil: right: waves by ceil of double, without an include
  const double wave = static_cast<double>(sms) * resident;
  return blocks / (ceil(blocks / wave) * wave);  // expect: pass
