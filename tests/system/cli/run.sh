#!/bin/sh
# Runs the CLI tests: every cases/NAME.sh, as many side by side as there are cores, or those that are named, one after
# another; each in an empty folder of its own.
#
#   run.sh CELLSYNC [NAME...]      UPDATE=1 writes what is expected anew, one case after another
#   run.sh CELLSYNC --part=K/N     of every N cases the K-th, from 1, one after another
#
# A case calls the functions below.  Its standard output is compared with cases/NAME.out, its standard
# error with cases/NAME.err (no such file: nothing is expected); exit codes stand in the case itself.
# Inputs come from $DATA, which is testdata, by `use`, so that messages name no folder of this machine;
# the folder of the case itself appears as HERE.  $tests is the folder of this file.
set -eu

if [ $# -eq 0 ] || [ ! -x "$1" ]; then
    echo 'usage: run.sh CELLSYNC [NAME...]' >&2
    exit 2
fi
CELLSYNC=$(readlink -f -- "$1")
shift
part=1 parts=1 abreast=$(nproc || echo 1)
case ${1-} in
    --part=*/*)
        part=${1#--part=} parts=${1#*/} abreast=1
        part=${part%/*}
        shift
        ;;
esac
# Called by its own name, without the modules of this machine: where python3 is a script that looks for one, that takes ten
# times as long as all that it is to do.
PYTHON=${PYTHON-$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null || :)}
tests=$(cd -- "$(dirname -- "$0")" && pwd)
DATA=$(cd -- "$tests/../../../testdata" && pwd)
tmp=$(mktemp -d)
tmp=$(cd "$tmp" && pwd -P)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$tmp/bin"
ln -s "$CELLSYNC" "$tmp/bin/cellsync"
ln -s "$(dirname -- "$CELLSYNC")/pdtsim" "$tmp/bin/pdtsim"
ln -s "$(dirname -- "$CELLSYNC")/cellstat" "$tmp/bin/cellstat"
if [ -n "$PYTHON" ]; then
    printf '#!/bin/sh\nexec "%s" -E -s -S "$@"\n' "$PYTHON" >"$tmp/bin/python3"
    chmod +x "$tmp/bin/python3"
fi
mkdir "$tmp/one_rate"
for program in cellsync cellstat; do
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$tests/../../tools/one_rate.sh" "$tmp/bin/$program" >"$tmp/one_rate/$program"
    chmod +x "$tmp/one_rate/$program"
done
PATH=$tmp/bin:$PATH
TMPDIR=$tmp/spool
LC_ALL=C
export CELLSYNC DATA PATH PYTHON TMPDIR LC_ALL
umask 022

# --- What cases call ---------------------------------------------------------------------------

# use FILE...: copy files of $DATA into the folder.
use()
{
    for from in "$@"; do
        cat "$DATA/$from" >"${from##*/}"
    done
}

# complain TEXT: what is wrong; the case fails but goes on.
complain()
{
    printf '%s\n' "$*" >>"$tmp/complaints"
}

# The iconv of this machine, which can do nothing with what GCONV_PATH offers to programs of another architecture.
iconv()
{
    env -u GCONV_PATH iconv "$@"
}

# run COMMAND: run a command line; what it prints is in $tmp/out and $tmp/err, its exit status in $code.
run()
{
    code=0
    (eval "$1") >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
}

# told COMMAND: pass on what it has printed, under the command.
told()
{
    if [ -s "$tmp/out" ]; then
        printf '$ %s\n' "$1"
        cat "$tmp/out"
    fi
    if [ -s "$tmp/err" ]; then
        printf '$ %s\n' "$1" >&2
        # Mostly a line: a process would take longer than what has said it.
        while IFS= read -r line; do
            printf '%s\n' "$line"
        done <"$tmp/err" >&2
        printf '%s' "$line" >&2
    fi
}

# good COMMAND: it must succeed.
good()
{
    run "$1"
    [ "$code" -eq 0 ] || complain "exit $code, want 0: $1"
    told "$1"
}

# one_rate: from here on, cellsync and cellstat assume equal rates and take the least delta, unless a command says otherwise.
one_rate()
{
    PATH=$tmp/one_rate:$PATH
}

# Every file of the folder, with what tells whether it was written or replaced.  No function: that would be a process more.
snapshot='ls -ilAnR --time-style=full-iso .'

# fails CODE COMMAND: it must end with this exit status, print nothing on standard output, and leave
# every file in the folder as it was.
fails()
{
    before=$($snapshot)
    run "$2"
    after=$($snapshot)
    [ "$code" -eq "$1" ] || complain "exit $code, want $1: $2"
    [ ! -s "$tmp/out" ] || complain "something on standard output: $2"
    [ "$before" = "$after" ] || {
        complain "files have changed: $2"
        printf '%s\n' "$before" >"$tmp/before"
        printf '%s\n' "$after" | diff "$tmp/before" - >>"$tmp/complaints" || :
    }
    told "$2"
}

# skip REASON: this case cannot run here.
skip()
{
    echo "$*" >"$tmp/skip"
    exit 0
}

# --- The runner --------------------------------------------------------------------------------

# One case in a shell of its own.
run_case()
{
    here=$tmp/here/$1
    rm -rf "$TMPDIR" "$tmp/skip" "$tmp/complaints"
    mkdir -p "$here" "$TMPDIR"
    set +e
    (
        set -e
        cd "$here"
        # shellcheck source=/dev/null
        . "$tests/cases/$1.sh"
    ) >"$tmp/got.out" 2>"$tmp/got.err" </dev/null
    status=$?
    set -e
    [ "$status" -eq 0 ] || complain "the script stopped with $status"
    strays=$(find "$here" "$TMPDIR" -name '.*' -o -path "$TMPDIR/*")
    [ -z "$strays" ] || complain "left behind: $strays"
    sed -i "s|$here|HERE|g" "$tmp/got.err"
    chmod -R u+rwx "$here"
    rm -rf "$here"
}

# expect NAME STREAM: compare with what is expected, or write it.
expect()
{
    expected=$tests/cases/$1.$2
    if [ -n "${UPDATE-}" ]; then
        rm -f "$expected"
        [ ! -s "$tmp/got.$2" ] || cp "$tmp/got.$2" "$expected"
        return
    fi
    [ -f "$expected" ] || expected=/dev/null
    diff -u "$expected" "$tmp/got.$2" >>"$tmp/complaints" || :
}

# cases: paths of the cases of this part.
cases()
{
    printf '%s\n' "$tests"/cases/*.sh | awk -v part="$part" -v parts="$parts" '(NR - part) % parts == 0'
}

# all_cases: run each by a runner of its own, and tell what it tells when it is done.
all_cases()
{
    mkdir "$tmp/told" "$TMPDIR"
    cases | xargs -P "$abreast" -n 1 sh -c '
        name=$(basename -- "$4" .sh)
        sh "$1" "$2" "$name" >"$3/$name" 2>&1 || { code=$?; [ "$code" -eq 1 ] || echo "    exit $code" >>"$3/$name"; exit 1; }' \
        sh "$tests/run.sh" "$CELLSYNC" "$tmp/told" || failed=1
    cases | while read -r name; do
        cat "$tmp/told/$(basename -- "$name" .sh)"
    done | awk '
        /^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; next }
        { print }
        END { print passed + 0 " passed, " failed + 0 " failed"; exit passed == 0 || failed > 0 }' || failed=1
    exit "${failed:-0}"
}

[ $# -gt 0 ] || [ -n "${UPDATE-}" ] || all_cases
[ $# -gt 0 ] || set -- "$tests"/cases/*.sh
passed=0 failed=0
for name in "$@"; do
    name=$(basename -- "$name" .sh)
    [ -f "$tests/cases/$name.sh" ] || {
        echo "run.sh: no case is called $name" >&2
        exit 2
    }
    run_case "$name"
    if [ -f "$tmp/skip" ]; then
        echo "skip $name: $(cat "$tmp/skip")"
        continue
    fi
    expect "$name" out
    expect "$name" err
    if [ -s "$tmp/complaints" ]; then
        failed=$((failed + 1))
        echo "FAIL $name"
        sed 's/^/    /' "$tmp/complaints"
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
