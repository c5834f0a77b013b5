# --strict and --fail-above: outputs are written first, one line says why, and the exit status is 3.
one_rate
cat >t.csv <<'.'
# order=partial
# timebase_hz=1000000000
thread,time,send,recv
R,0,m,
C,1000,,m
C,1000,n,
R,500,,n
C,1001000,,
.

# The max error is 500 ticks. A limit is exact: 500 passes, and what is below fails.
good 'cellsync t.csv --fail-above=500 --strict | grep "^max error"'
good 'cellsync t.csv --fail-above=0.5us -r /dev/null'
good 'cellsync t.csv --fail-above=499999/1000 -q -o out.csv -r out.txt || echo "status $?"'
good 'grep -c R, out.csv; grep "^max error" out.txt'
fails 3 'cellsync t.csv --fail-above=499ns -r /dev/null'
good 'cellstat latency t.csv --fail-above=1 -q -o out.csv --format=csv || echo "status $?"'
good 'head -n 1 out.csv | cut -d , -f 1-3'

# Under drift the error is a fraction, and is rounded up where it is shown.
good 'cellsync t.csv --drift=100 --fail-above=701 -r - | grep "^max error"'
fails 3 'cellsync t.csv --drift=100 --fail-above=1 -r /dev/null'

# An error is unlimited where a clock has no bounds. A warning has a key.
(cat t.csv && echo 'alone,7,,') >u.csv
fails 3 'cellsync -q u.csv --fail-above=1000s --strict -r /dev/null'
fails 3 'cellsync -q u.csv --drift=10 --fail-above=1000s -r /dev/null'
fails 3 'cellsync u.csv --strict -r /dev/null'

# One clock has no error; a table is written although a trace fails.
printf 'thread,time_us\nA,1\nA,2\n' >one.csv
good 'cellsync one.csv --fail-above=0 --strict -r /dev/null'
good 'cellsync -q --table t.csv u.csv --strict --fail-above=1 -r table.csv || echo "status $?"'
good 'cut -d , -f 1-4 table.csv'

# The bounds of a synchronized .pex are those to the reference: errors of two clocks are added.
use demo.pex demo.trace
good 'cellsync -q demo.pex -o synced.pex --fail-above=35 -r /dev/null'
good 'cellstat -q order synced.pex "#0" "#9" --fail-above=35 >order.txt || echo "status $?"'
good 'cellstat -q order synced.pex "#0" "#9" --fail-above=36'

# What has no bounds has no limit; what cannot be is refused.
good 'cellsync demo.pex --method=lamport -q --strict -r /dev/null'
fails 2 'cellsync demo.pex --method=lamport --fail-above=1'
fails 2 'cellsync demo.pex --fail-above=-1'
fails 2 'cellsync demo.pex --fail-above=9223372036854775807s'
fails 2 'cellsync --check synced.pex --strict'

# A latency next to leave is that of a group: as messages from each enter to each leave with the same latencies.
{
    printf '# order=partial\n# timebase_hz=1000000000\nthread,begin,time,enter,leave,latency\n'
    printf '%s\n' A,1000,3000,g,g,700 B,51500,53600,g,g,700 C,,81000,g,, C,,83900,,g,500
} >group.csv
{
    printf '# order=partial\n# timebase_hz=1000000000\nthread,time,send,recv,latency\n'
    printf '%s\n' 'A,1000,ab ac aa,,' 'A,3000,,ba ca aa,700' 'B,51500,ba bc bb,,' 'B,53600,,ab cb bb,700' 'C,81000,ca cb cc,,' \
        'C,83900,,ac bc cc,500'
} >messages.csv
for options in '--drift=0 --delta=least' '--drift=0 --delta=1/2' '--drift=101'; do
    for file in group messages; do
        cellsync -q $file.csv $options --reference=A -r - --report-format=csv --pairs=all | cut -d, -f1-6 >$file.txt
    done
    good "cmp group.txt messages.txt && wc -l <group.txt # $options"
done
good 'cellsync -q group.csv --drift=0 --delta=least --explain=B,A | head -n 4'
good 'cellsync -q group.csv -o s.csv && cellsync --check s.csv | tail -n 1'
