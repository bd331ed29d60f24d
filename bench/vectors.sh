#!/usr/bin/env bash
# Makes a named set of vectors where it is missing: base.fvecs and queries.fvecs in FOLDER.
#
# USAGE
#   vectors.sh NAME FOLDER
#
#   source-text   240,000 vectors of 100 numbers and 1,000 queries: three lines in a row of
#                 SQLite's source, as vectors/text.c makes vectors of a text
#
# EXAMPLE
#   bench/vectors.sh source-text data/vectors/source-text
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() { printf 'vectors.sh: %s\n' "$2" >&2; exit "$1"; }

# of_source FILE DIM ROWS QUERIES, in the partial folder
of_source() {
  make -s -C "$here" "OUT=$partial/made" textvectors >&2 || die 1 "cannot build textvectors"
  "$partial/made/textvectors" "$@" "$partial"
  rm -rf -- "$partial/made"
}

main() {
  (($# == 2)) || die 2 "usage: vectors.sh NAME FOLDER"
  local name=$1 folder=$2 source
  [[ ! -f $folder/base.fvecs || ! -f $folder/queries.fvecs ]] || return 0
  mkdir -p "$(dirname "$folder")" || die 1 "cannot make $(dirname "$folder")"
  partial=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf -- "$partial"' EXIT
  case $name in
    source-text)
      source=$("$here/fetch.sh" sqlite 3.54.1)
      of_source "$source/sqlite3.c" 100 240000 1000
      ;;
    *) die 2 "there is no set of vectors called $name; available: source-text" ;;
  esac
  chmod 755 "$partial"
  rm -rf -- "$folder"
  mv -T -- "$partial" "$folder"
}

main "$@"
