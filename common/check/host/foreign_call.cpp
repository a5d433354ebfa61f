#include "check/host/foreign_call.h"

#include <ffi.h>

#include <cstring>

#include "lesson/device/error.h"

namespace warpwise::lesson {
namespace {

ffi_type* ffi_type_of(HostType type) {
  switch (type) {
    case HostType::nothing:
      return &ffi_type_void;
    case HostType::boolean:
      return &ffi_type_uint8;
    case HostType::int32:
      return &ffi_type_sint32;
    case HostType::uint32:
      return &ffi_type_uint32;
    case HostType::int64:
      return &ffi_type_sint64;
    case HostType::uint64:
      return &ffi_type_uint64;
    case HostType::float32:
      return &ffi_type_float;
    case HostType::float64:
      return &ffi_type_double;
    case HostType::pointer:
      return &ffi_type_pointer;
  }
  throw Stop(bad_environment, "a call has a type that is not known");
}

template <class T>
double number_in(const void* bits) {
  T value;
  std::memcpy(&value, bits, sizeof value);
  return static_cast<double>(value);
}

std::optional<double> number(HostType type, const void* bits) {
  switch (type) {
    case HostType::boolean:
      return number_in<std::uint8_t>(bits) != 0 ? 1 : 0;
    case HostType::int32:
      return number_in<std::int32_t>(bits);
    case HostType::uint32:
      return number_in<std::uint32_t>(bits);
    case HostType::int64:
      return number_in<std::int64_t>(bits);
    case HostType::uint64:
      return number_in<std::uint64_t>(bits);
    case HostType::float32:
      return number_in<float>(bits);
    case HostType::float64:
      return number_in<double>(bits);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<double> foreign_call(void* function, HostType returns,
                                   std::vector<HostArgument> arguments) {
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  for (HostArgument& argument : arguments) {
    types.push_back(ffi_type_of(argument.type));
    values.push_back(&argument.bits);
  }
  ffi_cif interface;
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()),
                   ffi_type_of(returns), types.data()) != FFI_OK) {
    throw Stop(bad_environment, "libffi cannot make a call of this type");
  }
  // libffi widens a returned integer to a whole ffi_arg.
  alignas(16) unsigned char result[16] = {};
  ffi_call(&interface, reinterpret_cast<void (*)()>(function), result, values.data());
  return number(returns, result);
}

}  // namespace warpwise::lesson
