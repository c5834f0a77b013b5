#!/bin/sh
# Another architecture writes the bytes that this one writes: every format, report and method, every good trace and
# some simulated ones, and says the same of them.  Where a trace cannot be synchronized, what is said is compared.
# Usage: same_output.sh SOURCE_FOLDER PROGRAMS OTHER_PROGRAMS     folders of cellsync and pdtsim
set -eu
source=$(readlink -f -- "$1") here=$(readlink -f -- "$2") there=$(readlink -f -- "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

# The options of each run, for a trace with this name.
option_lines()
{
    cat <<TEXT
-o $1.pex -r $1.txt
--check $1.pex
-o $1.embedded.pex --embed --compress -r $1.pairs.csv --pairs=all
-o $1.csv -r $1.report.csv
-o $1.json -r $1.report.json --measure
-o $1.ctf -r $1.html
-r $1.tex --graph=$1.dot
-r $1.live.csv --pairs=live --graph=$1.bounds.dot --graph-of=bounds
-o $1.paper.csv -r $1.paper.json --relax=paper --alpha=1/3
-o $1.strict.csv -r $1.strict.txt --delta=7/2 --unwrap=strict --engine=dense --monotonic
-o $1.lsq.json -r $1.lsq.txt --method=lsq --measure
-o $1.lamport.csv -r $1.lamport.html --method=lamport --measure
-o $1.ticks.ctf -r $1.ticks.txt --method=lamport-clock
--explain=$2
TEXT
}

# synchronize PROGRAMS TRACE NAME: into the current folder.
synchronize()
{
    # Two threads, by the name of the first and the last.
    pair=$("$here/cellsync" -q "$2" --pairs=all --report-format=csv 2>&1 | sed -n '$s/^\([^,]*,[^,]*\),.*/\1/p')
    option_lines "$3" "$pair" | while read -r options; do
        status=0
        # shellcheck disable=SC2086 # a list of words
        case $options in
            --check*) "$1/cellsync" $options 2>&1 || status=$? ;;
            *) "$1/cellsync" $options "$2" 2>&1 || status=$? ;;
        esac </dev/null
        echo "status $status: $options"
    done >"$3.said"
}

all_outputs()
{
    mkdir "$2"
    cd "$2"
    for trace in "$source"/testdata/*.pex "$source"/testdata/samples/*.pex "$source"/testdata/good/*.pex \
                 "$source"/testdata/samples/paper.csv "$source"/testdata/samples/one-sided.csv; do
        synchronize "$1" "$trace" "$(basename "$trace").out"
    done
    for workload in blackscholes juliaset matrix_mul oversubscribed; do
        "$1/pdtsim" --workload=$workload --events=10000 --jitter=3 --late-writes=1 --truth=$workload.csv \
            -o $workload.pex
        synchronize "$1" $workload.pex $workload.out
    done
    # Of several segments, which two threads share; as CSV too.
    "$1/pdtsim" --workload=fft16m --events=200000 -o long.pex
    synchronize "$1" long.pex long.out
    synchronize "$1" long.out.csv long.out.csv.out
}

(all_outputs "$here" "$work/here")
(all_outputs "$there" "$work/there")
diff -r "$work/here" "$work/there"
files=$(find "$work/here" -type f | wc -l)
runs=$(cat "$work/here"/*.said | grep -c '^status ')
good=$(cat "$work/here"/*.said | grep -c '^status 0')
[ "$files" -ge 500 ] && [ "$good" -ge 300 ] || { echo "only $files files of $good good runs" >&2; exit 1; }
echo "$files files of $runs runs, $good of them good, are the same"
