# Standard descriptors that are closed, in all eight ways, under every output; and names of descriptors.
use samples/plain.pex samples/plain.trace samples/paper.csv

# Everything a run makes is what it makes where all are open.
mkdir want got
every='all in out err in-out in-err out-err in-out-err'
closed()
{
    way=$1
    shift
    case $way in
    all) "$@" ;;
    in) "$@" <&- ;;
    out) "$@" >&- ;;
    err) "$@" 2>&- ;;
    in-out) "$@" <&- >&- ;;
    in-err) "$@" <&- 2>&- ;;
    out-err) "$@" >&- 2>&- ;;
    in-out-err) "$@" <&- >&- 2>&- ;;
    esac
}
for output in '-o x.pex' '-o x.pex --embed' '-o x.pex --compress' '-o x.csv' '-o x.json' '-o x.ctf' '-r x.txt' \
    '-r x.csv' '-r x.json' '-r x.html' '-r x.tex' '--table -r x.txt' '--graph=x.dot' '-o x.pex -r x.txt --graph=x.dot'; do
    rm -rf want/* got/*
    # shellcheck disable=SC2086 # several words
    (cd want && cellsync ../plain.pex $output) || complain "$output"
    for way in $every; do
        rm -rf got/*
        # shellcheck disable=SC2086
        (cd got && closed "$way" cellsync --progress=always ../plain.pex $output 2>../messages) || complain "$way closed: $output"
        diff -r want got >&2 || complain "$way closed: $output: another output"
    done
done

# What would go to one that is closed has nowhere to go, and says so.
fails 1 'cellsync paper.csv --explain=T1,T2 <&- >&-'
fails 1 'cellsync paper.csv -o - <&- >&-'
fails 1 'cellsync paper.csv -r /dev/stderr 2>&-'
fails 1 'cellsync paper.csv -o /dev/fd/9 9>&-'
fails 1 'cellsync paper.csv -o /proc/self/fd/9 9>&-'
fails 1 'cellsync - <&- >&-'
good 'pdtsim -o p.pex --workload=synthetic --seed=1 <&- >&- 2>&- && cellsync p.pex >/dev/null && ls p.*'

# Names of descriptors go on where those are, and are never replaced.
echo 'a line' >log
good 'cellsync plain.pex -r /dev/stderr 2>>log && head -n 2 log'
echo 'a line' >log
good 'cellsync paper.csv -o /dev/fd/3 3>>log && cat log'
ln -s /proc/self/fd/1 stdout
ln -s /proc/self/fd/2 stderr
ln -s /proc/self/fd/7 seventh
ln -s /dev/cellsync-test absent
fails 1 'cellsync plain.pex -o stdout <&- >&-'
fails 1 'cellsync plain.pex -r stderr 2>&-'
fails 1 'cellsync plain.pex -r seventh 7>&-'
fails 1 'cellsync paper.csv -o absent'
fails 1 'cellsync plain.pex -o absent --to=ctf'
good 'cellsync paper.csv -o stdout | tail -n 1'

# Two outputs must not be one file, whatever it is called.
fails 2 'cellsync plain.pex -o /dev/fd/3 -r /dev/fd/3 3>>log'
fails 2 'cellsync plain.pex -o log --to=csv -r /dev/fd/3 3>>log'
fails 2 'cellsync plain.pex -o log --to=csv --graph=seventh 7>>log'
# The null device discards any number of outputs, standard output among them.
good 'cellsync plain.pex -o /dev/null -r /dev/null --graph=/dev/null >/dev/null'
fails 2 'cellsync plain.pex -o - -r /dev/stdout >/dev/null'
