# What the sidecars profile.sh and pmp.sh share: how they die, and whom they look at.
# Sourced; bin is the folder of the helpers.
# shellcheck shell=bash disable=SC2154

# Before each command that may outlast us: it gets TERM when we die, however we do. Not
# for parts of a pipe: their parent is a shell of their own.
mortal=()
! command -v setpriv >/dev/null || mortal=(setpriv --pdeathsig TERM --)

# die_with_parent "$@": starts this script again, so that it gets TERM when its parent dies.
die_with_parent() {
  if [[ -n ${SIDECAR_OF:-} ]]; then
    [[ $PPID == "$SIDECAR_OF" ]] || exit 0     # it died before it could tell us
    unset SIDECAR_OF
  elif ((${#mortal[@]})); then
    SIDECAR_OF=$PPID exec "${mortal[@]}" "$BASH" "$0" "$@"
  fi
}

# "${mortal[@]}" COMMAND in the background and waited for: so a signal reaches us at once.
waited() {
  "${mortal[@]}" "$@" &
  wait "$!"
}

mono_ns() {
  local line
  line=$("$bin/now") || return 1
  line=${line#*'"mono_ns":'}
  printf '%s' "${line%%[!0-9]*}"
}

# add_tree PID: it and all that descend from it, to `found`, but for the trees of those in
# `skipped`. One that ended meanwhile is left out.
add_tree() {
  local file child children
  [[ -z ${skipped[$1]:-} && -d /proc/$1 ]] || return 0
  found+=("$1")
  for file in "/proc/$1/task/"*/children; do
    children=()
    { read -r -a children <"$file"; } 2>/dev/null || true
    for child in "${children[@]}"; do add_tree "$child"; done
  done
}

# find_tree server|client ROOT SERVER_FILE SELF: the processes of the tree in `found`. SELF
# is a process of ours: what it started belongs to no tree.
find_tree() {
  local server=''
  local -A skipped=(["$4"]=1)
  found=()
  [[ -z $3 ]] || { read -r server _ <"$3"; } 2>/dev/null || true
  if [[ $1 == server ]]; then
    [[ -z $server ]] || add_tree "$server"
  else
    [[ -z $server ]] || skipped[$server]=1
    add_tree "$2"
  fi
}
