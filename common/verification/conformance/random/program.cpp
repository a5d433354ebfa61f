#include "verification/conformance/random/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "verification/conformance/assumptions.h"
#include "verification/conformance/fixture.h"
#include "verification/conformance/random/carry_chain.h"
#include "verification/conformance/random/program_frame.h"
#include "verification/conformance/random/program_input.h"
#include "verification/conformance/random/registers.h"
#include "verification/conformance/random/safe_sources.h"
#include "verification/conformance/random/selectors.h"
#include "verification/conformance/values.h"

namespace warpwise::conformance {
namespace {

using isa::Type;

/// ptxas 13.0 writes some results in lanes whose guard is false too, or computes them in another
/// way under a guard: no rule says what these give there (measured on an H200).
bool keeps_guard(std::string_view mnemonic) {
  constexpr std::string_view exceptions[] = {"testp", "set", "abs", "neg", "vadd4", "vsub4"};
  return std::find(std::begin(exceptions), std::end(exceptions), mnemonic) == std::end(exceptions);
}

/// ptxas 13.0 makes a 1 of what set gives, where that is a number with a point and only its bits
/// are read afterwards (measured on an H200).
bool is_hidden(std::string_view mnemonic, Type type) {
  return mnemonic == "set" && isa::is_float(type);
}

class Writer {
 public:
  Writer(std::uint64_t seed, const Palette& palette, Program& program)
      : random_(seed), palette_(palette), program_(program) {
    constexpr unsigned shapes[] = {64, 96, 80, 72};
    program.threads = random_.pick(shapes);
    program.blocks = 2 + static_cast<unsigned>(random_.below(3));
    left_ = 40 + static_cast<int>(random_.below(81));
  }

  void write() {
    const Shape shape{program_.blocks, program_.threads};
    program_.units.push_back({set_up(shape, random_), false});
    while (left_ > 0) statement(0);
    program_.units.push_back({write_out(shape), false});
  }

 private:
  void put(std::string text, bool removable = true) {
    left_ -= 1;
    program_.units.push_back({std::move(text), removable});
  }
  std::string fresh_label() { return fmt::format("$L{}", labels_++); }

  std::string any_register(Type type) {
    if (type == Type::pred) return fmt::format("%p{}", random_.below(predicates));
    unsigned c = class_of(type);
    return fmt::format("%{}{}", classes[c], random_.below(registers[c]));
  }
  /// Any register, to be read as a `type`.
  /// @param[out] before what has to precede the instruction.
  std::string any_source(Type type, std::string& before) {
    std::string name = any_register(type);
    before += assumptions_.forget(name, type);
    return name;
  }
  /// @param small for operands that count or choose something.
  std::string constant(Type type, bool small) {
    constexpr float floats[] = {0, 1, -1, 0.5f, 2, -0.0f, 3.25e5f, 1e-3f, -7.75f, 1e30f};
    float chosen = random_.pick(floats);
    std::uint32_t bits;
    std::memcpy(&bits, &chosen, 4);
    if (type == Type::f32) return fmt::format("0f{:08X}", bits);
    double wide = chosen;
    std::uint64_t wide_bits;
    std::memcpy(&wide_bits, &wide, 8);
    if (type == Type::f64) return fmt::format("0d{:016X}", wide_bits);
    bool any = !small && random_.chance(40);
    std::uint64_t value = any ? random_value(type, random_).low : random_.below(64);
    return fmt::format("{:#x}", value);
  }
  std::string source(Type type, bool small) {
    // No constants for halves, bytes and vectors.
    bool number = type == Type::f32 || type == Type::f64 ||
                  (!isa::is_float(type) && isa::size_bytes(type) >= 2 &&
                   isa::name_of(type).find('x') == std::string_view::npos);
    return number && random_.chance(15) ? constant(type, small) : any_register(type);
  }
  std::string guard() {
    if (!random_.chance(15)) return "";
    const char* sense = random_.chance(50) ? "!" : "";
    return fmt::format("@{}%p{} ", sense, random_.below(predicates));
  }

  /// Sets %q0 to a condition that may differ between lanes.
  std::string condition() {
    if (random_.chance(25))
      return fmt::format("  setp.lt.u32 %q0, %tx, {};\n", random_.below(program_.threads));
    std::string before, bits = any_source(Type::b32, before);
    return before + fmt::format("  and.b32 %a0, {}, {:#x};\n  setp.ne.u32 %q0, %a0, 0;\n", bits,
                                1 + random_.below(15));
  }

  /// Takes a result into the thread's digest, so that a wrong one shows even if it is overwritten.
  static std::string digested(const std::string& name, Type type) {
    std::string widened = fmt::format("  mov.b64 %b1, {};\n", name);
    if (type == Type::pred) widened = fmt::format("  selp.u64 %b1, 1, 0, {};\n", name);
    if (class_of(type) == 0 && type != Type::pred)
      widened = fmt::format("  cvt.u64.u16 %b1, {};\n", name);
    if (class_of(type) == 1) widened = fmt::format("  cvt.u64.u32 %b1, {};\n", name);
    return widened + fmt::format("  mad.lo.u64 %digest, %digest, {:#x}, %b1;\n", digest_factor);
  }

  void arithmetic(const Variant& variant) {
    const std::string& mnemonic = variant.match.syntax->mnemonic();
    const isa::Variant& choices = variant.match.variant;
    const std::string drawn = guard(), guarded = keeps_guard(mnemonic) ? drawn : "";
    SafeSources sources(mnemonic);
    std::vector<std::pair<std::string, Type>> results;
    std::string before, hidden, after;
    std::string text = variant.text([&](const isa::OperandSpec& operand) {
      Type type = isa::type_of(operand, choices);
      if (operand.destination) {
        std::string name = any_register(type);
        while (operand.second && name == results.front().first) name = any_register(type);
        results.emplace_back(name, type);
        if (is_hidden(mnemonic, type)) hidden = opaque_copy(name, name, type);
        after += digested(name, type);
        return name;
      }
      bool constant = !has_selectors(*variant.match.syntax);
      std::string name = constant ? source(type, !operand.type.empty()) : any_register(type);
      before += assumptions_.forget(name, type);
      return sources.take(name, type);
    });
    for (const auto& [name, type] : results)
      if (hidden.empty())
        assumptions_.written(name, type, !guarded.empty());
      else
        assumptions_.received(name);
    put(before + sources.before() + "  " + guarded + text + "\n" + hidden + after);
  }

  void carries() {
    std::string before;
    CarryChain chain = carry_chain(random_, [&](Type type, bool destination) {
      std::string name = destination ? any_register(type) : source(type, false);
      // In the chain, each reads what the one before wrote.
      if (!destination) before += assumptions_.forget(name, type);
      return name;
    });
    for (const auto& [name, type] : chain.results) {
      chain.text += digested(name, type);
      assumptions_.written(name, type, false);
    }
    put(before + chain.text);
  }

  /// A register was written from memory or by another lane.
  /// @return what takes it into the digest.
  std::string received(const std::string& name, Type type, const std::string& guarded = "") {
    guarded.empty() ? assumptions_.received(name) : assumptions_.written(name, type, true);
    return digested(name, type);
  }

  void reload() {
    std::string address = entry_address(static_cast<unsigned>(random_.below(regions)), random_);
    std::string r = any_register(Type::b32), d = any_register(Type::b64), guarded;
    switch (random_.below(6)) {
      case 0:
        address += fmt::format("  ld.global.nc.u8 {}, [%b0+{}];\n", r, random_.below(8));
        return put(address + received(r, Type::b32));
      case 1:
        address += fmt::format("  ld.global.s16 {}, [%b0+{}];\n", r, 2 * random_.below(4));
        return put(address + received(r, Type::b32));
      case 2:
        address += fmt::format("  ld.global.s32 {}, [%b0+4];\n", d);
        return put(address + received(d, Type::b64));
      case 3:
        guarded = guard();
        address += fmt::format("  {}ld.global.b32 {}, [%b0];\n", guarded, r);
        return put(address + received(r, Type::b32, guarded));
      case 4:
        address += "  and.b64 %b0, %b0, -16;\n  ld.global.v2.b64 {%d0, %d1}, [%b0];\n";
        for (const char* name : {"%d0", "%d1"}) address += received(name, Type::b64);
        return put(address);
      default:
        address += "  and.b64 %b0, %b0, -16;\n  ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%b0];\n";
        for (const char* name : {"%r0", "%r1", "%r2", "%r3"}) address += received(name, Type::b32);
        return put(address);
    }
  }

  void own_memory() {
    unsigned c = static_cast<unsigned>(random_.below(3));
    Type type = bits_of_class[c];
    std::string name = any_register(type), place, text;
    bool store = random_.chance(50), in_frame = random_.chance(60);
    if (in_frame) {
      std::string index = any_source(Type::b32, text);
      text += fmt::format(
          "  and.b32 %a0, {}, 7;\n  mov.u64 %b0, frame;\n  mad.wide.u32 %b0, %a0, 8, %b0;\n",
          index);
      place = "[%b0]";
    } else {
      place = fmt::format("[%own+{}]", scratch + 8 * random_.below(4));
    }
    const char* space = in_frame ? "local" : "global";
    if (store)
      text += fmt::format("  {}st.{}.b{} {}, {};\n", guard(), space, 16u << c, place, name);
    else
      text +=
          fmt::format("  ld.{}.b{} {}, {};\n", space, 16u << c, name, place) + received(name, type);
    put(text);
  }

  void atomic() {
    struct Form {
      const char* operation;
      Type type;
      bool commutes;
    };
    constexpr Form forms[] = {{"add.u32", Type::u32, true},   {"add.s32", Type::u32, true},
                              {"min.u32", Type::u32, true},   {"min.s32", Type::u32, true},
                              {"max.u32", Type::u32, true},   {"max.s32", Type::u32, true},
                              {"and.b32", Type::u32, true},   {"or.b32", Type::u32, true},
                              {"xor.b32", Type::u32, true},   {"inc.u32", Type::u32, false},
                              {"dec.u32", Type::u32, false},  {"exch.b32", Type::u32, false},
                              {"cas.b32", Type::u32, false},  {"add.u64", Type::u64, true},
                              {"min.u64", Type::u64, true},   {"max.s64", Type::u64, true},
                              {"and.b64", Type::u64, true},   {"xor.b64", Type::u64, true},
                              {"exch.b64", Type::u64, false}, {"cas.b64", Type::u64, false}};
    const Form& form = random_.pick(forms);
    std::string before, value = any_source(form.type, before), third;
    if (std::string_view(form.operation).starts_with("cas"))
      third = ", " + any_source(form.type, before);
    const std::string guarded = guard();
    if (form.commutes && random_.chance(45)) {
      // One operation for each place, so that the order does not matter.
      if (form.type == Type::u64)
        return put(before + fmt::format("  {}red.shared.add.u64 [sums+{}], {};\n", guarded,
                                        8 * random_.below(sums), value));
      constexpr const char* of_grid[] = {"add.u32", "max.s32", "min.u32", "xor.b32"};
      std::uint64_t which = random_.below(grid_sums);
      return put(before + fmt::format("  {}red.global.{} [%grid+{}], {};\n", guarded,
                                      of_grid[which], 4 * which, value));
    }
    std::string old = any_register(form.type);
    before += fmt::format("  {}atom.global.{} {}, [%own+{}], {}{};\n", guarded, form.operation, old,
                          scratch + 8 * random_.below(4), value, third);
    put(before + received(old, form.type, guarded));
  }

  /// Values change hands through shared memory between two barriers.
  void through_shared() {
    unsigned c = static_cast<unsigned>(random_.below(3)), threads = program_.threads;
    Type type = bits_of_class[c];
    std::string given = any_register(type), taken = any_register(type);
    put(fmt::format("  st.shared.b{0} [%tile], {1};\n  bar.sync 0;\n  add.u32 %a0, %tx, {2};\n"
                    "  rem.u32 %a0, %a0, {3};\n  mov.u32 %a1, tile;\n"
                    "  mad.lo.u32 %a0, %a0, 16, %a1;\n"
                    "  ld.shared.b{0} {4}, [%a0];\n  bar.sync 0;\n",
                    16u << c, given, random_.below(threads), threads, taken) +
        received(taken, type));
  }

  void between_lanes() {
    if (palette_.exchanges().empty()) return;
    const std::string& opcode = random_.pick(palette_.exchanges());
    auto is = [&](std::string_view part) { return opcode.find(part) != std::string::npos; };
    std::string before, p = any_register(Type::pred);
    Type type = is("b64") ? Type::b64 : Type::b32;
    std::string value = is("vote") ? any_register(Type::pred) : any_source(type, before);
    std::string r = any_register(Type::b32);
    if (is("shfl")) {
      // No segment may reach beyond the last warp's threads.
      unsigned last = program_.threads % 32 ? program_.threads % 32 : 32;
      unsigned width = last >> random_.below(3);
      unsigned clamp = (32 - width) << 8 | (is(".up.") ? 0 : 31);
      std::string lane = random_.chance(60) ? fmt::format("{}", random_.below(32)) : "%a0";
      std::string bits = any_source(Type::b32, before);
      before += fmt::format("  and.b32 %a0, {}, 31;\n  {} {}|{}, {}, {}, {:#x}, %mask;\n", bits,
                            opcode, r, p, value, lane, clamp);
      return put(before + received(r, Type::b32) + digested(p, Type::pred));
    }
    if (is("vote") && !is("ballot"))
      return put(fmt::format("  {} {}, {}, %mask;\n", opcode, p, value) + digested(p, Type::pred));
    before += fmt::format("  {} {}, {}, %mask;\n", opcode, r, value);
    put(before + received(r, Type::b32));
  }

  void branch(int depth) {
    std::string otherwise = fresh_label(), end = fresh_label();
    bool two = random_.chance(50);
    put(condition() + fmt::format("  @!%q0 bra {};\n", two ? otherwise : end), false);
    block(depth + 1);
    if (two) {
      put(fmt::format("  bra {};\n{}:\n", end, otherwise), false);
      assumptions_.merged();
      block(depth + 1);
    }
    put(end + ":\n", false);
    assumptions_.merged();
  }

  void loop(int depth) {
    std::string begin = fresh_label(), end = fresh_label();
    put(fmt::format("  mov.u32 %k{}, 0;\n{}:\n", depth, begin), false);
    assumptions_.merged();
    std::string outer = std::exchange(loop_end_, end);
    block(depth + 1);
    loop_end_ = outer;
    std::string bound = random_.chance(50)
                            ? fmt::format("  mov.u32 %a0, {};\n", 2 + random_.below(3))
                            : "  and.b32 %a0, %tx, 3;\n  add.u32 %a0, %a0, 1;\n";
    put(bound + fmt::format("  add.u32 %k{0}, %k{0}, 1;\n  setp.lt.u32 %q0, %k{0}, %a0;\n"
                            "  @%q0 bra {1};\n{2}:\n",
                            depth, begin, end),
        false);
    assumptions_.merged();
  }

  void block(int depth) {
    for (std::uint64_t n = 2 + random_.below(6); n > 0 && left_ > 0; --n) statement(depth);
  }

  void statement(int depth) {
    std::uint64_t kind = random_.below(100);
    // Instructions that all lanes of a warp reach together are outside of branches and loops.
    bool together = depth == 0;
    if (kind < 7 && depth < 3) return random_.chance(55) ? branch(depth) : loop(depth);
    if (kind < 9 && !loop_end_.empty())
      return put(condition() + fmt::format("  @%q0 bra {};\n", loop_end_));
    if (kind < 16) return reload();
    if (kind < 23) return own_memory();
    if (kind < 29) return atomic();
    if (kind < 34 && together) return through_shared();
    if (kind < 42 && together) return between_lanes();
    if (kind < 48 && !palette_.comparisons().empty())
      return arithmetic(random_.pick(palette_.comparisons()));
    if (kind < 51) return carries();
    arithmetic(random_.pick(random_.pick(palette_.arithmetic())));
  }

  Random random_;
  const Palette& palette_;
  Program& program_;
  int left_ = 0;
  unsigned labels_ = 0;
  std::string loop_end_;
  Assumptions assumptions_;
};

}  // namespace

std::string Program::kernel(const std::string& name) const {
  std::string text = fmt::format(".visible .entry {}(.param .u64 in, .param .u64 out) {{\n", name);
  for (const Unit& unit : units) text += unit.text;
  return text + "}\n";
}

std::uint64_t Program::hash() const {
  return hash_of({reinterpret_cast<const char*>(input.data()), input.size()}, hash_of(kernel("p")));
}

Launch Program::launch(const std::string& name) const {
  return {name, blocks, threads, &input, output_bytes({blocks, threads})};
}

Program random_program(std::uint64_t seed, const Palette& palette) {
  Program program{{}, 0, 0, program_input(seed)};
  Writer(seed, palette, program).write();
  return program;
}

}  // namespace warpwise::conformance
