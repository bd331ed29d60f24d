# Which flags db_bench gets: those of RocksDB's own benchmark scripts, sized to this machine,
# and over them what the workload, the step and the user say.  Sourced by db_bench.sh.
# shellcheck shell=bash

workloads=(byrx byos iobuf iodir)
MIB=$((1 << 20)) GIB=$((1 << 30))

# Flags that are the same in all steps on a database, and may be set: flag=value.
CONSTANT=(
  key_size=20 value_size=400 block_size=8192 compression_ratio=0.5 compression_max_dict_bytes=0
  cache_type=lru_cache cache_numshardbits=6 bloom_bits=10 verify_checksum=1 memtablerep=skip_list
  open_files=-1 num_levels=8 level_compaction_dynamic_level_bytes=1
  pin_l0_filter_and_index_blocks_in_cache=1 cache_index_and_filter_blocks=1
  cache_high_pri_pool_ratio=0.5 max_write_buffer_number=8 level0_file_num_compaction_trigger=4
  level0_slowdown_writes_trigger=20 level0_stop_writes_trigger=30
  max_bytes_for_level_multiplier=8 subcompactions=1 sync=0 disable_wal=0 bytes_per_sync=1048576
  min_level_to_compress=3 statistics=0
)
# Flags that may be set too, and are computed or left to db_bench.
OTHERS=(
  num cache_size write_buffer_size target_file_size_base max_bytes_for_level_base
  max_background_jobs compression_type bottommost_compression_type prepopulate_block_cache
  use_direct_reads use_direct_io_for_flush_and_compaction stats_interval_seconds
  rate_limiter_bytes_per_sec compaction_style compaction_readahead_size compression_level
  format_version soft_pending_compaction_bytes_limit hard_pending_compaction_bytes_limit
  enable_pipelined_write unordered_write partition_index_and_filters async_io
)
# Those of single steps that may be set; other steps never get them.
OF_STEPS=(seek_nexts batch_size benchmark_write_rate_limit)
# All of them; what steps.tsv says of a step; what the user set.
declare -A flags=() step_flags=() set_to=()

check_workload() { one_of "$1" "${workloads[@]}" || usage "no workload $1; available: ${workloads[*]}"; }
settable() { printf '%s\n' "${CONSTANT[@]%%=*}" "${OTHERS[@]}" "${OF_STEPS[@]}"; }

# Memory of this machine in bytes, or what a control group leaves of it.
memory_bytes() {
  local bytes file limit
  bytes=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    [[ -r $file ]] || continue
    limit=$(<"$file")
    [[ ! $limit =~ ^[0-9]{1,18}$ ]] || ((limit >= bytes)) || bytes=$limit
  done
  printf '%s' "$bytes"
}

# Threads for flushes and compactions, by the CPUs that there are.
background_jobs() {
  local cpus=$1
  if ((cpus <= 2)); then echo 2
  elif ((cpus <= 4)); then echo 3
  elif ((cpus <= 8)); then echo 4
  elif ((cpus <= 40)); then echo 8
  else echo 12; fi
}

# machine_flags WORKLOAD MEMORY CPUS: sizes that follow from the machine.
machine_flags() {
  local workload=$1 memory=$2 cpus=$3 cache row
  cache=$((memory * 7 / 10 / MIB * MIB))
  flags[max_background_jobs]=$(background_jobs "$cpus")
  flags[write_buffer_size]=$((16 * MIB)) flags[target_file_size_base]=$((16 * MIB))
  flags[max_bytes_for_level_base]=$((64 * MIB))
  flags[cache_size]=$cache
  row=$((flags[key_size] + flags[value_size]))
  case $workload in
    # A database of two thirds of the cache: RocksDB's, or that of the system.
    byrx | byos) flags[num]=$((cache * 2 / 3 / row)) ;;
    # One of four times the memory, once it is compressed to half.
    iobuf | iodir) flags[num]=$((memory * 8 / row)) ;;
  esac
  [[ $workload != byos ]] || flags[cache_size]=$((memory / 16 < GIB ? memory / 16 / MIB * MIB : GIB))
}

# A smaller database that is to be larger than the cache gets a smaller cache: the same share.
scale_cache() {
  [[ $1 == io* && ${set_to[num]:-} =~ ^[1-9][0-9]{0,14}$ && ! ${set_to[cache_size]+set} ]] || return 0
  flags[cache_size]=$(($(database_bytes) * 7 / 40 / MIB * MIB))
  ((flags[cache_size] >= 8 * MIB)) || flags[cache_size]=$((8 * MIB))
}

workload_flags() {
  case $1 in
    byrx | byos) flags[compression_type]=none ;;
    *) flags[compression_type]=lz4 ;;
  esac
  [[ $1 != iodir ]] || {
    flags[use_direct_reads]=1 flags[use_direct_io_for_flush_and_compaction]=1
    flags[prepopulate_block_cache]=1 flags[bytes_per_sync]=0
  }
}

# common_flags WORKLOAD: into the array flags what all steps get; the user's values are in set_to.
common_flags() {
  local word
  flags=()
  for word in "${CONSTANT[@]}"; do flags[${word%%=*}]=${word#*=}; done
  for word in key_size value_size; do flags[$word]=${set_to[$word]:-${flags[$word]}}; done
  machine_flags "$1" "$(memory_bytes)" "$(allowed_cpus | wc -l)"
  workload_flags "$1"
  for word in "${!set_to[@]}"; do
    one_of "$word" "${OF_STEPS[@]}" || flags[$word]=${set_to[$word]}
  done
  scale_cache "$1"
}

# flags_of STEP CLIENTS: prints its flags, one a line; its own lie over the common ones.
flags_of() {
  local -A mine=()
  local word
  for word in "${!flags[@]}"; do mine[$word]=${flags[$word]}; done
  for word in ${step_flags[$1]}; do
    mine[${word%%=*}]=${set_to[${word%%=*}]:-${word#*=}}
  done
  [[ $1 != overwritesome ]] || mine[writes]=$((flags[num] / 10 / $2 > 0 ? flags[num] / 10 / $2 : 1))
  [[ -n ${mine[use_existing_db]:-} ]] || mine[use_existing_db]=1
  for word in "${!mine[@]}"; do printf '%s=%s\n' "$word" "${mine[$word]}"; done | LC_ALL=C sort
}

# What nobody said and the machine decides, in words.
computed() {
  local name words=()
  for name in num cache_size max_background_jobs write_buffer_size target_file_size_base max_bytes_for_level_base; do
    [[ ${set_to[$name]+set} ]] || words+=("$name=${flags[$name]}")
  done
  printf '%s: %s; a database of about %s MiB' "$workload" "${words[*]}" $(($(database_bytes) / MIB))
}

# Bytes of the database after fillseq, about.
database_bytes() {
  local bytes=$((flags[num] * (flags[key_size] + flags[value_size])))
  [[ ${flags[compression_type]} == none ]] || bytes=$((bytes / 2))
  printf '%s' "$bytes"
}
