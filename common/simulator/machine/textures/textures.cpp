#include "simulator/machine/textures/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/machine/checks/validity.h"
#include "simulator/machine/textures/texel_unit.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::TexelAccess;
using memory::TexelLevel;
using memory::TexelObject;

bool is_of_surface(const TexelAccess& access) {
  return access.what == TexelAccess::What::load || access.what == TexelAccess::What::store;
}

const char* verb_of(const TexelAccess& access) {
  return access.what == TexelAccess::What::store ? "writes" : "reads";
}

unsigned bytes_of(const TexelAccess& access) {
  const unsigned values = static_cast<unsigned>(
      std::count_if(std::begin(access.data), std::end(access.data),
                    [](const code::Operation::Value& value) { return value.bytes != 0; }));
  return isa::size_bytes(access.type) * values;
}

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

}  // namespace

void Textures::bad_texel(unsigned lane, const char* kind, const std::string& rest) {
  here_.fault(here_.finding(
      kind, fmt::format("thread {} {}", here_.thread_text(here_.warp_index_ * 32 + lane), rest),
      lane));
}

/// The live object of a handle. Faults where no object has it.
const TexelObject& Textures::object_of(std::uint64_t handle, const TexelAccess& access,
                                       unsigned lane) {
  const char* noun = is_of_surface(access) ? "surface" : "texture";
  const char* made_by =
      is_of_surface(access) ? "cudaCreateSurfaceObject" : "cudaCreateTextureObject";
  const TexelObject* object = here_.grid_.memory.texel_objects().find(handle);
  if (!object || object->is_surface != is_of_surface(access))
    bad_texel(
        lane, "invalid-object",
        fmt::format("{} a {} whose handle is {:#x}, which is {}. Was {} called, and did it "
                    "succeed?",
                    verb_of(access), noun, handle,
                    object ? fmt::format("a {} object", object->is_surface ? "surface" : "texture")
                    : handle == 0 ? std::string("none")
                                  : std::string("no object's"),
                    made_by));
  if (!object->is_live)
    bad_texel(lane, "use-after-free",
              fmt::format("{} a {} object that was destroyed before this launch. Destroy it after "
                          "the last launch that uses it.",
                          verb_of(access), noun));
  if (object->view.storage && !object->view.storage->live)
    bad_texel(lane, "use-after-free",
              fmt::format("{} a {} object whose memory, {}, was freed before this launch. Free it "
                          "after the last launch that uses it.",
                          verb_of(access), noun, object->view.storage->describe()));
  return *object;
}

/// Undefined coordinates decide; results are defined until their texels say something else.
void Textures::use_operands(const TexelAccess& access, std::uint32_t mask) {
  for (const code::Operation::Value& value : access.coordinates)
    if (value.is_there()) uninitialized_.use_value(value.slot, mask, "is part of a coordinate");
  if (access.given_level.is_there())
    uninitialized_.use_value(access.given_level.slot, mask, "chooses a level");
  for (const auto& gradient : access.gradients)
    for (const code::Operation::Value& value : gradient)
      if (value.is_there()) uninitialized_.use_value(value.slot, mask, "chooses a level");
  UndefinedValues& values = here_.warp_->undefined();
  for (const code::Operation::Value& value : access.data) {
    if (!value.is_there()) continue;
    if (access.what == TexelAccess::What::store)
      uninitialized_.use_value(value.slot, mask & values.computed(value.slot), goes_into_result);
    else
      values.define(value.slot, mask);
  }
  if (access.is_resident.is_there()) values.define(access.is_resident.slot, mask);
}

void Textures::execute(const code::Operation& operation, std::uint32_t mask) {
  here_.deferred_adds_.write();
  const TexelAccess& access = here_.program_.texel_accesses[operation.texels];
  if (here_.warp_->undefined().any()) use_operands(access, mask);
  const TexelObject* object = nullptr;
  std::uint64_t handle = 0;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t own = here_.lane_value(operation.s[0], lane);
    if (!object || own != handle) object = &object_of(own, access, lane), handle = own;
    if (is_of_surface(access))
      access_surface(*object, access, lane);
    else
      fetch(*object, access, lane);
    if (access.is_resident.is_there()) here_.set_lane(access.is_resident, lane, 1);
  });
  here_.changes_ += access.what == TexelAccess::What::store;
}

void Textures::fetch(const TexelObject& object, const TexelAccess& access, unsigned lane) {
  const TexelUnit unit(here_.grid_.memory, object);
  TexelPlace place;
  place.is_whole = access.has_integer_coordinates;
  unsigned next = 0;
  if (access.is_layered)
    place.layer = static_cast<std::uint32_t>(here_.lane_value(access.coordinates[next++], lane));
  for (unsigned i = 0; i < access.dimensions; ++i) {
    const std::uint64_t bits = here_.lane_value(access.coordinates[next++], lane);
    place.at[i] = as_float(bits);
    place.whole[i] = static_cast<std::int32_t>(bits);
  }
  place.is_volume = access.dimensions == 3 && !access.is_cubemap;
  place.has_level = access.given_level.is_there();
  if (place.has_level) {
    const std::uint64_t bits = here_.lane_value(access.given_level, lane);
    place.level = access.has_integer_coordinates
                      ? static_cast<float>(static_cast<std::int32_t>(bits))
                      : as_float(bits);
  }
  place.has_gradients = access.gradients[0][0].is_there();
  for (unsigned way = 0; place.has_gradients && way < 2; ++way)
    for (unsigned i = 0; i < access.dimensions; ++i)
      place.gradients[way][i] = as_float(here_.lane_value(access.gradients[way][i], lane));
  check_sampler(object, access, lane);
  const TexelResult result = access.what == TexelAccess::What::gather
                                 ? unit.gather(place, access.channel)
                                 : unit.fetch(place, access.is_cubemap);
  for (unsigned i = 0; i < 4; ++i) here_.set_lane(access.data[i], lane, result.channels[i]);
  for (unsigned i = 0; i < result.texel_count; ++i) check_read(false, lane, result.texels[i]);
  follow(object, access, lane, result);
}

/// Faults where a texture asks for what is not supported here.
void Textures::check_sampler(const TexelObject& object, const TexelAccess& access, unsigned lane) {
  const bool has_gradients = access.gradients[0][0].is_there();
  const char* missing = has_gradients && object.sampler.most_anisotropy > 1
                            ? "gradients of a texture with maxAnisotropy above 1"
                        : access.is_cubemap && object.sampler.is_seamless
                            ? "cubemaps with seamlessCubemap"
                            : nullptr;
  if (missing)
    here_.fault(here_.finding("unsupported",
                              fmt::format("{} are not available in the simulator", missing), lane));
}

/// Results of texels that were never written are undefined.
void Textures::follow(const TexelObject& object, const TexelAccess& access, unsigned lane,
                      const TexelResult& result) {
  if (!object.view.storage || !object.view.storage->has_all_writes()) return;
  for (unsigned i = 0; i < result.texel_count; ++i) {
    const std::uint64_t address = result.texels[i];
    if (*here_.grid_.memory.validity(address) == defined) continue;
    if (uninitialized_.read_derived(address, 1)) continue;
    const auto origin = static_cast<std::uint32_t>(here_.current_ - here_.program_.code.data());
    uninitialized_.note_source(lane, {origin, here_.warp_index_ * 32 + lane, code::Space::global,
                                      address, here_.user_call(origin, lane)});
    const std::uint32_t computed = result.texel_count > 1 ? 1u << lane : 0;
    for (const code::Operation::Value& value : access.data)
      if (value.is_there()) here_.warp_->undefined().set(value.slot, 1u << lane, origin, computed);
    return;
  }
}

/// Reads or writes what a lane names; outside as the instruction says: it faults, or it reads zero
/// and writes nothing, or it takes the nearest place. An H200 asks first whether the place is
/// inside where it would fault, and first whether it is aligned elsewhere.
void Textures::access_surface(const TexelObject& object, const TexelAccess& access, unsigned lane) {
  const TexelLevel& level = object.view.levels.front();
  const unsigned bytes = bytes_of(access), texel = object.view.format.bytes();
  std::int64_t at[3] = {};  // byte, row, slice
  unsigned next = 0;
  if (access.is_layered)
    at[2] = static_cast<std::uint32_t>(here_.lane_value(access.coordinates[next++], lane));
  for (unsigned i = 0; i < access.dimensions; ++i)
    at[i] = static_cast<std::int32_t>(here_.lane_value(access.coordinates[next++], lane));
  const std::int64_t sizes[3] = {std::int64_t{level.width} * texel, level.height, level.depth};
  // A row has places for whole accesses only, and none where it is shorter than one.
  const std::int64_t last = sizes[0] / bytes * bytes - bytes;
  bool is_inside = at[0] >= 0 && at[0] < last + bytes;
  for (unsigned i = 1; i < 3; ++i) is_inside &= at[i] >= 0 && at[i] < sizes[i];
  if (!is_inside && access.outside == TexelAccess::Outside::trap) {
    bad_texel(
        lane, "out-of-bounds",
        fmt::format("{} {} bytes of a surface at byte {} of row {}{}; it has rows of {} bytes, {} "
                    "rows{}. x counts bytes, not texels; guard the coordinates, or pass "
                    "cudaBoundaryModeClamp or cudaBoundaryModeZero.",
                    verb_of(access), bytes, at[0], at[1],
                    sizes[2] > 1 || at[2] != 0 ? fmt::format(" of slice {}", at[2]) : "", sizes[0],
                    sizes[1], sizes[2] > 1 ? fmt::format(", {} slices", sizes[2]) : ""));
  }
  if (at[0] % bytes != 0)
    bad_texel(
        lane, "misaligned",
        fmt::format("{} {} bytes of a surface at byte {} of a row, which is not a multiple of "
                    "{}. x counts bytes: multiply the column by the texel's size.",
                    verb_of(access), bytes, at[0], bytes));
  const bool is_store = access.what == TexelAccess::What::store;
  if (last < 0 || (!is_inside && access.outside == TexelAccess::Outside::zero)) {
    for (const code::Operation::Value& value : access.data)
      if (!is_store) here_.set_lane(value, lane, 0);
    return;
  }
  at[0] = std::clamp<std::int64_t>(at[0], 0, last);
  for (unsigned i = 1; i < 3; ++i) at[i] = std::clamp<std::int64_t>(at[i], 0, sizes[i] - 1);
  move_texel(object, access, lane,
             level.address + static_cast<std::uint64_t>(at[2]) * level.slice +
                 static_cast<std::uint64_t>(at[1]) * level.pitch +
                 static_cast<std::uint64_t>(at[0]));
}

void Textures::move_texel(const TexelObject& object, const TexelAccess& access, unsigned lane,
                          std::uint64_t address) {
  const unsigned element = isa::size_bytes(access.type);
  const bool is_store = access.what == TexelAccess::What::store;
  const bool is_tracked = object.view.storage && object.view.storage->is_tracked;
  TexelResult read;
  read.texels[read.texel_count++] = address;
  if (is_store) {
    std::uint64_t addresses[32] = {};
    addresses[lane] = address;
    note_written(1u << lane, addresses, bytes_of(access));
  } else {
    check_read(true, lane, address);
  }
  for (const code::Operation::Value& value : access.data) {
    if (value.bytes == 0) continue;
    std::byte* at = here_.grid_.memory.host(address);
    if (is_store) {
      const std::uint64_t stored = here_.lane_value(value, lane);
      std::memcpy(at, &stored, element);
      const bool is_undefined = here_.warp_->undefined().any() &&
                                (here_.warp_->undefined().lanes(value.slot) >> lane & 1);
      if (is_tracked)
        std::memset(here_.grid_.memory.validity(address), is_undefined ? never_written : defined,
                    element);
    } else {
      std::uint64_t loaded = 0;
      std::memcpy(&loaded, at, element);
      here_.set_lane(value, lane, loaded);
    }
    address += element;
  }
  if (!is_store) follow(object, access, lane, read);
}

}  // namespace warpwise::machine
