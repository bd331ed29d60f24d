#!/usr/bin/env bash
# Runs the checksum, hash and compression benchmarks of RocksDB's own db_bench as they were
# installed, and prints the records of a driver around them. db_bench says how much it did;
# its words are kept in OUT/db_bench.log and read at load.
#
# USAGE
#   db_bench.sh --engine rocksdb --target DIR --out DIR --step NAME [--step NAME]...
#               [--block-size N] [--compression NAME] [--dop N] [--seed N]
#   db_bench.sh --list | --version | --help
#
#   --step      crc32c, xxhash, xxhash64, xxh3, compress or uncompress; db_bench decides
#               how long: 5 GB for a hash, 1 GB for compression. Each at most once.
#   --target    where it makes its (empty) database
#   BENCH_BIN   the folder of `now`; by default beside this script, or in bin/ there
#
# EXAMPLE
#   bench/db_bench.sh --engine rocksdb --target /tmp/db --out /tmp --step crc32c
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
steps=(crc32c xxhash xxhash64 xxh3 compress uncompress)

usage() { printf 'db_bench.sh: %s; see --help\n' "$1" >&2; exit 2; }
one_of() { local word; for word in "${@:2}"; do [[ $word != "$1" ]] || return 0; done; return 1; }

tool_version() {
  local text
  command -v db_bench >/dev/null || { echo "db_bench.sh: db_bench is missing: install the package rocksdb-tools" >&2; exit 1; }
  text=$(db_bench --version)
  printf '%s\n' "${text##* }"
}

now() { "$bin/now"; }           # {"mono_ns":...,"real_ns":...,"boot_id":"..."}
clocks() { local pair=$1; pair=${pair#\{}; printf '%s' "${pair%\}}"; }
mono() { [[ $1 =~ \"mono_ns\":([0-9]+) ]] && printf '%s' "${BASH_REMATCH[1]}"; }

end() {         # end STATUS REASON
  printf '{"kind":"end","status":"%s","reason":"%s",%s}\n' "$1" "$2" "$(clocks "$(now)")"
}

run_record() {
  local version=$1 line cpus='' range cpu banner optimized=true assertions=false
  banner=$(db_bench --benchmarks= --num=1 "--db=$target/db_bench" 2>&1) || true   # warns of a slow build
  [[ $banner != *"Optimization is disabled"* ]] || optimized=false
  [[ $banner != *"Assertions are enabled"* ]] || assertions=true
  while IFS=$':\t' read -r line range; do
    [[ $line != Cpus_allowed_list ]] || break
  done </proc/self/status
  for range in ${range//,/ }; do
    for ((cpu = ${range%-*}; cpu <= ${range#*-}; cpu++)); do cpus+=,$cpu; done
  done
  printf '{"kind":"run","schema":1,"driver":"db_bench","engine":"rocksdb","version":"%s","compiler":"unknown","optimized":%s,"assertions":%s,"dop":%d,"seed":%s,"cpus":[%s],"pid":%d,%s,"options":{"block_size":"%d","compression":"%s"},"settings":{}}\n' \
    "$version" "$optimized" "$assertions" "$dop" "$seed" "${cpus#,}" $$ "$(clocks "$(now)")" "$block_size" "$compression"
}

run_step() {
  local step=$1 seq=$2 begin finish
  local command=(db_bench "--benchmarks=$step" "--block_size=$block_size" "--threads=$dop"
    "--seed=$seed" "--compression_type=$compression" "--db=$target/db_bench" --num=1)
  printf '# %s\n' "${command[*]:0:6}" >>"$out/db_bench.log"
  begin=$(mono "$(now)")
  printf '{"kind":"begin","step":"%s","t_ns":%s}\n' "$step" "$begin"
  "${command[@]}" >>"$out/db_bench.log" 2> >(tr '\r' '\n' | grep -v '^\.\.\. finished' >&2) || {
    end failed "db_bench failed in step $step"
    echo "db_bench.sh: db_bench failed in step $step" >&2
    exit 1
  }
  finish=$(mono "$(now)")
  printf '{"kind":"step","step":"%s","op":"bytes","main":true,"seq":%d,"dop":%d,"start_ns":%s,"end_ns":%s,"ops":null,"rows":null,"errors":0,"retries":0,"bytes":null,"wait_ns":0,"cpu_ns":0,"target_ops_per_s":0}\n' \
    "$step" "$seq" "$dop" "$begin" "$finish"
  printf '{"kind":"output","step":"%s","file":"db_bench.log","format":"db_bench"}\n' "$step"
}

main() {
  local engine='' target='' out='' block_size=4096 compression=lz4 dop=1 seed=42 wanted=() word
  while (($# > 0)); do
    case $1 in
      --help) sed -n '2,/^set/{s/^# \{0,1\}//;/^set/!p}' "${BASH_SOURCE[0]}"; return ;;
      --list) printf 'rocksdb %s\n' "${steps[@]}"; return ;;
      --version) tool_version; return ;;
      --engine | --target | --out | --step | --block-size | --compression | --dop | --seed) ;;
      *) usage "unknown option $1" ;;
    esac
    (($# > 1)) || usage "$1 takes a value"
    case $1 in
      --step) one_of "$2" "${steps[@]}" || usage "no step $2 (db_bench decides how long a step takes)"
        ! one_of "$2" "${wanted[@]}" || usage "step $2 stands twice"
        wanted+=("$2") ;;
      --block-size | --dop | --seed) [[ $2 =~ ^[0-9]+$ ]] || usage "$1 takes a number, not $2" ;;&
      *) word=${1#--}; printf -v "${word//-/_}" '%s' "$2" ;;
    esac
    shift 2
  done
  [[ $engine == rocksdb ]] || usage "the only engine is rocksdb"
  [[ -d $target && -d $out ]] || usage "--target and --out take folders that are there"
  ((${#wanted[@]})) || usage "no --step"

  local bin=${BENCH_BIN:-$here} version seq=0
  [[ -x $bin/now ]] || bin=$here/bin
  [[ -x $bin/now ]] || { echo "db_bench.sh: no program now in $here: make -C bench now" >&2; exit 1; }
  version=$(tool_version)
  run_record "$version"
  for word in "${wanted[@]}"; do run_step "$word" $((++seq)); done
  end ok ''
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
