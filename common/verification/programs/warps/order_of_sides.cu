// Lanes that part at a branch: in which order the sides run, shown by what they print and by which
// updates a number first. The side with fewer lanes goes first; of two equal ones, the side that
// does not take the branch.
#include <cassert>
#include <cstdio>

#define T threadIdx.x
#define L(name) printf("%s%d ", name, (int)T)
#define KERNEL(name, ...) \
  __global__ void name(int* p) { __VA_ARGS__; }

__noinline__ __device__ void fa(int* p) {
  L("fa");
  p[T] += 1;
}
__noinline__ __device__ void fb(int* p) {
  L("fb");
  p[T] += 2;
}

KERNEL(k01, if (T % 2 == 0) L("e"); else L("o"))
KERNEL(k02, if (T % 2) L("o"); else L("e"))
KERNEL(k03, if (T < 5) L("low"); else L("high"))
KERNEL(k04, if (T >= 5) L("high"); else L("low"))
KERNEL(k05, if (T == 3) L("three"); L("all"))
KERNEL(k06, if (T != 3) L("notthree"); L("all"))
KERNEL(
    k07,
    if (T % 2 == 0) {
      L("e");
      p[T] = 1;
    } else {
      L("o");
      p[T] = 2;
    } L("after"))
KERNEL(
    k08, switch (T % 4) {
      case 0:
        L("zero");
        break;
      case 1:
        L("one");
        break;
      case 2:
        L("two");
        break;
      default:
        L("three");
    })
KERNEL(k09, if (T % 3 == 0) L("a"); else if (T % 3 == 1) L("b"); else L("c"))
KERNEL(k10, for (int i = 0; i <= (int)T % 4; ++i) printf("%d:%d ", (int)T, i))
KERNEL(k11, for (int i = 0; i <= (int)T % 4; ++i) printf("%d:%d ", (int)T, i); L("done"))
KERNEL(k12, if (p[T] % 2 == 0) L("e"); else L("o"))
KERNEL(
    k13, if (p[T] % 2 == 0) { L("e"); } else { L("o"); } __syncwarp(); L("after"))
KERNEL(
    k14,
    if (T % 2 == 0) {
      if (T % 4 == 0)
        L("a");
      else
        L("b");
    } else {
      if (T % 4 == 1)
        L("c");
      else
        L("d");
    })
KERNEL(
    k15, if (T < 8) {
      L("x");
      return;
    } L("y"))
KERNEL(
    k16, if (T >= 8) {
      L("x");
      return;
    } L("y"))
KERNEL(
    k17, while (p[T] > 3) {
      p[T] -= 3;
      printf("%d:%d ", (int)T, p[T]);
    } L("end"))
KERNEL(
    k18, int x = p[T]; if (x & 1) {
      x = x * 3 + 1;
      L("odd");
    } else {
      x /= 2;
      L("even");
    } p[T + 32] = x;
    printf("%d=%d ", (int)T, x))
KERNEL(k19, if (T % 2 == 0) L("e"); __syncwarp(); if (T % 2 == 1) L("o"); __syncwarp(); L("z"))
KERNEL(k20, if (T % 2 == 0 && p[T] > 10) L("e"); else L("o"))
KERNEL(k21, if (T % 2 == 0 || p[T] > 10) L("e"); else L("o"))
KERNEL(k22, if (T == 0) L("zero"); if (T == 1) L("one"); if (T == 2) L("two"); if (T > 28) L("big"))
KERNEL(k24, if (T % 2 == 0) fa(p); else fb(p); L("back"))
KERNEL(k25, if (T % 2 == 1) fa(p); else fb(p); L("back"))
KERNEL(
    k26, int n = p[T]; do {
      n = (n % 2) ? 3 * n + 1 : n / 2;
      if (n == 4)
        printf("four%d ", (int)T);
      else
        printf("%d,%d ", (int)T, n);
    } while (n != 1 && n != 0))
KERNEL(k27, for (int i = 0; i < 3; ++i) if ((T + i) % 2) printf("o%d.%d ", (int)T, i);
       else printf("e%d.%d ", (int)T, i))
KERNEL(
    k28, if (T > 20) {
      if (T > 25)
        L("a");
      else
        L("b");
      L("ab");
    } L("all"))
KERNEL(
    k29,
    if (T < 16) {
      for (int i = 0; i < (int)T / 6 + 1; ++i) printf("l%d.%d ", (int)T, i);
    } else {
      for (int i = 0; i < (int)T / 12 + 1; ++i) printf("h%d.%d ", (int)T, i);
    } L("end"))
KERNEL(
    k30,
    if (T & 1) {
      if (T & 2) {
        L("3");
        if (T & 4)
          L("7");
        else
          L("3only");
      } else
        L("1");
    } else {
      if (T & 2)
        L("2");
      else
        L("0");
    })
KERNEL(
    k31, int s = 0; for (int i = 0; i < 10; ++i) {
      if (i > (int)T % 5) continue;
      if (i == 3) break;
      s += i;
      printf("%d.%d ", (int)T, i);
    } printf("s%d=%d ", (int)T, s))
KERNEL(k32, if (T % 2 == 0) printf("even\n"); else printf("odd %d\n", (int)T))
KERNEL(
    s01, switch (p[T] % 8) {
      case 0:
        L("zero");
        p[T]++;
        break;
      case 1:
        L("one");
        break;
      case 2:
        L("two");
        break;
      case 3:
        L("three");
        break;
      case 4:
        L("four");
        break;
      case 5:
        L("five");
        break;
      case 6:
        L("six");
        break;
      case 7:
        L("seven");
    } L("end"))
KERNEL(
    s02, switch (p[T] % 5) {
      case 0:
        L("zero");
        break;
      case 1:
        L("one");
        break;
      case 2:
        L("two");
        break;
      case 3:
        L("three");
        break;
      default:
        L("dflt");
    } L("end"))
KERNEL(
    l01, for (int i = 0; i < 4; ++i) {
      if ((int)T % 5 == i) {
        L("skip");
        continue;
      }
      if (i == 2 && T % 2) {
        L("brk");
        break;
      }
      printf("%d.%d ", (int)T, i);
    } L("end"))
KERNEL(
    l02, int n = T; while (n > 0) {
      if (n % 3 == 0) {
        printf("t%d ", n);
        n /= 3;
      } else if (n % 2 == 0) {
        printf("h%d ", n);
        n /= 2;
      } else {
        printf("m%d ", n);
        --n;
      }
    } L("end"))
KERNEL(
    l03, for (int i = 0; i < 3; ++i) for (int j = 0; j <= (int)T % 3; ++j) {
      if ((i + j) % 2)
        printf("o%d ", (int)T);
      else
        printf("e%d ", (int)T);
    })
KERNEL(
    l04, int i = 0; do {
      if (i == (int)(T % 7)) {
        L("found");
        return;
      }
      ++i;
    } while (i < 5);
    L("none"))
KERNEL(
    l05, for (int i = T; i < 70; i += 32) {
      if (i % 4 == 1)
        printf("one:%d ", i);
      else
        printf("oth:%d ", i);
    })
KERNEL(a01, int v; if (T % 2) v = atomicAdd(&p[100], 1); else v = atomicAdd(&p[100], 1) + 1000;
       p[T] = v; printf("%d ", v))
KERNEL(a02, int v = 0; if (T % 3 == 0) v = atomicAdd(&p[100], 1);
       else v = 500 + atomicSub(&p[100], 1); p[T] = v; printf("%d ", v))
KERNEL(
    a03, __shared__ int c; if (T == 0) c = 0; __syncwarp(); int v; if (T < 20) {
      v = atomicAdd(&c, 1);
      p[T] = v;
    } else {
      v = atomicAdd(&c, 100);
      p[T] = v * 2;
    } __syncwarp();
    printf("%d ", v))
KERNEL(
    a04, int v; if (p[T] & 1) {
      v = atomicAdd(&p[100], 1);
      for (int i = 0; i < v; ++i) v ^= i * 7;
    } else { v = atomicExch(&p[100], (int)T); } p[T] = v;
    printf("%d ", v))
KERNEL(
    r01,
    if (T < 3) {
      L("a");
      return;
    } if (T < 9) {
      L("b");
      return;
    } if (T < 20) {
      L("c");
      return;
    } L("d"))
KERNEL(
    r02,
    if (T >= 20) {
      L("d");
      return;
    } if (T >= 9) {
      L("c");
      return;
    } if (T >= 3) {
      L("b");
      return;
    } L("a"))
KERNEL(
    q01,
    if (T % 2 == 0) {
      L("e");
      if (T % 4 == 0) {
        L("f");
      }
      L("g");
    } else {
      L("o");
      if (T % 3 == 0) L("p");
      L("q");
    } L("z"))
KERNEL(q02, if ((T & 1) && p[T] > 5) L("x"); else if (T > 10) L("y"); L("z"))
KERNEL(q03, bool a = T % 2; bool b = T % 3 == 0; if (a && b) L("ab"); else if (a) L("a");
       else if (b) L("b"); else L("none"))
KERNEL(
    q04, int x = p[T] > 8 ? 1 : 0; if (x) {
      for (int i = 0; i < 2; ++i) printf("b%d.%d ", (int)T, i);
    } else { printf("s%d ", (int)T); } L("e"))
KERNEL(
    q05, assert(T < 100); if (T % 2) {
      p[T] = 5;
      L("o");
    } L("all"))

// Only there is it known which lanes go one way; the clock tells which were first.
#define BUSY(x)                                                                     \
  asm volatile(                                                                     \
      "{.reg .u32 z; mul.lo.u32 z, %0, %0; add.u32 z, z, %0; mul.lo.u32 z, z, z;\n" \
      "xor.b32 z, z, %0; mul.lo.u32 z, z, z; add.u32 %0, z, 1;}"                    \
      : "+r"(x))
__global__ void four(unsigned m1, unsigned m2, int* next, int* place) {
  unsigned x = T;
  if (m1 >> T & 1) {
    if (m2 >> T & 1) {
      place[T] = atomicAdd(next, 1);
      BUSY(x);
      BUSY(x);
      BUSY(x);
    } else {
      BUSY(x);
      BUSY(x);
      place[T] = atomicAdd(next, 1);
    }
  } else {
    if (m2 >> T & 1) {
      place[T] = atomicAdd(next, 1);
      BUSY(x);
      BUSY(x);
      BUSY(x);
      BUSY(x);
    } else {
      BUSY(x);
      BUSY(x);
      BUSY(x);
      place[T] = atomicAdd(next, 1);
    }
  }
  if (x == 12345) place[T] = 0;
}

struct Shape {
  __device__ virtual void show() const = 0;
};
struct A : Shape {
  __device__ void show() const override { L("A"); }
};
struct B : Shape {
  __device__ void show() const override { L("B"); }
};
struct C : Shape {
  __device__ void show() const override { L("C"); }
};
__global__ void virtuals(int mode) {
  A a;
  B b;
  C c;
  const int k = mode == 0   ? T % 2
                : mode == 1 ? T % 3
                : mode == 2 ? (T < 5)
                : mode == 3 ? (T >= 5)
                : mode == 4 ? (T > 20 ? 2 : T > 4)
                            : (T == 31);
  const Shape* s = k == 0 ? (const Shape*)&a : k == 1 ? (const Shape*)&b : (const Shape*)&c;
  s->show();
  L("x");
}

int main() {
  int* p;
  cudaMalloc(&p, 4096);
  int h[128] = {};
  for (int i = 0; i < 64; ++i) h[i] = (i * 7 + 3) % 23;
#define RUN(name)                                \
  cudaMemcpy(p, h, 512, cudaMemcpyHostToDevice); \
  printf(#name ": ");                            \
  fflush(stdout);                                \
  name<<<1, 32>>>(p);                            \
  cudaDeviceSynchronize();                       \
  printf("\n");
  RUN(k01);
  RUN(k02);
  RUN(k03);
  RUN(k04);
  RUN(k05);
  RUN(k06);
  RUN(k07);
  RUN(k08);
  RUN(k09);
  RUN(k10);
  RUN(k11);
  RUN(k12);
  RUN(k13);
  RUN(k14);
  RUN(k15);
  RUN(k16);
  RUN(k17);
  RUN(k18);
  RUN(k19);
  RUN(k20);
  RUN(k21);
  RUN(k22);
  RUN(k24);
  RUN(k25);
  RUN(k26);
  RUN(k27);
  RUN(k28);
  RUN(k29);
  RUN(k30);
  RUN(k31);
  RUN(k32);
  RUN(s01);
  RUN(s02);
  RUN(l01);
  RUN(l02);
  RUN(l03);
  RUN(l04);
  RUN(l05);
  RUN(a01);
  RUN(a02);
  RUN(a03);
  RUN(a04);
  RUN(r01);
  RUN(r02);
  RUN(q01);
  RUN(q02);
  RUN(q03);
  RUN(q04);
  RUN(q05);
  unsigned seed = 1;
  const auto random = [&] { return seed = seed * 1664525u + 1013904223u; };
  for (int i = 0; i < 40; ++i) {
    const unsigned m1 = i < 8 ? (1u << (4 * i + 1)) - 1 : random() >> 3 ^ random() << 5;
    const unsigned m2 = i < 4 ? 0x55555555u : random() >> 7 ^ random() << 9;
    int places[32];
    cudaMemset(p, 0, 4);
    four<<<1, 32>>>(m1, m2, p, p + 32);
    cudaMemcpy(places, p + 32, sizeof places, cudaMemcpyDeviceToHost);
    printf("four %08x %08x:", m1, m2);
    for (int place : places) printf(" %d", place);
    printf("\n");
  }
  for (int mode = 0; mode < 6; ++mode) {
    printf("virtual %d: ", mode);
    fflush(stdout);
    virtuals<<<1, 32>>>(mode);
    cudaDeviceSynchronize();
    printf("\n");
  }
  cudaFree(p);
}
