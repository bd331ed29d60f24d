#!/usr/bin/env bash
# Gets a pinned third-party source of sources.tsv into the cache and prints its folder.
#
# USAGE
#   fetch.sh                  lists the sources; * marks those already in the cache
#   fetch.sh NAME VERSION     prints the folder, after getting it if need be: from the next
#                             line of that version where its client is missing or fails
#
# The cache is ${BENCHBOOK_CACHE:-${XDG_CACHE_HOME:-~/.cache}/benchbook}/sources. An archive
# whose sha256 differs is refused, and so is a folder that was changed since it was unpacked. A run
# killed half-way leaves nothing that counts.
#
# EXAMPLE
#   make -C bench micro LIB=xxhash SRC="$(bench/fetch.sh xxhash 0.8.1)"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${BENCHBOOK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/benchbook}/sources
[[ $cache == /* ]] || cache=$PWD/$cache
partial=$cache/.partial         # belongs to whoever holds the lock
declare -A of_kind=([debsrc]=apt-get [pypi]=pip [wheel]=pip [crate]=cargo)

die() { printf '%s: %s\n' "${0##*/}" "$1" >&2; exit 1; }
# need TOOL WHAT [PACKAGE]: the Debian package that it comes with, if it is named otherwise.
need() {
  command -v "$1" >/dev/null ||
    die "$1 is missing: it gets $2; as root: apt-get install -y --no-install-recommends ${3:-$1}"
}

# client TOOL WHAT [PACKAGE]: the same of one that may be there and not work, as a rustup
# without a toolchain.
client() {
  local said
  need "$@"
  said=$("$1" --version 2>&1) || die "$1 is missing: the one that is here does not work, and it gets $2: $(complaint <<<"$said")"
}

# Of what a tool printed the line that says what is wrong: its first error, else its first.
complaint() {
  local said
  said=$(grep -av '^[[:space:]]*$' || true)
  { grep -aEm1 '^E: |ERROR|[Ee]rror: |^error|No space' <<<"$said" || head -n 1 <<<"$said"; } | cut -c 1-200
}

quietly() { "$@" >"$partial/log" 2>&1; }
why() { complaint <"$partial/log"; }

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
  client apt-get "Debian's source package $1 (or put the archive into $cache)" apt
  local version versions
  apt_of deb-src "$2"
  mapfile -t versions < <(apt-cache "${apt_get[@]:1}" --only-source showsrc "$1" 2>/dev/null |
    sed -n 's/^Version: //p' | sort -rVu)
  # The newest first. The pool of a security update may lack the archive of the upstream
  # version, which the release's own pool has.
  for version in "${versions[@]:-}"; do
    ! quietly "${apt_get[@]}" source --download-only --tar-only "$1${version:+=$version}" || return 0
  done
  return 1
}

get_pypi() {
  client python3 "the sdist $1 $2"
  local python=$cache/.python/bin/python
  # Build tools of our own: pip's isolated build would get them again for each sdist.
  [[ -e $cache/.python/with-pybind11 ]] || {
    quietly python3 -m venv --clear "$cache/.python" &&
      quietly "$python" -m pip install setuptools wheel setuptools_scm pybind11 numpy &&
      : >"$cache/.python/with-pybind11"
  } || return 1
  quietly "$python" -m pip download --no-deps --no-binary :all: --no-build-isolation "$1==$2"
}

# That of one Python, whichever runs here: the pinned archive has its name.
get_wheel() {
  client python3 "the wheel $1 $2"
  [[ -e $cache/.python/bin/pip ]] || quietly python3 -m venv "$cache/.python" || return
  quietly "$cache/.python/bin/python" -m pip download --no-deps --only-binary :all: \
    --python-version 3.11 --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 "$1==$2"
}

get_crate() {
  client cargo "the crate $1 $2"
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

# digest_of FOLDER: of the names and the bytes of its files.
digest_of() {
  local sum
  sum=$(cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum | sha256sum)
  printf '%s\n' "${sum%% *}"
}

# settled FOLDER: puts what was unpacked in its place, with its digest beside it.
settled() {
  digest_of "$partial/new" >"$1.sha256"
  mv -T "$partial/new" "$1"
  rm -r "$partial"
}

# untouched FOLDER: refuses one whose files are not those that were unpacked.
untouched() {
  [[ ! -e $1.sha256 || $(digest_of "$1") == "$(<"$1.sha256")" ]] ||
    die "$1 has changed since it was unpacked: delete it, and it is unpacked anew"
}

# obtain KIND PACKAGE RELEASE ARCHIVE SHA256: puts the archive into the cache, or says why not.
obtain() {
  [[ ! -e $cache/$4 ]] || return 0
  rm -rf "$partial/get" && mkdir "$partial/get" && : >"$partial/log" || return
  (
    cd "$partial/get"
    "get_$1" "$2" "$3" || die "cannot get $4: ${of_kind[$1]} says: $(why); is the network there?"
    [[ -e $4 ]] || die "$1 $2 $3 no longer brings $4: put it into $cache yourself"
    verify "$PWD/$4" "$5"
    mv "$4" "$cache/" || die "cannot write in $cache"
  )
}

# fetch FOLDER ROW...: from the first of the sources that can be had.
fetch() {
  local folder=$1 row archive='' paths name version kind package release sha root slashes IFS=$'\t'
  mkdir -p "$cache"
  exec 9>>"$cache/.lock"
  flock 9
  [[ ! -d $folder ]] || return 0        # another fetched it meanwhile
  rm -rf "$partial"
  mkdir -p "$partial/new"
  for row in "${@:2}"; do
    read -r name version kind package release archive sha root paths <<<"$row"
    ! obtain "$kind" "$package" "$release" "$archive" "$sha" || break
    archive=''
  done
  [[ $archive ]] || exit 1
  IFS=' '
  verify "$cache/$archive" "$sha"
  [[ $archive != *.xz ]] || need xz "the files out of $archive" xz-utils
  [[ $archive != *.bz2 ]] || need bzip2 "the files out of $archive"
  read -ra paths <<<"$paths"
  if [[ $archive == *.whl ]]; then
    python3 -m zipfile -e "$cache/$archive" "$partial/whole"
    mv "${paths[@]/#/$partial/whole/$root/}" "$partial/new/"
    settled "$folder"
    return
  fi
  slashes=${root//[!\/]/}
  tar -xf "$cache/$archive" -C "$partial/new" --no-same-owner --wildcards \
    --strip-components=$((${#slashes} + 1)) "${paths[@]/#/$root/}"
  settled "$folder"
}

main() {
  (($# == 0 || $# == 2)) || die "usage: fetch.sh [NAME VERSION]"
  local name version kind package release archive sha root paths mark folder row rows=()
  while IFS= read -r row; do
    IFS=$'\t' read -r name version kind package release archive sha root paths <<<"$row"
    [[ $name != '#'* && $name != name ]] || continue
    folder=$cache/$name-$version
    if (($# == 0)); then
      [[ -d $folder ]] && mark='*' || mark=' '
      printf '%s %-8s %-8s %-7s %s\n' "$mark" "$name" "$version" "$kind" "$archive"
    elif [[ $1 == "$name" && $2 == "$version" ]]; then
      rows+=("$row")
    fi
  done <"$here/sources.tsv"
  (($#)) || return 0
  ((${#rows[@]})) || die "no source $1 $2 in sources.tsv; fetch.sh alone lists them"
  folder=$cache/$1-$2
  if [[ -d $folder ]]; then untouched "$folder"; else fetch "$folder" "${rows[@]}"; fi
  printf '%s\n' "$folder"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
