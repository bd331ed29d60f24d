#!/usr/bin/env bash
# Builds one release of the SQLite library as an install tree, so that a study can compare
# releases: the driver finds the library by LD_LIBRARY_PATH (run.sh --lib PREFIX/lib).
#
# USAGE
#   build_sqlite.sh PREFIX VERSION [CC [FLAGS]]      default: cc "-O2"
#
# Makes PREFIX/lib/libsqlite3.so.0 and PREFIX/include/sqlite3.h; beside a release for which it is
# pinned lies sqlite-vec, PREFIX/lib/extensions/vec0.so, which a settings file may load. Debian's source has to be
# joined into one file first, which takes tclsh (package tcl) and make; a crate's does not.
#
# EXAMPLE
#   bench/build_sqlite.sh /opt/sqlite-3.46.1 3.46.1 gcc-12 "-O2 -g"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() { printf 'build_sqlite.sh: %s\n' "$1" >&2; exit 1; }

# amalgamate SOURCE WORK: sqlite3.c and sqlite3.h of the source, in WORK.
amalgamate() {
  if [[ -e $1/sqlite3.c ]]; then
    cp "$1"/sqlite3.{c,h} "$2"
    return
  fi
  command -v tclsh >/dev/null || die "joining SQLite's source needs tclsh: install the package tcl"
  command -v make >/dev/null || die "joining SQLite's source needs make: install the package make"
  (cd "$2" && "$1/configure" --quiet --disable-tcl && make sqlite3.c) >"$2/log" 2>&1 \
    || { tail -n 5 "$2/log" >&2; die "cannot join the source in $1"; }
}

main() {
  (($# >= 2 && $# <= 4)) || die "usage: build_sqlite.sh PREFIX VERSION [CC [FLAGS]]"
  local prefix=$1 version=$2 cc=${3:-cc} flags source extension
  read -ra flags <<<"${4:--O2}"
  command -v "$cc" >/dev/null || die "no compiler $cc"
  source=$("$here/fetch.sh" sqlite "$version")

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  amalgamate "$source" "$work"
  mkdir -p "$prefix/lib" "$prefix/include"
  "$cc" "${flags[@]}" -w -fPIC -shared -pthread -DSQLITE_THREADSAFE=1 \
    -Wl,-soname,libsqlite3.so.0 -o "$work/libsqlite3.so.0" "$work/sqlite3.c" -lm -ldl
  mv "$work/sqlite3.h" "$prefix/include/"
  mv "$work/libsqlite3.so.0" "$prefix/lib/"
  ln -sf libsqlite3.so.0 "$prefix/lib/libsqlite3.so"
  if grep -qs "^sqlite-vec"$'\t'"$version"$'\t' "$here/sources.tsv"; then
    extension=$("$here/fetch.sh" sqlite-vec "$version")
    mkdir -p "$prefix/lib/extensions"
    cp "$extension/vec0.so" "$prefix/lib/extensions/"
  fi
  printf '%s\n' "$prefix"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
