#include <cuda_runtime_api.h>

#include <cctype>
#include <map>
#include <string>

#include "simulator/cudart/error.h"

namespace warpwise::cudart {
namespace {

struct Row {
  cudaError_t error;
  const char* name;
  const char* text;  ///< the words that the real runtime's users know; null: the name spelled out.
};

constexpr Row rows[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorCudartUnloading, "cudaErrorCudartUnloading", "driver shutting down"},
    {cudaErrorProfilerDisabled, "cudaErrorProfilerDisabled", nullptr},
    {cudaErrorProfilerNotInitialized, "cudaErrorProfilerNotInitialized", nullptr},
    {cudaErrorProfilerAlreadyStarted, "cudaErrorProfilerAlreadyStarted", nullptr},
    {cudaErrorProfilerAlreadyStopped, "cudaErrorProfilerAlreadyStopped", nullptr},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", nullptr},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidTexture, "cudaErrorInvalidTexture", nullptr},
    {cudaErrorInvalidTextureBinding, "cudaErrorInvalidTextureBinding", nullptr},
    {cudaErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor", nullptr},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorAddressOfConstant, "cudaErrorAddressOfConstant", nullptr},
    {cudaErrorTextureFetchFailed, "cudaErrorTextureFetchFailed", nullptr},
    {cudaErrorTextureNotBound, "cudaErrorTextureNotBound", nullptr},
    {cudaErrorSynchronizationError, "cudaErrorSynchronizationError", nullptr},
    {cudaErrorInvalidFilterSetting, "cudaErrorInvalidFilterSetting", nullptr},
    {cudaErrorInvalidNormSetting, "cudaErrorInvalidNormSetting", nullptr},
    {cudaErrorMixedDeviceExecution, "cudaErrorMixedDeviceExecution", nullptr},
    {cudaErrorNotYetImplemented, "cudaErrorNotYetImplemented", nullptr},
    {cudaErrorMemoryValueTooLarge, "cudaErrorMemoryValueTooLarge", nullptr},
    {cudaErrorStubLibrary, "cudaErrorStubLibrary", nullptr},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorCallRequiresNewerDriver, "cudaErrorCallRequiresNewerDriver", nullptr},
    {cudaErrorInvalidSurface, "cudaErrorInvalidSurface", nullptr},
    {cudaErrorDuplicateVariableName, "cudaErrorDuplicateVariableName", nullptr},
    {cudaErrorDuplicateTextureName, "cudaErrorDuplicateTextureName", nullptr},
    {cudaErrorDuplicateSurfaceName, "cudaErrorDuplicateSurfaceName", nullptr},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable", nullptr},
    {cudaErrorIncompatibleDriverContext, "cudaErrorIncompatibleDriverContext", nullptr},
    {cudaErrorMissingConfiguration, "cudaErrorMissingConfiguration",
     "__global__ function call is not configured"},
    {cudaErrorPriorLaunchFailure, "cudaErrorPriorLaunchFailure", nullptr},
    {cudaErrorLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded", nullptr},
    {cudaErrorLaunchFileScopedTex, "cudaErrorLaunchFileScopedTex", nullptr},
    {cudaErrorLaunchFileScopedSurf, "cudaErrorLaunchFileScopedSurf", nullptr},
    {cudaErrorSyncDepthExceeded, "cudaErrorSyncDepthExceeded", nullptr},
    {cudaErrorLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded", nullptr},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorDeviceNotLicensed, "cudaErrorDeviceNotLicensed", nullptr},
    {cudaErrorSoftwareValidityNotEstablished, "cudaErrorSoftwareValidityNotEstablished", nullptr},
    {cudaErrorStartupFailure, "cudaErrorStartupFailure", nullptr},
    {cudaErrorInvalidKernelImage, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {cudaErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", nullptr},
    {cudaErrorMapBufferObjectFailed, "cudaErrorMapBufferObjectFailed", nullptr},
    {cudaErrorUnmapBufferObjectFailed, "cudaErrorUnmapBufferObjectFailed", nullptr},
    {cudaErrorArrayIsMapped, "cudaErrorArrayIsMapped", nullptr},
    {cudaErrorAlreadyMapped, "cudaErrorAlreadyMapped", nullptr},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorAlreadyAcquired, "cudaErrorAlreadyAcquired", nullptr},
    {cudaErrorNotMapped, "cudaErrorNotMapped", nullptr},
    {cudaErrorNotMappedAsArray, "cudaErrorNotMappedAsArray", nullptr},
    {cudaErrorNotMappedAsPointer, "cudaErrorNotMappedAsPointer", nullptr},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", nullptr},
    {cudaErrorUnsupportedLimit, "cudaErrorUnsupportedLimit",
     "limit is not supported on this architecture"},
    {cudaErrorDeviceAlreadyInUse, "cudaErrorDeviceAlreadyInUse", nullptr},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported", nullptr},
    {cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {cudaErrorInvalidGraphicsContext, "cudaErrorInvalidGraphicsContext", nullptr},
    {cudaErrorNvlinkUncorrectable, "cudaErrorNvlinkUncorrectable", nullptr},
    {cudaErrorJitCompilerNotFound, "cudaErrorJitCompilerNotFound", nullptr},
    {cudaErrorUnsupportedPtxVersion, "cudaErrorUnsupportedPtxVersion",
     "the provided PTX was compiled with an unsupported toolchain."},
    {cudaErrorJitCompilationDisabled, "cudaErrorJitCompilationDisabled", nullptr},
    {cudaErrorUnsupportedExecAffinity, "cudaErrorUnsupportedExecAffinity", nullptr},
    {cudaErrorUnsupportedDevSideSync, "cudaErrorUnsupportedDevSideSync", nullptr},
    {cudaErrorContained, "cudaErrorContained", nullptr},
    {cudaErrorInvalidSource, "cudaErrorInvalidSource", nullptr},
    {cudaErrorFileNotFound, "cudaErrorFileNotFound", "file not found"},
    {cudaErrorSharedObjectSymbolNotFound, "cudaErrorSharedObjectSymbolNotFound", nullptr},
    {cudaErrorSharedObjectInitFailed, "cudaErrorSharedObjectInitFailed", nullptr},
    {cudaErrorOperatingSystem, "cudaErrorOperatingSystem", nullptr},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", nullptr},
    {cudaErrorLossyQuery, "cudaErrorLossyQuery", nullptr},
    {cudaErrorSymbolNotFound, "cudaErrorSymbolNotFound", "named symbol not found"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorLaunchIncompatibleTexturing, "cudaErrorLaunchIncompatibleTexturing", nullptr},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled", nullptr},
    {cudaErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled", nullptr},
    {cudaErrorSetOnActiveProcess, "cudaErrorSetOnActiveProcess", nullptr},
    {cudaErrorContextIsDestroyed, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorTooManyPeers, "cudaErrorTooManyPeers", nullptr},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorHardwareStackError, "cudaErrorHardwareStackError", nullptr},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace", nullptr},
    {cudaErrorInvalidPc, "cudaErrorInvalidPc", nullptr},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge", nullptr},
    {cudaErrorTensorMemoryLeak, "cudaErrorTensorMemoryLeak", nullptr},
    {cudaErrorNotPermitted, "cudaErrorNotPermitted", "operation not permitted"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorSystemNotReady, "cudaErrorSystemNotReady", nullptr},
    {cudaErrorSystemDriverMismatch, "cudaErrorSystemDriverMismatch", nullptr},
    {cudaErrorCompatNotSupportedOnDevice, "cudaErrorCompatNotSupportedOnDevice", nullptr},
    {cudaErrorMpsConnectionFailed, "cudaErrorMpsConnectionFailed", nullptr},
    {cudaErrorMpsRpcFailure, "cudaErrorMpsRpcFailure", nullptr},
    {cudaErrorMpsServerNotReady, "cudaErrorMpsServerNotReady", nullptr},
    {cudaErrorMpsMaxClientsReached, "cudaErrorMpsMaxClientsReached", nullptr},
    {cudaErrorMpsMaxConnectionsReached, "cudaErrorMpsMaxConnectionsReached", nullptr},
    {cudaErrorMpsClientTerminated, "cudaErrorMpsClientTerminated", nullptr},
    {cudaErrorCdpNotSupported, "cudaErrorCdpNotSupported", nullptr},
    {cudaErrorCdpVersionMismatch, "cudaErrorCdpVersionMismatch", nullptr},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported", nullptr},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated", nullptr},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge", nullptr},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", nullptr},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", nullptr},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation", nullptr},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit", nullptr},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent", nullptr},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread", nullptr},
    {cudaErrorTimeout, "cudaErrorTimeout", nullptr},
    {cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure", nullptr},
    {cudaErrorExternalDevice, "cudaErrorExternalDevice", nullptr},
    {cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", nullptr},
    {cudaErrorFunctionNotLoaded, "cudaErrorFunctionNotLoaded", nullptr},
    {cudaErrorInvalidResourceType, "cudaErrorInvalidResourceType", nullptr},
    {cudaErrorInvalidResourceConfiguration, "cudaErrorInvalidResourceConfiguration", nullptr},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

// "cudaErrorStreamCaptureMerge" -> "stream capture merge".
std::string spelled_out(const std::string& name) {
  std::string text;
  bool after_lower = false;
  for (const unsigned char c : name.substr(std::string("cudaError").size())) {
    if (std::isupper(c) != 0 && after_lower) text += ' ';
    text += static_cast<char>(std::tolower(c));
    after_lower = std::islower(c) != 0;
  }
  return text;
}

struct Wording {
  const char* name;
  std::string text;
};

const Wording& wording(cudaError_t error) {
  static const auto& all = *[] {
    auto* table = new std::map<int, Wording>;
    for (const Row& row : rows) {
      table->emplace(row.error,
                     Wording{row.name, row.text != nullptr ? row.text : spelled_out(row.name)});
    }
    return table;
  }();
  static const auto& unknown = *new Wording{"unrecognized error code", "unrecognized error code"};
  const auto entry = all.find(error);
  return entry == all.end() ? unknown : entry->second;
}

}  // namespace

const char* error_name(cudaError_t error) { return wording(error).name; }
const char* error_text(cudaError_t error) { return wording(error).text.c_str(); }

}  // namespace warpwise::cudart
