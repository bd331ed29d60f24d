#!/usr/bin/env bash
# Measures base and new in turns on this machine and says whether new is worse.
#
# USAGE: gate.sh STUDY.yml BASE NEW [OUT]
#   OUT   folder for comment.md, check.json and junit.xml (default: gate)
# Exits as `benchbook check` does: 0 fine, 1 regressed, 2 undecided or broken.
# EXAMPLE: examples/gate/gate.sh examples/gate/study.yml -O2 "-O2 -DEXTRA_PERCENT=10"
set -euo pipefail

(( $# >= 3 )) || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
study=$1 base=$2 new=$3 out=${4:-gate}
benchbook=${BENCHBOOK:-.venv/bin/benchbook}

mkdir -p posts/gate "$out"
cp "$study" posts/gate/study.yml
"$benchbook" run gate || exit 2       # what cannot be measured is broken, not slower
"$benchbook" load || exit 2
exec "$benchbook" check gate --fail-on regressed --margin 3% \
  --markdown "$out/comment.md" --json "$out/check.json" --junit "$out/junit.xml" \
  -- "$base" "$new"
