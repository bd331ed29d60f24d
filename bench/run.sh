#!/usr/bin/env bash
# One run of one driver, from nothing to a finished run folder.  The only writer of run
# folders: `benchbook run` calls it, and so does a person who pastes a line of
# `benchbook plan --commands`.  Needs bash, coreutils and the compiled helpers.
#
# USAGE
#   run.sh [--bin DIR] [--config FILE] [--workload FILE] [--source DIR] [--copy FILE]...
#          [--cpus LIST]
#          [--lib DIR] [--probe] [--remote]
#          [--server ENGINE --basedir DIR [--memory BYTES] [--log-device BYTES
#           [--log-sector BYTES]] [--server-cpus LIST]]
#          [--sample MS [--counters] [--sample-host env:NAME [--server-pid-file FILE]]]
#          [--profile WORDS] [--pmp SECONDS]
#          [--count-instructions]
#          [--here CELL --engine NAME [--placement WHERE] [--linked WORDS] [--setup GLOBS]
#           [--engine-cc CC]]
#          SPEC DEST COMMAND [ARGUMENT...]
#
#   SPEC     spec.json: a file, or the JSON text itself
#   DEST     .../<study>/<machine>/<tag>/dop<N>.t<trial>; the start time is appended
#   COMMAND  found in --bin; in its arguments {target} is a scratch folder beside
#            data/raw, {run} the run folder, {config} the saved settings file,
#            {workload} the saved workload, {source} the folder of --source, {vectors}
#            the folder vectors beside data/raw, and ${NAME} the environment's value,
#            which is kept out of every file, as is what an argument env:NAME stands for,
#            which the driver reads by itself
#   --server ENGINE  starts one of the tree DIR for the run: see server.sh; {server} in
#            the arguments is its connection, and --config its settings
#   --log-device BYTES  the server's log lies on a device of its own, a file of that size
#            which the kernel shows as one: what it reads and writes is counted apart;
#            its sectors have --log-sector BYTES (512)
#   --remote the server runs elsewhere: this machine's disk is not probed
#   --sample MS  a line about machine, client and server each so many milliseconds, in
#            sampler.jsonl; with performance counters if --counters
#   --sample-host env:NAME  the sampler runs on the server's host, which ssh reaches by
#            the words in NAME; --server-pid-file FILE  the server's there. Without it
#            a server that runs elsewhere (--remote) is not sampled, and nothing else is
#   --profile WORDS  perf beside the run: options of profile.sh in one argument, its
#            lists separated by commas
#   --pmp SECONDS  the stacks of all threads by gdb each so many seconds: see pmp.sh
#   --count-instructions  runs the driver under callgrind: see callgrind.sh
#   --here CELL  SPEC was written on another host, it may be: who this one is and what its
#            programs are takes the place of __machine__, __compiler__ and the like in SPEC,
#            DEST and CELL, whose hash is the cell's id. WHERE is a placement, WORDS and
#            GLOBS say what the engine NAME is made of (identity.sh: engine_digest), CC what
#            built it here
#
# EXAMPLE
#   bench/run.sh --bin bench/bin '{"schema":1}' data/raw/try/me/null/dop1.t1 \
#       ingest --engine null --target '{target}' --step l.i0:rows=1000
#
# Prints the folder.  Exit: 0 finished, 1 the run failed (its folder says why),
# 2 bad usage, 3 the folder could not be written (nothing is left behind).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/identity.sh
source "$here/identity.sh"

die() { printf 'run.sh: %s\n' "$2" >&2; exit "$1"; }

# What is asked: see the options above.
bin=$here/bin config='' workload='' source='' copies=() cpus='' lib='' probe=0 remote=0
engine='' server=() sample='' sample_host='' pid_file='' counters=() profile='' pmp='' counted=0
spec='' dest='' command=() log_bytes='' log_sector=512 log_device=''
cell_text='' of_engine='' placement=none linked='' setup='' engine_cc='' basedir=''
# On which host, where, and what becomes of it.
facts='' host=''
parent='' scratch='' vectors='' partial='' target=''
status=ok reason='' code=0 started='' ended='' before='' after=''

secrets=()
words=()        # those that are part of one
child='' sampler='' sidecars=()     # pids

# Remember a value for redaction: as it is, and before that as it stands in JSON, which
# programs and our drivers write a little differently, and in JSON that a driver kept.
remember() {
  local said form
  said=$(json_string "$1")
  said=${said:1:-1}
  for form in "$said" "$1"; do
    form=${form//\\/\\\\}
    form=${form//\"/\\\"}
    form=${form//$'\n'/\\u000a}
    secrets+=("${form//$'\t'/\\u0009}")
  done
  secrets+=("$said" "$1")
}

# Replace ${NAME} by the environment's value; remember it for redaction.
expand() {
  local text=$1 name value
  while [[ $text =~ \$\{([A-Za-z_][A-Za-z0-9_]*)\} ]]; do
    name=${BASH_REMATCH[1]}
    [[ -n ${!name+set} ]] || die 2 "environment variable $name is not set, but the study names \${$name}"
    value=${!name}
    [[ -z $value ]] || remember "$value"
    text=${text//"\${$name}"/"$value"}
  done
  printf -v expanded '%s' "$text"
}

# Of an argument env:NAME, connection words: the whole is a secret, and so is each value
# that says where or who, but for the commonest, which tell nobody anything.
hide() {
  local name=${1#*env:} value word
  [[ $1 =~ ^(--[a-z-]+=)?env:[A-Za-z_][A-Za-z0-9_]*$ ]] || return 0
  [[ -n ${!name:-} ]] || die 2 "environment variable $name is not set, but the study names env:$name"
  value=${!name}
  remember "$value"
  while [[ $value =~ (^|[[:space:]])(host|user|password|dbname)[[:space:]]*=[[:space:]]*(\'([^\']*)\'|[^[:space:]]*)(.*)$ ]]; do
    word=${BASH_REMATCH[4]:-${BASH_REMATCH[3]}} value=${BASH_REMATCH[5]}
    case $word in
      ?? | ? | '' | localhost | postgres | root) ;;
      *) words+=("$word") ;;
    esac
  done
}

# Commands of sed, one for each of the words: it stands between others that are no part of
# it. Twice, because neighbours share what is between them.
word_commands() {
  local word
  for word in "${words[@]}"; do
    word=$(sed 's/[][\.^$*+?(){}|/]/\\&/g' <<<"$word")
    word="s/(^|[^A-Za-z0-9_])${word//$'\n'/\\n}([^A-Za-z0-9_]|\$)/\\1***\\2/g"
    printf '%s\n' "$word" "$word"
  done
}

# Whole values wherever they stand; single words, which may be short, between others only.
# No secret is an argument of a program: those are there for everybody to read.
redacted() {
  local text=$1 secret
  for secret in "${secrets[@]}"; do text=${text//"$secret"/***}; done
  LC_ALL=C sed -E -f <(LC_ALL=C word_commands) <<<"$text"
}

# Every file of the folder that holds one. grep's status 1: none does; above: it cannot say.
redact() {
  local file content files
  mapfile -d '' -t files \
    < <(grep -rlFZ -f <(printf '%s\n' "${secrets[@]}" "${words[@]}") -- "$1")
  wait $! || (($? == 1)) || die 3 "cannot search $1 for what must not be kept: is grep there?"
  for file in "${files[@]}"; do
    content=$(redacted "$(<"$file")") || return 1
    printf '%s\n' "$content" >"$file" || return 1
  done
}

manifest() {
  local folder=$1 status=$2 reason=$3 file sum first=1
  printf '{"schema":1,"status":"%s","reason":%s,"files":{' "$status" "$(json_string "$reason")"
  while IFS= read -r file; do
    sum=$(sha256sum <"$folder/$file")
    ((first)) || printf ','
    first=0
    printf '%s:{"sha256":"%s","bytes":%s}' "$(json_string "$file")" "${sum%% *}" \
      "$(stat -c %s "$folder/$file")"
  done < <(cd "$folder" && find . -type f -printf '%P\n' | LC_ALL=C sort)
  printf '}}\n'
}

# Why a run failed: what the driver said last, or what it did not say.
reason_of() {
  local folder=$1 code=$2 said
  said=$(grep -v '^[[:space:]]*$' "$folder/stderr.log" | tail -n 1 | cut -c 1-500 || true)
  if ((code > 128)); then printf 'killed by signal %d%s' $((code - 128)) "${said:+: $said}"
  elif ((code != 0)); then printf '%s' "${said:-the driver exited with code $code and said nothing}"
  else printf 'the driver ended without an end record'
  fi
}

run_driver() {
  local folder=$1; shift
  local code=0
  # Room for the last word, which is wanted most where the disk is full.
  : >"$folder/stderr.log"
  fallocate --keep-size --length 4096 -- "$folder/stderr.log" 2>/dev/null || true
  "$@" >"$folder/driver.jsonl" 2>>"$folder/stderr.log" </dev/null &
  child=$!
  start_sidecars "$folder"
  wait "$child" || code=$?
  child=
  stop_sidecars
  return "$code"
}

# What looks on. None of them ever fails a run: what one could not do stands in its log.
start_sidecars() {
  local folder=$1 tree=(--pid "$child") others=()
  [[ -n ${BENCH_ARM:-} ]] || others=(--run $$)    # in a session the referee looks
  [[ -z $engine ]] || tree+=(--server-file "$target/server.pid")
  if [[ -n $sample && -n $sample_host && -x $bin/sampler ]]; then
    local elsewhere=()
    [[ -z $pid_file ]] || elsewhere=(--server-file "$pid_file" --folder "$(dirname "$pid_file")")
    sidecar sampler "$bin/keeper" -- "$here/sampler/remote.sh" "$sample_host" --bin "$bin" -- \
      --out "$folder/sampler.jsonl" --interval-ms "$sample" "${elsewhere[@]}" "${counters[@]}"
  elif [[ -n $sample && -x $bin/sampler ]] && ((!remote)); then
    sidecar sampler "$bin/sampler" --out "$folder/sampler.jsonl" --interval-ms "$sample" \
      --folder "$target" ${log_device:+--log-device "${log_device##*/}"} "${tree[@]}" "${others[@]}" "${counters[@]}"
  fi
  if [[ -n $profile ]]; then
    local options
    read -r -a options <<<"$profile"
    options=("${options[@]//,/ }")
    sidecar profile "$here/profile/profile.sh" --run "$folder" --driver-file "$folder/driver.jsonl" \
      "${tree[@]}" "${options[@]}"
  fi
  if [[ -n $pmp ]]; then
    sidecar pmp "$here/profile/pmp.sh" --run "$folder" "${tree[@]}" --every "$pmp"
  fi
}

# sidecar NAME COMMAND...: its complaints go to NAME.log, which stays if there are any.
sidecar() {
  local name=$1; shift
  "$@" </dev/null >/dev/null 2>"$partial/$name.log" &
  sidecars+=("$!")
  [[ $name != sampler ]] || sampler=$!
}

# The sampler is told that the driver has ended; the others see it and may have to sort
# out what they have.
stop_sidecars() {
  local pid
  [[ -z $sampler ]] || { become "$sampler"; kill "$sampler" 2>/dev/null || true; }
  for pid in "${sidecars[@]}"; do wait "$pid" || true; done
  sidecars=()
  for pid in sampler profile pmp; do
    [[ -s $partial/$pid.log ]] || rm -f -- "$partial/$pid.log"
  done
}

# A signal to a process that has not become its program yet is lost.
become() {
  local pid=$1 i name
  for ((i = 0; i < 100; i++)); do
    name=$(cat "/proc/$pid/comm" 2>/dev/null) || return 0
    [[ $name == "$(</proc/$$/comm)" ]] || return 0
    sleep 0.02
  done
}

# Who was just killed may still make a file. A child that is told to end before it has become
# its program does here what we would: nothing of it.
cleanup() {
  ((BASHPID == $$)) || return 0
  [[ -z $child ]] || { become "$child"; kill "$child" 2>/dev/null || true; wait "$child" 2>/dev/null || true; }
  ((${#sidecars[@]} == 0)) || { kill "${sidecars[@]}" 2>/dev/null || true; wait "${sidecars[@]}" 2>/dev/null || true; }
  rm -rf -- "$partial" "$target" 2>/dev/null || { sleep 1; rm -rf -- "$partial" "$target"; }
}

read_options() {
  while [[ ${1:-} == --* ]]; do
    case $1 in
      --bin) bin=$2; shift ;;
      --config) config=$2; shift ;;
      --workload) workload=$2; shift ;;
      --source) source=$2; shift ;;
      --copy) copies+=("$2"); shift ;;
      --cpus) cpus=$2; shift ;;
      --lib) lib=$2; shift ;;
      --probe) probe=1 ;;
      --remote) remote=1 ;;
      --sample) sample=$2; shift ;;
      --counters) counters=(--counters) ;;
      --sample-host) sample_host=$2; shift ;;
      --server-pid-file) pid_file=$2; shift ;;
      --profile) profile=$2; shift ;;
      --pmp) pmp=$2; shift ;;
      --count-instructions) counted=1 ;;
      --here) cell_text=$2; shift ;;
      --engine) of_engine=$2; shift ;;
      --placement) placement=$2; shift ;;
      --linked) linked=$2; shift ;;
      --setup) setup=$2; shift ;;
      --engine-cc) engine_cc=$2; shift ;;
      --server) engine=$2; shift ;;
      --basedir) basedir=$2; server+=("$1" "$2"); shift ;;
      --log-device) log_bytes=$2; shift ;;
      --log-sector) log_sector=$2; shift ;;
      --memory | --server-cpus) server+=("${1/--server-/--}" "$2"); shift ;;
      *) die 2 "unknown option $1; see the head of this file" ;;
    esac
    shift
  done
  (($# >= 3)) || die 2 "usage: run.sh [options] SPEC DEST COMMAND [ARGUMENT...]"
  spec=$1 dest=$2; shift 2
  command=("$@")
  ((!remote)) || probe=0
}

check_options() {
  ((${#server[@]} == 0)) || [[ -n $engine ]] || die 2 "${server[0]} is about a server: give --server ENGINE too"
  [[ -z $log_bytes ]] || { [[ -n $engine ]] && ((EUID == 0)); } ||
    die 2 "--log-device makes a file system for the log of a server that is started here (--server ENGINE), so it needs root"
  [[ -z $config || ! -r $config ]] || grep -qE '^[[:space:]]*[^][:space:]#;[]' -- "$config" ||
    die 2 "the settings file $config is empty: it sets nothing"
  [[ -n $sample_host ]] || return 0
  hide "$sample_host"
  sample_host=${sample_host#env:}
  sample_host=${!sample_host}
}

# What this host is, and in a line that was written elsewhere, what takes its names' place.
know_host() {
  local data=${dest%/*/*/*/*/*}       # of data/raw/<study>/<machine>/<tag>/<run>
  [[ $data != "$dest" ]] || data=$(dirname "$dest")
  mkdir -p "$data" || die 3 "cannot make $data"
  facts=$(host_facts "$data")
  host="{$facts,\"compiler\":$(json_string "$(built_with)")}"
  [[ -n $cell_text ]] || return 0
  cpus=$(placed_cpus "$placement")
  [[ -z $engine || $placement == none ]] || server+=(--cpus "$(placed_cpus "$placement" server)")
  [[ ! -f $bin/instructions.tsv ]] || copies+=("$bin/instructions.tsv")
  fill_in "$data" "${command[@]:1}"
}

make_folders() {
  parent=$(dirname "$dest")
  mkdir -p "$parent" || die 3 "cannot make $parent"
  scratch=$(cd "$parent/../../../.." && pwd)/scratch
  vectors=${scratch%/*}/vectors
  mkdir -p "$scratch" || die 3 "cannot make $scratch"
  trap cleanup EXIT
  trap 'exit 130' INT TERM
  local mark
  mark=$(process_mark)
  partial=$(mktemp -d "$parent/.partial-$mark-XXXXXX") || die 3 "cannot write in $parent"
  target=$(mktemp -d "$scratch/run-$mark-XXXXXX") || die 3 "cannot write in $scratch"
}

# A device for the log: whoever has it open keeps it, so that it goes when the last of us
# does, and its file with the folder. It reads past the page cache, which would hide reads.
attach_log_device() {
  [[ -n $log_bytes ]] || return 0
  fallocate -l "$log_bytes" -- "$target/log.img" 2>/dev/null ||
    die 3 "there is no room for a log device of $log_bytes bytes in $target"
  log_device=$(losetup --find --show --direct-io=on --sector-size "$log_sector" -- "$target/log.img" 2>/dev/null) ||
    die 3 "no loop device with sectors of $log_sector bytes can be had for the log: losetup --find says why"
  # shellcheck disable=SC2034 # it is open, and nothing else
  exec {held}<"$log_device"
  losetup --detach "$log_device" || die 3 "cannot let go of $log_device"
  mkfs.ext4 -q -m 0 -E lazy_itable_init=0,lazy_journal_init=0 -- "$log_device" >/dev/null 2>&1 ||
    die 3 "mkfs.ext4 makes no file system of $log_bytes bytes for the log: is it there?"
  server+=(--log-device "$log_device")
}

save_inputs() {
  local file
  if [[ $spec == \{* ]]; then printf '%s\n' "$spec" >"$partial/spec.json"
  else cp -- "$spec" "$partial/spec.json"; fi || die 3 "cannot write in $parent"
  [[ -z $config ]] || cp -- "$config" "$partial/config" || die 3 "cannot save $config in $parent"
  [[ -z $workload ]] || cp -- "$workload" "$partial/workload" || die 3 "cannot save $workload in $parent"
  for file in "${copies[@]}"; do cp -- "$file" "$partial/" || die 3 "cannot save $file"; done
}

# The command as it is run: its arguments filled in, and what is around it.
complete_command() {
  local argument arguments=()
  for argument in "${command[@]:1}"; do
    hide "$argument"
    expand "$argument"
    argument=${expanded//"{target}"/"$target"}
    argument=${argument//"{run}"/"$partial"}
    argument=${argument//"{source}"/"$source"}
    argument=${argument//"{workload}"/"$partial/workload"}
    argument=${argument//"{vectors}"/"$vectors"}
    arguments+=("${argument//"{config}"/"$partial/config"}")
  done
  command=("$bin/${command[0]}" "${arguments[@]}")
  ((!counted)) || command=("$here/profile/callgrind.sh" "$partial" -- "${command[@]}")
  [[ -z $cpus ]] || command=(taskset -c "$cpus" "${command[@]}")
  [[ -z $lib ]] || command=(env "LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "${command[@]}")
  [[ -z $engine ]] || command=("$here/server.sh" run --engine "$engine" --dir "$target" --run "$partial"
    --bin "$bin" ${config:+--config "$partial/config"} "${server[@]}" -- "${command[@]}")
  # Nothing of the driver outlives us, and these folders do not either.
  local group=()
  [[ -z ${BENCH_ARM:-} || -n $engine ]] || group=(--group "$BENCH_ARM/client")
  [[ ! -x $bin/keeper ]] || command=("$bin/keeper" "${group[@]}" --remove "$partial" --remove "$target" -- "${command[@]}")
}

# Programs and libraries stay in pages of their own for as long as they are cached, and some
# pages are slow: each run reads them anew, so that luck differs between runs.
forget_programs() {
  [[ ! -x $bin/uncache ]] || "$bin/uncache" "$bin" ${lib:+"$lib"} ${basedir:+"$basedir"}
}

measure() {
  forget_programs
  before=$(facts_now "$bin" "$scratch" "$probe")
  started=$(date -u +%FT%T.%3NZ)
  BENCH_BIN=$bin run_driver "$partial" "${command[@]}" || code=$?
  ended=$(date -u +%FT%T.%3NZ)
  after=$(facts_now "$bin" "$scratch" "$probe")
  if ((code != 0)) || ! tail -n 1 "$partial/driver.jsonl" | grep -q '"kind":"end","status":"ok"'; then
    status=failed
    reason=$(reason_of "$partial" "$code")
  fi
}

environment() {
  facts_machine "$cpus"
  printf ',"machine_id":"%s","host":%s' "$(host_id "$facts")" "$host"
  ((!remote)) || printf ',"remote":true'
  printf ',"started_utc":"%s","ended_utc":"%s","before":%s,"after":%s,"exit_code":%d}\n' \
    "$started" "$ended" "$before" "$after" "$code"
}

# What the program in --bin was compiled with; nothing where nobody wrote it down.
built_with() { [[ ! -r $bin/built ]] || sed -n 2p "$bin/built"; }

# filled TEXT VALUES...: each __name__ of NAME=VALUE replaced.
filled() {
  local text=$1 pair
  shift
  for pair in "$@"; do text=${text//"__${pair%%=*}__"/"${pair#*=}"}; done
  printf '%s' "$text"
}

# fill_in DATA ARGUMENTS...: who this host is and what the run's programs are, in place of
# the names in SPEC and DEST; the arguments are the driver's.
fill_in() {
  local data=$1; shift
  local compiler label build digest='' version='' cell values name
  [[ -s $bin/built ]] || die 2 "$bin/built is missing: make the programs with build.sh"
  compiler=$(built_with)
  [[ -z $engine_cc ]] || compiler=$(compiler_line "$engine_cc")
  build=$(engine_digest "$linked" "$lib" "$basedir" "$setup") || die 2 "cannot tell what $of_engine is made of"
  build=$({ cat "$bin/built"; printf '\n%s' "$build"; } | short_digest)
  [[ -z $config ]] || digest=$(short_digest <"$config")
  label=$(compiler_name "$compiler")
  if [[ $spec == *__version__* ]]; then
    version=$(engine_version "$@") || die 2 "cannot tell the version of $of_engine"
  fi
  name=$(host_name "$facts" "$data") ||
    die 2 "the machine's name becomes a folder's name: use letters, digits, dots, dashes and underscores"
  cell=$(filled "$cell_text" "build=$build" "config=$digest")
  compiler=$(json_string "$compiler")
  compiler=${compiler:1:-1}
  values=(
    "machine=$name" "machine_id=$(host_id "$facts")" "host=$host" "compiler=$compiler"
    "label=$label" "slug=${label// /}" "build=$build" "config=$digest"
    "version=$version" "digits=$(digits_of "$version")" "cell=$(printf '%s' "$cell" | short_digest)"
    "session=${BENCH_SESSION:-}"
    "cpus=$(placed_cpus "$placement")" "server_cpus=$(placed_cpus "$placement" server)"
  )
  spec=$(filled "$spec" "${values[@]}")
  dest=$(filled "$dest" "${values[@]}")
}

# 3.40.1 as tags have it: 34001.
digits_of() {
  local part parts text=''
  IFS=. read -r -a parts <<<"$1"
  for part in "${parts[@]}"; do
    if [[ -z $text || ${#part} -ge 2 ]]; then text+=$part; else text+=0$part; fi
  done
  printf '%s' "$text"
}

# The version that the engine itself reports; the driver's arguments say where it is.
engine_version() {
  if [[ -n $engine ]]; then "$here/server.sh" version "$engine" "$basedir"; return; fi
  local words=() argument last=''
  for argument in "$@"; do
    [[ $last != --target || $argument != env:* ]] || words=(--target "$argument")
    last=$argument
  done
  LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+${lib:+:}$LD_LIBRARY_PATH} \
    "$bin/${command[0]}" --engine "$of_engine" --version "${words[@]}"
}

# Everything that comes after the driver: facts, compression, digests, fsync.
finish() {
  local file text
  reason=$(redacted "$reason")
  # At once: of several writes to a full disk the last may find room again.
  text=$(environment) || return 1
  printf '%s\n' "$text" >"$partial/env.json" || return 1
  [[ -z ${BENCH_ARM:-} ]] || cp -- "$BENCH_ARM/turns.jsonl" "$partial/" || return 1
  ((${#secrets[@]} == 0)) || redact "$partial" || return 1
  for file in driver sampler turns; do
    if [[ -s $partial/$file.jsonl ]] && command -v zstd >/dev/null; then
      zstd -q --rm "$partial/$file.jsonl" || return 1
    fi
  done
  text=$(manifest "$partial" "$status" "$reason") || return 1
  printf '%s\n' "$text" >"$partial/manifest.json.new" || return 1
  find "$partial" -type f -exec sync {} + || return 1
  mv -- "$partial/manifest.json.new" "$partial/manifest.json" || return 1
  sync "$partial/manifest.json" "$partial"
}

main() {
  local folder
  read_options "$@"
  check_options
  know_host
  make_folders
  save_inputs
  attach_log_device
  complete_command
  measure
  folder=$dest-${started//[-:]/}
  finish || die 3 "cannot write the run folder in $parent: is the disk full?"
  mv -T -- "$partial" "$folder" || die 3 "cannot rename to $folder"
  partial=
  sync "$parent"
  printf '%s\n' "$folder"
  [[ $status == ok ]]
}

# exit: an edit of this file does not reach a run that goes on.
[[ ${BASH_SOURCE[0]} != "$0" ]] || { main "$@"; exit; }
