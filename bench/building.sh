# What the scripts have in common that build an engine.  Sourced by build_*.sh.
# shellcheck shell=bash

die() { printf '%s: %s\n' "${0##*/}" "$1" >&2; exit 1; }
# need TEST WHAT PACKAGE: adds to missing the Debian package of what is not here.
need() {
  test "$1" "$2" || [[ " ${missing[*]} " == *" $3 "* ]] || missing+=("$3")
}
# need_tools TOOL[:PACKAGE]...: the same of tools.
need_tools() {
  local word
  for word in "$@"; do need -n "$(command -v "${word%%:*}")" "${word#*:}"; done
}
# got WHAT: all that is needed is here, or one line says how it comes.
got() {
  ((${#missing[@]} == 0)) ||
    die "building $1 needs ${missing[*]}; as root: apt-get install ${missing[*]}"
}

# The C++ compiler beside a C compiler: gcc-12 has g++-12, clang-19 clang++-19.
cxx_of() {
  case $1 in
    *clang*) printf '%s' "${1/clang/clang++}" ;;
    *gcc*) printf '%s' "${1/gcc/g++}" ;;
    *) printf 'c++' ;;
  esac
}

# tool_of CC TOOL: the compiler's own ar or ranlib, which read what -flto left in objects.
tool_of() {
  case $1 in
    *clang*) printf '%s' "${1/clang/llvm-$2}" ;;
    *gcc*) printf '%s' "${1/gcc/gcc-$2}" ;;
    *) printf '%s' "$2" ;;
  esac
}
# need_tool_of CC TOOL: LLVM's come with a package of their own.
need_tool_of() { need_tools "$(tool_of "$1" "$2"):${1/clang/llvm}"; }

# step WORK COMMAND...: silent, unless it fails.
step() {
  local log=$1/log
  shift
  "$@" >"$log" 2>&1 ||
    die "$1 failed: $(grep -m 1 -e 'error:' -e 'Error' -e '\*\*\*' "$log" || tail -n 1 "$log")"
}
