#!/bin/sh
# The same bytes from 1, 2 and 7 threads: every kind of input, output and report, of traces large enough
# that threads share the work.
# Usage: threads_test.sh CELLSYNC TRACEGEN [RECORDS [MANY [THREADS...]]]   RECORDS of 32 bytes, 250,000 are 8 MiB, of few
# live intervals; MANY of hundreds; THREADS: others than 1, 2 and 7.
set -eu
cellsync=$1 tracegen=$2 records=${3:-250000} many=${4:-40000}
shift "$(($# < 4 ? $# : 4))"
[ $# -gt 0 ] || set -- 1 2 7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Few live intervals, packed in two members too, and as CSV; then hundreds of intervals for dense bounds.
"$tracegen" plain "$records" 16 "$((records / 20))" 17
size=$(wc -c <plain.trace)
{ head -c "$((size / 3))" plain.trace | gzip -1; tail -c +"$((size / 3 + 1))" plain.trace | gzip -1; } >packed.trace.gz
sed 's/href="plain.trace"/href="packed.trace.gz" compression="gzip"/' plain.pex >packed.pex
"$cellsync" -q plain.pex -o rows.csv
"$tracegen" many "$many" 16 50 17

# write_all THREADS: everything, in a folder of that name.
write_all()
{
    mkdir "$1"
    for trace in plain.pex packed.pex; do
        name=$1/${trace%.pex}
        "$cellsync" -q --threads="$1" "$trace" -o "$name.pex" -r "$name.txt"
        "$cellsync" -q --threads="$1" "$trace" -o "$name-gz.pex" --compress=1 -r "$name.json"
        "$cellsync" -q --threads="$1" "$trace" -o "$name.csv" -r "$name-report.csv"
        "$cellsync" -q --threads="$1" "$trace" -o - --compress=6 >"$name-pipe.pex"
    done
    "$cellsync" -q --threads="$1" rows.csv -o "$1/rows.csv" -r "$1/rows.txt"
    for trace in plain.pex rows.csv; do
        "$cellsync" -q --threads="$1" "$trace" -o "$1/$trace.json.gz" --window=20%..40% --json-args=short
        "$cellsync" -q --threads="$1" "$trace" -o "$1/$trace.ctf" --to=ctf
    done
    for trace in plain.pex rows.csv many.pex; do
        "$cellsync" -q --threads="$1" "$trace" -o "$1/$trace.json"
        "$cellsync" -q --threads="$1" "$trace" -o "$1/$trace.part.csv" --window=20%..90%
    done
    "$cellsync" -q --threads="$1" many.pex -o "$1/many.csv"
    "$cellsync" -q --threads="$1" many.pex -o "$1/many.ctf"
    for options in --engine=sweep --engine=dense --relax=paper; do
        "$cellsync" -q --threads="$1" "$options" many.pex -o "$1/many$options.pex" -r "$1/many$options.csv"
    done
}

first=$1
for threads; do
    write_all "$threads"
    diff -r "$first" "$threads"
done
# What was written is right, too: the packed input is the plain one, the packed output unpacks to it.
cmp "$first"/plain.*.trace "$first"/packed.*.trace
gzip -dc 7/plain-gz.*.trace.gz | cmp - "$first"/plain.*.trace
cmp "$first/rows.csv" rows.csv
# A pipe that nothing reads any more ends the program as ever, whichever worker writes.
for threads in 1 2; do
    { "$cellsync" -q --threads="$threads" rows.csv -o - --to=json 2>said || echo "$?" >code; } | head -c 1 >head
    test "$(cat code) $(wc -c <said)" = "141 0"
done
echo "$(find "$first" -type f | wc -l) files, $(du -sm "$first" | cut -f 1) MiB, are the same from $* threads"
