# MySQL 5.5 and later.  Sourced by server.sh, and by the files of its relatives.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154 # variables of server.sh, for server.sh

names=(mysqld)

version() {
  local text daemon
  daemon=$(find_program "${names[@]}") || exit
  text=$(env "${environment[@]}" "$daemon" --no-defaults --version) || die 1 "$daemon does not run"
  case $engine,$text in
    mysql,*MariaDB*) die 2 "$tree is a MariaDB: its engine is mariadb or myrocks" ;;
    mariadb,*MariaDB* | myrocks,*MariaDB* | mysql,*) ;;
    *) die 2 "$tree is no MariaDB: its engine is mysql" ;;
  esac
  [[ $text =~ Ver\ ([0-9]+(\.[0-9]+)*) ]] || die 1 "what is the version in \"$text\"?"
  printf '%s\n' "${BASH_REMATCH[1]}"
}

# The folder of the tree that holds a file, as `share/english/errmsg.sys`.
folder_with() {
  local found
  found=$(find -L "$tree" -path "*/$1" -print -quit 2>/dev/null) || true
  [[ -n $found ]] || return 0
  printf '%s' "${found%"/$1"}"
}

# What a program of the tree needs to find its parts and ours; sets program and share.
call() {
  local daemon messages plugins
  daemon=$(find_program "${names[@]}")
  messages=$(folder_with english/errmsg.sys)
  plugins=$(find -L "$tree" -type d -path '*/plugin' -print -quit 2>/dev/null) || true
  share=$messages
  program=("$daemon" "--defaults-file=$conf" "--basedir=${daemon%/*/*}" "--datadir=$data"
    "--tmpdir=$tmp" "--socket=$sockets/s" "--pid-file=$data/server.pid" "--log-error=$log"
    ${messages:+"--lc-messages-dir=$messages" "--character-sets-dir=$messages/charsets"}
    ${plugins:+"--plugin-dir=$plugins"} ${wal:+"--innodb-log-group-home-dir=$wal"} --skip-networking
    --loose-ssl=OFF)    # a socket needs no key, and to make one takes some half a minute
}

# Options that a release has, at its making and later.
options_of_release() {
  ! at_least 8 0 || program+=(--mysqlx=OFF --secure-file-priv=NULL
    --loose-auto-generate-certs=OFF --loose-sha256-password-auto-generate-rsa-keys=OFF
    --loose-caching-sha2-password-auto-generate-rsa-keys=OFF)
  ! at_least 8 0 || at_least 8 4 || program+=(--default-authentication-plugin=mysql_native_password)
}

# Settings of where things are, which are not the file's to say; of the others a name stays.
places="basedir datadir tmpdir socket user pid_file log_error plugin_dir lc_messages_dir
  character_sets_dir innodb_data_home_dir innodb_log_group_home_dir innodb_undo_directory
  innodb_doublewrite_dir innodb_tmpdir innodb_temp_tablespaces_dir aria_log_dir_path
  rocksdb_datadir rocksdb_wal_dir"
files="general_log_file slow_query_log_file log_bin log_bin_index relay_log relay_log_index"

# any_of NAMES: a pattern of those options as they are written, up to the value.
any_of() {
  local name pattern=''
  for name in $1; do pattern+="|${name//_/[-_]}"; done
  printf '^[[:space:]]*(%s)[[:space:]]*=[[:space:]]*' "${pattern#|}"
}

# A copy in which nothing points out of the data folder.
write_conf() {
  local config=$1
  {
    [[ -n $config ]] && grep -qE '^[[:space:]]*\[' "$config" || echo '[mysqld]'
    [[ -z $config ]] || sed -E -e "s,$(any_of "$places").*,# left out: &," \
      -e "s,($(any_of "$files")).*/,\\1," "$config"
  } >"$conf"
}

# Releases before 5.7, and all of MariaDB, are fed the system tables as SQL; a package
# without it has them ready.
bootstrap() {
  local part file scripts=()
  for part in system_tables performance_tables system_tables_data; do
    for file in "$share/"{mysql,mariadb}"_$part.sql"; do
      [[ ! -e $file ]] || scripts+=("$file")
    done
  done
  if ((${#scripts[@]} == 0)); then
    [[ -d $tree/data/mysql ]] || { echo "ERROR: no system tables, as SQL or ready, in $tree"; return 1; }
    cp -r -- "$tree/data/mysql" "$data/" && { [[ -z ${owner:-} ]] || chown -R -- "$owner" "$data"; }
    return
  fi
  {
    printf '%s\n' 'CREATE DATABASE IF NOT EXISTS mysql;' 'USE mysql;' 'SET @auth_root_socket=NULL;'
    cat -- "${scripts[@]}"
  } | as_user "${program[@]}" --bootstrap
}

init() {
  write_conf "$1" || return
  call && options_of_release
  if [[ $engine == mysql ]] && at_least 5 7; then
    as_user "${program[@]}" --initialize-insecure || return
  else
    bootstrap || return
  fi
  echo 'CREATE DATABASE IF NOT EXISTS ib;' >"$parent/init.sql"
}

start() {
  call && options_of_release
  program+=("--init-file=$parent/init.sql")
  printf '\n# on the command line: %s\n' "${program[*]:2}" >>"$conf"
  stop=TERM
  words="socket=$sockets/s user=root dbname=ib"
}

ready() { [[ -S $sockets/s ]] && grep -qa 'ready for connections' "$log"; }
