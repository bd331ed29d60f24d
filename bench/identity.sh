# Which machine this is and what its programs are made of: names and hashes as
# src/benchbook/machine/facts.py and engines/builds.py compute them.  Sourced by run.sh and
# build.sh, so that a host without Python says itself who it is.
# shellcheck shell=bash

# shellcheck source=bench/facts.sh
source "$(dirname "${BASH_SOURCE[0]}")/facts.sh"

# The first line of a small file without the blanks around it.
fact() {
  local line=''
  [[ ! -r $1 ]] || read -r line <"$1" || true
  printf '%s' "$line"
}

short_digest() { sha256sum | cut -c 1-16; }

# unique FILE...: how many different first lines there are.
unique() {
  local file
  for file in "$@"; do fact "$file"; echo; done | sort -u | wc -l
}

host_cpu_model() {
  local name part maker
  name=$(proc_value "$host_root/proc/cpuinfo" 'model name')
  maker=$(proc_value "$host_root/proc/cpuinfo" 'CPU implementer')
  part=$(proc_value "$host_root/proc/cpuinfo" 'CPU part')
  [[ -n $name || -z $maker || -z $part ]] || name="ARM $maker $part"
  tr -s '[:space:]' ' ' <<<"${name:-unknown}" | sed 's/^ //; s/ $//'
}

host_hypervisor() {
  local dmi=$host_root/sys/class/dmi/id flags clocks name guest=0
  name="$(fact "$dmi/sys_vendor") $(fact "$dmi/product_name")"
  flags=$(proc_value "$host_root/proc/cpuinfo" flags)
  if [[ -n $flags ]]; then
    [[ " $flags " != *" hypervisor "* ]] || guest=1
  elif [[ $name =~ QEMU|KVM|Xen|VMware|Amazon\ EC2|Google|Microsoft|Alibaba|OpenStack ]]; then
    [[ $(fact "$dmi/product_name") == *metal* ]] || guest=1
  fi
  ((guest)) || { echo none; return; }
  name=${name# } name=${name% }
  clocks=$(fact "$host_root/sys/devices/system/clocksource/clocksource0/available_clocksource")
  case $clocks in
    *kvm-clock*) clocks=KVM ;;
    *hyperv*) clocks=Hyper-V ;;
    *xen*) clocks=Xen ;;
    *) clocks=unknown ;;
  esac
  echo "${name:-$clocks}"
}

# mount_of FOLDER: type, device numbers and source of the last and longest mount above it.
mount_of() {
  local fields point after type=unknown numbers=none source=none longest=-1
  while read -r -a fields; do
    point=$(printf '%b' "${fields[4]//\\/\\0}")
    [[ $point == / || $1 == "$point" || $1 == "$point"/* ]] || continue
    ((${#point} >= longest)) || continue
    after=" ${fields[*]} "
    read -r type source _ <<<"${after#* - }"
    numbers=${fields[2]} longest=${#point} source=$(printf '%b' "${source//\\/\\0}")
  done <"$host_root/proc/self/mountinfo"
  printf '%s\n' "$type" "$numbers" "$source"
}

# The model of a disk, of the disk that holds a partition, or of those below it.
device_model() {
  local block=$1 below=() models name
  [[ ! -e $block/partition ]] || block=${block%/*}
  name=${block##*/}
  for below in "$block"/slaves/*; do [[ ! -e $below ]] || device_model "$(realpath "$below")"; done |
    LC_ALL=C sort -u | sed ':all; N; $!b all; s/\n/, /g' | {
    models=$(cat)
    if [[ -n $models ]]; then
      printf '%s on %s\n' "$(sed -E 's/-?[0-9]+$//' <<<"$name")" "$models"
      return
    fi
    models=$(fact "$block/device/model")
    [[ -n $models || ! -e $block/device/driver ]] || models=$(basename "$(realpath "$block/device/driver")")
    printf '%s\n' "${models:-$name}"
  }
}

# host_facts DATA: what makes the machine that holds this folder the one it is, as pairs of
# JSON ready for both their uses: "key":"value" in order of their keys.
host_facts() {
  local cpus=$host_root/sys/devices/system/cpu threads cores sockets kib rest gib mount block
  threads=$(find "$cpus"/cpu[0-9]*/topology -maxdepth 0 2>/dev/null | wc -l)
  cores=$threads sockets=1
  if ((threads)); then
    cores=$(unique "$cpus"/cpu[0-9]*/topology/thread_siblings_list)
    sockets=$(unique "$cpus"/cpu[0-9]*/topology/physical_package_id)
  else
    threads=$(grep -c "^processor$(printf '\t'):" "$host_root/proc/cpuinfo" || true)
    cores=$threads
  fi
  kib=$(proc_value "$host_root/proc/meminfo" MemTotal)
  gib=$((kib >> 20)) rest=$((kib & 1048575))
  # Half a GiB goes to the even side, as Python rounds.
  ((rest < 524288 || (rest == 524288 && gib % 2 == 0))) || gib=$((gib + 1))
  mapfile -t mount < <(mount_of "$(cd "$1" && pwd -P)")
  block=$host_root/sys/dev/block/${mount[1]}
  if [[ ! -e $block ]]; then
    block=$host_root/sys/class/block/none
    [[ ${mount[2]} != /dev/* ]] ||
      block=$host_root/sys/class/block/$(basename "$(realpath -m "$host_root${mount[2]}")")
  fi
  local device=none
  [[ ! -e $block ]] || device=$(device_model "$(realpath "$block")")
  printf '"cores":"%s","cpu_model":%s,"device":%s' "$cores" \
    "$(json_string "$(host_cpu_model)")" "$(json_string "$device")"
  printf ',"filesystem":%s,"hypervisor":%s,"mem_gib":"%s","sockets":"%s","threads":"%s"' \
    "$(json_string "${mount[0]}")" "$(json_string "$(host_hypervisor)")" "$gib" "$sockets" "$threads"
}

# Of what host_facts prints.
host_id() { printf '{%s}' "$1" | short_digest; }

# host_name FACTS DATA: BENCHBOOK_MACHINE, else the line in DATA/machine, else CPU and cores.
host_name() {
  local name model
  name=${BENCHBOOK_MACHINE:-$(fact "$2/machine")}
  if [[ -z $name ]]; then
    model=$(host_cpu_model)
    model=$(sed -E 's/\((r|tm|c)\)|@.*|\bw\/.*|\bwith .*|\b[0-9]+(st|nd|rd|th) gen\b|\b[0-9]+-core\b|\b(intel|amd|cpu|processor)\b/ /g
      s/[^a-z0-9]+/-/g; s/^-//; s/-$//' <<<"${model,,}")
    [[ $1 =~ \"cores\":\"([0-9]+)\" ]]
    name=${model:-machine}-${BASH_REMATCH[1]}c
  fi
  [[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || return 1
  printf '%s' "$name"
}

compiler_line() { "$1" --version | sed -n '1s/[[:space:]]*$//p'; }

# `gcc (Debian 12.2.0-14) 12.2.0` is gcc 12.2.0.
compiler_name() {
  local family=gcc
  [[ $1 != *clang* ]] || family=clang
  # shellcheck disable=SC2001  # it repeats
  if [[ $(sed 's/([^)]*)//g' <<<"$1") =~ [0-9]+\.[0-9]+(\.[0-9]+)? ]]; then
    printf '%s %s' "$family" "${BASH_REMATCH[0]}"
  else
    printf '%s' "$1"
  fi
}

# files_digest FOLDER GLOB...: of names and bytes of files below a folder.
files_digest() (
  cd "$1" || exit
  shift
  shopt -s dotglob globstar nullglob
  # shellcheck disable=SC2068  # they are globs
  for file in $@; do [[ ! -f $file ]] || echo "$file"; done | tr / '\001' | LC_ALL=C sort -u |
    tr '\001' / | while IFS= read -r file; do
    sum=$(sha256sum <"$file")
    printf '%s\0' "$file"
    # shellcheck disable=SC2001,SC2059  # \xHH of the digest
    printf "$(sed 's/../\\x&/g' <<<"${sum%% *}")"
  done | sha256sum | cut -c 1-64
)

# listed_digest FOLDER FILE...: of a line with name and digest for each file.
listed_digest() {
  local root=$1 file name sum
  shift
  for file in "$@"; do
    sum=$(sha256sum <"$file") || return 1
    name=${file#"$root"/}
    [[ $name != "$file" ]] || name=${file##*/}
    printf '%s\t%s %s\n' "${file//\//$'\001'}" "$name" "${sum%% *}"
  done | LC_ALL=C sort -u | cut -f 2 | head -c -1 | short_digest
}

# Where the dynamic linker finds a library: an active conda's first.
system_library() {
  local conda=${CONDA_PREFIX:-/nonexistent}/lib/$1 ldconfig
  [[ ! -e $conda ]] || { echo "$conda"; return; }
  ldconfig=$(command -v ldconfig || echo /sbin/ldconfig)
  "$ldconfig" -p | sed -nE "s/^[[:space:]]*$1 .*=> //p" | head -n 1
}

# engine_digest WORDS LIB BASEDIR SETUP: of what the engine consists of where it is not in
# the program. WORDS: `connect VARIABLE`, `library NAME`, `libraries` (those in LIB), `tree
# FILE...` (of BASEDIR, with SETUP, the scripts that start it), or nothing.
engine_digest() {
  local words file files=() root
  read -r -a words <<<"$1"
  case ${words[0]:-} in
    connect) printf '%s' "$1" ;;
    library)
      file=$(system_library "${words[1]}")
      [[ -z $file ]] || files_digest "${file%/*}" "${file##*/}"
      ;;
    libraries)
      for file in "$2"/*.so* "$2"/db_bench; do [[ ! -f $file ]] || files+=("$file"); done
      listed_digest "$2" "${files[@]}"
      ;;
    tree)
      root=$(realpath "$3")
      for file in "${words[@]:1}"; do
        [[ -f $root/$file ]] || { echo "$3 has no $file: another release than was planned" >&2; return 1; }
        files+=("$(realpath "$root/$file")")
      done
      printf '%s %s' "$(listed_digest "$root" "${files[@]}")" "$(files_digest "$(dirname "${BASH_SOURCE[0]}")" "$4")"
      ;;
  esac
}

# placed_cpus PLACEMENT [server]: CPUs of the driver, or of a server that is started for it.
placed_cpus() {
  local range allowed=() middle
  for range in $(tr , ' ' <<<"$(proc_value /proc/self/status Cpus_allowed_list)"); do
    mapfile -t -O ${#allowed[@]} allowed < <(seq "${range%-*}" "${range#*-}")
  done
  middle=$((${#allowed[@]} / 2))
  case $1 in
    none) return ;;
    same) allowed=("${allowed[@]: -1}") ;;
    split) if [[ -z ${2:-} ]]; then allowed=("${allowed[@]:middle}")
      else allowed=("${allowed[@]:0:(middle > 1 ? middle : 1)}"); fi ;;
    *) printf '%s' "$1"; return ;;
  esac
  (IFS=,; printf '%s' "${allowed[*]}")
}
