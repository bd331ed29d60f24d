#!/usr/bin/env bash
# What perf runs while it records: says when the slice began and when it ended, for perf
# takes a while to begin.  slice.sh NOW FILES SECONDS; FILES.pid is there while it lasts, and
# TERM ends it; one that finds FILES.stop ends at once.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/profile/sidecar.sh
source "$here/sidecar.sh"

now=$1 files=$2 seconds=$3 stopped=0 sleeper=
trap 'stopped=1; kill "$sleeper" 2>/dev/null || true' TERM
"$now" >"$files.start"
"${mortal[@]}" sleep "$seconds" &
sleeper=$!
printf '%d\n' "$$" >"$files.pid"
if ((stopped)) || [[ -e $files.stop ]]; then kill "$sleeper" 2>/dev/null || true; fi
wait "$sleeper" || true
"$now" >"$files.end"
rm -f -- "$files.pid"
