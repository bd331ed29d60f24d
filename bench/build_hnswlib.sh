#!/usr/bin/env bash
# Builds one release of hnswlib, which is headers alone, as a library that the driver finds by
# LD_LIBRARY_PATH: PREFIX/lib/libbenchhnsw.so, engines/hnswlib/shim.cc around them.
#
# USAGE
#   build_hnswlib.sh PREFIX VERSION [CXX [FLAGS]]      default: c++ "-O3 -march=native"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() { printf 'build_hnswlib.sh: %s\n' "$1" >&2; exit 1; }

main() {
  (($# >= 2 && $# <= 4)) || die "usage: build_hnswlib.sh PREFIX VERSION [CXX [FLAGS]]"
  local prefix=$1 version=$2 cxx=${3:-c++} flags source
  [[ $cxx != gcc* ]] || cxx=g++${cxx#gcc}
  [[ $cxx != clang* || $cxx == clang++* ]] || cxx=clang++${cxx#clang}
  read -ra flags <<<"${4:--O3 -march=native}"
  command -v "$cxx" >/dev/null || die "no compiler $cxx: install the package g++"
  source=$("$here/fetch.sh" hnswlib "$version")
  mkdir -p "$prefix/lib"
  "$cxx" -std=c++17 "${flags[@]}" -w -fPIC -shared -pthread "-I$source" \
    -o "$prefix/lib/libbenchhnsw.so.new" "$here/engines/hnswlib/shim.cc"
  mv "$prefix/lib/libbenchhnsw.so.new" "$prefix/lib/libbenchhnsw.so"
  printf '%s\n' "$version" >"$prefix/lib/version"
  printf '%s\n' "$prefix"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
