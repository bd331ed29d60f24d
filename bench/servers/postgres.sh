# PostgreSQL 9.4 and later.  Sourced by server.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154 # variables of server.sh, for server.sh

# The digits of `postgres --version`, with what a version before its release adds.
version() {
  local text daemon
  daemon=$(find_program postgres) || exit
  text=$(env "${environment[@]}" "$daemon" --version) || die 1 "$daemon does not run"
  [[ $text =~ [0-9]+(\.[0-9]+)*(beta[0-9]+|rc[0-9]+|devel)? ]] || die 1 "what is the version in \"$text\"?"
  printf '%s\n' "${BASH_REMATCH[0]}"
}

# A line `# initdb: OPTION...` of the settings says what only initdb can set.
init() {
  local config=$1 programs options=()
  programs=$(dirname "$(find_program postgres)")
  [[ -z $config ]] || read -ra options < <(sed -n 's/^#[[:space:]]*initdb:[[:space:]]*//p' "$config") || true
  as_user "$programs/initdb" --no-locale -E UTF8 --auth=trust -U postgres -N -n -D "$data" \
    ${wal:+"--waldir=$wal"} "${options[@]}" || return
  echo 'CREATE DATABASE ib' | as_user "$programs/postgres" --single -F -D "$data" postgres || return
  {
    [[ -z $config ]] || cat -- "$config"
    # A later line wins: where things are is not the file's to say.
    printf '\n# set by server.sh\n'
    printf '%s = '"'%s'\n" unix_socket_directories "$sockets" listen_addresses '' \
      data_directory "$data" hba_file "$data/pg_hba.conf" ident_file "$data/pg_ident.conf" \
      external_pid_file "$data/external.pid" log_destination stderr
    printf '%s = %s\n' port 5432 logging_collector off ssl off restart_after_crash off
  } >"$conf"
  cat -- "$conf" >>"$data/postgresql.conf"
}

start() {
  program=("$(find_program postgres)" -D "$data")
  stop=INT      # ends the sessions and checkpoints
  words="host=$sockets port=5432 user=postgres dbname=ib"
}

ready() { [[ -S $sockets/.s.PGSQL.5432 ]] && grep -qa 'ready to accept connections' "$log"; }
