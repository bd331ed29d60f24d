# Facts of the machine for env.json, printed as JSON.  Sourced by run.sh.  Never a host
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

# What does change: load, stolen CPU time (ticks), and the fdatasync rate where asked.
facts_now() {
  local bin=$1 folder=$2 probe=$3 load steal stat measured=null
  load=$(first_line /proc/loadavg)
  read -r -a stat <<<"$(first_line /proc/stat)"
  steal=${stat[8]:-0}
  if ((probe)) && [[ -x $bin/probe ]]; then measured=$("$bin/probe" "$folder") || measured=null; fi
  printf '{"load1":%s,"steal_ticks":%s,"probe":%s}' "${load%% *}" "$steal" "$measured"
}
