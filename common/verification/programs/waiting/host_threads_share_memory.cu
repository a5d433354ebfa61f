// Threads of the host use words of managed memory while launches, for which other threads wait, use
// words next to them.
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void leave_alone(int*) {}

__global__ void count(int* word) { ++*word; }

// Two threads launch, each on a word of its own, and look at it after each wait; a third one looks
// at a word that is never written.
int main() {
  constexpr int rounds = 300;
  int* words;
  cudaMallocManaged(&words, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) words[i] = i;
  std::atomic<bool> is_over{false}, has_looked{false};
  std::atomic<int> wrong{0};
  std::thread looks([&] {
    while (!is_over || !has_looked) {
      if (*const_cast<volatile int*>(words + 3) != 3) ++wrong;
      has_looked = true;
    }
  });
  const auto launch = [&](int* word) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    const int first = *word;
    for (int i = 0; i < rounds; ++i) {
      leave_alone<<<1, 1, 0, stream>>>(words);
      count<<<1, 1, 0, stream>>>(word);
      cudaStreamSynchronize(stream);
      if (*word != first + i + 1) ++wrong;
    }
    cudaStreamDestroy(stream);
  };
  std::thread other(launch, words + 1);
  launch(words);
  other.join();
  is_over = true;
  looks.join();
  printf("%d %d %d %d wrong %d %s\n", words[0], words[1], words[2], words[3], wrong.load(),
         cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(words);
}
