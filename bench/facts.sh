# Facts of the machine for env.json, printed as JSON, and of processes.  Sourced.  Never a host
# name, a serial number or an address.
# shellcheck shell=bash

host_root=                      # tests put a /proc and a /sys of their own here

# A JSON string literal; control characters other than tab and newline are dropped.
json_string() {
  local text=$1
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\t'/\\t}
  text=${text//$'\n'/\\n}
  text=${text//[[:cntrl:]]/}
  printf '"%s"' "$text"
}

# start_time PID: ticks since boot; with the id it names one process for ever. None of a
# process that has ended, even if its parent has not asked for its exit code.
start_time() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  read -ra fields <<<"${stat##*) }"
  [[ ${fields[0]} != [ZX] ]] && printf '%s' "${fields[19]}"
}

# In the names of what we make for our own time: who makes the next removes what the dead
# left (common/leftovers.h).
process_mark() { printf '%d-%s' $$ "$(start_time $$)"; }

first_line() {
  local line=''
  [[ ! -r $1 ]] || IFS= read -r line <"$1" || true
  printf '%s' "$line"
}

# The value after "NAME :" or "NAME:" of /proc/cpuinfo or /proc/meminfo.
proc_value() {
  local line
  line=$(grep -m 1 "^$2" "$1" 2>/dev/null || true)
  line=${line#*:}
  line=${line#"${line%%[![:space:]]*}"}
  printf '%s' "${line% kB}"
}

mitigations() {
  local file all=''
  for file in /sys/devices/system/cpu/vulnerabilities/*; do
    [[ -r $file ]] || continue
    all+="${all:+; }${file##*/}: $(first_line "$file")"
  done
  printf '%s' "$all"
}

# What does not change during a run: {"kernel":..., and no closing brace.
facts_machine() {
  local cpus=$1 allowed
  allowed=${cpus:-$(proc_value /proc/self/status Cpus_allowed_list)}
  printf '{"kernel":%s' "$(json_string "$(first_line /proc/sys/kernel/osrelease)")"
  printf ',"cpu_model":%s' "$(json_string "$(proc_value "$host_root/proc/cpuinfo" 'model name')")"
  printf ',"cpus":%d' "$(nproc --all)"
  printf ',"microcode":%s' "$(json_string "$(proc_value "$host_root/proc/cpuinfo" microcode)")"
  printf ',"mitigations":%s' "$(json_string "$(mitigations)")"
  printf ',"governor":%s' \
    "$(json_string "$(first_line /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)")"
  printf ',"thp":%s' "$(json_string "$(first_line /sys/kernel/mm/transparent_hugepage/enabled)")"
  printf ',"mem_kib":%d,"swap_kib":%d' "$(proc_value "$host_root/proc/meminfo" MemTotal)" \
    "$(proc_value "$host_root/proc/meminfo" SwapTotal)"
  printf ',"clock_ticks_per_s":%d,"cpus_allowed":%s' "$(getconf CLK_TCK)" "$(json_string "$allowed")"
}

# What does change: load, stolen CPU time (ticks), the time of a fixed piece of work where
# nobody else is measured beside us, and the fdatasync rate where asked.
facts_now() {
  local bin=$1 folder=$2 probe=$3 load steal stat measured=null work=null
  load=$(first_line /proc/loadavg)
  read -r -a stat <<<"$(first_line /proc/stat)"
  steal=${stat[8]:-0}
  if ((probe)) && [[ -x $bin/probe ]]; then measured=$("$bin/probe" "$folder") || measured=null; fi
  if [[ -z ${BENCH_ARM:-} && -x $bin/quiet ]]; then
    work=$("$bin/quiet" 0) || work=''
    [[ $work =~ \"work_ns\":([0-9]+) ]] && work=${BASH_REMATCH[1]} || work=null
  fi
  printf '{"load1":%s,"steal_ticks":%s,"work_ns":%s,"probe":%s}' "${load%% *}" "$steal" "$work" "$measured"
}
