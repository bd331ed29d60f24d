#!/usr/bin/env bash
# Runs RocksDB's own db_bench: the steps of its benchmark scripts on a database
# (db_bench/steps.tsv), with flags that fit this machine (db_bench/flags.sh), and the checksums,
# hashes and compression that it times. Prints the records of a driver around them. What
# db_bench says of a step is kept in OUT, as it says it, and is read at load.
#
# USAGE
#   db_bench.sh --engine rocksdb --target DIR --out DIR --step NAME[:seconds=S] [--step ...]...
#               [--workload NAME] [--dop N] [--seed N] [--FLAG VALUE]... [--dry-run [--no-tool]]
#   db_bench.sh --list | --flags | --version | --help
#
#   --step      a step of --list, each at most once. Steps that end by the clock take seconds.
#               crc32c, xxhash, xxhash64, xxh3, compress, uncompress: 5 GB, of compression 1 GB
#   --workload  byrx  not compressed, cached by RocksDB (the default)
#               byos  the same with a small block cache: cached by the system
#               iobuf lz4, four times the memory     iodir  the same with O_DIRECT
#   --dop       clients of the steps that have several
#   --FLAG      a flag of db_bench, of those that --flags lists: --max-background-jobs 8.
#               What is not set is computed: num, cache_size, max_background_jobs, ...
#   --compression, --block-size   of compress, uncompress and the hashes (lz4, 4096)
#   --dry-run   prints what would be run; refuses what a run would. --no-tool: db_bench is not
#               here yet, so it is not asked which flags it has
#   --target    a folder for its database; a first step other than fillseq needs one in it
#
# db_bench is the one in the folder that LD_LIBRARY_PATH names first, as install.sh and a
# checkout of RocksDB have it beside the library, else that of PATH. A step by the clock that has not
# ended BENCH_PATIENCE seconds (600) after its time is ended, and the run has failed. BENCH_BIN is
# the folder of `now`; by default beside this script, or in bin/.
#
# FILES of a step, named as RocksDB's scripts do: benchmark_STEP.tN.log (its output),
# .log.r.csv (operations of each second), .log.LOG (the database's own log).
#
# EXAMPLE
#   bench/db_bench.sh --engine rocksdb --target /tmp/db --out /tmp --num 1000000 --dop 2 \
#       --step fillseq --step readrandom:seconds=10
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
calculations=(crc32c xxhash xxhash64 xxh3 compress uncompress)

# shellcheck source=bench/tool.sh
source "$here/tool.sh"
# shellcheck source=bench/db_bench/flags.sh
source "$here/db_bench/flags.sh"

declare -A step_op=() step_clients=() step_sized=() step_benchmarks=()
database_steps=()
read_steps() {
  local step op clients sized benchmarks words
  while IFS=$'\t' read -r step op clients sized benchmarks words; do
    [[ $step != '#'* && $step != step ]] || continue
    database_steps+=("$step")
    step_op[$step]=$op step_clients[$step]=$clients step_sized[$step]=${sized#-}
    step_benchmarks[$step]=$benchmarks step_flags[$step]=${words#-}
  done <"$here/db_bench/steps.tsv"
}

# --- The tool ---

find_tool() {
  local folder=${LD_LIBRARY_PATH:-}
  folder=${folder%%:*}
  [[ -z $folder || ! -x $folder/db_bench ]] || { tool=$folder/db_bench; return; }
  tool=$(command -v db_bench) || { say "db_bench is missing: install the package rocksdb-tools"; exit 1; }
}

# Releases before 7 say their version in the log of a database alone.
tool_version() {
  local text folder
  text=$("$tool" --version) || { say "$tool does not start"; exit 1; }
  if [[ $text != *[0-9]* ]]; then
    folder=$(mktemp -d)
    "$tool" --benchmarks= --num=1 --compression_type=none "--db=$folder" >/dev/null 2>&1 || true
    text=$(sed -n 's/.*RocksDB version: \([0-9.]*\).*/\1/p' "$folder/LOG" 2>/dev/null || true)
    rm -rf -- "$folder"
    [[ $text ]] || { say "$tool does not tell its version"; exit 1; }
  fi
  printf '%s\n' "${text##* }"
}

# Its flags; and its help, which names whatever it can run.
declare -A known=()
help=''
read_known() {
  local line
  help=$("$tool" --help 2>/dev/null) || true
  while read -r line; do known[$line]=1; done < <(sed -nE 's/^ *-([a-zA-Z0-9_]+) \(.*/\1/p' <<<"$help")
  ((${#known[@]})) || { say "$tool does not say its flags"; exit 1; }
}

allowed_cpus() {
  local name range cpu
  while IFS=$':\t' read -r name range; do
    [[ $name != Cpus_allowed_list ]] || break
  done </proc/self/status
  for range in ${range//,/ }; do
    for ((cpu = ${range%-*}; cpu <= ${range#*-}; cpu++)); do printf '%s\n' "$cpu"; done
  done
}

# --- What is asked ---

check_step() {
  local name=${1%%:*} setting=''
  [[ $1 != *:* ]] || setting=${1#*:}
  ! one_of "$name" "${names[@]}" || usage "step $name stands twice"
  names+=("$name")
  seconds_of[$name]=0
  if one_of "$name" "${calculations[@]}"; then
    [[ -z $setting ]] || usage "db_bench decides how long step $name takes: write $name alone"
    return
  fi
  one_of "$name" "${database_steps[@]}" || usage "no step $name; available: ${database_steps[*]} ${calculations[*]}"
  if [[ ${step_sized[$name]} ]]; then
    [[ $setting =~ ^seconds=[1-9][0-9]{0,6}$ ]] || usage "step $name ends by the clock: write $name:seconds=60, in whole seconds"
    seconds_of[$name]=${setting#seconds=}
  else
    [[ -z $setting ]] || usage "step $name ends when it is done: write $name alone"
  fi
}

# The first step on a database makes it, or finds it made.
check_database() {
  local name free need
  for name in "${names[@]}"; do
    one_of "$name" "${calculations[@]}" || { first=$name; break; }
  done
  [[ $first ]] || return 0
  [[ $first == fillseq || -e $target/db_bench/CURRENT ]] || usage "step $first needs a database: begin with fillseq"
  for name in num key_size value_size cache_size; do
    [[ ${flags[$name]} =~ ^[1-9][0-9]{0,14}$ ]] || usage "$name takes a whole number of 1 or more, not ${flags[$name]}"
  done
  free=$(df --output=avail -B1 "$target" | tail -n 1)
  need=$(($(database_bytes) * 13 / 10))
  [[ $first != fillseq ]] || ((need < free)) ||
    usage "workload $workload with ${flags[num]} keys needs $((need / GIB)) GiB in $target, where $((free / GIB)) GiB are free: set num, or use another disk"
}

# Into the array words what db_bench gets for a step, but for where its files are; what a
# release has not and nobody asked for goes to the array lacking.
compose() {
  local step=$1 word name
  words=()
  if ((tooled)); then
    for word in ${step_benchmarks[$step]//,/ }; do
      [[ $help == *[^a-z0-9]"$word"[^a-z0-9]* ]] || usage "db_bench $version has no $word, so it cannot run step $step"
    done
  fi
  while IFS= read -r word; do
    name=${word%%=*}
    if ((tooled)) && [[ ! ${known[$name]:-} ]]; then
      [[ ! ${set_to[$name]+set} && " ${step_flags[$step]}" != *" $name="* ]] ||
        usage "db_bench $version has no flag $name${set_to[$name]+, which is set}, so step $step cannot be run as it is asked for"
      lacking[$name]=1
      continue
    fi
    words+=("--$word")
  done < <(flags_of "$step" "$(clients_of "$step")")
  words+=("--threads=$(clients_of "$step")" "--seed=$((seed + seq))" --histogram=1)
  ((${seconds_of[$step]} == 0)) || words+=("--duration=${seconds_of[$step]}")
  words+=(--stats_per_interval=1 --report_interval_seconds=1)
  [[ ${flags[stats_interval_seconds]+set} ]] || words+=("--stats_interval_seconds=$(stats_seconds "${seconds_of[$step]}")")
}

# How often it says where it is and how the tree looks: of long steps each 20 s.
stats_seconds() { local part=$(($1 / 10)); echo $((part > 20 || $1 == 0 ? 20 : part < 1 ? 1 : part)); }
clients_of() { if [[ ${step_clients[$1]} == dop ]]; then echo "$dop"; else echo 1; fi; }

# The binary itself says whether it takes the values: it opens an empty database with them.
try_flags() {
  local step=$1 folder said word kept=()
  for word in "${words[@]}"; do
    [[ $word == --use_existing_db=* || $word == --cache_size=* ]] || kept+=("$word")
  done
  folder=$(mktemp -d "$target/.try-XXXXXX")
  said=$("$tool" --benchmarks= "${kept[@]}" --use_existing_db=0 "--db=$folder" 2>&1) || {
    rm -rf -- "$folder"
    usage "db_bench $version refuses the flags of step $step: $(grep -vE '^(RocksDB:|Date:|CPU|Init|Set seed|Integrated)' <<<"$said" | grep -m 1 . | cut -c 1-200)"
  }
  rm -rf -- "$folder"
}

dry_run() {
  local step words
  [[ ! $first ]] || printf 'computed\t%s\n' "$(computed)"
  for step in "${names[@]}"; do
    one_of "$step" "${calculations[@]}" && { printf '%s\t--block_size=%s --compression_type=%s\n' "$step" "$of_block" "$of_compression"; continue; }
    compose "$step"
    ((!tooled)) || try_flags "$step"
    printf '%s\t%s\n' "$step" "${words[*]}"
  done
  ((${#lacking[@]} == 0)) || printf 'lacking\t%s\n' "${!lacking[*]}"
}

# --- Records ---

# A signal ends the step that runs, and the run.
stopped() {
  [[ -z $child ]] || kill "$child" 2>/dev/null || true
  fail "stopped by a signal${step:+ in step $step}"
}

note() { record '{"kind":"note","step":"%s","text":%s}' "$1" "$(json "$2")"; }

run_record() {
  local banner optimized=true assertions=false name settings='' cpus crc32
  banner=$("$tool" --benchmarks= --num=1 --compression_type=none "--db=$target/.banner" 2>&1) || true     # warns of a slow build
  crc32=$(sed -n 's/.*Fast CRC32 supported: //p' "$target/.banner/LOG" 2>/dev/null || true)
  rm -rf -- "$target/.banner"
  [[ $banner != *"Optimization is disabled"* ]] || { optimized=false slow='was built without optimization'; }
  [[ $banner != *"Assertions are enabled"* ]] || { assertions=true slow='was built with assertions, which slow it down'; }
  cpus=$(allowed_cpus | paste -sd,)
  for name in $(printf '%s\n' "${!flags[@]}" | LC_ALL=C sort); do
    [[ ${lacking[$name]:-} ]] || settings+=",\"$name\":$(json "${flags[$name]}")"
  done
  [[ ! $crc32 ]] || settings+=",\"fast_crc32\":$(json "$crc32")"
  record '{"kind":"run","schema":1,"driver":"db_bench","engine":"rocksdb","version":"%s","compiler":"unknown","optimized":%s,"assertions":%s,"dop":%d,"seed":%s,"cpus":[%s],"pid":%d,%s,"options":{"workload":"%s","block_size":"%d","compression":"%s"},"settings":{%s}}' \
    "$version" "$optimized" "$assertions" "$dop" "$seed" "$cpus" $$ "$(clocks "$(now)")" "$workload" "$of_block" "$of_compression" "${settings#,}"
}

# step_record OP CLIENTS BEGUN ENDED AMOUNTS CPU_NS
step_record() {
  record '{"kind":"step","step":"%s","op":"%s","main":true,"seq":%d,"dop":%d,"start_ns":%s,"end_ns":%s,%s,"errors":0,"retries":0,"wait_ns":0,"cpu_ns":%s,"target_ops_per_s":0}' \
    "$step" "$1" "$seq" "$2" "$3" "$4" "$5" "$6"
}

# --- Steps ---

# Seconds that a step by the clock may take beyond its time: to open, to wait for compactions.
# After an error in the background some releases wait for ever.
patience=${BENCH_PATIENCE:-600}

# begin: the step's time begins, unless it has.
begin() {
  ((begun == 0)) || return 0
  begun=$(mono "$(now)")
  record '{"kind":"begin","step":"%s","t_ns":%s}' "$step" "$begun"
}

# next_line FD: the next whole line, in line. A trap waits for the command that runs, and a
# signal that comes just before a read is none to it: so no read lasts longer than a second.
next_line() {
  local part='' code
  while code=0; IFS= read -r -t 1 -u "$1" line || code=$?; ((code > 128)); do part+=$line; done
  line=$part$line
  ((code == 0))
}

# call FILE WORDS...: db_bench, and what it says into FILE. It has opened the database when it
# says where that is, and is done when it has a result. Sets begun, ended and cpu_ns.
begun=0 ended=0 cpu_ns=0 child=''
call() {
  local file=$1 line from before after code=0 limit=0
  shift
  ((${seconds_of[$step]} == 0)) || limit=$((${seconds_of[$step]} + patience))
  begun=0 ended=0
  children_cpu before
  [[ ${step_op[$step]} != index ]] || begin       # it only says where that is to measure
  printf '# %s\n' "${tool##*/} $*" >>"$file"
  exec {from}< <(exec timeout -k 10 "$limit" stdbuf -oL "$tool" "$@" 2>&1)
  child=$!
  while next_line "$from"; do
    printf '%s\n' "$line" >&4
    case $line in
      "DB path: "*) begin ;;
      *" micros/op "*) ended=$(mono "$(now)") ;;
    esac
  done 4>>"$file"
  exec {from}<&-
  wait "$child" || code=$?
  child=
  children_cpu after
  cpu_ns=$((after - before))
  ((code != 124)) || fail "db_bench did not end within $patience s after the time of step $step: $(complaint "$file" "$code")"
  ((code != 137)) || fail "db_bench was killed in step $step"
  ((code == 0)) || fail "db_bench failed in step $step: $(complaint "$file" "$code")"
}

# require_found FILE: every key is there, so who does not find one has read a damaged file or
# another database. Iterators that fail are otherwise counted as if they had read.
require_found() {
  local line
  line=$(grep -oE '\([0-9]+ of [0-9]+ found\)' "$1" | tail -n 1) || return 0
  [[ $line =~ ([0-9]+)\ of\ ([0-9]+) ]]
  ((BASH_REMATCH[1] == BASH_REMATCH[2])) ||
    fail "db_bench found ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} keys in step $step: a file of the database is damaged, or it has fewer keys than num"
}

# What it complained of: the first line that says so, or the last of all.
complaint() {
  local line
  line=$({ grep -m 1 -iE '^(ERROR|open error|.*(IO error|Corruption|No space))' "$1" || grep -v '^#' "$1" | tail -n 1; } | cut -c 1-200)
  printf '%s' "${line:-exit code $2}"
}

run_calculation() {
  local start finish file=db_bench.log
  step=$1
  printf '# %s\n' "db_bench --benchmarks=$step --block_size=$of_block --threads=$dop --seed=$seed --compression_type=$of_compression" >>"$out/$file"
  start=$(mono "$(now)")
  record '{"kind":"begin","step":"%s","t_ns":%s}' "$step" "$start"
  "$tool" "--benchmarks=$step" "--block_size=$of_block" "--threads=$dop" "--seed=$seed" \
    "--compression_type=$of_compression" "--db=$target/.calculation" --num=1 \
    >>"$out/$file" 2> >(tr '\r' '\n' | grep -v '^\.\.\. finished' >&2) &
  child=$!
  wait "$child" || fail "db_bench failed in step $step"
  child=
  finish=$(mono "$(now)")
  step_record bytes "$dop" "$start" "$finish" '"ops":null,"rows":null,"bytes":null' 0
  record '{"kind":"output","step":"%s","file":"%s","format":"db_bench"}' "$step" "$file"
}

run_database_step() {
  local words file clients amounts='"ops":null,"rows":null,"bytes":0' benchmarks size
  step=$1
  clients=$(clients_of "$step")
  compose "$step"
  file=benchmark_$step.t$clients.log
  benchmarks=${step_benchmarks[$step]},stats
  call "$out/$file" "--benchmarks=$benchmarks" "--db=$target/db_bench" "${words[@]}" "--report_file=$out/$file.r.csv"
  ((begun)) || fail "db_bench did not say that it had opened a database in step $step"
  require_found "$out/$file"
  # What waits for compactions has them in its time, as has what only shapes the tree.
  [[ $ended != 0 && $benchmarks != *waitforcompaction* ]] || ended=$(mono "$(now)")
  cp -- "$target/db_bench/LOG" "$out/$file.LOG"
  [[ ${step_op[$step]} != index ]] || amounts='"ops":0,"rows":0,"bytes":0'
  step_record "${step_op[$step]}" "$clients" "$begun" "$ended" "$amounts" "$cpu_ns"
  size=$(du -sB1 "$target/db_bench")
  record '{"kind":"size","step":"%s","bytes":%s}' "$step" "${size%%[[:space:]]*}"
  record '{"kind":"use","step":"%s","client_cpu_ns":%s}' "$step" "$cpu_ns"
  record '{"kind":"output","step":"%s","file":"%s","format":"db_bench"}' "$step" "$file"
  [[ $step != *whilewriting ]] ||
    note "$step" "a writer beside the clients, at $(sed -n 's/.*--benchmark_write_rate_limit=\([0-9]*\).*/\1/p' <<<"${words[*]}") bytes a second, which the result does not count"
}

run_all() {
  local name
  for name in "${names[@]}"; do
    seq=$((seq + 1))
    if one_of "$name" "${calculations[@]}"; then run_calculation "$name"; else run_database_step "$name"; fi
    ((seq > 1)) || [[ ! $slow ]] || note "$name" "db_bench $version $slow"
    ((seq > 1 || ${#lacking[@]} == 0)) || note "$name" "db_bench $version has no ${!lacking[*]}: left out"
  done
}

main() {
  local engine='' target='' out='' workload=byrx dop=1 seed=42 wanted=() names=() word dry=0 tooled=1 first='' slow=''
  local tool='' version='' seq=0 step='' bin scratch of_block=4096 of_compression=lz4
  declare -A seconds_of=() lacking=()
  read_steps
  while (($# > 0)); do
    case $1 in
      --help) sed -n '2,/^set/{s/^# \{0,1\}//;/^set/!p}' "${BASH_SOURCE[0]}"; return ;;
      --list) printf 'rocksdb %s\n' "${database_steps[@]}" "${calculations[@]}"; return ;;
      --flags) settable; return ;;
      --version) find_tool; tool_version; return ;;
      --dry-run) dry=1; shift; continue ;;
      --no-tool) tooled=0; shift; continue ;;
    esac
    (($# > 1)) || usage "$1 takes a value"
    word=${1#--} word=${word//-/_}
    case $1 in
      --step) wanted+=("$2") ;;
      --engine | --target | --out | --workload | --dop | --seed) printf -v "$word" '%s' "$2" ;;
      --compression) of_compression=$2 ;;
      --*)
        [[ $word != block_size ]] || of_block=$2
        settable | grep -xF "$word" >/dev/null || usage "unknown option $1"
        [[ $2 =~ ^[A-Za-z0-9_.:/-]+$ ]] || usage "$1 takes a number or a word, not $2"
        set_to[$word]=$2 ;;
      *) usage "unknown option $1" ;;
    esac
    shift 2
  done
  [[ $engine == rocksdb ]] || usage "the only engine is rocksdb"
  check_workload "$workload"
  [[ -d $target ]] || usage "--target takes a folder that is there"
  for word in dop seed of_block; do [[ ${!word} =~ ^[0-9]{1,18}$ ]] || usage "${word#of_} takes a number, not ${!word}"; done
  ((dop > 0)) || usage "--dop is at least 1"
  ((${#wanted[@]})) || usage "no --step"
  for word in "${wanted[@]}"; do check_step "$word"; done
  common_flags "$workload"
  check_database
  if ((tooled)); then
    find_tool
    version=$(tool_version)
    [[ ! $first ]] || read_known
  fi
  if ((dry)); then dry_run; return; fi

  [[ -d $out ]] || usage "--out takes a folder that is there"
  bin=${BENCH_BIN:-$here}
  [[ -x $bin/now ]] || bin=$here/bin
  [[ -x $bin/now ]] || { say "no program now in $here: make -C bench now"; exit 1; }
  scratch=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder of now
  trap "((BASHPID != \$\$)) || rm -rf -- '$scratch'" EXIT
  for word in "${names[@]}"; do     # what is lacking is known before the first record
    one_of "$word" "${calculations[@]}" || compose "$word"
  done
  run_record
  trap stopped TERM INT
  run_all
  end ok ''
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
