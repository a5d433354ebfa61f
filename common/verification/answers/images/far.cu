// Compiled for GPUs that are not there, or not yet: foreign_images.cpp loads what comes of it.
extern "C" __device__ int far_number = 3;
extern "C" __global__ void far_kernel(int* x) { *x = far_number; }
