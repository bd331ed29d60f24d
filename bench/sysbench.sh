#!/usr/bin/env bash
# Runs the real sysbench, as it was installed, against a server: the 42 microbenchmarks in Lua
# of our own (sysbench/*.lua, steps in sysbench/steps.tsv), or a script that a user names. Prints
# the records of a driver around it. What sysbench says of a step is kept in OUT/sb.o.STEP... and
# is read at load: counters, intervals, histogram, percentiles.
#
# USAGE
#   sysbench.sh --engine ENGINE --target WORDS --out DIR
#               --step NAME[:seconds=S|:events=N][:warmup=S][:rate=N] [--step ...]...
#               [--table-size N] [--tables N] [--pk 0|1] [--dop N] [--seed N] [--no-prepare]
#               [--script FILE] [--set NAME=VALUE]...
#   sysbench.sh --engine ENGINE --target WORDS --version
#   sysbench.sh --list | --version | --help
#
#   --engine    postgres, mysql, mariadb or myrocks
#   --target    words of host= port= socket= user= password= dbname=, or env:NAME, a variable
#               that holds them: a password has to come that way
#   --step      load, index, or a name of --list; load makes the tables anew. A test takes 10 s
#               without a size, a scan one event. warmup: seconds of the same before it, uncounted
#   --table-size  rows of each table (100000); --tables (1); --pk 0: no primary key, id has an index
#   --no-prepare  statements are sent as text
#   --script    any Lua file of sysbench's, or the name of one that came with it: then the step
#               load is its command prepare, cleanup its cleanup, and any other its run
#   --set       an option of the script: --set table_size=1000. Also table_size, tables and pk
#   BENCH_BIN   the folder of `now`; by default beside this script, or in bin/ there
#
# EXAMPLE
#   bench/server.sh run --engine postgres --basedir /usr/lib/postgresql/15 --dir /tmp/try -- \
#       bench/sysbench.sh --engine postgres --target '{server}' --out /tmp \
#       --step load --step index --step point-query.range100:seconds=10
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lua=$here/sysbench
engines=(postgres mysql mariadb myrocks)

# shellcheck source=bench/tool.sh
source "$here/tool.sh"
whole() { [[ $2 =~ ^[0-9]{1,9}$ ]] || usage "$1 takes a whole number, not $2"; }

tool_version() {
  local text
  command -v sysbench >/dev/null || { echo "sysbench.sh: sysbench is missing: install the package sysbench" >&2; exit 1; }
  text=$(sysbench --version)
  printf '%s\n' "${text##* }"
}

# --- Where the server is ---

declare -A place=()
secret=0        # the words came from the environment: no message holds one

# name = value or name = 'value', where a backslash goes before ' and \.
read_target() {
  local rest=$1 name value word="^[[:space:]]*([a-z]+)[[:space:]]*=[[:space:]]*('(([^'\\]|\\\\.)*)'|([^[:space:]']*))(.*)\$"
  if [[ $rest =~ ^env:([A-Za-z_][A-Za-z0-9_]*)$ ]]; then
    name=${BASH_REMATCH[1]} secret=1
    [[ -n ${!name:-} ]] || usage "the environment variable $name is not set, but --target names it"
    rest=${!name}
  fi
  while [[ $rest == *[![:space:]]* ]]; do
    [[ $rest =~ $word ]] || usage "--target holds something that is not NAME=VALUE"
    name=${BASH_REMATCH[1]} value=${BASH_REMATCH[3]}${BASH_REMATCH[5]} rest=${BASH_REMATCH[6]}
    one_of "$name" host port socket user password dbname || usage "--target has the word $name, which is none of host port socket user password dbname"
    value=${value//\\\'/\'} value=${value//\\\\/\\}
    [[ $value != *$'\n'* ]] || usage "--target has a $name of several lines"
    place[$name]=$value
  done
  ((secret)) || [[ -z ${place[password]:-} ]] ||
    usage "a password among the arguments can be read by everybody: give --target env:NAME"
}

# The options of the connection, for --config-file: nothing of it is an argument or in a file.
connection() {
  local family=mysql name
  [[ $engine != postgres ]] || family=pgsql
  printf 'db-driver=%s\n' "$family"
  for name in host port socket user password; do
    [[ -z ${place[$name]:-} ]] || printf '%s-%s=%s\n' "$family" "$name" "${place[$name]}"
  done
  printf '%s-db=%s\n' "$family" "${place[dbname]:-ib}"
}

# A message without what says where the server is or who asks.
hidden() {
  local text=$1 value
  if ((secret)); then
    for value in "${place[@]}"; do ((${#value} <= 2)) || text=${text//"$value"/***}; done
  fi
  printf '%s' "$text"
}

# --- Calls of sysbench ---

# CPU time of the server in ns: of its process and all below, those included that have ended.
server_cpu() {
  local ticks=0 pid stat fields pids=("${BENCH_SERVER_PID:-}") i
  [[ -n ${pids[0]} ]] || return 0
  for ((i = 0; i < ${#pids[@]}; i++)); do
    pid=${pids[i]}
    { read -r stat <"/proc/$pid/stat"; } 2>/dev/null || continue
    read -ra fields <<<"${stat##*) }"
    ticks=$((ticks + fields[11] + fields[12] + fields[13] + fields[14]))
    mapfile -d ' ' -t -O ${#pids[@]} pids < <(cat "/proc/$pid/task/"*/children 2>/dev/null || true)
  done
  printf '%s' $((ticks * 1000000000 / tick))
}

# What a process has taken so far, in ns: to a tick, as the system counts that of others.
client_cpu() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  read -ra fields <<<"${stat##*) }"
  printf '%s' $(((fields[11] + fields[12]) * 1000000000 / tick))
}

# call FILE WORDS...: sysbench with its words; what it says goes to FILE, when the step begins to 3
# unless told says that it has been. Sets of what it said:
exit_code=0 queries=0 events_done=0 begun=0 ended=0 ops=0 rows=0 bytes=0 client_ns=0 server_ns='' version='' settings='' told=''
call() {
  local file=$1 from pid line words code=0 total='' latest='' before=0 after at_begin=0 server='' path=()
  shift
  begun=0 ended=0 ops=0 rows=0 bytes=0 server_ns=''
  [[ -n $script && $1 == "$script" ]] || path=("LUA_PATH=$lua/?.lua")   # a user's finds its own
  children_cpu before
  exec {from}< <(exec env "${path[@]}" sysbench --config-file=<(connection) "$@" 2>"$scratch/errors")
  pid=$!
  while IFS= read -r -u "$from" line; do
    printf '%s\n' "$line"
    case $line in
      "Threads started!" | "benchbook: begin "*)
        ((begun == 0)) || continue
        begun=${line##* }
        [[ $begun =~ ^[0-9]+$ ]] || begun=$(mono "$(now)")
        [[ -z $step || $told ]] || record '{"kind":"begin","step":"%s","t_ns":%s}' "$step" "$begun" >&3
        at_begin=$(client_cpu "$pid") server=$(server_cpu) ;;
      "benchbook: end "*)
        read -ra words <<<"${line#*: end }"
        ((words[0] <= ended)) || ended=${words[0]}
        ops=$((ops + words[1])) rows=$((rows + words[2])) bytes=$((bytes + words[3])) ;;
      "benchbook: version "*) version=${line##* } ;;
      "benchbook: setting "*)
        line=${line#benchbook: setting }
        settings+=",$(json "${line%%$'\t'*}"):$(json "${line#*$'\t'}")" ;;
      *" queries: "*) read -r _ queries _ <<<"$line" ;;
      *" transactions: "*) read -r _ events_done _ <<<"$line" ;;
      *"total time:"*) total=${line##* } ;;
      *" max: "*) latest=${line##* } ;;
    esac
  done >"$file"
  exec {from}<&-
  wait "$pid" || code=$?
  children_cpu after
  client_ns=$((after - before - at_begin))
  ((client_ns >= 0)) || client_ns=0
  if [[ -n $server ]]; then
    [[ $engine != postgres ]] || sleep 0.2      # a process of its own counts once it is buried
    server_ns=$(($(server_cpu) - server))
  fi
  # It prints seconds with four decimals; of one event the response time is more exact.
  if [[ $total =~ ^([0-9]+)\.([0-9]{4})s$ ]]; then
    ended=$((begun + 10#${BASH_REMATCH[1]}${BASH_REMATCH[2]} * 100000))
    [[ $kind != scan || ! $latest =~ ^([0-9]+)\.([0-9]{2})$ ]] ||
      ended=$((begun + 10#${BASH_REMATCH[1]}${BASH_REMATCH[2]} * 10000))
    ((ended > begun)) || ended=$((begun + 10000))
  fi
  exit_code=$code
  return "$code"
}

# What it complained of, the first line of it.
complaint() {
  local line
  line=$(grep -m 1 -hE 'FATAL|error' "$scratch/errors" "$1" 2>/dev/null ||
    grep -m 1 . "$scratch/errors" || echo "sysbench ended with exit code $exit_code and said nothing (did the server die?)")
  hidden "${line#FATAL: }"
}

# --- A run ---

describe() {
  step='' kind=''
  call "$scratch/described" "$lua/admin.lua" describe || version=''
  [[ -n $version ]] || {
    printf 'sysbench.sh: %s\n' "$(complaint "$scratch/described")" >&2
    exit 1
  }
}

run_record() {
  local word range cpus='' cpu
  while IFS=$':\t' read -r word range; do
    [[ $word != Cpus_allowed_list ]] || break
  done </proc/self/status
  for range in ${range//,/ }; do
    for ((cpu = ${range%-*}; cpu <= ${range#*-}; cpu++)); do cpus+=,$cpu; done
  done
  printf '{"kind":"run","schema":1,"driver":"sysbench","engine":"%s","version":"%s","compiler":"unknown","optimized":true,"assertions":false,"dop":%d,"seed":%s,"cpus":[%s],"pid":%d,%s,"options":{"server":"1","sysbench":"%s"' \
    "$engine" "$version" "$dop" "$seed" "${cpus#,}" $$ "$(clocks "$(now)")" "$tool"
  printf ',"prepare":"%d"' "$prepare"
  for word in "${!set_to[@]}"; do printf ',%s:%s' "$(json "$word")" "$(json "${set_to[$word]}")"; done
  record '},"settings":{%s}}' "${settings#,}"
}

note() { record '{"kind":"note","step":"%s","text":%s}' "$step" "$(json "$1")"; }

# step_record OP MAIN OPS ROWS BYTES: null where the tool's own output says it.
step_record() {
  record '{"kind":"step","step":"%s","op":"%s","main":%s,"seq":%d,"dop":%d,"start_ns":%s,"end_ns":%s,"ops":%s,"rows":%s,"errors":0,"retries":0,"bytes":%s,"wait_ns":0,"cpu_ns":%s,"target_ops_per_s":%s}' \
    "$step" "$1" "$2" "$seq" "$dop" "$begun" "$ended" "$3" "$4" "$5" "$([[ $2 == false ]] && echo 0 || echo "$client_ns")" "$rate"
  [[ $2 == true ]] || return 0
  record '{"kind":"use","step":"%s","client_cpu_ns":%s%s}' "$step" "$client_ns" "${server_ns:+,\"server_cpu_ns\":$server_ns}"
}

# What goes before the words of a step, and its size, into the array line.
compose() {
  local name seconds=$1 events=$2 rate=$3
  line=("--threads=$dop" "--rand-type=uniform" "--rand-seed=$seed" "--events=$events" "--time=$seconds")
  ((prepare)) || line+=(--db-ps-mode=disable)
  ((rate == 0)) || line+=("--rate=$rate")
  for name in "${!set_to[@]}"; do line+=("--$name=${set_to[$name]}"); done
  [[ $engine != myrocks || -n $script ]] || line+=(--storage=ROCKSDB)
  line+=("${of_step[@]}")
}

# Sets kind, file and of_step of a step.
look_up() {
  local name words
  file=$script of_step=()
  case ${script:+own}/$step in
    own/load) kind=load ;;
    own/cleanup) kind=cleanup ;;
    own/*) kind='read' ;;
    /load | /index) kind=$step file=$lua/admin.lua ;;
    *)
      while IFS=$'\t' read -r name kind _ file words; do
        [[ $name != "$step" ]] || break
      done <"$lua/steps.tsv"
      [[ $name == "$step" ]] || return 1
      [[ $words == - ]] || read -ra of_step <<<"$words"
      of_step=("${of_step[@]/#/--}")
      [[ $kind != cleanup ]] || file='admin'
      file=$lua/$file.lua ;;
  esac
}

# The step's own output, by the name that archives give it.
output_name() {
  local pk=.pk${set_to[pk]:-1}
  [[ -z $script ]] || pk=''
  printf 'sb.o.%s%s.dop%d' "$step" "$pk" "$dop"
}

run_step() {
  local seconds='' events='' warmup=0 rate=0 setting line of_step file command=run name
  IFS=: read -ra setting <<<"$1"
  step=${setting[0]}
  for setting in "${setting[@]:1}"; do printf -v "${setting%%=*}" '%s' "${setting#*=}"; done
  look_up
  case $kind in
    scan) ((${seconds:-0})) || events=${events:-$dop} ;;
    *) ((${events:-0})) || seconds=${seconds:-10} ;;
  esac
  name=$(output_name)
  case $kind in
    load | index | cleanup)
      command=$kind
      [[ -z $script ]] || command=${kind/load/prepare}
      compose 0 0 0
      admin_step "$name" ;;
    *)
      if ((warmup)); then
        compose "$warmup" 0 0
        warm_up
      fi
      compose "${seconds:-0}" "${events:-0}" "$rate"
      line+=(--report-interval=1 --histogram=on)
      test_step "$name" ;;
  esac
}

warm_up() {
  local of=$step
  step=''
  call "$scratch/warm" "$file" "${line[@]}" run || { step=$of; failed_step "$scratch/warm" ; }
  step=$of
}

failed_step() { fail "step $step failed: $(complaint "$1")"; }

# load, index and cleanup: our Lua counts. A user's prepare and cleanup count as one statement.
admin_step() {
  local begin finish
  [[ $kind != cleanup || -n $script ]] || line=("${line[@]/#--threads=*/--threads=1}")
  begin=$(mono "$(now)")
  if [[ -n $script ]]; then
    record '{"kind":"begin","step":"%s","t_ns":%s}' "$step" "$begin"
    told=1 call "$scratch/admin" "$file" "${line[@]}" "$command" || failed_step "$scratch/admin"
    ! grep -q FATAL "$scratch/errors" || failed_step "$scratch/admin"
    finish=$(mono "$(now)")
    begun=$begin ended=$finish ops=1
  else
    call "$scratch/admin" "$file" "${line[@]}" "$command" 3>&1 || failed_step "$scratch/admin"
    ((ended > 0)) || failed_step "$scratch/admin"
  fi
  case $kind in
    load) step_record insert true "$ops" "$rows" 0 ;;
    index) step_record index true "$ops" "$rows" 0 ;;
    *) step_record bytes true "$ops" 0 "$bytes" ;;
  esac
}

test_step() {
  local name=$1 op=query rows_read=null of=$file
  of=${of##*/}
  call "$scratch/said" "$file" "${line[@]}" run 3>&1 || failed_step "$scratch/said"
  ((ended > 0)) || failed_step "$scratch/said"
  printf '# sysbench %s %s run\n' "$of" "${line[*]}" | cat - "$scratch/said" >"$out/$name"
  if [[ $kind == scan ]]; then
    op=scan
    rows_read=$(($(sed -n 's/^ *total number of events: *//p' "$scratch/said") * ${set_to[table_size]:-100000}))
  fi
  step_record "$op" true null "$rows_read" null
  [[ $kind == scan || $queries == "$events_done" ]] || step_record transaction false null null null
  record '{"kind":"output","step":"%s","file":"%s","format":"sysbench"}' "$step" "$name"
  note "the histogram of sysbench counts events, not statements; its buckets are 1.8% wide, printed to the microsecond"
  ((warmup == 0)) || note "sysbench $tool has no warm-up: $warmup s of the same test ran before, over connections of their own, and are not counted"
  [[ " ${of_step[*]} " != *" --draw=zipfian "* ]] || note "sysbench $tool has no zipfian distribution: ids are drawn in Lua, exponent 0.8"
}

take_set() {
  [[ $1 =~ ^([A-Za-z][A-Za-z0-9_-]*)=(.*)$ ]] || usage "--set takes NAME=VALUE, not $1"
  local name=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
  case $name in
    table_size | tables) whole "$name" "$value"; ((value > 0)) || usage "$name is at least 1" ;;
    pk) [[ $value == [01] ]] || usage "pk is 0 or 1" ;;
    *) [[ -n $script ]] || usage "no option $name: --set takes table_size, tables and pk, and others for --script" ;;
  esac
  set_to[$name]=$value
}

check_step() {
  local setting settings=() sized=0
  IFS=: read -ra settings <<<"$1"
  step=${settings[0]:-}
  [[ $step =~ ^[A-Za-z][A-Za-z0-9._-]*$ ]] || usage "a step has a name of letters and digits, not $step"
  look_up || usage "no step $step"
  ! one_of "$step" "${names[@]}" || usage "step $step stands twice"
  names+=("$step")
  for setting in "${settings[@]:1}"; do
    [[ $setting =~ ^(seconds|events|warmup|rate)=[0-9]{1,9}$ ]] ||
      usage "step $step takes seconds=, events=, warmup= and rate= with a whole number, not $setting"
    [[ $setting != [se][ev]* ]] || ((++sized == 1)) || usage "step $step takes seconds or events, not both"
    [[ $kind == read || $kind == write || $kind == scan ]] || usage "step $step takes no $setting: it ends when it is done"
  done
}

list() {
  local step kind name
  for name in "${engines[@]}"; do
    printf "$name %s\n" load index
    while IFS=$'\t' read -r step kind _; do printf '%s %s\n' "$name" "$step"; done <"$lua/steps.tsv"
  done
}

main() {
  local engine='' target='' out='' dop=1 seed=42 script='' prepare=1 wanted=() names=() word asked=''
  local seq=0 step kind file of_step sets=() tool option
  declare -A set_to=()
  while (($# > 0)); do
    case $1 in
      --help) sed -n '2,/^set/{s/^# \{0,1\}//;/^set/!p}' "${BASH_SOURCE[0]}"; return ;;
      --list) list; return ;;
      --version) asked=version; shift; continue ;;
      --no-prepare) prepare=0; shift; continue ;;
      --engine | --target | --out | --step | --dop | --seed | --script | --set | --table-size | --tables | --pk) ;;
      *) usage "unknown option $1" ;;
    esac
    (($# > 1)) || usage "$1 takes a value"
    case $1 in
      --step) wanted+=("$2") ;;
      --set) sets+=("$2") ;;
      --table-size | --tables | --pk) option=${1#--}; sets+=("${option/-/_}=$2") ;;
      --dop | --seed) whole "$1" "$2" ;;&
      *) printf -v "${1#--}" '%s' "$2" ;;
    esac
    shift 2
  done
  [[ -n $asked && -z $engine ]] && { tool_version; return; }
  one_of "$engine" "${engines[@]}" || usage "no engine ${engine:-is given}; available: ${engines[*]}"
  [[ -n $target ]] || usage "--target says where the server is"
  read_target "$target"
  [[ -z $script || -r $script || $script =~ ^[a-z_]+$ ]] || usage "cannot read the script $script"
  for word in "${sets[@]}"; do take_set "$word"; done
  ((dop > 0)) || usage "--dop is at least 1"

  local bin=${BENCH_BIN:-$here} scratch tick
  [[ -x $bin/now ]] || bin=$here/bin
  [[ -x $bin/now ]] || { echo "sysbench.sh: no program now in $here: make -C bench now" >&2; exit 1; }
  if [[ -z $asked ]]; then
    [[ -d $out ]] || usage "--out takes a folder that is there"
    ((${#wanted[@]})) || usage "no --step"
    for word in "${wanted[@]}"; do check_step "$word"; done
  fi
  tool=$(tool_version)
  tick=$(getconf CLK_TCK)
  scratch=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder of now
  trap "((BASHPID != \$\$)) || rm -rf -- '$scratch'" EXIT
  describe
  [[ -z $asked ]] || { printf '%s\n' "$version"; return; }
  run_record
  for word in "${wanted[@]}"; do seq=$((seq + 1)); run_step "$word"; done
  end ok ''
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
