#!/usr/bin/env bash
# Builds a driver by hand into the folder where `benchbook run` would look for it, and
# prints the folder. Its name is a hash of the sources, the compiler's version line and the
# flags, all of them as they are here; the file `built` in it says which.
#
# USAGE
#   build.sh DRIVER PROGRAM CC FLAGS SOURCES [LIB=NAME LIBVERSION=V] [BUILD_NO=N] -- GOAL...
#
#   SOURCES  globs below bench/ that the program is made of, in one argument
#
# EXAMPLE
#   bench/build.sh micro micro gcc -O2 'Makefile micro/*' LIB=ours LIBVERSION=1 -- micro now
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/identity.sh
source "$here/identity.sh"

die() { printf 'build.sh: %s\n' "$2" >&2; exit "$1"; }

main() {
  (($# >= 7)) || die 2 "usage: build.sh DRIVER PROGRAM CC FLAGS SOURCES [NAME=VALUE...] -- GOAL..."
  local driver=$1 program=$2 cc=$3 flags=$4 sources=$5 lib='' version='' number=1 words=()
  shift 5
  while [[ $1 != -- ]]; do
    case $1 in
      LIB=*) lib=${1#*=} ;;
      LIBVERSION=*) version=${1#*=} ;;
      BUILD_NO=*) number=${1#*=} ;;
      *) die 2 "unknown word $1; see the head of this file" ;;
    esac
    words+=("$1")
    shift
    (($#)) || die 2 "no -- before the goals"
  done
  shift
  command -v "$cc" >/dev/null || die 2 "no compiler $cc on this host: install it"
  local built out partial
  built=$(files_digest "$here" "$sources")
  built+=$'\n'$(compiler_line "$cc")$'\n'$flags$'\n'$lib$'\n'$version
  out=$(printf '%s' "$built" | short_digest)
  ((number == 1)) || out+=-$number
  out=$(cd "$here/.." && pwd)/build/$driver/$out
  if [[ ! -x $out/$program || ! -x $out/now ]]; then
    partial=$out.$$
    mkdir -p "$partial"
    [[ -z $lib || $lib == ours ]] || words+=("SRC=$("$here/fetch.sh" "$lib" "$version")")
    make -C "$here" "OUT=$partial" "CC=$cc" "OPT=$flags" "${words[@]}" "$@" >&2 ||
      { rm -rf -- "$partial"; die 1 "cannot build $driver with $cc $flags"; }
    [[ ! -f $here/$program ]] || cp -- "$here/$program" "$partial/"
    rm -rf -- "$out"
    mv -T -- "$partial" "$out"
  fi
  printf '%s' "$built" >"$out/built.new"
  mv -- "$out/built.new" "$out/built"
  printf '%s\n' "$out"
}

main "$@"
