#!/usr/bin/env bash
# Builds one release of RocksDB as an install tree: db_bench, and the shared library that it
# runs on and that others may load, so that releases differ in nothing but their own code.
#
# USAGE
#   build_rocksdb.sh PREFIX VERSION [CC [FLAGS]]      default: cc "-O2"
#   build_rocksdb.sh --link PREFIX VERSION            db_bench alone, on PREFIX/lib/librocksdb.so
#
# Makes PREFIX/bin/db_bench and PREFIX/lib/librocksdb.so with lz4 and zstd of this system, in 5
# to 13 CPU minutes and up to 1.3 GB of memory for each job. Beside FLAGS, x86 gets what its
# checksums need: without -msse4.2 -mpclmul crc32c is a table, 30 times as slow, and the log
# pays for it. Files are compiled in groups of 16, which changes what the compiler can inline:
# a build without is of another series.
# --link takes 35 CPU seconds: the engine is what somebody else built, such as the library of
# rocksdbjni, as long as its C++ library is the one of this system (since 10.10).
#
# EXAMPLE
#   bench/build_rocksdb.sh /opt/rocksdb-9.10.0 9.10.0 gcc-12 "-O2 -g"
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=bench/building.sh
. "$here/building.sh"

# require VERSION TOOL[:PACKAGE]...: those, and the libraries that db_bench is built on.
require() {
  local version=$1 word missing=()
  shift
  need_tools "$@"
  for word in gflags/gflags.h:libgflags-dev lz4.h:liblz4-dev zstd.h:libzstd-dev; do
    need -e "/usr/include/${word%%:*}" "${word#*:}"
  done
  got "RocksDB $version"
}

# What db_bench is made of beside the library.
readonly TOOL=(
  tools/db_bench tools/db_bench_tool tools/tool_hooks tools/simulated_hybrid_file_system
  test_util/testutil
)

link_tool() {
  local prefix=$1 version=$2 source part words=(-O2 -DNDEBUG -fno-rtti -include cstdint)
  require "$version" g++
  source=$("$here/fetch.sh" rocksdb-all "$version")
  [[ $HOSTTYPE != x86_64 ]] || words+=(-msse4.2 -mpclmul)
  ((${version%%.*} < 11)) && words+=(-std=c++17) || words+=(-std=c++20)
  words+=(-DGFLAGS=1 -DOS_LINUX -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX -DROCKSDB_SUPPORT_THREAD_LOCAL -DLZ4 -DZSTD)
  for part in "${TOOL[@]}"; do
    step "$work" g++ "${words[@]}" -w "-I$source" "-I$source/include" -c -o "$work/${part##*/}.o" "$source/$part.cc"
  done
  mkdir -p "$prefix/bin"
  # The dynamic linker, not bash, knows ORIGIN.
  # shellcheck disable=SC2016
  step "$work" g++ -o "$prefix/bin/db_bench" "$work"/*.o "-L$prefix/lib" -l:librocksdb.so \
    '-Wl,-rpath,$ORIGIN/../lib' -lgflags -lpthread -ldl -llz4 -lzstd
  ln -s ../bin/db_bench "$prefix/lib/"
  printf '%s\n' "$prefix"
}

main() {
  local usage="usage: build_rocksdb.sh PREFIX VERSION [CC [FLAGS]] | --link PREFIX VERSION"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if [[ ${1:-} == --link ]]; then
    (($# == 3)) || die "$usage"
    link_tool "$2" "$3"
    return
  fi
  (($# >= 2 && $# <= 4)) || die "$usage"
  local prefix=$1 version=$2 cc=${3:-cc} flags=${4:--O2} cxx source
  cxx=$(cxx_of "$cc")
  require "$version" "$cc" "$cxx:${cxx/clang++/clang}" cmake ninja:ninja-build
  source=$("$here/fetch.sh" rocksdb-all "$version")
  [[ $HOSTTYPE != x86_64 ]] || flags+=" -msse4.2 -mpclmul"

  # Two of its files in one group do not compile in some releases.
  printf 'set_source_files_properties(tools/sst_dump_tool.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)\n' \
    >"$work/apart.cmake"
  # Releases of before gcc 13 leave out <cstdint>. The dynamic linker, not bash, knows ORIGIN.
  # shellcheck disable=SC2016
  step "$work" cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_C_COMPILER=$cc" "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_C_FLAGS_RELEASE=$flags -DNDEBUG" \
    "-DCMAKE_CXX_FLAGS_RELEASE=$flags -DNDEBUG -include cstdint" -DFAIL_ON_WARNINGS=OFF \
    -DPORTABLE=1 -DFORCE_SSE42=ON -DWITH_GFLAGS=1 -DWITH_LZ4=1 -DWITH_ZSTD=1 -DWITH_SNAPPY=0 \
    -DWITH_TESTS=OFF -DWITH_TOOLS=OFF -DWITH_CORE_TOOLS=OFF -DWITH_BENCHMARK_TOOLS=ON \
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
    "-DCMAKE_PROJECT_rocksdb_INCLUDE=$work/apart.cmake" \
    -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON '-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib'
  step "$work" ninja -C "$work/build" -j "$(nproc)" db_bench
  mkdir -p "$prefix/bin" "$prefix/lib"
  mv "$work/build/db_bench" "$prefix/bin/"
  mv "$work"/build/librocksdb.so* "$prefix/lib/"
  ln -s ../bin/db_bench "$prefix/lib/"  # the files of this folder tell one build from another
  printf '%s\n' "$prefix"
}
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
