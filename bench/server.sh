#!/usr/bin/env bash
# The life of one database server: a data folder of its own, started, used by one command,
# stopped, removed.  On a Unix socket only, as the user nobody (BENCHBOOK_USER names
# another) if root calls, and whatever dies, no process and no file of it stays.
#
# USAGE
#   server.sh version ENGINE BASEDIR      prints the version, such as 15.19
#   server.sh run --engine ENGINE --basedir DIR --dir DATAPARENT [--config FILE]
#                 [--run RUNDIR] [--memory BYTES] [--log-device DEVICE] [--cpus LIST]
#                 [--bin DIR]
#                 -- COMMAND [ARGUMENT...]
#   server.sh reap DATAPARENT             ends a server that was left there, removes the folder
#
#   ENGINE   a file of servers/: mysql, mariadb, myrocks, postgres
#   BASEDIR  an install tree, of a package or of `make install`
#   RUNDIR   keeps server.log and server.conf, the settings it was started with
#   FILE     settings; a line `# environment: NAME=VALUE...` there is for the server's process
#   DEVICE   has a file system, on which the log lies; nobody else sees it there
#   COMMAND  in its arguments {server} is the connection: words as `host=/tmp/bb-x user=u`.
#            It finds BENCH_SERVER_PID and BENCH_SERVER_DIR, the data, in its environment.
#
# With BENCH_ARM in the environment, the folder of an arm of a session, COMMAND and server
# are in the groups that its referee freezes.
#
# EXAMPLE
#   bench/server.sh run --engine postgres --basedir /usr/lib/postgresql/15 --dir /tmp/try \
#       -- psql '{server}' -c 'SELECT version()'
#
# Exit: that of COMMAND; 1 if the server failed, 2 bad usage.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/facts.sh
source "$here/facts.sh"
start_s=${BENCHBOOK_START_S:-120}       # how long a server may take until it answers
stop_s=60                               # and until it has written everything back
log_lines=1000

die() { printf 'server.sh: %s\n' "$2" >&2; exit "$1"; }

# --- What servers/ENGINE.sh is given: tree, data, wal (where the engine's log lies, if not
# in data), tmp, sockets, conf, log, release, and: ---

# The first program of those names in the tree.
find_program() {
  local name folder
  for name; do
    for folder in "$tree"/{,usr/}{bin,sbin,libexec} "$tree"/{,usr/}lib/postgresql/*/bin; do
      [[ -x $folder/$name && ! -d $folder/$name ]] || continue
      printf '%s\n' "$folder/$name"
      return
    done
  done
  die 2 "no program $1 in $tree: is that the install tree of $engine?"
}

# Run a program of the tree as the user, with the libraries of the tree.
as_user() { "${keep[@]}" -- env "${environment[@]}" "$@"; }

# at_least MAJOR MINOR: of the server's release.
at_least() {
  local major minor
  IFS=. read -r major minor _ <<<"$release.0"
  ((major > $1 || (major == $1 && ${minor%%[!0-9]*} >= $2)))
}

# --- Messages ---

# What the log said last, in one line: of its complaints the first, which is the cause more
# often than not, and the last two; without complaints its last lines.
said() {
  local lines complaints='ERROR|FATAL|PANIC|keeper:|[Uu]nrecogni[sz]ed|[Ii]nvalid|No space left|signal [0-9]'
  [[ -s ${log:-} ]] || return 0
  mapfile -t lines < <(tail -n 200 "$log" | grep -aE "$complaints" || grep -av '^[[:space:]]*$' "$log" | tail -n 3)
  ((${#lines[@]} <= 3)) || lines=("${lines[0]}" "${lines[@]: -2}")
  # Without the time of day and the folder they are short enough to be read.
  mapfile -t lines < <(printf '%s\n' "${lines[@]}" | sed -E -e "s,$parent/,,g" \
    -e 's/^[0-9]{4}-?[0-9]{2}-?[0-9]{2}[T ]+[0-9:.]+Z?( [A-Z]{3,4})?( \[[0-9]+\]| [0-9]+)? *//' | cut -c 1-150)
  ! disk_is_full || lines=('the disk is full' "${lines[@]}")
  printf ': %s' "${lines[0]}"
  ((${#lines[@]} == 1)) || printf ' | %s' "${lines[@]:1}"
}

# Not every server says so; each leaves a little free when it gives up.
disk_is_full() {
  local free
  free=$(df --output=avail -k -- "$parent" 2>/dev/null | tail -n 1)
  ((${free:-99999} < 16384))
}

how_it_ended() {
  if (($1 > 128)); then printf 'killed by signal %d' $(($1 - 128)); else printf 'exit code %d' "$1"; fi
}

# --- Leftovers ---

# The descendants of a process, itself last.
tree_of() {
  local child
  for child in $(cat "/proc/$1/task/"*/children 2>/dev/null || true); do tree_of "$child"; done
  printf '%s\n' "$1"
}

reap() {
  local parent=$1 pid='' start='' sockets='' pids i one
  [[ -d $parent ]] || die 2 "$parent is not a folder"
  [[ -e $parent/server.pid || -e $parent/server.sockets ]] ||
    die 2 "$parent holds no server.pid, so no server was left there"
  { read -r pid start <"$parent/server.pid"; } 2>/dev/null || true
  if [[ -n $pid && -n $start && $(start_time "$pid") == "$start" ]]; then
    mapfile -t pids < <(tree_of "$pid")
    kill -KILL "${pids[@]}" 2>/dev/null || true
    for one in "${pids[@]}"; do
      for ((i = 0; i < 500; i++)); do start_time "$one" >/dev/null || break; sleep 0.02; done
    done
  fi
  { read -r sockets <"$parent/server.sockets"; } 2>/dev/null || true
  [[ $sockets != /tmp/bb-* ]] || rm -rf -- "$sockets"
  remove "$parent"
}

# Who was just killed may still make a file.
remove() {
  local i
  for ((i = 0; i < 100; i++)); do
    ! rm -rf -- "$@" 2>/dev/null || return 0
    sleep 0.05
  done
  rm -rf -- "$@"
}

# --- A run ---

# Whatever ended us; after an orderly end the server has stopped already.
cleanup() {
  local code=$? pid
  ((BASHPID == $$)) || exit "$code"    # a child that is not its program yet
  trap '' INT TERM HUP
  [[ -z ${command_pid:-} ]] || kill -TERM "$command_pid" 2>/dev/null || true
  [[ -z ${server_pid:-} ]] || kill -QUIT "$server_pid" 2>/dev/null || true
  for pid in ${command_pid:-} ${server_pid:-}; do wait "$pid" 2>/dev/null || true; done
  keep_log || true
  [[ -z ${wal:-} ]] || umount --lazy -- "$parent/log" || true
  remove "$data" "$tmp" "$sockets" "$parent"/server.{pid,pid.new,sockets} "$parent/init.sql" "$parent/log" || true
  [[ -n $run ]] || rm -f -- "$log" "$conf"
  ((!made)) || rmdir -- "$parent" 2>/dev/null || true
  exit "$code"
}

# The user wrote them; the run folder's owner gets them.
keep_log() {
  local file
  [[ -n $run ]] || return 0
  for file in "$log" "$conf"; do
    [[ -e $file ]] || continue
    tail -n "$log_lines" -- "$file" >"$file.new" && mv -- "$file.new" "$file"
  done
}

prepare() {
  local option user=${BENCHBOOK_USER:-nobody}
  [[ -r $here/servers/$engine.sh ]] || die 2 "no engine $engine: there is no file servers/$engine.sh"
  [[ -d $tree ]] || die 2 "the install tree $tree is not a folder"
  tree=$(realpath -- "$tree")
  keep=("$bin/keeper")
  environment=(LC_ALL=C TZ=UTC)
  if ((EUID == 0)); then
    id -u -- "$user" >/dev/null 2>&1 || die 2 "there is no user $user to run the server as"
    keep+=(--user "$user")
    owner=$user
  fi
  # Libraries that came with the tree, for its programs alone.
  if [[ -r $tree/benchbook-install ]]; then
    option=$(sed -n 's/^libpath=//p' "$tree/benchbook-install")
    [[ -z $option ]] || environment+=("LD_LIBRARY_PATH=$tree/${option//:/:$tree\/}")
  fi
  # shellcheck disable=SC1090 # the engine's
  source "$here/servers/$engine.sh"
}

# has_settings FILE: a line that is no comment, no heading and not empty.
has_settings() { grep -qE '^[[:space:]]*[^][:space:]#;[]' -- "$1"; }

# own_environment FILE: what the settings say of the server's environment, such as malloc's.
own_environment() {
  local word words
  read -ra words -d '' < <(sed -n 's/^#[[:space:]]*environment:[[:space:]]*//p' "$1") || true
  for word in "${words[@]}"; do
    [[ $word =~ ^[A-Za-z_][A-Za-z_0-9]*= ]] ||
      die 2 "$1: '# environment:' takes NAME=VALUE, not $word"
    environment+=("$word")
  done
}

make_folders() {
  made=0
  [[ -d $parent ]] || { mkdir -p -- "$parent" && made=1; } || die 1 "cannot make $parent"
  parent=$(realpath -- "$parent")
  data=$parent/data tmp=$parent/tmp
  [[ ! -e $data ]] || die 2 "$data is there already: \`server.sh reap $parent\` removes what a server left"
  conf=${run:-$parent}/server.conf log=${run:-$parent}/server.log
  sockets=$(mktemp -d "/tmp/bb-$(process_mark)-XXXXXX") || die 1 "cannot make a folder in /tmp"
  trap cleanup EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  {
    printf '%s\n' "$sockets" >"$parent/server.sockets" && mkdir -m 700 -- "$data" "$tmp" &&
      : >"$log" && : >"$conf"
  } || die 1 "cannot write in $parent or ${run:-$parent}"
  if [[ -n $log_device ]]; then
    wal=$parent/log/wal
    { mkdir -p -- "$parent/log" && mount -o noatime -- "$log_device" "$parent/log" && mkdir -m 700 -- "$wal"; } ||
      die 1 "cannot mount $log_device at $parent/log"
  fi
  [[ -z ${owner:-} ]] || chown -- "$owner" "$data" "$tmp" "$sockets" "$log" ${wal:+"$wal"}
}

# Until it answers; the log tells first, and a connection if the log is kept quiet.
wait_until_ready() {
  local i code=0
  for ((i = 1; i <= start_s * 10; i++)); do
    if ! kill -0 "$server_pid" 2>/dev/null; then
      wait "$server_pid" || code=$?
      server_pid=
      die 1 "the server did not start ($(how_it_ended $code))$(said)"
    fi
    [[ ! -e $parent/server.pid ]] || ! ready || return 0
    if ((i % 10 == 0)) && [[ -x $bin/ingest ]]; then
      ! "$bin/ingest" --engine "$engine" --target "$words" --version >/dev/null 2>&1 || return 0
    fi
    sleep 0.1
  done
  die 1 "the server did not answer within $start_s s$(said)"
}

# A server that was killed is gone a moment after its connections are.
server_died() {
  local i
  for ((i = 0; i < 20; i++)); do
    [[ $(start_time "$BENCH_SERVER_PID") == "$1" ]] || return 0
    sleep 0.05
  done
  return 1
}

# What was written while it was made lies in memory that is not the server's: a log that is
# cached there is never read, whatever its own memory holds.
forget_data() {
  sync -f -- "$data" ${wal:+"$wal"}
  [[ ! -x $bin/uncache ]] || "$bin/uncache" --all "$data" ${wal:+"$wal"}
}

# Waits for the command; a server that dies meanwhile takes the command with it.
run_command() {
  local code=0 server=0 first='' i started
  read -r _ started <"$parent/server.pid"
  wait -n -p first "$server_pid" "$command_pid" || code=$?
  if [[ $first == "$command_pid" ]]; then
    command_pid=
    ((code)) && server_died "$started" || return "$code"
  else
    for ((i = 0; i < 50; i++)); do      # it finds out by itself, and says so
      kill -0 "$command_pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -TERM "$command_pid" 2>/dev/null || true
    wait "$command_pid" 2>/dev/null || true
    command_pid=
  fi
  wait "$server_pid" || server=$?
  server_pid=
  printf 'server.sh: the server died (%s)%s\n' "$(how_it_ended $server)" "$(said)" >&2
  exit 1
}

run() {
  local config='' memory='' cpus='' code=0 argument arguments=() limits=() program=() stop words=''
  local called=(run "$@")
  engine='' tree='' parent='' run='' log_device='' wal='' bin=$here/bin
  while [[ ${1:-} == --?* ]]; do
    (($# > 1)) || die 2 "$1 takes a value"
    case $1 in
      --engine) engine=$2 ;;
      --basedir) tree=$2 ;;
      --dir) parent=$2 ;;
      --config) config=$2 ;;
      --run) run=$2 ;;
      --memory) memory=$2 ;;
      --log-device) log_device=$2 ;;
      --cpus) cpus=$2 ;;
      --bin) bin=$2 ;;
      *) die 2 "unknown option $1; see the head of this file" ;;
    esac
    shift 2
  done
  [[ ${1:-} == -- && $# -gt 1 && -n $engine && -n $tree && -n $parent ]] ||
    die 2 "usage: server.sh run --engine ENGINE --basedir DIR --dir DATAPARENT [options] -- COMMAND [ARGUMENT...]"
  shift
  [[ -z $config || -r $config ]] || die 2 "cannot read the settings file $config"
  [[ -z $config ]] || has_settings "$config" || die 2 "the settings file $config is empty: it sets nothing"
  # Among mounts of its own, which go with the last process that sees them.
  [[ -z $log_device || -n ${BENCH_OWN_MOUNTS:-} ]] ||
    BENCH_OWN_MOUNTS=1 exec unshare --mount --propagation private -- "$0" "${called[@]}"
  [[ -z $run ]] || run=$(realpath -- "$run")
  bin=$(realpath -- "$bin")
  [[ -x $bin/keeper ]] || die 2 "$bin/keeper is missing: make -C bench OUT=$bin keeper"
  prepare
  [[ -z $config ]] || own_environment "$config"
  release=$(version) || exit
  make_folders
  init "$config" >>"$log" 2>&1 || die 1 "cannot make a data folder for $engine $release in $data$(said)"
  : >"$log"     # of making it, nobody need know once it is there
  [[ -z $memory ]] || forget_data
  start         # sets program, stop and words

  [[ -z $memory ]] || limits+=(--memory "$memory")
  [[ -z $cpus ]] || program=(taskset -c "$cpus" "${program[@]}")
  # shellcheck disable=SC2094 # both add to it
  (
    cd "$data"
    exec "${keep[@]}" "${limits[@]}" --stop-signal "$stop" --grace "$stop_s" --log "$log" \
      ${BENCH_ARM:+--group "$BENCH_ARM/server"} --pid-file "$parent/server.pid" --remove "$data" --remove "$tmp" --remove "$sockets" \
      -- env "${environment[@]}" "${program[@]}"
  ) </dev/null 2>>"$log" &
  server_pid=$!
  wait_until_ready

  for argument; do arguments+=("${argument//"{server}"/"$words"}"); done
  [[ ${arguments[0]} == */* || ! -x $bin/${arguments[0]} ]] || arguments[0]=$bin/${arguments[0]}
  read -r BENCH_SERVER_PID _ <"$parent/server.pid"
  export BENCH_SERVER_PID BENCH_SERVER_DIR=$data
  "$bin/keeper" ${BENCH_ARM:+--group "$BENCH_ARM/client"} -- "${arguments[@]}" <&0 &
  command_pid=$!
  run_command || code=$?
  kill -TERM "$server_pid" 2>/dev/null || true
  wait "$server_pid" || true
  server_pid=
  return "$code"
}

main() {
  local verb=${1:-}
  (($# == 0)) || shift
  case $verb in
    run) run "$@" ;;
    reap) (($# == 1)) || die 2 "usage: server.sh reap DATAPARENT"; reap "$1" ;;
    version)
      (($# == 2)) || die 2 "usage: server.sh version ENGINE BASEDIR"
      engine=$1 tree=$2 bin=$here/bin
      prepare
      version
      ;;
    *) die 2 "usage: server.sh run|reap|version ...; see the head of this file" ;;
  esac
}

# exit: an edit of this file does not reach a run that goes on.
[[ ${BASH_SOURCE[0]} != "$0" ]] || { main "$@"; exit; }
