#!/usr/bin/env bash
# The sampler on another host, for a server that runs there: its lines come into a file
# here as they are made, on a clock whose distance from ours its first line tells.
#
# USAGE
#   remote.sh HOST [--bin DIR] -- --out FILE [SAMPLER OPTION...]
#
#   HOST   as ssh has it; BENCH_SSH is the command, with its options (ssh)
#   DIR    of the sampler; it has to run on HOST, so build it there or on its like
#   FILE   is here, all other names of the options are names on HOST; --pid and
#          --server-file tell of processes there
#
# EXAMPLE
#   bench/sampler/remote.sh db1 -- --out sampler.jsonl --folder /srv/data \
#       --server-file /srv/server.pid
#
# Ends with TERM or INT, after a last sample.  Nothing is left on the host, whose name is
# in no file.  Exit: that of the sampler; 1 if the host cannot be asked, 2 bad usage.
set -euo pipefail

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
grace_s=10      # for the last lines to come

die() { printf 'remote.sh: %s\n' "$2" >&2; exit "$1"; }

# Words for the shell of the host, whichever it is: each between quotes.
quoted() {
  local word text=''
  for word; do text+=" '${word//\'/\'\\\'\'}'"; done
  printf '%s' "${text# }"
}

# on_host SCRIPT [ARGUMENT...]: by sh, with our standard input.
on_host() { "${ssh[@]}" "$host" "$(quoted sh -c "$1" sh "${@:2}")"; }

# A private copy of the program; prints its name there.
# shellcheck disable=SC2016 # the host's shell expands them
send='umask 077
file=$(mktemp "${TMPDIR:-/tmp}/benchbook-XXXXXX") || exit
cat >"$file" && chmod 700 "$file" && printf "%s\n" "$file" || { rm -f "$file"; exit 1; }'

# The sampler until our end of the line closes.
# shellcheck disable=SC2016
sample='file=$1; shift
exec 3<&0
trap "" PIPE
"$file" "$@" </dev/null & sampler=$!
{ read -r _; kill -TERM "$sampler"; } <&3 >/dev/null 2>&1 & watcher=$!
wait "$sampler"; code=$?
kill "$watcher" 2>/dev/null
rm -f "$file"
exit "$code"'

# shellcheck disable=SC2317,SC2329 # called by traps
cleanup() {
  ((BASHPID == $$)) || return 0    # a child that is not its program yet
  [[ -z ${child:-} ]] || kill "$child" 2>/dev/null || true
  # shellcheck disable=SC2016
  [[ -z ${remote:-} ]] || on_host 'rm -f "$1"' "$remote" </dev/null 2>/dev/null || true
  [[ -z ${work:-} ]] || rm -rf -- "$work"
}

# Sets out and options, without --out and its file.
split_options() {
  options=()
  out=''
  while (($#)); do
    case $1 in
      --out) (($# > 1)) || die 2 '--out takes a value'; out=$2; shift ;;
      --out=*) out=${1#--out=} ;;
      --root | --clock | --offset | --offset-ns) die 2 "$1 is not for the sampler of another host" ;;
      *) options+=("$1") ;;
    esac
    shift
  done
  [[ -n $out ]] || die 2 '--out FILE is missing'
}

# Prints what to add to the host's clock, in nanoseconds.
measure_offset() {
  local answer
  answer=$("$bin/sampler" --offset "${ssh[@]}" "$host" "$(quoted "$remote" --clock)") ||
    die 1 'the clock of the host cannot be read'
  printf '%s' "${answer%% *}"
}

# Closing the gate is the end: the host's shell then ends the sampler, which ends ssh.
run() {
  local code=0 i
  mkfifo "$work/gate"
  on_host "$sample" "$remote" --out - --offset-ns "$1" "${options[@]}" <"$work/gate" >"$out" &
  child=$!
  exec 9>"$work/gate"
  trap 'exec 9>&-; ended=1' TERM INT
  ended=''
  wait "$child" || code=$?
  for ((i = 0; i < grace_s * 20; i++)); do
    kill -0 "$child" 2>/dev/null || break
    sleep 0.05
  done
  if [[ -n $ended ]]; then
    kill "$child" 2>/dev/null || true
    code=0
    wait "$child" || code=$?
  fi
  child=''
  ((code == 255)) || remote=''    # of ssh itself: is the file gone?
  return "$code"
}

main() {
  host=${1:-}
  bin=$bench/bin
  [[ -n $host && $host != -* ]] || die 2 'usage: remote.sh HOST [--bin DIR] -- --out FILE [OPTION...]'
  shift
  if [[ ${1:-} == --bin && $# -gt 1 ]]; then bin=$2; shift 2; fi
  [[ ${1:-} == -- ]] || die 2 'the options of the sampler come after --'
  shift
  split_options "$@"
  [[ -x $bin/sampler ]] || die 2 "$bin/sampler is missing: make -C bench OUT=$bin sampler"
  read -ra ssh <<<"${BENCH_SSH:-ssh}"
  : >"$out" || die 1 "cannot write $out"
  trap cleanup EXIT
  trap 'exit 143' TERM
  trap 'exit 130' INT
  work=$(mktemp -d) || die 1 'cannot make a folder for temporary files'
  remote=$(on_host "$send" <"$bin/sampler") || die 1 'the sampler cannot be sent to the host'
  [[ $remote == /*/benchbook-?????? ]] || die 1 'the host did not say where the sampler is: does its shell print something?'
  local offset
  offset=$(measure_offset)
  run "$offset"
}

[[ ${BASH_SOURCE[0]} != "$0" ]] || { main "$@"; exit; }
