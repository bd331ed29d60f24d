#!/usr/bin/env bash
# Waits until nobody else uses this machine.
#
# USAGE
#   quiet.sh TOOL PERMILLE SECONDS
#
#   TOOL      the program quiet of a driver's programs
#   PERMILLE  of one CPU that others and the hypervisor may take
#   SECONDS   to wait for it at most
#
# Once it was not quiet it has to be so twice in a row.  A machine on which nobody can look
# counts as quiet.  Says on stderr what it waits for.  Exit: 0 quiet, 1 not within SECONDS.
set -euo pipefail

(($# == 3)) || { sed -n '2,/^set/{s/^# \{0,1\}//;/^set/!p}' "${BASH_SOURCE[0]}" >&2; exit 2; }
tool=$1 permille=$2 patience=$3 wanted=1 waited=0

# number NAME: of what the tool said
number() { [[ $seen =~ \"$1\":([0-9]+) ]] && printf '%s' "${BASH_REMATCH[1]}"; }

while ((wanted > 0)); do
  seen=$("$tool" 500) || exit 0
  share=$((1000 * ($(number others_ns) + $(number steal_ns)) / $(number wall_ns)))
  if ((share <= permille)); then
    wanted=$((wanted - 1))
    continue
  fi
  who='the hypervisor takes'
  [[ ! $seen =~ \"busiest\":\"([^\"]+)\" ]] || who="${BASH_REMATCH[1]} and others use"
  text="$who $((share / 10))% of a CPU, more than $((permille / 10)).$((permille % 10))%"
  ((SECONDS < patience)) || { printf 'not quiet after %d s: %s\n' "$SECONDS" "$text" >&2; exit 1; }
  printf 'waits for quiet: %s\n' "$text" >&2
  wanted=2 waited=1
  sleep 2
done
((waited == 0)) || printf 'quiet after %d s\n' "$SECONDS" >&2
