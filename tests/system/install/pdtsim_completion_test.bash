# Asks the bash completion of pdtsim what a user would ask it with the tab key.
#
#   bash pdtsim_completion_test.bash COMPLETION_FILE HELP_TEXT   (what `pdtsim --help` prints)
set -u

# shellcheck source=/dev/null # the file under test
source "$1" || exit 1
help=$2
failures=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
touch a.pex b.csv

# expect ANSWERS WORD...: complete the last of the words; the answers are sorted, joined by blanks.
expect()
{
    local want=$1 got
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    compopt() { :; } # only bash at a prompt has it
    _pdtsim
    got=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | LC_ALL=C sort | paste -sd ' ')
    [[ $got == "$want" ]] && return
    printf 'FAIL: completing <%s>\n  want: %s\n  got:  %s\n' "$*" "$want" "$got"
    failures=$((failures + 1))
}

[[ $(complete -p pdtsim) == *'-F _pdtsim '* ]] || exit 1

# Every option that a line of --help begins with, and no other; every workload that it lists.
options=$(sed -nE 's/^ +(-[[:alnum:]], )?(--[a-z-]+=?).*/\2/p' "$help" |
    LC_ALL=C sort | paste -sd ' ')
workloads=$(sed -n '/^Workloads:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p' "$help" | LC_ALL=C sort | paste -sd ' ')
expect "$options" pdtsim --
expect "$workloads" pdtsim --workload =

expect 'ps3 qs20 qs21 qs22' pdtsim --machine =
expect 'full' pdtsim --level = f
expect 'notifier switch_log' pdtsim --switch-source =
expect '' pdtsim --seed =
expect 'a.pex' pdtsim -o a
expect 'b.csv' pdtsim --truth = b
expect '--compress' pdtsim --comp

((failures == 0))
