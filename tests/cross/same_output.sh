#!/bin/sh
# Another architecture writes the bytes that this one writes: every format and report, every good trace.
# Usage: same_output.sh SOURCE_FOLDER CELLSYNC OTHER_CELLSYNC
set -eu
source=$1 cellsync=$2 other=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# all_outputs CELLSYNC FOLDER.  Where a trace cannot be synchronized, what is said is compared, and the status.
all_outputs()
{
    mkdir "$2"
    for trace in "$source"/testdata/*.pex "$source"/testdata/samples/*.pex "$source"/testdata/good/*.pex \
                 "$source"/testdata/samples/paper.csv "$source"/testdata/samples/one-sided.csv; do
        name=$2/$(basename "$trace")
        for kind in csv json; do
            status=0
            "$1" -q "$trace" -o "$name.out.$kind" -r "$name.report.$kind" 2>"$name.$kind.err" || status=$?
            echo "$status" >>"$name.$kind.err"
        done
        case $trace in
            *.pex) "$1" -q "$trace" -o "$name.out.pex" -r "$name.txt" 2>>"$name.err" || true ;;
        esac
    done
}

all_outputs "$cellsync" "$work/here"
all_outputs "$other" "$work/there"
diff -r "$work/here" "$work/there"
files=$(find "$work/here" -name '*.out.*' | wc -l)
[ "$files" -ge 40 ] || { echo "only $files outputs to compare" >&2; exit 1; }
echo "$(find "$work/here" -type f | wc -l) files are the same, $files of them traces"
