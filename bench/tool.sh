#!/usr/bin/env bash
# What the scripts share that run a tool of the system: its records, and what went wrong.
# Sourced by them; they set bin, the folder of `now`, and scratch, a folder of their own.
# shellcheck disable=SC2154

say() { printf '%s: %s\n' "${0##*/}" "$1" >&2; }
usage() { say "$1; see --help"; exit 2; }
one_of() { local word; for word in "${@:2}"; do [[ $word != "$1" ]] || return 0; done; return 1; }

now() { "$bin/now"; }           # {"mono_ns":...,"real_ns":...,"boot_id":"..."}
clocks() { local pair=$1; pair=${pair#\{}; printf '%s' "${pair%\}}"; }
mono() { [[ $1 =~ \"mono_ns\":([0-9]+) ]] && printf '%s' "${BASH_REMATCH[1]}"; }

json() {        # a string of JSON
  local text=$1
  text=${text//\\/\\\\} text=${text//\"/\\\"} text=${text//$'\t'/\\t} text=${text//$'\n'/\\n}
  printf '"%s"' "$text"
}

# record FORMAT WORDS...: a line of the run's; the last one says how many there are.
records=0
record() {
  records=$((records + 1))
  # shellcheck disable=SC2059
  printf "$1\\n" "${@:2}"
}

end() {         # end STATUS REASON
  record '{"kind":"end","status":"%s","reason":%s,%s,"lines":%d}' "$1" "$(json "$2")" "$(clocks "$(now)")" $((records + 1))
}

# fail SENTENCE: of a run that has begun.
fail() {
  trap - TERM INT
  end failed "$1"
  say "$1"
  exit 1
}

# CPU time of the children that have been waited for, in ns; `times` in a subshell has its own.
children_cpu() {
  local line total=0 word
  times >"$scratch/times"
  { read -r line; read -r line; } <"$scratch/times"
  for word in $line; do
    [[ $word =~ ^([0-9]+)m([0-9]+)[.,]([0-9]{3})s$ ]] || continue
    total=$((total + (BASH_REMATCH[1] * 60000 + 10#${BASH_REMATCH[2]}${BASH_REMATCH[3]}) * 1000000))
  done
  printf -v "$1" '%s' "$total"
}
