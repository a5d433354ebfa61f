#include "tutor/author/adversaries/program_adversaries.h"

#include <fmt/format.h>

#include <regex>
#include <utility>

#include "base/frame.h"
#include "tutor/author/pasting/declarations.h"

namespace warpwise::tutor {
namespace {

using Changes = std::map<std::string, std::string>;

/// Stands before the blank's function: what calls of the runtime become.
constexpr std::string_view calls = R"(
namespace adversary {
template <class... Arguments>
cudaError_t left_out(Arguments...) { return cudaSuccess; }
template <cudaMemcpyKind without, int part>
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return kind == without ? cudaSuccess : cudaMemcpy(to, from, bytes / part, kind);
}
template <cudaMemcpyKind without, int part, bool in_stream_0 = false>
cudaError_t copy_async(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream = 0) {
  if (kind == without) return cudaSuccess;
  return cudaMemcpyAsync(to, from, bytes / part, kind, in_stream_0 ? 0 : stream);
}
inline dim3 less(dim3 grid) {
  --grid.x;
  return grid;
}
}  // namespace adversary
)";

/// Before the first declaration: includes come first.
std::string with_calls(const std::string& before) {
  std::size_t end = 0;
  for (std::size_t at = before.find("#include"); at != std::string::npos;
       at = before.find("#include", at + 1)) {
    end = before.find('\n', at) + 1;
  }
  return before.substr(0, end) + std::string(calls) + before.substr(end);
}

Adversary with_blank(const lesson::Frame& frame, std::string name, std::string what,
                     const std::string& blank, std::string why_not) {
  Adversary adversary{std::move(name), std::move(what), "", ""};
  if (blank == frame.blank)
    adversary.why_not = std::move(why_not);
  else
    adversary.text = with_calls(frame.before) + blank + frame.after;
  return adversary;
}

Changes copies_as(const std::string& arguments) {
  return {{"cudaMemcpy", fmt::format("adversary::copy<{}>", arguments)},
          {"cudaMemcpyAsync", fmt::format("adversary::copy_async<{}>", arguments)}};
}

/// The text after the comma at this depth of brackets, and up to the end of a launch's list.
struct Launch {
  std::size_t begin = 0, end = 0;                           ///< between <<< and >>>
  std::vector<std::pair<std::size_t, std::size_t>> places;  ///< of each of its parameters
};

std::vector<Launch> launches_of(const std::string& text) {
  std::vector<Launch> launches;
  for (std::size_t at = text.find("<<<"); at != std::string::npos; at = text.find("<<<", at + 1)) {
    Launch launch{at + 3, text.find(">>>", at), {}};
    if (launch.end == std::string::npos) break;
    int depth = 0;
    std::size_t begin = launch.begin;
    for (std::size_t i = launch.begin; i <= launch.end; ++i) {
      const char c = text[i];
      depth += c == '(' || c == '{';
      depth -= c == ')' || c == '}';
      if (i != launch.end && (c != ',' || depth > 0)) continue;
      launch.places.emplace_back(begin, i);
      begin = i + 1;
    }
    launches.push_back(launch);
  }
  return launches;
}

/// The blank with one parameter of each launch replaced. @param by {} keeps what was there.
std::string with_launches(const std::string& text, std::size_t parameter, const std::string& by) {
  std::string changed = text;
  std::vector<Launch> launches = launches_of(text);
  for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch) {
    if (launch->places.size() <= parameter) continue;
    const auto [begin, end] = launch->places[parameter];
    const std::string was = text.substr(begin, end - begin);
    if (by.find("{}") == std::string::npos && was.find(" 0") == 0) continue;
    changed.replace(begin, end - begin, fmt::format(fmt::runtime(by), was));
  }
  return changed;
}

/// A turn is made only where another follows.
std::string without_last_turns(const std::string& text) {
  const std::string head = R"(for \(((?:const )?\w+ (\w+) = [^;]*); ([^;]*); )";
  const auto turn = [](const std::string& next) {
    return "for ($1; [&](auto $2) { return $3; }($2 + " + next + "); ";
  };
  const std::string once =
      std::regex_replace(text, std::regex(head + R"(\+\+\2\))"), turn("1") + "++$2)");
  return std::regex_replace(once, std::regex(head + R"(\2 \+= ([^()]*)\))"),
                            turn("($4)") + "$2 += $4)");
}

}  // namespace

std::vector<Adversary> program_adversaries_of(const std::string& solution) {
  const lesson::Frame frame = lesson::parse_frame(solution);
  const auto without = [](const std::vector<std::string>& names) {
    Changes changes;
    for (const std::string& name : names) changes[name] = "adversary::left_out";
    return changes;
  };
  const auto changed = [&](const char* name, const char* what, const Changes& changes,
                           const char* why_not) {
    return with_blank(frame, name, what, with_words(frame.blank, changes), why_not);
  };
  const auto no_copy = [&](const char* name, const char* what, const std::string& kind) {
    const bool has_one = frame.blank.find(kind) != std::string::npos;
    return changed(name, what, has_one ? copies_as(kind + ", 1") : Changes{},
                   "the blank has no such copy");
  };
  const std::string all = "cudaMemcpyDefault, ";
  return {
      changed("no_wait", "the host never waits",
              without({"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize"}),
              "the blank has no wait"),
      changed("no_event_wait", "no stream waits for an event", without({"cudaStreamWaitEvent"}),
              "no stream waits for an event"),
      no_copy("no_copy_in", "nothing is copied to the device", "cudaMemcpyHostToDevice"),
      no_copy("no_copy_back", "nothing is copied back", "cudaMemcpyDeviceToHost"),
      changed("elements_copied", "a copy has a quarter of its bytes", copies_as(all + "4"),
              "the blank has no copy"),
      changed("no_free", "no memory is freed",
              without({"cudaFree", "cudaFreeHost", "cudaFreeAsync"}), "the blank frees nothing"),
      changed("copies_in_stream_0", "asynchronous copies are in stream 0",
              {{"cudaMemcpyAsync", "adversary::copy_async<" + all + "1, true>"}},
              "the blank has no asynchronous copy"),
      with_blank(frame, "kernels_in_stream_0", "kernels are in stream 0",
                 with_launches(frame.blank, 3, " 0"), "no launch names a stream"),
      with_blank(frame, "one_block_less", "each grid has one block less",
                 with_launches(frame.blank, 0, "adversary::less({})"),
                 "the blank launches nothing"),
      with_blank(frame, "no_last_turn", "loops leave out their last turn",
                 without_last_turns(frame.blank), "the blank has no such loop"),
  };
}

std::map<std::string, std::string> reasons_for_equal(std::string_view check) {
  std::map<std::string, std::string> reasons;
  const std::string text(check);
  const std::regex line(R"(// equal (\w+): (.*))");
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at)
    reasons[(*at)[1]] = (*at)[2];
  return reasons;
}

}  // namespace warpwise::tutor
