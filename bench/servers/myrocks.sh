# MyRocks as MariaDB's plugin ha_rocksdb.  Sourced by server.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154 # variables of server.sh, for server.sh
source "$here/servers/mariadb.sh"

# Before 10.6 it calls itself a beta.
options_of_release() {
  local plugin
  plugin=$(folder_with plugin/ha_rocksdb.so)
  [[ -n $plugin ]] || die 1 "ERROR: no ha_rocksdb.so in $tree: this build has no MyRocks"
  program+=(--plugin-maturity=beta --plugin-load-add=ha_rocksdb ${wal:+"--rocksdb-wal-dir=$wal"})
}
