#include "occupancy/derivation.h"

#include "occupancy/gpu_facts.h"
#include "occupancy/text.h"

namespace warpwise::occupancy {
namespace {

constexpr std::size_t line_width = 99;

std::string number(std::int64_t value) { return std::to_string(value); }

std::string title_of(const Gpu& gpu, const Kernel& kernel) {
  return std::string(gpu.name) + " (" + architecture_name(gpu) +
         "), one SM: " + count_of(kernel.registers_per_thread, "register") + ", " +
         count_of(kernel.shared_bytes(), "byte") + " shared, " +
         count_of(kernel.threads_per_block, "thread");
}

/// "40 / 3 = 13 blocks"
std::string divided(std::int64_t whole, std::int64_t part) {
  return number(whole) + " / " + number(part) + " = " + count_of(whole / part, "block");
}

std::string block_text(const Kernel& kernel, const Limits& limits) {
  const int threads = kernel.threads_per_block;
  const std::int64_t unused = std::int64_t{limits.warps_per_block} * warp_size - threads;
  std::string text = count_of(threads, "thread") + " / " + number(warp_size);
  if (unused == 0) return text + " = " + count_of(limits.warps_per_block, "warp");
  return text + ", rounded up: " + count_of(limits.warps_per_block, "warp") + "; " +
         count_of(unused, "lane") + " of the last one without a thread";
}

std::string registers_text(const Gpu& gpu, const Kernel& kernel, const Limits& limits) {
  if (kernel.registers_per_thread == 0) return "none used: no limit";
  if (kernel.registers_per_thread > gpu.registers_per_thread) {
    return number(kernel.registers_per_thread) + " a thread, more than the " +
           number(gpu.registers_per_thread) + " it may have: 0 blocks";
  }
  const std::int64_t raw = std::int64_t{kernel.registers_per_thread} * warp_size;
  const std::int64_t each = limits.registers_per_warp;
  std::string text = number(kernel.registers_per_thread) + " x " + number(warp_size) + " = " +
                     number(raw) + " a warp";
  if (raw != each) text += ", rounded up to " + number(each);
  if (limits.of(Resource::registers) == 0) {
    const std::int64_t warps = limits.registers_per_block / each;
    text += "; x " + count_of(warps, "warp");
    if (warps != limits.warps_per_block) {
      text += " (" + number(limits.warps_per_block) + ", rounded up)";
    }
    return text + " = " + number(limits.registers_per_block) + ", more than the " +
           number(gpu.registers_per_block) + " a block may have: 0 blocks";
  }
  const std::int64_t warps = gpu.registers_per_sm / each;
  text += "; " + number(gpu.registers_per_sm) + " / " + number(each) + " = " + number(warps);
  if (warps != limits.warps_by_registers) {
    text += ", down to a multiple of " + number(gpu.warp_unit) + ": " +
            number(limits.warps_by_registers);
  }
  return text + " warps; " + divided(limits.warps_by_registers, limits.warps_per_block);
}

std::string shared_text(const Gpu& gpu, const Kernel& kernel, const Limits& limits) {
  const std::int64_t used = kernel.shared_bytes();
  const std::int64_t raw = used + gpu.shared_reserved_per_block;
  if (limits.shared_bytes_per_block == 0) return "none used: no limit";
  if (limits.of(Resource::shared_memory) == 0) {
    return count_of(used, "byte") + " a block, more than the " +
           number(gpu.shared_bytes_per_block_max) + " it may have: 0 blocks";
  }
  std::string text = count_of(used, "byte");
  if (gpu.shared_reserved_per_block != 0) {
    text += " + " + number(gpu.shared_reserved_per_block) + " reserved = " + number(raw);
  }
  text += " a block";
  if (raw != limits.shared_bytes_per_block) {
    text += ", rounded up to " + number(limits.shared_bytes_per_block);
  }
  return text + "; " + divided(gpu.shared_bytes_per_sm, limits.shared_bytes_per_block);
}

/// Says what the host must do to get more shared memory than a block has by default; else empty.
std::string opt_in_text(const Gpu& gpu, const Kernel& kernel, const Limits& limits) {
  if (limits.of(Resource::shared_memory) == 0) return "";
  const std::string most = number(gpu.shared_bytes_per_block);
  if (kernel.static_shared_bytes > gpu.shared_bytes_per_block) {
    return "static arrays end at " + most +
           " bytes a block: make the array extern, pass its size at the launch, and have the host "
           "ask for it first with cudaFuncSetAttribute";
  }
  if (kernel.shared_bytes() > gpu.shared_bytes_per_block) {
    return "more than " + most +
           " bytes a block: the host must first ask for it with "
           "cudaFuncSetAttribute";
  }
  return "";
}

std::string warps_text(const Gpu& gpu, const Kernel& kernel, const Limits& limits) {
  if (limits.of(Resource::warps) == 0) {
    return count_of(kernel.threads_per_block, "thread") + ", more than the " +
           number(gpu.threads_per_block) + " a block may have: 0 blocks";
  }
  return divided(gpu.warps_per_sm, limits.warps_per_block);
}

std::string limiter_text(const Gpu& gpu, const Occupancy& occupancy) {
  std::vector<std::string> names;
  for (const Resource resource : occupancy.limiters) names.emplace_back(name_of(resource));
  if (!occupancy.fits()) return join(names) + ": not one block fits, so the launch fails";
  return join(names) + ": " + count_of(occupancy.resident_blocks, "block") + " x " +
         count_of(occupancy.limits.warps_per_block, "warp") + " = " +
         number(occupancy.resident_warps) + " of " + number(gpu.warps_per_sm) +
         " warps, occupancy " + percent(occupancy.fraction);
}

/// "one more block", "2 more blocks"; "one block", "2 blocks".
std::string blocks_in_words(int blocks, std::string_view more) {
  std::string text = blocks == 1 ? "one " : std::to_string(blocks) + " ";
  text += more;
  return text + (blocks == 1 ? "block" : "blocks");
}

/// "would admit 2 more blocks: 48 of 64 warps" and its opposites.
std::string effect(const Gpu& gpu, int blocks_now, int blocks, int warps) {
  if (blocks == 0) return "would make the launch fail";
  const std::string then = ": " + number(warps) + " of " + number(gpu.warps_per_sm) + " warps";
  const int change = blocks - blocks_now;
  if (change < 0) return "would cost " + blocks_in_words(-change, "") + then;
  return "would admit " + blocks_in_words(change, blocks_now == 0 ? "" : "more ") + then;
}

std::string register_cliff(const Gpu& gpu, int blocks_now, const Cliff& cliff) {
  const bool fewer = cliff.change < 0;
  return count_of(fewer ? -cliff.change : cliff.change, "register") +
         (fewer ? " fewer (" : " more (") + number(cliff.amount) + " a thread) " +
         effect(gpu, blocks_now, cliff.blocks, cliff.warps);
}

std::string shared_cliff(const Gpu& gpu, int blocks_now, const Cliff& cliff) {
  const bool less = cliff.change < 0;
  return count_of(less ? -cliff.change : cliff.change, "byte") + " of shared memory " +
         (less ? "less (" : "more (") + number(cliff.amount) + " a block) " +
         effect(gpu, blocks_now, cliff.blocks, cliff.warps);
}

std::string joint_cliff(const Gpu& gpu, int blocks_now, const JointCliff& cliff) {
  return count_of(-cliff.registers_change, "register") + " fewer and " +
         count_of(-cliff.shared_change, "byte") + " of shared memory less, together, " +
         effect(gpu, blocks_now, cliff.blocks, cliff.warps);
}

std::string thread_cliff(const Gpu& gpu, const Cliff& cliff) {
  return "blocks of " + count_of(cliff.amount, "thread") + " would fill " + number(cliff.warps) +
         " of " + number(gpu.warps_per_sm) + " warps (" + count_of(cliff.blocks, "block") + ")";
}

std::vector<std::string> gains(const Gpu& gpu, const Occupancy& now, const Cliffs& cliffs) {
  std::vector<std::string> texts;
  const int blocks = now.resident_blocks;
  if (now.resident_warps == gpu.warps_per_sm) return {"nothing to gain: every warp is resident"};
  if (cliffs.fewer_registers) {
    texts.push_back(register_cliff(gpu, blocks, *cliffs.fewer_registers));
  }
  if (cliffs.less_shared) texts.push_back(shared_cliff(gpu, blocks, *cliffs.less_shared));
  if (cliffs.registers_and_shared) {
    texts.push_back(joint_cliff(gpu, blocks, *cliffs.registers_and_shared));
  }
  if (cliffs.fewer_threads) texts.push_back(thread_cliff(gpu, *cliffs.fewer_threads));
  // Where anything else limits, larger blocks fill more warps too, but only by being larger.
  if (cliffs.more_threads && now.limited_by(Resource::block_slots)) {
    texts.push_back(thread_cliff(gpu, *cliffs.more_threads));
  }
  if (texts.empty()) {
    texts.push_back(now.fits() ? "no single change admits more blocks"
                               : "no single change is enough to make it fit");
  }
  return texts;
}

std::vector<std::string> losses(const Gpu& gpu, const Occupancy& now, const Cliffs& cliffs) {
  std::vector<std::string> texts;
  if (cliffs.more_registers) {
    texts.push_back(register_cliff(gpu, now.resident_blocks, *cliffs.more_registers));
  }
  if (cliffs.more_shared) {
    texts.push_back(shared_cliff(gpu, now.resident_blocks, *cliffs.more_shared));
  }
  return texts;
}

std::string waves_text(const Gpu& gpu, int resident_blocks, const Waves& waves) {
  if (waves.grid_blocks <= 0) return "a grid of no blocks: nothing runs";
  if (resident_blocks == 0) return "none: not one block fits";
  if (waves.blocks_per_wave == 0) return "not known: the number of SMs is not known";
  std::string text = count_of(gpu.sms, "SM") + " x " + number(resident_blocks) + " = " +
                     count_of(waves.blocks_per_wave, "block") + " at a time; a grid of " +
                     number(waves.grid_blocks) + " is " + count_of(waves.count, "wave");
  text += waves.count == 1 ? ", " : ", the last one ";
  text += percent(waves.last_wave_fill) + " full";
  if (waves.idle_sms > 0) text += "; " + count_of(waves.idle_sms, "SM") + " without a block";
  return text;
}

/// The one step of a launch that names no block at all.
Step not_a_kernel(const Gpu& gpu, const Occupancy& occupancy) {
  if (occupancy.misfits.front() == Misfit::no_threads) {
    return {"block", "no threads: a block has 1 to " + number(gpu.threads_per_block)};
  }
  return {"block", "a negative amount: registers, bytes and threads are 0 or more"};
}

void add_steps(const Gpu& gpu, const Kernel& kernel, Derivation& derivation) {
  const Occupancy& now = derivation.occupancy;
  const Limits& limits = now.limits;
  std::vector<Step>& steps = derivation.steps;
  steps.push_back({"block", block_text(kernel, limits)});
  steps.push_back({"registers", registers_text(gpu, kernel, limits)});
  steps.push_back({"shared memory", shared_text(gpu, kernel, limits)});
  const std::string opt_in = opt_in_text(gpu, kernel, limits);
  if (!opt_in.empty()) steps.push_back({"shared memory", opt_in});
  steps.push_back({"warps", warps_text(gpu, kernel, limits)});
  steps.push_back({"block slots", count_of(gpu.blocks_per_sm, "block")});
  steps.push_back({"limiter", limiter_text(gpu, now)});
  for (std::string& text : gains(gpu, now, derivation.cliffs)) {
    steps.push_back({"next cliff", std::move(text)});
  }
  for (std::string& text : losses(gpu, now, derivation.cliffs)) {
    steps.push_back({"next cliff", std::move(text)});
  }
}

}  // namespace

Derivation derive(const Gpu& gpu, const Kernel& kernel, std::optional<std::int64_t> grid_blocks) {
  Derivation derivation;
  derivation.title = title_of(gpu, kernel);
  derivation.occupancy = occupancy(gpu, kernel);
  derivation.cliffs = cliffs(gpu, kernel);
  if (derivation.occupancy.limits.warps_per_block == 0) {
    derivation.steps.push_back(not_a_kernel(gpu, derivation.occupancy));
  } else {
    add_steps(gpu, kernel, derivation);
  }
  if (grid_blocks) {
    derivation.waves = waves(gpu, derivation.occupancy.resident_blocks, *grid_blocks);
    derivation.steps.push_back(
        {"waves", waves_text(gpu, derivation.occupancy.resident_blocks, *derivation.waves)});
  }
  return derivation;
}

std::vector<std::string> Derivation::lines() const {
  std::vector<std::string> all = wrap("", title, line_width);
  std::string_view previous;
  for (const Step& step : steps) {
    const std::string_view topic = step.topic == previous ? std::string_view() : step.topic;
    for (std::string& line : step_lines(topic, step.text)) all.push_back(std::move(line));
    previous = step.topic;
  }
  return all;
}

std::vector<std::string> step_lines(std::string_view topic, std::string_view text) {
  constexpr std::size_t topic_width = 15;
  std::string head = "  " + std::string(topic);
  head.resize(2 + topic_width, ' ');
  return wrap(head, text, line_width);
}

std::string waves_sentence(const Gpu& gpu, int resident_blocks, std::int64_t grid_blocks) {
  return waves_text(gpu, resident_blocks, waves(gpu, resident_blocks, grid_blocks));
}

std::string Derivation::text() const {
  std::string all;
  for (const std::string& line : lines()) all += line + "\n";
  return all;
}

}  // namespace warpwise::occupancy
