// Typical wrong answers to 05_record_width. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= plain_struct: right, but the type promises 4 bytes: two loads
  struct Record {
    unsigned time;
    float value;
  };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Record record = reinterpret_cast<const Record*>(words)[i];  // expect: gate loads
  y[i] = record.time % 2 == 1 ? -record.value : record.value;

//= word_by_word: right, but both words are loaded one after the other
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = __uint_as_float(words[2 * i + 1]);  // expect: gate loads
  y[i] = words[2 * i] % 2 == 1 ? -value : value;

//= sixteen: a promise of 16 bytes makes records 16 bytes long
  struct alignas(16) Record {
    unsigned time;
    float value;
  };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Record record = reinterpret_cast<const Record*>(words)[i];  // expect: out-of-bounds
  y[i] = record.time % 2 == 1 ? -record.value : record.value;

//= exchanged: the members are exchanged
  struct alignas(8) Record {
    float value;
    unsigned time;
  };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Record record = reinterpret_cast<const Record*>(words)[i];
  y[i] = record.time % 2 == 1 ? -record.value : record.value;  // expect: wrong result

//= time_as_float: the time is read as a float
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 record = reinterpret_cast<const float2*>(words)[i];
  y[i] = fmodf(record.x, 2) == 1 ? -record.y : record.y;  // expect: wrong result

//= no_guard: the last block reads past the last record
  struct alignas(8) Record {
    unsigned time;
    float value;
  };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Record record = reinterpret_cast<const Record*>(words)[i];  // expect: out-of-bounds
  y[i] = record.time % 2 == 1 ? -record.value : record.value;

//= value_converted: the bits of the value are taken for a number
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint2 record = reinterpret_cast<const uint2*>(words)[i];
  const float value = record.y;
  y[i] = record.x % 2 == 1 ? -value : value;  // expect: wrong result

//= uint2: right: a built-in type with the same promise
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint2 record = reinterpret_cast<const uint2*>(words)[i];  // expect: pass
  const float value = __uint_as_float(record.y);
  y[i] = record.x % 2 == 1 ? -value : value;

//= one_block: right, but the first block does everything
  if (blockIdx.x > 0) return;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const uint2 record = reinterpret_cast<const uint2*>(words)[i];
    const float value = __uint_as_float(record.y);
    y[i] = record.x % 2 == 1 ? -value : value;  // expect: gate threads
  }
