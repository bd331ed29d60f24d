#!/usr/bin/env bash
# Makes .venv and brings the system packages; does and says nothing when all is there.
#
# USAGE: ./setup.sh python|report|test|test-all
#   python   .venv only: the library, JupyterLab, the site
#   report   and the compilers and tools that `make report` measures
#   test     and what the tests use: shellcheck, a browser
#   test-all and what the slow ones build: engines from their sources
# EXAMPLE: PYTHON=python3.12 ./setup.sh report
#
# Root gets missing system packages by apt, others get the apt line. Python packages come
# from requirements.lock with its hashes; uv is one of them. With the conda environment of
# environment.yml active, .venv is a link to it.
set -euo pipefail

# What proves that it is there (a command or a file), and the Debian package it comes with.
readonly REPORT=(
  "gcc gcc" "g++ g++" "make make" "objdump binutils" "clang-19 clang-19" "ld.lld-19 lld-19"
  "/usr/include/sqlite3.h libsqlite3-dev" "/usr/include/mariadb/mysql.h libmariadb-dev"
  "/usr/include/postgresql/libpq-fe.h libpq-dev" "db_bench rocksdb-tools" "zstd zstd"
  "rsync rsync" "git git" "xz xz-utils" "valgrind valgrind"
)
readonly TEST=(
  "shellcheck shellcheck" "pkg-config pkg-config" "tclsh tcl" "chromium chromium" "perf linux-perf" "gdb gdb" "sysbench sysbench"
  "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core"
)
readonly TEST_ALL=(
  "patchelf patchelf" "bison bison" "flex flex" "/usr/include/gflags/gflags.h libgflags-dev"
  "/usr/sbin/sshd openssh-server" "/usr/include/lz4.h liblz4-dev" "/usr/include/zstd.h libzstd-dev"
)

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }
is_root() { (( EUID == 0 )); }
present() { if [[ $1 == /* ]]; then [[ -e $1 ]]; else command -v "$1" >/dev/null; fi; }
have_uv() { uv --version >/dev/null 2>&1; }

timed() {   # timed WHAT COMMAND...
  local started=$SECONDS
  say "$1"; shift; "$@"
  say "done in $((SECONDS - started)) s"
}

apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  local install=(apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300)
  # An earlier set-up may have been killed. Another apt may be at work: apt-get waits.
  dpkg --configure -a 2>/dev/null || true
  "${install[@]}" "$@" >/dev/null 2>&1 && return
  apt-get update -qq                   # the package lists are missing or old
  "${install[@]}" "$@" >/dev/null || die "apt could not install: $*"
}

system_packages() {   # takes rows of the tables above
  local row missing=()
  for row in "$@"; do
    present "${row% *}" || missing+=("${row#* }")
  done
  (( ${#missing[@]} )) || return 0
  present apt-get ||
    die "missing: ${missing[*]} (names as in Debian 12); install them and run this again"
  is_root || die "system packages are missing; run this, then try again:
  sudo apt-get install -y --no-install-recommends ${missing[*]}"
  timed "apt-get install ${missing[*]}" apt_install "${missing[@]}"
}

find_python() {
  local python
  for python in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    command -v "$python" && return
  done
  die "no Python 3.11 or newer found; install one, or name it: PYTHON=/path/to/python3"
}

make_venv() {
  local python=$1 uv=uv
  rm -rf .venv                         # a link to a conda environment: only the link
  if have_uv; then
    "$python" -m venv --without-pip .venv
  else
    "$python" -m venv .venv
    sed -n '/^uv==/,/[^\\]$/p' requirements.lock >.venv/uv.txt
    .venv/bin/pip install -q --disable-pip-version-check --require-hashes -r .venv/uv.txt
    uv=.venv/bin/uv
  fi
  export VIRTUAL_ENV=$PWD/.venv        # where uv installs
  "$uv" pip install -q --compile-bytecode --require-hashes -r requirements.lock
  # The project itself: its build backend is in the lock, so nothing more is fetched.
  "$uv" pip install -q --offline --no-deps --no-build-isolation --editable .
}

python_packages() {   # all but a finished .venv of this lock and folder is made anew
  local want have="" python
  want=$({ cat requirements.lock pyproject.toml; pwd -P; } | sha256sum)
  [[ -f .venv/benchbook-setup ]] && have=$(<.venv/benchbook-setup)
  [[ $have != "$want" || ! -x .venv/bin/python ]] || return 0
  python=$(find_python)
  timed "Python packages into .venv" make_venv "$python"
  printf '%s\n' "$want" >.venv/benchbook-setup
}

bytecode() {   # where Python may not write it, each start would compile what it imports
  .venv/bin/python -m compileall -q src
}

link_conda() {
  [[ .venv -ef $CONDA_PREFIX ]] || { rm -rf .venv; ln -s "$CONDA_PREFIX" .venv; }
  [[ -x .venv/bin/benchbook ]] ||
    .venv/bin/python -m pip install -q --no-deps --no-build-isolation --editable .
}

main() {
  local rows=()
  case ${1:-} in
    python) ;;
    report) rows=("${REPORT[@]}") ;;
    test) rows=("${REPORT[@]}" "${TEST[@]}") ;;
    test-all) rows=("${REPORT[@]}" "${TEST[@]}" "${TEST_ALL[@]}") ;;
    *) die "usage: ./setup.sh python|report|test|test-all" 2 ;;
  esac
  cd "$(dirname "${BASH_SOURCE[0]}")"
  exec 9<setup.sh; flock 9             # one set-up at a time
  PATH=${PATH//"$PWD/.venv/bin:"/}     # an activated .venv may be removed below
  if [[ -x ${CONDA_PREFIX:-}/bin/papermill ]]; then link_conda; return; fi
  # Without this package Debian's python3 makes no .venv with pip in it.
  python3 -c 'import ensurepip' 2>/dev/null || rows+=("ensurepip python3-venv")
  system_packages "${rows[@]}"
  python_packages
  bytecode
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"    # sourcing runs nothing, so tests can
