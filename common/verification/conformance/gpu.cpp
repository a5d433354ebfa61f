#include <dlfcn.h>
#include <fmt/format.h>

#include "verification/conformance/ptxas.h"

// The driver's interface, as far as it is needed here; opened at run time, so that this builds and
// starts without a driver.
namespace warpwise::conformance {
namespace {

using Status = int;
using Address = std::uint64_t;
using Handle = void*;

class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    if (!library_) throw Refused("no GPU here: libcuda.so.1 cannot be opened");
    find(init, "cuInit");
    find(driver_version, "cuDriverGetVersion");
    find(device, "cuDeviceGet");
    find(device_name, "cuDeviceGetName");
    find(retain, "cuDevicePrimaryCtxRetain");
    find(set_current, "cuCtxSetCurrent");
    find(synchronize, "cuCtxSynchronize");
    find(load, "cuModuleLoadDataEx");
    find(unload, "cuModuleUnload");
    find(function, "cuModuleGetFunction");
    find(launch, "cuLaunchKernel");
    find(allocate, "cuMemAlloc_v2");
    find(to_device, "cuMemcpyHtoD_v2");
    find(to_host, "cuMemcpyDtoH_v2");
    find(set, "cuMemsetD8_v2");
    find(error_name, "cuGetErrorName");
  }

  void check(Status status, const char* what) const {
    if (status == 0) return;
    const char* name = nullptr;
    error_name(status, &name);
    throw Refused(fmt::format("{}: {}", what, name ? name : std::to_string(status)));
  }

  Status (*init)(unsigned);
  Status (*driver_version)(int*);
  Status (*device)(int*, int);
  Status (*device_name)(char*, int, int);
  Status (*retain)(Handle*, int);
  Status (*set_current)(Handle);
  Status (*synchronize)();
  Status (*load)(Handle*, const void*, unsigned, int*, void**);
  Status (*unload)(Handle);
  Status (*function)(Handle*, Handle, const char*);
  Status (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   Handle, void**, void**);
  Status (*allocate)(Address*, std::size_t);
  Status (*to_device)(Address, const void*, std::size_t);
  Status (*to_host)(void*, Address, std::size_t);
  Status (*set)(Address, unsigned char, std::size_t);
  Status (*error_name)(Status, const char**);

 private:
  template <class F>
  void find(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (!function) throw Refused(fmt::format("the driver has no {}: it is too old", name));
  }
  void* library_;
};

class Gpu : public Executor {
 public:
  explicit Gpu(const std::string& ptxas) : ptxas_(ptxas) {
    driver_.check(driver_.init(0), "cuInit");
    int device = 0;
    driver_.check(driver_.device(&device, 0), "cuDeviceGet");
    char text[256] = {};
    driver_.check(driver_.device_name(text, sizeof text, device), "cuDeviceGetName");
    int version = 0;
    driver_.check(driver_.driver_version(&version), "cuDriverGetVersion");
    name_ = fmt::format("{}, CUDA driver {}.{}", text, version / 1000, version % 1000 / 10);
    Handle context = nullptr;
    driver_.check(driver_.retain(&context, device), "cuDevicePrimaryCtxRetain");
    driver_.check(driver_.set_current(context), "cuCtxSetCurrent");
    driver_.check(driver_.allocate(&input_, most_bytes), "cuMemAlloc");
    driver_.check(driver_.allocate(&output_, most_bytes), "cuMemAlloc");
  }

  void load(const std::string& ptx) override {
    if (module_) driver_.unload(module_);
    module_ = nullptr;
    Ptxas::Result made = ptxas_.assemble(ptx);
    if (made.status != 0) throw Refused(fmt::format("ptxas, status {}: {}", made.status, made.log));
    Status status = driver_.load(&module_, made.cubin.data(), 0, nullptr, nullptr);
    if (status != 0) module_ = nullptr;
    driver_.check(status, "cuModuleLoadDataEx");
  }

  Bytes run(const Launch& launch) override {
    if (launch.input->size() > most_bytes || launch.output_bytes > most_bytes)
      throw Refused("the arrays of a launch are larger than foreseen");
    try {
      return run_kernel(launch);
    } catch (const Refused& why) {
      throw Broken(why.what());
    }
  }

  std::string name() const override { return name_; }

 private:
  static constexpr std::size_t most_bytes = 16 << 20;

  Bytes run_kernel(const Launch& launch) {
    Handle kernel = nullptr;
    driver_.check(driver_.function(&kernel, module_, launch.kernel.c_str()), "cuModuleGetFunction");
    driver_.check(driver_.to_device(input_, launch.input->data(), launch.input->size()),
                  "cuMemcpyHtoD");
    driver_.check(driver_.set(output_, 0, launch.output_bytes), "cuMemsetD8");
    void* parameters[] = {&input_, &output_};
    driver_.check(driver_.launch(kernel, launch.blocks, 1, 1, launch.threads, 1, 1, 0, nullptr,
                                 parameters, nullptr),
                  "cuLaunchKernel");
    driver_.check(driver_.synchronize(), "cuCtxSynchronize");
    Bytes output(launch.output_bytes);
    driver_.check(driver_.to_host(output.data(), output_, output.size()), "cuMemcpyDtoH");
    return output;
  }

  Driver driver_;
  Ptxas ptxas_;
  std::string name_;
  Handle module_ = nullptr;
  Address input_ = 0, output_ = 0;
};

}  // namespace

std::unique_ptr<Executor> gpu(const std::string& ptxas) { return std::make_unique<Gpu>(ptxas); }

}  // namespace warpwise::conformance
