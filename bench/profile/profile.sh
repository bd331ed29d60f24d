#!/usr/bin/env bash
# Profiles beside a run: of chosen steps a slice each, by perf. A sidecar: run.sh starts it,
# it follows what the driver prints, and when the driver has ended it turns what perf
# recorded into text. It changes nothing of the machine and never fails the run.
#
# USAGE
#   profile.sh --run DIR --pid PID --steps "STEP..." [--driver-file FILE]
#              [--server-file FILE] [--trees "server client"] [--hz 999] [--event auto]
#              [--call-graph fp|dwarf] [--after-s .5] [--seconds 2] [--off-cpu] [--keep-data]
#
#   DIR      gets profile.jsonl, a line per capture, and profile-STEP-TREE.script.zst and
#            .report beside it; kept with --keep-data: .data
#   PID      the root of the run; the tree of the pid in --server-file is `server`, all
#            else that descends from PID is `client`
#   --driver-file  where the driver's records go: DIR/driver.jsonl
#   --event  as perf names it; auto is cycles where there are any, else cpu-clock
#   --after-s  from the step's begin to the slice, --seconds its length; a slice ends with
#            its step at the latest
#   --off-cpu  a second slice, after the first: where threads leave the CPU, and for how
#            long. It needs what the kernel's part of a profile needs, no tracepoints
#
# EXAMPLE
#   bench/profile/profile.sh --run /tmp/try --pid "$driver" --steps l.i0 --trees client
#
# BENCH_BIN is the folder of the helper `now`: bench/bin. Exit: 0, whatever became of the
# captures: their lines say it; 2 bad usage.
set -euo pipefail
export LC_ALL=C PERF_CONFIG=/dev/null DEBUGINFOD_URLS=

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=bench/facts.sh
source "$bench/facts.sh"
# shellcheck source=bench/profile/sidecar.sh
source "$bench/profile/sidecar.sh"
# shellcheck source=bench/profile/text.sh
source "$bench/profile/text.sh"

die() { printf 'profile.sh: %s\n' "$2" >&2; exit "$1"; }

declare -A wanted=()    # steps that are still to come
names=() about=()       # captures: of their files; step, tree, event, hz, call graph
running=() first=0      # pids of those that go on; index of the first that began with them
phases=()               # of the current step, still to come: cpu, off-cpu
current='' due_us=0 no_off_cpu=''

# --- Time: microseconds of the shell's own clock, which costs no process ---

now_us() { printf -v "$1" '%s' "${EPOCHREALTIME/./}"; }

# micros SECONDS: as a whole number.
micros() {
  local whole=${1%%.*} part=000000
  [[ $1 != *.* ]] || part=${1#*.}000000
  printf '%d' $((10#${whole:-0} * 1000000 + 10#${part:0:6}))
}

# --- Captures ---

# options_of PHASE: the words of perf record.
options_of() {
  if [[ $1 == cpu ]]; then options=(-e "$event" -F "$hz" --call-graph "$call_graph")
  else options=(-e context-switches -c 1 --switch-events --call-graph "$call_graph"); fi
  # The memory that a user may lock is for one perf of this size per processor.
  ((EUID == 0)) || options+=(-m 32)
}

# note PHASE STEP TREE [REASON]: a capture to be, or one that will not be.
note() {
  local suffix='' what="$event $hz"
  [[ $1 == cpu ]] || suffix=-off-cpu what='off-cpu 0'
  names+=("profile-${2//[^A-Za-z0-9._=-]/_}-$3$suffix")
  about+=("$2 $3 $what $call_graph")
  [[ -z ${4:-} ]] || printf '%s' "$4" >"$work/${names[-1]}.reason"
}

begin_phase() {
  local tree options reason=''
  options_of "${phases[0]}"
  [[ ${phases[0]} == cpu ]] || reason=$no_off_cpu
  first=${#names[@]}
  for tree in $trees; do
    note "${phases[0]}" "$current" "$tree" "$reason"
    [[ -z $reason ]] || continue
    "${mortal[@]}" "$bench/profile/capture.sh" "$bin/now" "$work/${names[-1]}" "$seconds" \
      "$tree" "$root" "$server_file" "${options[@]}" &
    running+=("$!")
  done
  phases=("${phases[@]:1}")
}

# Forgets the captures that have ended.
reap() {
  local pid left=()
  for pid in "${running[@]}"; do
    if kill -0 "$pid" 2>/dev/null; then left+=("$pid"); else wait "$pid" || true; fi
  done
  running=("${left[@]}")
}

# The step is over: so are its slices, and those that did not begin will not.
end_step() {
  local i tree phase pid
  for ((i = first; i < ${#names[@]} && ${#running[@]}; i++)); do
    : >"$work/${names[i]}.stop"
    { read -r pid <"$work/${names[i]}.pid"; } 2>/dev/null || continue
    kill -TERM "$pid" 2>/dev/null || true
  done
  for phase in "${phases[@]}"; do
    for tree in $trees; do note "$phase" "$current" "$tree" "$TOO_LATE"; done
  done
  phases=() current=
}

# --- What the driver prints ---

begin_step() {
  local step=$1 mono
  end_step
  [[ -n ${wanted[$step]:-} ]] || return 0
  unset "wanted[$step]"
  current=$step phases=(cpu "${off_cpu[@]}")
  mono=$(mono_ns)
  now_us due_us
  ((due_us += ($2 - mono) / 1000 + after_us))
}

on_line() {
  if [[ $1 =~ ^\{\"kind\":\"begin\",\"step\":\"([^\"\\]+)\",\"t_ns\":([0-9]+) ]]; then
    begin_step "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
  elif [[ $1 == '{"kind":"end"'* ]]; then
    over=1
  elif [[ -n $current && $1 == "{\"kind\":\"step\",\"step\":\"$current\""* ]]; then
    end_step
  fi
}

# How long to wait for a line: until the next slice is due, or somebody may have ended.
patience() {
  local left
  if ((${#running[@]})); then printf 0.2
  elif ((${#phases[@]})); then
    now_us left
    left=$((due_us - left))
    ((left > 1000)) || left=1000
    printf '%d.%06d' $((left / 1000000)) $((left % 1000000))
  else printf 3600; fi
}

follow() {
  local raw feed line='' rest='' now code over=0
  exec {raw}< <(exec "${mortal[@]}" tail -n +1 -s 0.2 -F --pid="$root" -- "$driver_file" 2>/dev/null)
  # Only what tells where the run is: bash reads byte by byte.
  exec {feed}< <(exec "${mortal[@]}" grep --line-buffered -E '^\{"kind":"(begin|step|end)"' <&"$raw")
  exec {raw}<&-
  while ((!over)); do
    code=0
    read -r -t "$(patience)" line <&"$feed" || code=$?
    rest+=$line
    if ((code == 0)); then on_line "$rest"; fi
    ((code > 128)) || rest=
    ((code == 0 || code > 128)) || break
    ((${#running[@]} == 0)) || reap
    ((${#phases[@]} && ${#running[@]} == 0)) || continue
    now_us now
    # A line that waits may say that the step is over.
    ((now < due_us)) || read -r -t 0 -u "$feed" || begin_phase
  done
  end_step
  exec {feed}<&-
}

# --- The whole ---

# Why there can be no profile at all; nothing if there can.
hindrance() {
  command -v perf >/dev/null || { printf 'perf is missing: install linux-perf'; return; }
  [[ -x $bin/now ]] || { printf 'the helper now is missing: make -C bench now'; return; }
  [[ $event != *cycles* ]] || supported "$event" || not_supported "$event"
}

# Why there can be no off-CPU time: threads leave the CPU in the kernel.
off_cpu_hindrance() {
  ((EUID == 0 || $(first_line /proc/sys/kernel/perf_event_paranoid) < 2)) || may_not 'off-CPU time is'
}

# Of cycles perf record falls back to the clock without a word.
supported() { ! perf stat -x , -e "$1" -- true 2>&1 | grep 'not supported' >/dev/null; }

choose_event() {
  [[ $event == auto ]] || return 0
  event=cpu-clock
  ! supported cycles 2>/dev/null || event=cycles
}

read_options() {
  run='' driver_file='' root='' server_file='' steps='' trees=server hz=999 event=auto
  call_graph=fp after_us=500000 seconds=2 off_cpu=() keep_data=0
  while (($#)); do
    case $1 in
      --off-cpu) off_cpu=(off-cpu); shift; continue ;;
      --keep-data) keep_data=1; shift; continue ;;
    esac
    (($# > 1)) || die 2 "$1 takes a value; see the head of this file"
    case $1 in
      --run) run=$2 ;;
      --driver-file) driver_file=$2 ;;
      --pid) root=$2 ;;
      --server-file) server_file=$2 ;;
      --steps) steps=$2 ;;
      --trees) trees=$2 ;;
      --hz) hz=$2 ;;
      --event) event=$2 ;;
      --call-graph) call_graph=$2 ;;
      --after-s) is_number "$1" "$2"; after_us=$(micros "$2") ;;
      --seconds) is_number "$1" "$2"; seconds=$2 ;;
      *) die 2 "unknown option $1; see the head of this file" ;;
    esac
    shift 2
  done
}

is_number() { [[ $2 =~ ^([0-9]+(\.[0-9]*)?|\.[0-9]+)$ ]] || die 2 "$1 takes seconds, such as 0.5, not $2"; }

check_options() {
  local tree
  [[ -n $run && -n $root && -n $steps ]] || die 2 "usage: profile.sh --run DIR --pid PID --steps \"STEP...\" [options]"
  [[ -d $run ]] || die 2 "$run is not a folder"
  [[ $root =~ ^[0-9]+$ ]] || die 2 "--pid takes the id of a process, not $root"
  [[ $hz =~ ^[1-9][0-9]*$ ]] || die 2 "--hz takes samples per second, not $hz"
  [[ $call_graph == @(fp|dwarf) ]] || die 2 "--call-graph is fp or dwarf, not $call_graph"
  for tree in $trees; do
    [[ $tree == @(server|client) ]] || die 2 "--trees are server and client, not $tree"
  done
}

main() {
  local step tree phase i reason
  bin=${BENCH_BIN:-$bench/bin}
  read_options "$@"
  check_options
  run=$(realpath -- "$run")
  driver_file=${driver_file:-$run/driver.jsonl}
  work=$(mktemp -d "$run/.profile-XXXXXX") || die 1 "cannot write in $run"
  trap '((BASHPID != $$)) || rm -rf -- "$work"' EXIT
  trap 'exit 143' INT TERM HUP
  for step in $steps; do wanted[$step]=1; done
  choose_event
  reason=$(hindrance)
  no_off_cpu=$(off_cpu_hindrance)
  [[ -n $reason ]] || follow
  for i in "${running[@]}"; do wait "$i" || true; done
  for step in $steps; do
    [[ -n ${wanted[$step]:-} ]] || continue
    unset "wanted[$step]"
    for phase in cpu "${off_cpu[@]}"; do
      for tree in $trees; do note "$phase" "$step" "$tree" "${reason:-the step did not begin}"; done
    done
  done
  for i in "${!names[@]}"; do
    # shellcheck disable=SC2086 # five words; a step has no blank
    settle "${names[i]}" ${about[i]}
  done
}

# exit: an edit of this file does not reach a run that goes on.
[[ ${BASH_SOURCE[0]} != "$0" ]] || { die_with_parent "$@"; main "$@"; exit; }
