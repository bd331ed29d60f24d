#!/usr/bin/env bash
# Builds one release of the Postgres server as an install tree: what initdb and the server
# need, without optional libraries, so that releases differ in nothing but their own code.
#
# USAGE
#   build_postgres.sh PREFIX VERSION [CC [FLAGS]]      default: cc "-O2"
#
# Takes 2-3 minutes on two cores. Releases since 17 need bison and flex. With -flto in the
# flags the archiver of the compiler is used: gcc-ar, llvm-ar.
#
# EXAMPLE
#   bench/build_postgres.sh /opt/pg17 17.11 clang-19 "-O2 -fno-omit-frame-pointer"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/building.sh
. "$here/building.sh"

# In the order in which they are built: a library before what links it.
readonly PARTS=(
  common port timezone backend backend/utils/mb/conversion_procs backend/snowball
  interfaces/libpq fe_utils bin/initdb bin/pg_ctl pl/plpgsql
)

main() {
  (($# >= 2 && $# <= 4)) || die "usage: build_postgres.sh PREFIX VERSION [CC [FLAGS]]"
  local prefix=$1 version=$2 cc=${3:-cc} flags=${4:--O2} source part ar=ar options parts=("${PARTS[@]}") missing=()
  need_tools "$cc" make perl bzip2
  ((${version%%.*} < 17)) || need_tools bison flex
  if [[ " $flags " == *" -flto"* ]]; then
    ar=$(tool_of "$cc" ar)
    need_tool_of "$cc" ar
  fi
  got "Postgres $version"
  source=$("$here/fetch.sh" postgres "$version")

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  options=(--prefix="$prefix" --without-readline --without-zlib)
  ((${version%%.*} < 16)) || options+=(--without-icu)
  cd "$work"
  step "$work" "$source/configure" "${options[@]}" CC="$cc" CFLAGS="$flags" LDFLAGS="$flags" AR="$ar"
  step "$work" make -C src/backend -j "$(nproc)" generated-headers
  if ((${version%%.*} >= 17)); then     # before, the backend installed it
    parts+=(include/catalog)
    mkdir -p "$prefix/include/server/catalog"
  fi
  for part in "${parts[@]}"; do
    step "$work" make -C "src/$part" -j "$(nproc)" install
  done
  for part in postgres.bki information_schema.sql snowball_create.sql timezone; do
    [[ -e $prefix/share/$part ]] || die "Postgres $version came out without share/$part"
  done
  printf '%s\n' "$prefix"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
