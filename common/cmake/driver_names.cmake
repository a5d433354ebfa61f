# The functions of the driver that the toolkit's headers name (cuda*Typedefs.h: a PFN_NAME_vVERSION
# for each way in which a function was ever called): a program that looks for one finds it, as with
# a driver, and learns which one is not available when it calls it.
file(GLOB driver_headers ${CUDAToolkit_INCLUDE_DIRS}/cuda*Typedefs.h)
foreach(header IN LISTS driver_headers)
  file(STRINGS ${header} lines REGEX "PFN_cu[A-Za-z0-9]+_v[0-9]+\\)")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "PFN_(cu[A-Za-z0-9]+)_v([0-9]+)\\)")
      continue()
    endif()
    set(name ${CMAKE_MATCH_1})
    set(version ${CMAKE_MATCH_2})
    if(NOT DEFINED driver_since_${name})
      list(APPEND driver_names ${name})
      set(driver_since_${name} ${version})
    elseif(version LESS driver_since_${name})
      set(driver_since_${name} ${version})
    endif()
  endforeach()
endforeach()

set(driver_rows "")
set(driver_bodies "")
foreach(name IN LISTS driver_names)
  string(APPEND driver_bodies
    "CUresult no_${name}() { warpwise_not_available(\"${name} of the driver\"); }\n")
  string(APPEND driver_rows
    "      driver_function(\"${name}\", ${driver_since_${name}}, no_${name}),\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/simulator/driver_names.cpp @ONLY CONTENT
"#include \"simulator/cudart/device/driver_functions.h\"

extern \"C\" [[noreturn]] void warpwise_not_available(const char*);

namespace warpwise::cudart {
namespace {

${driver_bodies}
}  // namespace

std::span<const DriverFunction> driver_functions_by_name() {
  static const DriverFunction functions[] = {
${driver_rows}  };
  return functions;
}

}  // namespace warpwise::cudart
")
target_sources(warpwise_cudart PRIVATE ${PROJECT_BINARY_DIR}/simulator/driver_names.cpp)
