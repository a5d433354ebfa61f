# shellcheck shell=bash
# shellcheck disable=SC2154  # root, build, program, packages come from ./learn, which reads this file.
# ./learn doctor: what is here, what is missing, what to do. Runs where nothing can be built: it asks
# the system only, builds and installs nothing.

# One fact a line, its fields apart by tabs: name, status, value, what to do.
# Status: ok; missing: needed, nothing works without it; note: works, but less, or worth knowing.
fact() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(one_line "$3")" "$(one_line "${4:-}")"; }

one_line() { printf '%s' "$1" | tr '\t\n' '  ' | tr -d '\000-\037\177'; }

# Whether version $1 is at least $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# The first number with dots in what a program prints.
version_of() { "$@" 2>/dev/null </dev/null | sed -n 's/^[^0-9]*\([0-9][0-9.]*[0-9]\).*/\1/p' | head -n 1; }

gib() { awk -v kib="$1" 'BEGIN { printf "%.1f GiB", kib / 1048576 }'; }

# --- the machine -----------------------------------------------------------------------------

system_facts() {
  local name
  name=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release 2>/dev/null)
  grep -qi microsoft /proc/version 2>/dev/null && name="$name in WSL"
  case $(uname -s)/$(uname -m) in
    Linux/x86_64 | Linux/aarch64) fact system ok "${name:-Linux}, $(uname -m)" ;;
    *)
      fact system missing "$(uname -s) $(uname -m)" \
        "Linux or WSL2 is needed: open the folder in the container of .devcontainer/"
      ;;
  esac
}

memory_facts() {
  local cores total free
  cores=$(nproc 2>/dev/null || echo 1)
  total=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo 2>/dev/null)
  free=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null)
  local text
  text="$cores cores, $(gib "${total:-0}") memory, $(gib "${free:-0}") of it free"
  # The largest files of the simulator take this much to compile.
  if [ "${free:-0}" -lt $((cores * 1048576)) ]; then
    fact memory note "$text" "if a build is killed: export CMAKE_BUILD_PARALLEL_LEVEL=1"
  else
    fact memory ok "$text"
  fi
}

# Free KiB where a path is, or will be.
free_kib() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }'; }

disk_facts() {
  local free temporary=${TMPDIR:-/tmp}
  free=$(free_kib "$root")
  # A whole build takes less than this; the tutor and one chapter a tenth of it.
  if [ "${free:-0}" -lt 3145728 ]; then
    fact disk note "$(gib "${free:-0}") free for the build in $build" \
      "a whole build takes up to 3 GiB: make room, or build single chapters with ./learn run"
  else
    fact disk ok "$(gib "$free") free for the build in $build"
  fi
  if ! [ -w "$temporary" ]; then
    fact "temporary files" missing "$temporary cannot be written" \
      "export TMPDIR=a folder that you can write"
  elif [ "$(free_kib "$temporary")" -lt 262144 ]; then
    fact "temporary files" note "$(gib "$(free_kib "$temporary")") free in $temporary" \
      "make room there, or export TMPDIR=another folder"
  else
    fact "temporary files" ok "$(gib "$(free_kib "$temporary")") free in $temporary"
  fi
}

checkout_facts() {
  local version commit='' writable=$root
  local trouble
  trouble=$(folder_trouble)
  [ -z "$trouble" ] || fact folder missing "${trouble%%: *}" "${trouble#*: }"
  version=$(sed -n 's/^project(warpwise VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt" 2>/dev/null)
  if [ -e "$root/.git" ]; then
    commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null)
  fi
  [ ! -e "$build" ] || writable=$build
  if [ -w "$writable" ] && [ -w "$root/exercises" ]; then
    fact course ok "warpwise ${version:-of unknown version}${commit:+, commit $commit}, in $root"
  else
    fact course missing "$root cannot be written" "copy the checkout to a folder of your own"
  fi
}

# --- what builds -----------------------------------------------------------------------------

has_headers() {
  local bin
  bin=$(dirname -- "$(readlink -f -- "$1")")
  compgen -G "$bin/../include/cuda_runtime_api.h" >/dev/null ||
    compgen -G "$bin/../targets/*/include/cuda_runtime_api.h" >/dev/null
}

toolkit_facts() {
  local found complaint
  if found=$(find_nvcc 2>/dev/null && printf '%s' "$nvcc"); then
    has_headers "$found" || fact "toolkit headers" missing "no cuda_runtime_api.h beside $found" \
      "sudo apt-get install $cuda_packages"
    fact toolkit ok "CUDA $("$found" --version | sed -n 's/.*release.*, V\([0-9.]*\).*/\1/p'), $found"
  else
    complaint=$(find_nvcc 2>&1)
    complaint=${complaint#learn: }
    fact toolkit missing "${complaint%%: *}" "${complaint#*: }"
  fi
}

# A program that has to be there, from a version on.
tool_fact() {
  local name=$1 wanted=$2 version
  version=$(version_of "$name" --version)
  if [ -z "$version" ]; then
    fact "$name" missing "not found" "install it: sudo apt-get install ${3:-$name}"
  elif ! at_least "$version" "$wanted"; then
    fact "$name" missing "$version, $wanted is needed" \
      "use Debian 12, Ubuntu 24.04 or the container of .devcontainer/"
  else
    fact "$name" ok "$version"
  fi
}

package_facts() {
  local missing list
  if ! command -v dpkg-query >/dev/null; then
    fact packages note "this system has no dpkg: versions are unknown" \
      "needed are ${packages[*]}, by whatever name they have here"
    return
  fi
  missing=$(missing_packages)
  missing=${missing% }
  if [ -n "$missing" ]; then
    fact packages missing "not installed: $missing" \
      "sudo apt-get install --no-install-recommends $missing"
  fi
  # shellcheck disable=SC2016
  list=$(dpkg-query -W -f='${db:Status-Status} ${Package} ${Version}\n' "${packages[@]}" 2>/dev/null |
    awk '$1 == "installed" { printf "%s%s %s", separator, $2, $3; separator = ", " }')
  [ -z "$list" ] || fact packages ok "$list"
}

build_facts() {
  if up_to_date; then
    fact tutor ok "built"
  elif [ -x "$program" ]; then
    fact tutor note "built from an older state" "the next ./learn builds it again"
  else
    fact tutor note "not built yet" "the next ./learn builds it, in about a minute"
  fi
  if [ -e "$build/simulator/libcudart.so.13" ]; then
    fact simulator ok "built"
  else
    fact simulator note "not built yet" "the first ./learn run builds it, in a few minutes"
  fi
}

# --- the GPU ---------------------------------------------------------------------------------

without_gpu="needed for times only: everything else runs on the simulator"

has_driver_library() {
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' ||
    [ -e /usr/lib/wsl/lib/libcuda.so.1 ]
}

gpu_facts() {
  local smi gpus driver cuda
  smi=$(command -v nvidia-smi || ls /usr/lib/wsl/lib/nvidia-smi 2>/dev/null)
  if [ -z "$smi" ]; then
    fact driver note "no NVIDIA driver was found (nvidia-smi)" "$without_gpu"
    fact gpu note "none that can be used" "$without_gpu"
    return
  fi
  gpus=$("$smi" --query-gpu=name,compute_cap,memory.total --format=csv,noheader 2>/dev/null </dev/null)
  driver=$("$smi" --query-gpu=driver_version --format=csv,noheader 2>/dev/null </dev/null | head -n 1)
  cuda=$("$smi" 2>/dev/null </dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p')
  if [ -z "$gpus" ] || [ -z "$driver" ]; then
    fact driver note "nvidia-smi finds no GPU: $("$smi" 2>&1 </dev/null | head -n 1)" "$without_gpu"
    fact gpu note "none that can be used" "$without_gpu"
  elif [ -n "$cuda" ] && ! at_least "$cuda" 13; then
    fact driver note "$driver, for CUDA $cuda" "CUDA 13 wants driver 580 or newer; $without_gpu"
    fact gpu note "$gpus: cannot be used with this driver" "$without_gpu"
  else
    fact driver ok "$driver, for CUDA $cuda"
    gpu_fact "$gpus"
  fi
}

gpu_fact() {
  local capability
  capability=$(printf '%s\n' "$1" | head -n 1 | cut -d, -f2 | tr -d ' ')
  if ! has_driver_library; then
    fact gpu note "$1: the driver's libcuda.so.1 is not here" \
      "in a container: start it with --gpus all and NVIDIA_DRIVER_CAPABILITIES=compute,utility"
  elif ! at_least "$capability" 7.5; then
    fact gpu note "$1: compute capability $capability, CUDA 13 begins at 7.5" "$without_gpu"
  else
    fact gpu ok "$1: can be used"
  fi
}

# Chapter 10 alone has a use for it.
mpi_facts() {
  if command -v mpirun >/dev/null && command -v mpicxx >/dev/null; then
    fact mpi ok "$(mpirun --version 2>/dev/null </dev/null | head -n 1)"
  else
    fact mpi note "none: ch10_many_gpus works, but not its --mpi" \
      "to try it: sudo apt-get install libopenmpi-dev openmpi-bin, then build again"
  fi
}

# --- the terminal and the files ----------------------------------------------------------------

terminal_facts() {
  local size locale=${LC_ALL:-${LC_CTYPE:-${LANG:-}}} colour=colour
  [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ] || colour="no colour"
  if [ "$on_terminal" = no ]; then
    fact terminal note "none: stdout is no terminal" "./learn without words watches in a terminal only"
    return
  fi
  size=$(stty size 2>/dev/null </dev/tty | awk '{ print $2 " columns, " $1 " lines" }')
  case $locale in
    *[Uu][Tt][Ff]*) ;;
    *) locale="${locale:-no locale}, not UTF-8" ;;
  esac
  fact terminal ok "${TERM:-unknown}, ${size:-size unknown}, $colour, $locale"
}

# Where file systems raise no events, saves are found by looking again and again.
event_facts() {
  local type watches
  type=$(df -PT "$root" 2>/dev/null | awk 'NR == 2 { print $2 }')
  watches=$(cat /proc/sys/fs/inotify/max_user_watches 2>/dev/null)
  case ${watches:-none}/$type in
    none/*) fact "file events" note "this system has no inotify" "saves are found by looking; nothing to do" ;;
    */9p | */nfs* | */cifs | */smb* | */drvfs | */fuse*)
      fact "file events" note "$type raises none for changes elsewhere" \
        "saves are found by looking; in WSL keep the checkout below /home" ;;
    *) fact "file events" ok "inotify on $type, $watches watches" ;;
  esac
}

# --- the chapters ------------------------------------------------------------------------------

# What a chapter needs beyond the toolkit and the packages is a line "Needs: ..." of its README.
chapter_facts() {
  local folder name needs gpu=$1 ready=$2
  for folder in "$root"/chapters/ch*/; do
    name=$(basename "$folder")
    needs=$(sed -n 's/^Needs: */; /p' "$folder/README.md" 2>/dev/null | head -n 1)
    if [ "$ready" = no ]; then
      fact "$name" missing "cannot be built: see what is missing above$needs"
    elif [ "$gpu" = yes ]; then
      fact "$name" ok "runs on the GPU; counts and diagnoses by the simulator$needs"
    else
      fact "$name" ok "runs on the simulator; its times are the recorded ones$needs"
    fi
  done
}

all_facts() {
  local facts gpu=no ready=yes
  facts=$(
    system_facts
    checkout_facts
    memory_facts
    disk_facts
    toolkit_facts
    tool_fact g++ 11
    tool_fact cmake 3.25
    tool_fact ninja 1.8 ninja-build
    package_facts
    build_facts
    gpu_facts
    mpi_facts
    terminal_facts
    event_facts
    if command -v git >/dev/null; then
      fact git ok "$(version_of git --version)"
    else
      fact git note "not found" "./learn update then needs --from FILE: sudo apt-get install git"
    fi
  )
  printf '%s\n' "$facts"
  ! grep -q $'\tmissing\t' <<<"$facts" || ready=no
  ! grep -q $'^gpu\tok\t' <<<"$facts" || gpu=yes
  chapter_facts $gpu $ready
}

# --- how it is shown ---------------------------------------------------------------------------

as_json() {
  awk -F '\t' '
    function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
    BEGIN { print "{\n  \"facts\": [" }
    { if (NR > 1) print ","
      printf "    {\"name\": %s, \"status\": %s, \"value\": %s, \"advice\": %s}",
        quoted($1), quoted($2), quoted($3), quoted($4)
      if ($2 == "missing") ready = "false" }
    END { printf "\n  ],\n  \"ready\": %s\n}\n", ready ? ready : "true" }'
}

# Long values and advice are wrapped behind their column.
as_text() {
  local columns
  columns=$({ stty size </dev/tty; } 2>/dev/null | cut -d' ' -f2)
  awk -F '\t' -v columns="${columns:-80}" '
    function show(head, text,    words, count, i, line, room) {
      room = columns > 100 ? 100 : columns
      count = split(text, words, " ")
      line = head
      for (i = 1; i <= count; ++i) {
        if (length(line) + 1 + length(words[i]) > room && length(line) > length(blank)) {
          print line
          line = blank
        }
        line = line " " words[i]
      }
      print line
    }
    BEGIN { blank = sprintf("%-8s%-25s", "", "") }
    { show(sprintf("%-8s%-25s", $2, $1), $3)
      if ($4 != "") show(blank, "-> " $4)
      if ($2 == "missing" && $1 !~ /^ch[0-9]/) ++missing }
    END { if (missing) printf "\n%d missing: do what stands behind ->, then ./learn doctor again\n", missing
          else print "\nAll that is needed is here: ./learn" }'
}

doctor() {
  local facts show=as_text on_terminal=no
  # Below, stdout is a pipe.
  [ ! -t 1 ] || on_terminal=yes
  case ${1:-} in
    '') ;;
    --json) show=as_json ;;
    -h | --help)
      printf '%s\n' 'usage: ./learn doctor [--json]' '' \
        'What is here, what each chapter needs, and what to do for what is missing. Exit status 3' \
        'when something is missing that nothing works without.'
      return 0
      ;;
    *)
      say "doctor takes --json only, not '$1'"
      return 2
      ;;
  esac
  facts=$(all_facts)
  $show <<<"$facts"
  ! grep -q $'\tmissing\t' <<<"$facts" || return 3
}
