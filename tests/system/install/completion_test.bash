# Asks the bash completion of cellsync what a user would ask it with the tab key.
#
#   bash completion_test.bash COMPLETION_FILE HELP_TEXT   (what `cellsync --help` prints)
#
# bash itself splits words at `=` (COMP_WORDBREAKS), so `--from=p` is three words here.
set -u

# shellcheck source=/dev/null # the file under test
source "$1" || exit 1
help=$2
failures=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
mkdir traces 'other folder'
touch a.pex a.trace b.csv c.txt 'd e.csv'

# expect ANSWERS WORD...: complete the last of the words; the answers are sorted, joined by blanks.
expect()
{
    local want=$1 got
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    compopt() { :; } # only bash at a prompt has it
    "$completer" cellsync "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    got=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | LC_ALL=C sort | paste -sd ' ')
    [[ $got == "$want" ]] && return
    printf 'FAIL: completing <%s>\n  want: %s\n  got:  %s\n' "$*" "$want" "$got"
    failures=$((failures + 1))
}

registered=$(complete -p cellsync) || exit 1
[[ $registered =~ -F\ ([^ ]+) ]] || exit 1
completer=${BASH_REMATCH[1]}

# Every option that a line of --help begins with ("  -o, --output=FILE  ..."), and no other.
options=$(sed -nE 's/^ +(-[[:alnum:]], )?(--[a-z-]+=?).*/\2/p' "$help" |
    LC_ALL=C sort | paste -sd ' ')
expect "$options" cellsync --

expect '--quiet' cellsync --q
expect '--fail-above= --figures= --from=' cellsync --f
expect '--from=' cellsync --fr
expect 'chrome csv jaeger otf2 otlp pcap pcapng pex zipkin' cellsync --from =
expect 'pcap pcapng pex' cellsync --from = p
expect 'chrome csv jaeger otf2 otlp pcap pcapng pex zipkin' cellsync --from ''
expect 'chrome csv ctf jaeger json otf2 otlp pcap pcapng pex pftrace tar zipkin' cellsync --to =
expect 'csv html json md tex text' cellsync --report-format =
expect 'all live met none reference' cellsync --pairs =
expect 'exact none paper' cellsync --relax =
expect 'always auto never' cellsync --progress =
expect 'bhh ends lamport lamport-clock lsq ntp' cellsync --method =
expect 'lamport lamport-clock' cellsync --method = la
expect '' cellsync --alpha =
expect '' cellsync --delta = 1
expect '' cellsync --threads =
expect '--compress' cellsync --com
expect 'a.pex a.trace' cellsync --output = a
expect 'a.pex a.trace' cellsync -o a
expect 'c.txt' cellsync -r c
expect 'a.pex b.csv d e.csv other folder traces' cellsync ''
expect 'a.pex' cellsync -v a
expect 'a.pex' cellsync --embed a
expect 'a.pex' cellsync --compress a
expect '0 1 2 3 4 5 6 7 8 9' cellsync --compress =
expect '6' cellsync --compress = 6
expect 'a.pex' cellsync --embed --relax = none a
expect 'other folder traces' cellsync --figures =
expect 'traces' cellsync -- t
expect '' cellsync -- --q

((failures == 0))
