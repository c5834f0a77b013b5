#!/bin/sh
# The commands of doc/papers.md, in its order, in one folder: each does what it is shown for, as far as an exit status tells.
# Sections of manual pages that it names are there.
#
#   papers_test.sh FOLDER     of the programs
set -u

programs=$(cd -- "$1" && pwd) || exit 2
cd -- "$(dirname -- "$0")/../../.." || exit 1
top=$PWD
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

grep -oE '`(cat|cellsync|cellstat|pdtsim) [^`]*`' doc/papers.md | tr -d '`' >"$tmp/commands"
ln -s "$top/testdata" "$tmp/testdata"
cd "$tmp" || exit 1
PATH=$programs:$PATH
passed=0
failed=0
while IFS= read -r command; do
    if sh -c "$command" >said 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL: %s\n' "$command"
        cat said
    fi
done <commands
grep -oE '`[a-z-]+\([1357]\)`, [A-Z][A-Za-z]*( [a-z]+)*' "$top/doc/papers.md" | tr -d '`(),' >cited
while read -r page section; do
    if grep -qE "^\.S[hs] ${section%% and*}" "$top/man/${page%?}.${page#"${page%?}"}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL: %s has no section %s\n' "$page" "$section"
    fi
done <cited
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 20 ]
