// Typical wrong answers to 05_swizzled_rows. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= as_it_is: right, but the chunks of eight rows are in few banks
  return row * 32 + chunk * 8;  // expect: gate wavefronts in the frame

//= xor_row: right, but rows 0 and 4, 2 and 6 have the same banks
  return row * 32 + (chunk ^ row % 4) * 8;  // expect: gate wavefronts in the frame

//= rows_of_80: padded rows, for which the tile has no room
  return row * 40 + chunk * 8;  // expect: out-of-bounds in the frame

//= xor_of_halfs: the exclusive or changes halfs, not chunks
  return row * 32 + (chunk * 8 ^ row / 2 % 4);  // expect: misaligned in the frame

//= xor_of_eight: there are four chunks in a row, not eight
  return row * 32 + (chunk ^ row % 8) * 8;  // expect: out-of-bounds in the frame

//= two_in_one_place: two chunks of a row have one place
  return row * 32 + (chunk | row / 2 % 4) * 8;  // expect: race in the frame

//= columns_first: chunk by chunk, not row by row: there are not as many rows in both tiles
  return chunk * 256 + row * 8;  // expect: out-of-bounds in the frame

//= turned: right: the chunks of a row are turned in a circle
  return row * 32 + (chunk + row / 2) % 4 * 8;  // expect: pass

//= mirrored: right: any order of the four will do
  return row * 32 + (3 - (chunk ^ row / 2 % 4)) * 8;  // expect: pass
