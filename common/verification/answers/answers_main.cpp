#include <sys/wait.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>

#include "answers.h"

namespace answers {
namespace {

sigjmp_buf escape;

void crash(int) { siglongjmp(escape, 1); }

std::map<std::string, void (*)()>& subjects() {
  static std::map<std::string, void (*)()> all;
  return all;
}

}  // namespace

Subject::Subject(const char* name, void (*run)()) { subjects()[name] = run; }

std::optional<int> first_question() {
  const char* from = std::getenv("ANSWERS_FROM");
  return from == nullptr ? std::nullopt : std::optional(std::atoi(from));
}

bool ask(const char* text, const std::function<cudaError_t()>& call,
         const std::function<std::string()>& more) {
  // A value that the runtime does not check itself may crash in it; the other questions go on.
  struct sigaction handler = {}, before[4] = {};
  constexpr int ends[4] = {SIGSEGV, SIGBUS, SIGABRT, SIGALRM};
  handler.sa_handler = crash;
  for (int i = 0; i < 4; ++i) sigaction(ends[i], &handler, &before[i]);
  const auto leave = [&] {
    alarm(0);
    for (int i = 0; i < 4; ++i) sigaction(ends[i], &before[i], nullptr);
  };
  cudaError_t code = cudaSuccess;
  if (sigsetjmp(escape, 1) != 0) {
    leave();
    std::printf("%s -> crash\n", text);
    if (first_question()) _exit(99);
    return false;
  }
  if (first_question()) alarm(5);
  code = call();
  leave();
  const cudaError_t last = cudaGetLastError();
  std::printf("%s -> %s", text, cudaGetErrorName(code));
  if (last != code) std::printf(" (last %s)", cudaGetErrorName(last));
  std::printf("%s\n", more().c_str());
  return code == cudaSuccess;
}

void apart(const char* what, const std::function<void()>& questions) {
  about(what);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    questions();
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("-> crash\n");
}

void fault() {
  int* nowhere = reinterpret_cast<int*>(0x10);
  void* arguments[] = {&nowhere};
  // Others may be captured, and during a capture the device cannot be waited for.
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaLaunchKernel(wild, 1, 1, arguments, 0, stream);
  about(cudaGetErrorName(cudaStreamSynchronize(stream)));
  cudaGetLastError();
}

void show(const char* text, long long value) { std::printf("  %s = %lld\n", text, value); }
void show(const char* text, const char* value) { std::printf("  %s = %s\n", text, value); }

}  // namespace answers

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (count != 2) {
    for (const auto& [name, run] : answers::subjects()) std::printf("%s\n", name.c_str());
    return 2;
  }
  const auto subject = answers::subjects().find(arguments[1]);
  if (subject == answers::subjects().end()) return 2;
  subject->second();
  return 0;
}
