# MariaDB 10.1 and later, with InnoDB.  Sourced by server.sh.
# shellcheck shell=bash disable=SC1091,SC2034,SC2154 # variables of server.sh, for server.sh
source "$here/servers/mysql.sh"

names=(mariadbd mysqld)

options_of_release() { :; }
