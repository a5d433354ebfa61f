// A launch fails, and the program ends without asking.
__global__ void nothing() {}

int main() {
  nothing<<<1, 2000>>>();  // expect: launch-configuration  // expect: unchecked-error
}
