#!/usr/bin/env bash
# Counts the instructions of a driver's steps under valgrind's callgrind: the one figure that
# is the same whatever else the machine does. The driver marks its steps: common/counting.h.
#
# USAGE
#   callgrind.sh RUNDIR -- COMMAND [ARGUMENT...]
#
#   RUNDIR   gets callgrind.json, if COMMAND succeeds
#   COMMAND  the driver itself: what it starts is not counted, so no taskset and no env
#            between the two; those stand before callgrind.sh
#
# EXAMPLE
#   bench/profile/callgrind.sh /tmp/try -- bench/bin/ingest --engine sqlite --target /tmp/try \
#       --step l.i0:rows=2000
#
# Prints what COMMAND prints. Exit: that of COMMAND; 1 if nothing can be counted, 2 bad usage.
set -euo pipefail

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=bench/facts.sh
source "$bench/facts.sh"

die() { printf 'callgrind.sh: %s\n' "$2" >&2; exit "$1"; }

# The user's own settings of valgrind do not count. One file for all threads: a request
# writes the counts of the thread that makes it alone where they are apart.
callgrind() {
  exec valgrind --command-line-only=yes --tool=callgrind --quiet --log-file="$work/log" \
    --sigill-diagnostics=yes --vgdb=no --trace-children=no \
    --callgrind-out-file="$work/counts" --separate-threads=no --combine-dumps=no \
    --instr-atstart=yes --collect-atstart=yes --dump-line=no "$@"
}

# The file of counts number N names the request that wrote it, and all it counted.
declare -A instructions=()
steps=() features=''

read_counts() {
  local n line step
  for ((n = 1; ; n++)); do
    [[ -e $work/counts.$n ]] || return 0
    step=
    while IFS= read -r line; do
      case $line in
        'desc: Trigger: Client Request: '*) step=${line#*: Client Request: } ;;
        'totals: '*) add "$step" "${line#totals: }" ;;
      esac
    done < <(grep -E '^(desc: Trigger|totals): ' "$work/counts.$n")
  done
}

add() {
  case $1 in
    '') ;;
    cpu_features*) features=${1#cpu_features} ;;
    *)
      [[ -n ${instructions[$1]:-} ]] || steps+=("$1")
      instructions[$1]=$((${instructions[$1]:-0} + $2))
      ;;
  esac
}

counts_json() {
  local step feature comma=''
  printf '{"kind":"callgrind","tool":%s,"steps":{' "$(json_string "$(valgrind --version)")"
  for step in "${steps[@]}"; do
    printf '%s%s:{"instructions":%s}' "$comma" "$(json_string "$step")" "${instructions[$step]}"
    comma=,
  done
  printf '},"cpu_features":['
  comma=
  for feature in $features; do
    printf '%s%s' "$comma" "$(json_string "$feature")"
    comma=,
  done
  printf ']}\n'
}

# Ended by SIGILL: of AVX-512 every instruction begins with the byte 62.
unknown_instruction() {
  local bytes
  bytes=$(sed -n 's/.*unhandled instruction bytes: *//p' "$work/log" | tail -n 1)
  [[ $bytes != 0x62* ]] || die 1 "valgrind knows no AVX-512: build with -mno-avx512f to count instructions"
  die 1 "valgrind does not know an instruction of this program${bytes:+ (bytes $bytes)}: build for an older processor to count instructions"
}

# A signal goes to the driver, which ends in its own way.
forward() {
  interrupted=1
  kill -TERM "$child" 2>/dev/null || true
}

run() {
  local code=0
  ulimit -c 0
  callgrind "$@" <&0 &
  child=$!
  interrupted=1
  while ((interrupted)); do
    interrupted=0 code=0
    wait "$child" 2>/dev/null || code=$?
  done
  return "$code"
}

main() {
  [[ $# -ge 3 && $2 == -- ]] || die 2 "usage: callgrind.sh RUNDIR -- COMMAND [ARGUMENT...]"
  local run=$1 code=0
  shift 2
  [[ -d $run && -w $run ]] || die 2 "cannot write in $run: is it a folder?"
  command -v valgrind >/dev/null || die 1 "valgrind is not here: apt-get install valgrind"
  # In the run folder, which its keeper removes whatever ends us.
  work=$(mktemp -d "$(realpath -- "$run")/.callgrind-XXXXXX") || die 1 "cannot write in $run"
  child=
  trap '((BASHPID != $$)) || rm -rf -- "$work"' EXIT
  trap forward INT TERM HUP
  run "$@" || code=$?
  ((code != 128 + 4)) || unknown_instruction
  ((code == 0)) || exit "$code"
  read_counts
  ((${#steps[@]} > 0)) ||
    die 1 "no step was counted: if ${1##*/} was built where valgrind's header was missing, install the package valgrind and build again"
  { counts_json >"$work/json" && mv -- "$work/json" "$run/callgrind.json"; } || die 1 "cannot write in $run"
}

# exit: an edit of this file does not reach a run that goes on.
[[ ${BASH_SOURCE[0]} != "$0" ]] || { main "$@"; exit; }
