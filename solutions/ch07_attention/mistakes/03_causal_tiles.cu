// Typical wrong answers to 03_causal_tiles. Each is only the text that replaces the blank of the solution;
// the line that causes the failure carries what the check must say about it.

//= all_tiles: right, but tiles above the diagonal are loaded as well
  for (; first_key < T; first_key += 32) {
    load_tile(k_tile, k, first_key, T);  // expect: gate sectors in the frame
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }

//= diagonal_skipped: the loop ends before the diagonal tile
  for (; first_key < first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);  // expect: wrong result
    __syncthreads();
  }

//= local_numbers: numbers within the tile are compared
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = threadIdx.x <= threadIdx.y;  // expect: wrong result
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }

//= before_only: a token does not see itself
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane < query;  // expect: wrong result
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }

//= own_bound: each row has a bound of its own
  for (; first_key < query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();  // expect: barrier-divergence
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }

//= no_last_barrier: the next tile overwrites what others still read
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);  // expect: race in the frame
  }

//= no_first_barrier: products begin before the tiles have arrived
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    const float score = score_of(q_tile, k_tile);  // expect: race in the frame
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }

//= no_mask: the diagonal tile is taken as a whole
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    scores[threadIdx.y][threadIdx.x] = score;  // expect: wrong result
    __syncthreads();
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }

//= warp_barrier: right: a row of scores belongs to one warp
  for (; first_key <= first_query; first_key += 32) {
    load_tile(k_tile, k, first_key, T);
    load_tile(v_tile, v, first_key, T);
    __syncthreads();
    const float score = score_of(q_tile, k_tile);
    const bool counts = first_key + lane <= query;
    scores[threadIdx.y][threadIdx.x] = counts ? score : 0;
    __syncwarp();  // expect: pass
    sum += weighted_sum(scores, v_tile);
    __syncthreads();
  }
