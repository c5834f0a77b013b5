#!/bin/sh
# Same input, same bytes: a second run and a build by another compiler write what the first one wrote.
# Usage: same_bytes.sh SOURCE_FOLDER CELLSYNC.  CELLSYNC_BY_CLANG is the other build; where the environment has none, it is made.
set -eu
source=$1 cellsync=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang=${CELLSYNC_BY_CLANG:-$work/clang/cellsync}
if [ -z "${CELLSYNC_BY_CLANG:-}" ]; then
    launcher=
    if command -v ccache >/dev/null; then
        export CCACHE_BASEDIR="$source" CCACHE_DEPEND=1 CCACHE_NOHASHDIR=1
        launcher=ccache
    fi
    cmake -S "$source" -B "$work/clang" -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS=-Werror \
          -DCMAKE_C_COMPILER_LAUNCHER="$launcher" -DBUILD_TESTING=OFF >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cmake --build "$work/clang" -j 2 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi

# write_all CELLSYNC FOLDER: every output of every trace
write_all() {
    mkdir "$2"
    for trace in "$source"/testdata/*.pex "$source"/testdata/samples/*.pex; do
        name=$(basename "$trace" .pex)
        "$1" -q "$trace" -o "$2/$name.pex" -r "$2/$name.json"
        "$1" -q "$trace" -o "$2/$name.csv" -r "$2/$name.txt"
    done
    for trace in paper one-sided; do
        "$1" -q "$source/testdata/samples/$trace.csv" -o "$2/$trace.csv" -r "$2/$trace.txt"
    done
}

write_all "$cellsync" "$work/first"
write_all "$cellsync" "$work/second"
write_all "$clang" "$work/other"
diff -r "$work/first" "$work/second"
diff -r "$work/first" "$work/other"
echo "$(find "$work/first" -type f | wc -l) files are the same three times"
