#!/bin/sh
# Run every fuzz target for a while, as many at a time as there are cores.
#
# Usage: fuzz.sh BUILD CELLSYNC SECONDS.  Each grows BUILD/corpus/TARGET, starting from the corpus in the
# tree and from seeds made of testdata; a finding becomes a file of BUILD/found/TARGET, and the exit
# status 1.  To keep what was found, minimize it into the tree:
#   fuzz_TARGET -merge=1 -use_counters=0 tests/fuzz/corpus/TARGET BUILD/corpus/TARGET
set -eu

build=$1
cellsync=$2
seconds=$3
here=$(dirname -- "$0")

dictionary()
{
    case $1 in
        metadata | trace | synced | options | run) echo "-dict=$here/pex.dict" ;;
        otf2) echo -malloc_limit_mb=1048576 ;;
        records | csv | gzip | json) echo "-dict=$here/$1.dict" ;;
    esac
}

fuzz()
{
    mkdir -p "$build/corpus/$1" "$build/found/$1" "$build/seeds/$1"
    # libotf2 asks for as much memory as a file claims to need, and reports what cannot be had.
    if [ "$1" = otf2 ]; then
        ASAN_OPTIONS=${ASAN_OPTIONS:-}:max_allocation_size_mb=1024:allocator_may_return_null=1
        export ASAN_OPTIONS
    fi
    # shellcheck disable=SC2046 # one word or none
    if nice -n 19 "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -max_len=16384 -timeout=20 \
        -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$build/found/$1/" $(dictionary "$1") \
        "$build/corpus/$1" "$here/corpus/$1" "$build/seeds/$1" >"$build/found/$1.log" 2>&1
    then
        printf '%s: %s\n' "$1" "$(grep 'DONE ' "$build/found/$1.log")"
    else
        printf '%s: a finding: %s\n' "$1" "$build/found/$1.log"
        touch "$build/found/failed"
    fi
}

python3 "$here/seeds.py" "$cellsync" "$here/../../testdata" "$build/seeds"
mkdir -p "$build/found"
rm -f "$build/found/failed"
running=0
# Without libotf2 or yajl there are no targets for them.
optional=
[ ! -x "$build/tests/fuzz/fuzz_otf2" ] || optional='otf2 otf2_records'
[ ! -x "$build/tests/fuzz/fuzz_json" ] || optional="$optional json"
for target in $optional pcap log run world options trace synced metadata records csv gzip; do
    fuzz "$target" &
    running=$((running + 1))
    if [ "$running" -eq "$(nproc)" ]; then
        wait
        running=0
    fi
done
wait
[ ! -e "$build/found/failed" ]
