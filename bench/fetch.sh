#!/usr/bin/env bash
# Gets a pinned third-party source of sources.tsv into the cache and prints its folder.
#
# USAGE
#   fetch.sh                  lists the sources; * marks those already in the cache
#   fetch.sh NAME VERSION     prints the folder, after getting it if need be
#
# The cache is ${BENCHBOOK_CACHE:-${XDG_CACHE_HOME:-~/.cache}/benchbook}/sources. An archive
# whose sha256 differs is refused. A run killed half-way leaves nothing that counts.
#
# EXAMPLE
#   make -C bench micro LIB=xxhash SRC="$(bench/fetch.sh xxhash 0.8.1)"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${BENCHBOOK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/benchbook}/sources
[[ $cache == /* ]] || cache=$PWD/$cache
partial=$cache/.partial         # belongs to whoever holds the lock

die() { printf '%s: %s\n' "${0##*/}" "$1" >&2; exit 1; }
# need TOOL WHAT [PACKAGE]: the Debian package that it comes with, if it is named otherwise.
need() {
  command -v "$1" >/dev/null ||
    die "$1 is missing: it gets $2; as root: apt-get install -y --no-install-recommends ${3:-$1}"
}

# Tools say what went wrong only if something did.
quietly() { "$@" >"$partial/log" 2>&1 || { tail -n 5 "$partial/log" >&2; return 1; }; }

codename() {
  # shellcheck source=/dev/null
  (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-none}")
}

# apt_of TYPE SUITE puts into apt_get a command that sees the packages (deb) or sources
# (deb-src) of a suite and changes nothing of the system; nobody need be root.
apt_of() {
  local apt=$cache/.apt/$1-$2 own file
  own=$(codename)
  rm -rf "$apt/parts"
  mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/archives/partial"
  # The machine's own mirror, asked for the wanted suite.
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
    grep -qsw "$own" "$file" || continue
    sed -e "s/^Types:.*/Types: $1/" -e "s/^deb /$1 /" \
      -e "/^Suites:\|^$1 /s/\b$own\b/$2/g" "$file" >"$apt/parts/${file##*/}"
  done
  apt_get=(apt-get -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/parts"
    -o Dir::Etc::preferencesparts=/dev/null -o Dir::State::status=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o APT::Sandbox::User=
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false)
  quietly "${apt_get[@]}" update || true    # one dead mirror of several need not matter
}

# get_KIND PACKAGE RELEASE leaves the archive in the current folder, or fails.
get_debsrc() {
  need apt-get "Debian's source package $1 (or put the archive into $cache)" apt
  apt_of deb-src "$2"
  quietly "${apt_get[@]}" source --download-only --tar-only "$1"
}

get_pypi() {
  need python3 "the sdist $1 $2"
  local python=$cache/.python/bin/python
  # Build tools of our own: pip's isolated build would get them again for each sdist.
  [[ -e $cache/.python/complete ]] || {
    quietly python3 -m venv --clear "$cache/.python" &&
      quietly "$python" -m pip install setuptools wheel setuptools_scm &&
      : >"$cache/.python/complete"
  } || return 1
  quietly "$python" -m pip download --no-deps --no-binary :all: --no-build-isolation "$1==$2"
}

get_crate() {
  need cargo "the crate $1 $2"
  mkdir src && : >src/lib.rs
  printf '[package]\nname = "fetch"\nversion = "0.1.0"\n[dependencies]\n%s = "=%s"\n' \
    "$1" "$2" >Cargo.toml
  quietly cargo fetch && cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$1-$2.crate" .
}

# verify FILE SHA256: an archive that is not the pinned one is removed and refused.
verify() {
  local found
  found=$(sha256sum <"$1")
  found=${found%% *}
  [[ $found == "$2" ]] || { rm "$1"; die "${1##*/} has sha256 $found where $2 is pinned; it was removed"; }
}

# fetch FOLDER KIND PACKAGE RELEASE ARCHIVE SHA256 ROOT PATHS
fetch() {
  local folder=$1 archive=$cache/$5 root=$7 paths slashes=${7//[!\/]/}
  mkdir -p "$cache"
  exec 9>>"$cache/.lock"
  flock 9
  [[ ! -d $folder ]] || return 0        # another fetched it meanwhile
  rm -rf "$partial"
  mkdir -p "$partial/get" "$partial/new"
  [[ -e $archive ]] || {
    (cd "$partial/get" && "get_$2" "$3" "$4") || die "cannot get $5: is the network there?"
    [[ -e $partial/get/$5 ]] || die "$2 $3 $4 no longer brings $5: put it into $cache yourself"
    verify "$partial/get/$5" "$6"
    mv "$partial/get/$5" "$archive"
  }
  verify "$archive" "$6"
  [[ $5 != *.xz ]] || need xz "the files out of $5" xz-utils
  [[ $5 != *.bz2 ]] || need bzip2 "the files out of $5"
  read -ra paths <<<"$8"
  tar -xf "$archive" -C "$partial/new" --no-same-owner --wildcards \
    --strip-components=$((${#slashes} + 1)) "${paths[@]/#/$root/}"
  mv -T "$partial/new" "$folder"
  rm -r "$partial"
}

main() {
  (($# == 0 || $# == 2)) || die "usage: fetch.sh [NAME VERSION]"
  local name version kind package release archive sha root paths mark folder
  while IFS=$'\t' read -r name version kind package release archive sha root paths; do
    [[ $name != '#'* && $name != name ]] || continue
    folder=$cache/$name-$version
    if (($# == 0)); then
      [[ -d $folder ]] && mark='*' || mark=' '
      printf '%s %-8s %-8s %-7s %s\n' "$mark" "$name" "$version" "$kind" "$archive"
    elif [[ $1 == "$name" && $2 == "$version" ]]; then
      [[ -d $folder ]] || fetch "$folder" "$kind" "$package" "$release" "$archive" "$sha" "$root" "$paths"
      printf '%s\n' "$folder"
      return
    fi
  done <"$here/sources.tsv"
  (($# == 0)) || die "no source $1 $2 in sources.tsv; fetch.sh alone lists them"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
