# --max-memory: what a run would take is refused before it is taken, with both numbers.
use good/rich.pex good/rich.trace samples/paper.csv
good 'cellsync --max-memory=100M paper.csv | head -n 1'
good 'cellsync --max-memory=1G rich.pex -o out.pex && cellsync --check out.pex --max-memory=102400K | head -n 1'
for bytes in 0 -1 1.5 12m 1T 99999999999999999999 18014398509481984K ''; do
    fails 2 "cellsync --max-memory=$bytes paper.csv"
done

# Live threads: the sweep's bounds, the dense engine's, and delta.
crowd()
{
    awk -v n="$1" -v back="$2" 'BEGIN {
        print "thread,time"
        for (i = 0; i < n; i++) print "t" i ",0"
        print "t0," back
        for (i = 0; i < n; i++) print "t" i ",0"
    }'
}
crowd 1200 0 >crowd.csv
crowd 1200 -1 >back.csv
fails 1 'cellsync --engine=sweep --max-memory=20M crowd.csv'
fails 1 'cellsync --engine=dense --max-memory=20M crowd.csv'
fails 1 'cellsync --max-memory=20M crowd.csv'
# Where addresses have 32 bits, malloc asks the system for more, and the limit is met before what is predicted.
run 'cellsync --max-memory=26M back.csv'
case $code-$(cat "$tmp/err") in
1-*'back.csv: delta between threads, of which 1200 are active at once would need 28 MiB of memory; the limit is 26 MiB (--max-memory)') ;;
1-*'no memory: more than available, or more than the limit of 26 MiB (--max-memory)')
    [ "$(od -A n -t x1 -j 4 -N 1 "$CELLSYNC")" = ' 01' ] || complain "$(cat "$tmp/err")" ;;
*) complain "exit $code: $(cat "$tmp/err")" ;;
esac

# An error about memory does not name line 0.  Machines differ in where they meet the limit.
awk 'BEGIN {
    print "# order=partial\nthread,time,send,recv"
    for (i = 0; i < 60000; i++) print "a" i % 7 "," 9 * i ",m" i ",\nb" i % 5 "," 9 * i + 5 ",,m" i
}' >messages.csv
for most in 21 22 23 24; do
    run "cellsync --drift=100 --max-memory=${most}M messages.csv"
    case $(cat "$tmp/err") in *'line 0'*) complain "$(cat "$tmp/err")" ;; esac
done

# A document.
{
    printf '<pdt_trace version="1"><machine timebase_hz="1"/><trace_file/>'
    awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "<a b=\"%d\"/>", i % 10 }'
    printf '</pdt_trace>'
} >wide.pex
fails 1 'cellsync --max-memory=20M wide.pex'

# What is not predicted: where the system counts what a program takes, it stops.
{
    printf '<pdt_trace version="1"><machine timebase_hz="1"/><trace_file/><clock kind="global"/><synchronization>'
    awk 'BEGIN { for (i = 100000; i < 210000; i++)
                     printf "<ppe_thread first_record=\"%d\" records=\"1\" offset=\"0\" earliest=\"0\" latest=\"0\"/>", i }'
    printf '</synchronization></pdt_trace>'
} >rows.pex
grep -q __asan_init "$CELLSYNC" && return 0 # its malloc does not fail
[ "$(head -c 2 "$CELLSYNC")" = "#!" ] && return 0 # nor is what an emulator runs limited
run 'cellsync --max-memory=20M rows.pex'
case $code-$(cat "$tmp/err") in
1-*'no memory: more than available, or more than the limit of 20 MiB (--max-memory)') ;;
*) [ -e /proc/self/statm ] && complain "exit $code: $(cat "$tmp/err")" ;;
esac
