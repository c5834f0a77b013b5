# Asks the zsh completion of a program what a user would ask it with the tab key, in a zsh of its own behind
# a pseudo-terminal.
#
#   zsh -f completion_test.zsh PROGRAM COMPLETION_FILE HELP_TEXT   (what `PROGRAM --help` prints)
zmodload zsh/zpty || exit 1
export LC_ALL=C

program=$1
help=${3:A}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf $tmp' EXIT
mkdir $tmp/functions $tmp/here $tmp/here/traces
cp $2 $tmp/functions/_$program || exit 1
cd $tmp/here
touch a.pex a.trace b.csv c.txt 'd e.csv'
failures=0

# answers LINE: what tab offers behind it, sorted, joined by blanks.
# compadd is asked for its matches, which go out between marks; nothing is inserted.
answers()
{
    local got line
    zpty asked zsh -f -i
    zpty -w asked "PS1= fpath=($tmp/functions \$fpath)"
    zpty -w asked 'autoload -Uz compinit && compinit -u -D
        zstyle ":completion:*" completer _complete
        compadd() {
            local -a found
            [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "$@"; return }
            builtin compadd -A found "$@"
            print -rl -- "MATCH:"$^found":"
            builtin compadd "$@"
        }
        ask() { print BEGIN:; zle complete-word; print END:; exit }
        zle -C complete-word complete-word _main_complete
        zle -N ask
        bindkey "^I" ask
        print "REA""DY"'
    while zpty -r asked line && [[ $line != *READY* ]]; do :; done
    zpty -w -n asked "$1"$'\t'
    while zpty -r asked line && [[ $line != *END:* ]]; do got+=$line; done
    zpty -d asked
    print -r -- ${(o)${(f)"$(print -r -- $got | tr -d '\r' | sed -n 's/.*MATCH:\(.*\):.*/\1/p')"}}
}

# expect ANSWERS LINE
expect()
{
    local got
    got=$(answers $2)
    [[ $got == $1 ]] && return
    printf 'FAIL: completing <%s>\n  want: %s\n  got:  %s\n' "$2" "$1" "$got"
    failures=$((failures + 1))
}

# Every long option that a line of --help begins with, and no other.
long=$(sed -nE 's/^ +(-[[:alnum:]], )?(--[a-z-]+).*/\2/p' $help | LC_ALL=C sort | paste -sd ' ')
expect $long "$program --"
if [[ $program == pdtsim ]]; then
    workloads=$(sed -n '/^Workloads:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p' $help | LC_ALL=C sort | paste -sd ' ')
    expect $workloads 'pdtsim --workload='
    expect 'ps3 qs20 qs21 qs22' 'pdtsim --machine='
    expect 'notifier switch_log' 'pdtsim -v --switch-source='
    expect '' 'pdtsim --seed='
    ((failures == 0))
    exit
fi
expect 'chrome csv jaeger otf2 otlp pcap pcapng pex zipkin' 'cellsync --from='
expect 'chrome csv ctf jaeger json otf2 otlp pcap pcapng pex pftrace tar zipkin' 'cellsync --to='
expect 'csv html json md tex text' 'cellsync --report-format='
expect 'exact none paper' 'cellsync a.pex -q --relax='
expect 'lamport lamport-clock' 'cellsync --method=la'
expect '0 1 2 3 4 5 6 7 8 9' 'cellsync --compress='
expect '' 'cellsync --threads='
expect '' 'cellsync --relax=none --del'
expect 'a.pex b.csv d\ e.csv traces' 'cellsync '
expect 'a.pex a.trace' 'cellsync -o a'

((failures == 0))
