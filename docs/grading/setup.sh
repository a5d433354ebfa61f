#!/usr/bin/env bash
# Gradescope runs this once, as root, while it builds the container: it installs what is missing and
# builds everything, so that a submission only waits for its own answers.
set -euo pipefail
course=/autograder/source/course
export DEBIAN_FRONTEND=noninteractive

apt-get update -q
apt-get install -q -y --no-install-recommends ca-certificates curl bubblewrap

if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  # shellcheck disable=SC1091
  . /etc/os-release
  case $ID in
    debian) repository=debian${VERSION_ID%%.*} ;;
    ubuntu) repository=ubuntu${VERSION_ID/./} ;;
    *) echo "use an image of Debian 12 or Ubuntu 24.04, this is $ID" >&2; exit 1 ;;
  esac
  keyring=$(mktemp --suffix .deb)
  curl -fsSL -o "$keyring" \
    "https://developer.download.nvidia.com/compute/cuda/repos/$repository/x86_64/cuda-keyring_1.1-1_all.deb"
  dpkg -i "$keyring"
  apt-get update -q
  apt-get install -q -y --no-install-recommends \
    cuda-nvcc-13-0 cuda-crt-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0
fi

# Builds, and judges our own solutions as a student's: what does not work here stops the build.
cd "$course"
./learn grade exercises --assignment ../assignment

# Submissions run as a user who must not read these, where namespaces are not allowed.
chmod -R go= solutions
[ ! -d private ] || chmod -R go= private
chmod 600 ../assignment
