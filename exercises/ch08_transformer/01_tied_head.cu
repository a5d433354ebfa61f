// Exercise 01_tied_head: the logits of the last token, by the table that began the model.
//
// h: rows x columns floats, the vectors of `rows` sequences' last tokens; wte: padded x columns
// floats, the table of the embedding, whose rows from V on are zeros; logits: rows x padded floats,
// row-major.
//   logits[r][v] = sum over c of h[r][c] * wte[v][c]     for v < V
//   logits[r][v] = minus infinity                        for V <= v < padded
// columns is a multiple of 32. All arrays are in device memory. The launch is fixed, a warp per row
// of wte, for all rows of h:
//   blockDim = (32, 4), gridDim = padded / 4, rounded up
// Build and check it: ./learn run ch08/01
__global__ void tied_head(const float* h, const float* wte, float* logits, int rows, int columns,
                          int V, int padded) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
