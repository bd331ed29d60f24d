#!/usr/bin/env bash
# The poor man's profiler beside a run: the stacks of all threads of one process by gdb, now
# and then. It finds what a profile of the CPU does not: who waits, and for whom. A sidecar:
# run.sh starts it. gdb stops the process for as long as it looks, so use it rarely.
#
# USAGE
#   pmp.sh --run DIR --pid PID [--server-file FILE] --every SECONDS
#
#   DIR      gets pmp-1.txt, pmp-2.txt, ... as formats/pmp.py reads them
#   PID      the root of the run, until whose end it goes on. Looked at is the process with
#            most threads, of several the one that used most CPU: of the server, whose pid
#            stands in --server-file, or without that option of the client
#
# EXAMPLE
#   bench/profile/pmp.sh --run /tmp/try --pid "$driver" --every 30
#
# BENCH_BIN is the folder of the helper `now`: bench/bin. Exit: 0; 1 if gdb cannot look, in
# one sentence; 2 bad usage.
set -euo pipefail
export LC_ALL=C DEBUGINFOD_URLS=

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=bench/facts.sh
source "$bench/facts.sh"
# shellcheck source=bench/profile/sidecar.sh
source "$bench/profile/sidecar.sh"

limit_s=60      # for one look
die() { printf 'pmp.sh: %s\n' "$2" >&2; exit "$1"; }

# Sets `ticks`, the CPU time of a process so far.
ticks_of() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  read -r -a fields <<<"${stat##*) }"
  ticks=$((fields[11] + fields[12]))
}

# Sets `chosen` to the busiest process of the tree, of those with most threads; empty if
# there is none.
choose() {
  local pid threads most=0 longest=0 ticks
  chosen=
  find_tree "$tree" "$root" "$server_file" "$$"
  for pid in "${found[@]}"; do
    threads=("/proc/$pid/task/"*)
    ticks_of "$pid" || continue
    ((${#threads[@]} > most || (${#threads[@]} == most && ticks > longest))) || continue
    chosen=$pid most=${#threads[@]} longest=$ticks
  done
}

# Arguments of functions may be statements and passwords: only their presence is printed.
# -iex, for what gdb prints as it attaches too.
stacks() {
  local setting settings=()
  for setting in 'auto-load off' 'debuginfod enabled off' 'width 0' 'height 0' \
      'print frame-arguments presence' 'print address off'; do
    settings+=(-iex "set $setting")
  done
  waited timeout -k 20 "$limit_s" gdb -batch -nx "${settings[@]}" -p "$1" \
    -ex 'thread apply all bt' -ex detach
}

# One look, to the file of that number.
look() {
  local start end text=$work/text
  start=$(mono_ns)
  stacks "$chosen" >"$text" 2>"$work/log" </dev/null || return 1
  end=$(mono_ns)
  grep -q '^#0 ' "$text" || return 1
  {
    printf '# gdb: tree %s, pid %d, start_ns %d, end_ns %d\n' "$tree" "$chosen" "$start" "$end"
    cat -- "$text"
  } >"$work/whole"
  mv -- "$work/whole" "$run/pmp-$1.txt"
}

# Why gdb cannot look, if it is no accident of a process that ended.
hindrance() {
  local said scope
  said=$(<"$work/log")
  case $said in
    *'No such process'* | '') return 1 ;;
    *'Operation not permitted'* | *'ermission denied'*)
      scope=$(first_line /proc/sys/kernel/yama/ptrace_scope)
      if ((EUID != 0 && ${scope:-0} > 0)); then
        # shellcheck disable=SC2016 # a command to type
        printf 'gdb may not look into another process: kernel.yama.ptrace_scope is %s; `sysctl kernel.yama.ptrace_scope=0` permits it' "$scope"
      else
        # shellcheck disable=SC2016 # a command to type
        printf 'gdb may not look into process %d: it is of another user, or this container forbids ptrace' "$chosen"
      fi ;;
    *) printf 'gdb failed: %s' "${said%%$'\n'*}" ;;
  esac
}

# Until the run has ended; the first look comes after a whole interval.
watch() {
  local n=0 chosen found reason
  while waited timeout "$every" tail -s 0.5 -f /dev/null --pid="$root" || (($? == 124)); do
    [[ -d /proc/$root ]] || return 0
    choose
    [[ -n $chosen ]] || continue
    if look $((n + 1)); then ((++n))
    elif reason=$(hindrance); then die 1 "$reason"; fi
  done
}

main() {
  local run='' root='' server_file='' every='' tree=client
  while (($#)); do
    (($# > 1)) || die 2 "$1 takes a value; see the head of this file"
    case $1 in
      --run) run=$2 ;;
      --pid) root=$2 ;;
      --server-file) server_file=$2 tree=server ;;
      --every) every=$2 ;;
      *) die 2 "unknown option $1; see the head of this file" ;;
    esac
    shift 2
  done
  [[ -n $run && $root =~ ^[0-9]+$ && -n $every ]] || die 2 "usage: pmp.sh --run DIR --pid PID [--server-file FILE] --every SECONDS"
  [[ -d $run ]] || die 2 "$run is not a folder"
  [[ $every =~ ^([0-9]+(\.[0-9]*)?|\.[0-9]+)$ ]] || die 2 "--every takes seconds, not $every"
  command -v gdb >/dev/null || die 1 'gdb is missing: install gdb'
  bin=${BENCH_BIN:-$bench/bin}
  [[ -x $bin/now ]] || die 1 "$bin/now is missing: make -C bench now"
  work=$(mktemp -d "$run/.pmp-XXXXXX") || die 1 "cannot write in $run"
  trap '((BASHPID != $$)) || rm -rf -- "$work"' EXIT
  trap 'exit 143' INT TERM HUP
  watch
}

# exit: an edit of this file does not reach a run that goes on.
[[ ${BASH_SOURCE[0]} != "$0" ]] || { die_with_parent "$@"; main "$@"; exit; }
