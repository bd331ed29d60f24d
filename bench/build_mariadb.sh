#!/usr/bin/env bash
# Builds one release of the MariaDB server as an install tree: the server with InnoDB, its
# messages and its system tables, without the other engines and plugins, so that builds differ
# in nothing but compiler and flags.
#
# USAGE
#   build_mariadb.sh PREFIX VERSION [CC [FLAGS]]      default: cc "-O2"
#
# Takes 19 minutes of CPU time. MariaDB adds flags of its own, among them
# -fstack-protector and _FORTIFY_SOURCE, as in Debian's build. With -flto in the flags the
# archiver of the compiler is used: gcc-ar, llvm-ar.
#
# EXAMPLE
#   bench/build_mariadb.sh /opt/mariadb-10.11 10.11.18 clang-19 "-O3 -march=native"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/building.sh
. "$here/building.sh"

readonly LEFT_OUT=(
  ARCHIVE BLACKHOLE COLUMNSTORE CONNECT EXAMPLE FEDERATED FEDERATEDX MROONGA OQGRAPH ROCKSDB
  S3 SPHINX SPIDER TEST_SQL_DISCOVERY
)

main() {
  (($# >= 2 && $# <= 4)) || die "usage: build_mariadb.sh PREFIX VERSION [CC [FLAGS]]"
  local prefix=$1 version=$2 cc=${3:-cc} flags=${4:--O2} cxx source word part missing=() options
  cxx=$(cxx_of "$cc")
  need_tools "$cc" "$cxx:${cxx/clang++/clang}" cmake ninja:ninja-build bison perl
  [[ " $flags " != *" -flto"* ]] || need_tool_of "$cc" ar
  for word in pcre2.h:libpcre2-dev fmt/format.h:libfmt-dev curses.h:libncurses-dev openssl/ssl.h:libssl-dev; do
    need -e "/usr/include/${word%%:*}" "${word#*:}"
  done
  got "MariaDB $version"
  options=("${LEFT_OUT[@]/#/-DPLUGIN_}")
  options=("${options[@]/%/=NO}" "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx"
    "-DCMAKE_C_FLAGS_RELEASE=$flags -DNDEBUG" "-DCMAKE_CXX_FLAGS_RELEASE=$flags -DNDEBUG")
  [[ " $flags " != *" -flto"* ]] ||
    options+=("-DCMAKE_AR=$(command -v "$(tool_of "$cc" ar)")"
      "-DCMAKE_RANLIB=$(command -v "$(tool_of "$cc" ranlib)")" "-DCMAKE_EXE_LINKER_FLAGS=$flags")
  source=$("$here/fetch.sh" mariadb "$version")

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # Libraries of this system: those that it would bundle are got from the network.
  step "$work" cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_INSTALL_PREFIX=$prefix" "${options[@]}" -DUPDATE_SUBMODULES=OFF -DWITH_WSREP=OFF \
    -DWITH_UNIT_TESTS=OFF -DCONC_WITH_UNIT_TESTS=OFF -DWITH_EMBEDDED_SERVER=OFF -DWITH_SYSTEMD=no \
    -DWITH_NUMA=OFF -DWITH_URING=OFF -DWITH_ZLIB=bundled -DWITH_SSL=system -DWITH_PCRE=system \
    -DWITH_LIBFMT=system
  step "$work" ninja -C "$work/build" -j "$(nproc)" mariadbd
  mkdir -p "$prefix/bin" "$prefix/share/english"
  mv "$work/build/sql/mariadbd" "$prefix/bin/"
  cp "$work/build/sql/share/english/errmsg.sys" "$prefix/share/english/"
  cp -r "$source/sql/share/charsets" "$prefix/share/"
  for part in system_tables performance_tables system_tables_data; do
    cp "$source/scripts/mysql_$part.sql" "$prefix/share/"
  done
  printf '%s\n' "$prefix"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
