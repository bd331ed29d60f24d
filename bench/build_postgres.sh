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

# In the order in which they are built: a library before what links it.
readonly PARTS=(
  common port timezone backend backend/utils/mb/conversion_procs backend/snowball
  interfaces/libpq fe_utils bin/initdb bin/pg_ctl pl/plpgsql
)

die() { printf 'build_postgres.sh: %s\n' "$1" >&2; exit 1; }
# need TOOL [PACKAGE]: adds to missing the Debian package of a tool that is not here.
need() { command -v "$1" >/dev/null || missing+=("${2:-$1}"); }

# step WORK COMMAND...: silent, unless it fails.
step() {
  local log=$1/log
  shift
  "$@" >"$log" 2>&1 || die "$1 failed: $(grep -m 1 -e 'error:' -e '\*\*\*' "$log" || tail -n 1 "$log")"
}

main() {
  (($# >= 2 && $# <= 4)) || die "usage: build_postgres.sh PREFIX VERSION [CC [FLAGS]]"
  local prefix=$1 version=$2 cc=${3:-cc} flags=${4:--O2} source tool part ar=ar options parts=("${PARTS[@]}") missing=()
  for tool in "$cc" make perl bzip2; do need "$tool"; done
  if ((${version%%.*} >= 17)); then for tool in bison flex; do need "$tool"; done; fi
  if [[ " $flags " == *" -flto"* ]]; then
    case $cc in
      *clang*) ar=${cc/clang/llvm-ar}; need "$ar" "${cc/clang/llvm}" ;;
      *gcc*) ar=${cc/gcc/gcc-ar}; need "$ar" "$cc" ;;
    esac
  fi
  ((${#missing[@]} == 0)) ||
    die "building Postgres $version needs ${missing[*]}; as root: apt-get install ${missing[*]}"
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
