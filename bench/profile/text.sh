# From perf.data to text, and to a line of profile.jsonl, once nothing is timed any more.
# Sourced by profile.sh, after facts.sh and sidecar.sh; knows its run, work, keep_data.
# shellcheck shell=bash disable=SC2154,SC2016 # theirs; a command to type is in backquotes

LIMIT_S=120     # for one text
INLINED_S=40    # the same, with inlined frames: their source lines can take perf for ever
FIELDS=comm,pid,tid,time,event,period,ip,sym,symoff,dso

TOO_LATE='the step ended before its slice began'
SYSCTL='kernel.perf_event_paranoid'

# may_not WHAT: why perf may not, and who may change it.
may_not() {
  local level
  level=$(first_line /proc/sys/kernel/perf_event_paranoid)
  if ((EUID == 0)); then
    printf '%s not permitted, though this is root: no CAP_PERFMON in this container' "$1"
  elif ((level > 1)); then
    printf '%s not permitted: %s is %s; `sysctl %s=1` permits it' "$1" "$SYSCTL" "$level" "$SYSCTL"
  else
    printf '%s not permitted: the processes are of another user, whom only root may profile' "$1"
  fi
}

# why FILES TREE EVENT: the sentence that says why perf recorded nothing.
why() {
  local said lower
  said=$(grep -v '^\[ perf record: ' "$1.log" 2>/dev/null) || said=
  lower=${said,,}
  case $lower in
    '')
      if [[ -e $1.stop ]]; then printf '%s' "$TOO_LATE"; else printf 'the processes ended as the slice began'; fi ;;
    *'no such process'*)
      if [[ $2 == server ]]; then printf 'there was no server: this run has none of its own, or it had ended'
      else printf 'the client had ended'; fi ;;
    *'perf_event_mlock_kb'*)
      printf 'perf may not lock enough memory: `sysctl kernel.perf_event_mlock_kb=8192` permits it' ;;
    *'perf_event_paranoid'* | *'permission'* | *'not permitted'*) may_not 'a profile is' ;;
    *'too many open files'* | *'too many events'*)
      printf 'too many threads for the open files of one process: raise `ulimit -n`' ;;
    *'event syntax error'* | *'bad event'*) printf 'perf knows no event %s' "$3" ;;
    *'not supported'* | *'no such device'* | *'returned with 2 '* | *'returned with 95 '*) not_supported "$3" ;;
    *)
      said=${said#"${said%%[![:space:]]*}"}
      printf 'perf record failed: %s' "${said%%$'\n'*}" ;;
  esac
}

not_supported() { printf 'the event %s is not supported on this machine' "$1"; }

mono_of() {
  local line
  line=$(first_line "$1")
  line=${line#*'"mono_ns":'}
  printf '%s' "${line%%[!0-9]*}"
}

# in_time COMMAND...: with what perf reads of nobody's settings and asks no other host.
in_time() { waited timeout "${limit_s:-$LIMIT_S}" "$@"; }

# count FILES: sets samples, lost, and widens start and end to the first and last sample: the
# helper that says when the slice began may come late on a busy machine.
count() {
  local files=$1 name value times at inside=0 chunks=0
  mapfile -t times < <(perf script --ns -f -i "$files.data" -F time 2>/dev/null)
  samples=${#times[@]}
  if ((samples)); then
    at=${times[0]//[!0-9]/}
    ((10#$at > start)) || start=$((10#$at))
    at=${times[-1]//[!0-9]/}
    ((10#$at < end)) || end=$((10#$at))
  fi
  while IFS=: read -r name value; do
    value=${value%%(*}
    case $name in
      *' stats') inside=1 ;;
      *' LOST_SAMPLES events') ((!inside)) || lost=$((lost + value)) ;;
      *' LOST events') ((inside)) || chunks=$((chunks + value)) ;;
    esac
  done < <(perf report --stats -f -i "$files.data" 2>/dev/null | grep -v '^Aggregated')
  ((lost)) || lost=$chunks      # all that kernels before 6.0 tell
}

# script FILES OUT OPTION...
script() {
  local files=$1 out=$2 sink packer code=0
  shift 2
  if command -v zstd >/dev/null; then
    exec {sink}> >(exec "${mortal[@]}" zstd -q -f -o "$out")
    packer=$!
  else
    exec {sink}>"$out"
    packer=
  fi
  in_time perf script --ns -f -i "$files.data" -F "$FIELDS" "$@" \
    1>&"$sink" 2>"$files.log" </dev/null || code=$?
  exec {sink}>&-
  [[ -z $packer ]] || wait "$packer" || code=$?
  return "$code"
}

# has_lines FILES: has any program with samples the lines that inlined frames are read from,
# in itself or beside it? addr2line searches one without them for minutes. Those of the
# system's libraries are not worth that.
has_lines() {
  local id path
  command -v readelf >/dev/null || return 0
  while read -r id path; do
    # Of programs that ran already perf knows no id.
    [[ -n $path ]] || { path=$id; id=; }
    [[ $path != /lib* && $path != /usr/lib* ]] || continue
    [[ ! -e /usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug ]] || return 0
    ! readelf -SW -- "$path" 2>/dev/null | grep -F ' .debug_line ' >/dev/null || return 0
  done < <(perf buildid-list -H -f -i "$1.data" 2>/dev/null)
  return 1
}

# Where inlined frames take too long, without them; the run's other captures have them as
# little.
any_script() {
  has_lines "$1" || { script "$@" --no-inline; return; }
  [[ -n ${too_slow:-} ]] || ! limit_s=$INLINED_S script "$@" || return 0
  too_slow=1
  echo "without inlined frames" >"$1.note"
  script "$@" --no-inline
}

report() {
  in_time perf report --stdio --no-children -g none --percent-limit 0 --no-inline \
    -F overhead,sample,period,comm,dso,sym -f -i "$1.data" >"$2" 2>"$1.log" </dev/null
}

# What is kept of a capture, in its line: name is of the files, without folder and ending.
settle() {
  local name=$1 step=$2 tree=$3 event=$4 hz=$5 call_graph=$6 files=$work/$1
  local status=ok reason='' samples=0 lost=0 script='' report='' start=0 end=0
  local ends=.script
  ! command -v zstd >/dev/null || ends=.script.zst
  reason=$(cat -- "$files.reason" 2>/dev/null || true)
  if [[ -z $reason && ! -s $files.end ]]; then reason=$(why "$files" "$tree" "$event"); fi
  if [[ -z $reason ]]; then
    start=$(mono_of "$files.start") end=$(mono_of "$files.end")
    count "$files"
    ((samples > 0)) || reason=$(no_samples "$files")
  fi
  if [[ -z $reason ]]; then
    script=$name$ends
    texts "$files" "$name" "$event" || {
      status=failed reason="perf could not turn its data into text: $(first_line "$files.log")"
    }
  else
    status=failed
  fi
  if [[ $status == failed ]]; then
    rm -f -- "$run/$name$ends" "$run/$name.report"
    script='' report=''
  fi
  line_of >>"$run/profile.jsonl"
  if ((keep_data)) && [[ -s $files.data ]]; then mv -- "$files.data" "$run/$name.data"; fi
  rm -f -- "$files".*
}

# A slice with no sample of the tree.
no_samples() {
  if [[ -e $1.stop ]] && ((end < start + 50000000)); then
    printf '%s' "$TOO_LATE"
  elif ((lost)); then
    printf 'perf lost all of its %d samples: the machine was too busy to write them' "$lost"
  else
    printf 'no sample in the slice: the processes did not run, or not long enough'
  fi
}

# Sets script, report, event and a note on what is not there.
texts() {
  local files=$1 name=$2 asked=$3 recorded
  recorded=$(recorded_event "$files")
  if [[ $asked == off-cpu ]]; then
    script "$files" "$run/$script" --no-inline --show-switch-events
    return
  fi
  any_script "$files" "$run/$script" || return 1
  report=$name.report
  report "$files" "$run/$report" || return 1
  event=$recorded
  [[ $recorded != *:u || $asked == *:u ]] || reason="only code of users, not of the kernel: $(may_not 'more is')"
  [[ ! -e $files.note ]] || reason+="${reason:+; }$(<"$files.note")"
}

# The event as perf recorded it: it leaves out the kernel by itself where it must.
# H, for the machine and not its guests, is nobody's wish.
recorded_event() {
  local line
  line=$(perf evlist -f -i "$1.data" 2>/dev/null | grep -m 1 -v '^#')
  [[ $line != *:*H ]] || line=${line%H}
  printf '%s' "${line%:}"
}

# The line of profile.jsonl, of the variables of settle().
line_of() {
  printf '{"kind":"profile","step":%s,"tree":"%s","event":%s,"hz":%d,"call_graph":"%s"' \
    "$(json_string "$step")" "$tree" "$(json_string "$event")" "$hz" "$call_graph"
  printf ',"start_ns":%d,"end_ns":%d,"samples":%d,"lost":%d,"script":%s,"report":%s' \
    "$start" "$end" "$samples" "$lost" "$(json_string "$script")" "$(json_string "$report")"
  printf ',"status":"%s","reason":%s}\n' "$status" "$(json_string "$reason")"
}
