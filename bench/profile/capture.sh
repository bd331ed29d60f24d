#!/usr/bin/env bash
# One capture: perf on the processes of one tree, as they are now, for one slice.
#   capture.sh NOW FILES SECONDS TREE ROOT SERVER_FILE OPTION...
# Leaves FILES.data, FILES.log (what perf said), FILES.start and FILES.end (see slice.sh).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/profile/sidecar.sh
source "$here/sidecar.sh"

now=$1 files=$2 seconds=$3 tree=$4 root=$5 server_file=$6
shift 6

# -B: nothing is looked up in the recorded programs while the run goes on. For tracepoints
# perf mounts tracefs where root calls it, and that is for nobody else to see.
record() {
  local list private=()
  printf -v list ',%s' "${found[@]}"
  [[ $EUID != 0 || $* != *:* ]] || private=(unshare -m)
  waited "${private[@]}" perf record -k CLOCK_MONOTONIC -B -N --max-size 1G -o "$files.data" "$@" \
    -p "${list#,}" -- "${mortal[@]}" "$here/slice.sh" "$now" "$files" "$seconds"
}

# Of those found, those that the look before had found too.
keep_lasting() {
  local pid lasting=()
  for pid in "${found[@]}"; do [[ -z ${seen[$pid]:-} ]] || lasting+=("$pid"); done
  found=("${lasting[@]}")
}

# perf takes no list with a process that has just ended. So once more without those that
# come and go: the children of the others are recorded from their birth.
declare -A seen=()
for ((turn = 0; turn < 20; turn++)); do
  find_tree "$tree" "$root" "$server_file" "$PPID"
  ((turn == 0)) || keep_lasting
  if ((${#found[@]} == 0)); then
    printf 'no such process\n' >"$files.log"
    exit 1
  fi
  seen=()
  for pid in "${found[@]}"; do seen[$pid]=1; done
  ! record "$@" </dev/null >/dev/null 2>"$files.log" || exit 0
  [[ ! -e $files.start ]] && grep -qi 'no such process' "$files.log" || exit 1
done
exit 1
