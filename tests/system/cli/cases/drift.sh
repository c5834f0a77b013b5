# Clocks that drift: --drift and --clocks, what reports say, and what is refused.
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

# Known: against R the last record of C has an offset in [-1100, -400].
good 'cellsync t.csv --drift=100 --reference=R'
good 'cellsync t.csv --drift=100 --reference=R --clocks=-'
good 'cellsync t.csv --drift=100,0.02 --reference=R --alpha=1/3 -o s.csv --clocks=k.csv'
good 'cat s.csv k.csv'
good 'cellsync --check s.csv'
good 'cellsync t.csv --drift=100 --reference=R -r - --report-format=json'
good 'cellsync t.csv --drift=100 --reference=R -o - --to=json'
good 'cellsync t.csv --drift=100 --reference=R -r r.html; grep -c "id=\"course\"" r.html; sed -n "/id=.verdict/p" r.html'
# With a wander both say that bounds can be wider than they must be.
good 'cellsync t.csv --drift=100,0.02 --reference=R | grep -A 1 "^errors are"'
good 'cellsync t.csv --drift=100,0.02 --reference=R -r r.html; sed -n "/id=.verdict/p" r.html'
good 'cellsync t.csv --reference=R --clocks=-'
good 'cellsync t.csv --drift=0 --reference=R --clocks=-'

# Clocks of one rate have pairs, tables, and explanations, however that is said; the least delta is the default.
for options in '-r - --report-format=csv --pairs=all' '--table' '--explain=R,C' '-r - --report-format=json'; do
    cellsync t.csv --drift=0 --relax=exact --reference=R $options >default.txt 2>&1
    good "cellsync t.csv --drift=0,3 --delta=least --reference=R $options 2>&1 | cmp - default.txt"
done
fails 2 'cellsync t.csv --delta=1 --drop=1'
fails 2 'cellsync t.csv --delta=most'
fails 2 'cellsync t.csv --relax=none --delta=least'
fails 2 'cellstat latency t.csv --delta=1 --drop=1'

# One buffer: C runs 200 ppm faster than R, which 100 ppm do not explain.
printf '# timebase_hz=1000000000\nthread,time\n' >line.csv
for i in 1 2 3 4 5 6 7 8 9; do
    printf 'R,%d\nC,%d\nR,%d\n' $((i * 10000000)) $((i * 10002000)) $((i * 10000000 + 10))
done >>line.csv
good 'cellsync line.csv --drift=200 --reference=R'
good 'cellsync line.csv --drift=200,0 --reference=R --clocks=-'
good 'cellsync line.csv --drift=100 --reference=R'
fails 3 'cellsync line.csv --drift=100 --reference=R --relax=none'
fails 3 'cellsync line.csv --drift=100 --reference=R --delta=10'
good 'cellsync line.csv --drift=100 --reference=R --monotonic --measure -r - | sed -n "/^inversions/,/^damage/p"'

# A witness names messages under drift, too.
printf '# order=partial\n# timebase_hz=1000000000\nthread,time,send,recv\nA,0,m,\nB,100,,m\nB,110,n,\nA,5,,n\nA,100000,,\n' >m.csv
fails 3 'cellsync m.csv --drift=1 --latency=1 --relax=none'

# Without it, the witness and the diagnosis say how much there must be: with that delta is 0, and with less it is not.
awk 'BEGIN { print "# timebase_hz=1000000000\nthread,time"
    for (i = 1; i <= 4000; i++) {
        t = i * 20000 + i * i % 7001
        print i % 3 == 0 ? "A," t : i % 3 == 1 ? "B," int(t * 1.004) - 123456 : "C," int(t * 0.997) + 987654
    } }' >rates.csv
good 'cellsync -q rates.csv --reference=A -r - | sed -n "/^delta/,/^profile/p"'
good 'cellsync -q rates.csv --delta=1 --delta=least --drop=1 --reference=A | grep "^delta"'
least=$(cellsync -q rates.csv --reference=A -r - --report-format=json | sed -n 's/.*"enough_drift_ppb": \([0-9]*\)\([0-9]\{3\}\),.*/\1.\2/p')
good "cellsync -q rates.csv --reference=A --drift=$least | grep '^delta'"
good 'cellsync -q rates.csv --reference=A --drift=3000 | sed -n "/^delta/p; /^witness/p"'

# A rate that changes by far.
cat >w.csv <<'.'
thread,time
R,0
C,0
R,10
R,1000000
C,1000000
R,1000010
R,2000000
C,2000100
R,2000010
.
good 'cellsync w.csv --drift=200 --reference=R -r - | tail -n 3'
good 'cellsync -q w.csv --drift=200,1 --reference=R -r - | sed -n "/^delta/p"'
fails 3 'cellsync -q w.csv --drift=200,1 --delta=9 --reference=R'
fails 3 'cellsync -q w.csv --drift=200,1 --relax=none --reference=R'

# Known: test 12 of LTTV's synchronization, in hundredths.  Its convex hull has rates from 244269.8 to 341252.1 ppm, and
# errors of 1699.9 and 1375.2 at the ends.
cat >lttv.csv <<'.'
# order=partial
thread,time,send,recv
g0,10783,m0,
g0,13090,,m6
g0,13256,m1,
g0,14480,m2,
g0,16052,,m7
g1,27440,,m0
g1,27578,m6,
g1,29037,,m1
g1,29913,,m2
g1,30003,m7,
g0,33379,,m8
g0,33408,m3,
g1,43285,m8,
g1,44567,,m3
g0,50088,m4,
g0,52251,,m9
g0,52315,m5,
g1,57471,,m4
g1,58074,m9,
g1,59147,,m5
.
good 'cellsync lttv.csv --drift=400000,0 --reference=g0 -r - | sed -n "/^g1/p"'

# A .pex has such clocks too, but none is written.
use samples/plain.pex samples/plain.trace
good 'cellsync plain.pex --drift=1 -r - | sed -n "/^delta/,/^mean error/p"'
fails 2 'cellsync plain.pex --drift=1 -o s.pex'

# No clock is next to another one; and none is bounded after the first.
printf '# order=partial\nthread,time\nA,1\nB,5\n' >apart.csv
good 'cellsync apart.csv --drift=50 --clocks=-'

# Tables have the error of any two events, and the mean over records; the rest is not known.
good 'cellsync t.csv --drift=100 --reference=R --table'
good 'cellsync t.csv --drift=100,0.02 --reference=R --table --report-format=csv -r -'
good 'cellsync -q t.csv line.csv apart.csv plain.pex --drift=200'
good 'cellsync -q t.csv plain.pex --drift=200 -r - --report-format=csv'
good 'cellsync -q t.csv plain.pex --drift=200 -r - --report-format=tex --unit=us'
good 'cellsync -q plain.pex --drift=200 --reference=ppe --table --unit=us'
good 'cellsync -q plain.pex --drift=200 --reference="spe2.1" --table'

# Pairs at 64 moments.  C loses or gains 100 ppm in 1000000 ticks: 500 and 200 at the last record.
good 'cellsync t.csv --drift=100 --reference=R -r - --report-format=csv'
good 'cellsync t.csv --drift=100 --reference=R --pairs=met -r - --report-format=json | sed -n "/\"pairs_listed\"/,\$p"'
good 'cellsync -q plain.pex --drift=100 --statistics=all | sed -n "/^worst pair/,/^Errors/p; /of each pair/,\$p"'
good 'cellsync -q plain.pex --drift=100 --pairs=live -r - --report-format=csv | cut -d, -f 1-6,17-20'
good 'cellsync -q plain.pex --drift=100 --pairs=reference -r - --report-format=csv | cut -d, -f 1-6,17-20'
good 'cellsync -q apart.csv --drift=50 --pairs=all -r - --report-format=csv'
fails 2 'cellsync t.csv --drift=100 --pairs=live -r - --report-format=csv'
fails 2 'cellsync plain.pex --drift=100 --pairs=met -r - --report-format=csv'
good 'cellsync t.csv --drift=100 --reference=R --explain=C,R'
good 'cellsync apart.csv --drift=50 --explain=A,B'
good 'cellsync t.csv --drift=100 --reference=R --graph=- --graph-of=bounds'
good 'cellsync -q plain.pex --drift=100 --graph=-'

# What they are, and what is for clocks that do not drift.
for how in x 100, 100,x 100,1,1 1000000 1.0001 .5 1. -1 1e2 ,1 ''; do
    fails 2 "cellsync t.csv --drift=$how"
done
for option in --center=local --drop=1 --relax=paper --engine=sweep --engine=dense --unwrap=strict --method=lsq; do
    fails 2 "cellsync t.csv --drift=1 $option"
done
fails 2 'cellsync t.csv --monotonic --clocks=k2.csv'
fails 2 'cellsync t.csv --clocks=- -r -'
fails 2 'cellsync t.csv --clocks=k.csv -r k.csv'
fails 1 'cellsync t.csv --clocks=t.csv'
fails 2 'cellsync t.csv --method=lamport --clocks=k2.csv'
fails 2 'cellsync --check s.csv --drift=1'

# Proof of what was written: rates, order, and where knots are.
edit()
{
    sed "$1" s.csv >edited.csv
    printf '\n# %s\n' "$1" >&2
    fails 1 'cellsync --check edited.csv'
}
good 'cellsync lttv.csv --drift=400000 --reference=g0 -o s.csv && cellsync --check s.csv'
edit 's/^g1,29037,.*,/&1/'
edit '/^g1,29037/s/[0-9]*$/2800/'
edit '/^g1,29913/d'
edit 's/^g0,13256,m1,,/&1/'
edit '1s/drift=400000/drift=39000/'
edit '1s/drift=400000.000/drift=4x/'
edit '1s/drift=400000.000/drift=1000000/'
edit '1s/drift=400000.000/drift=0.0001/'
edit '1s/alpha=1.2/alpha=1\/3/'
edit '1s/center=reference/center=local/'
good 'cellsync -q line.csv --drift=100 --reference=R -o s.csv && cellsync --check s.csv'
edit '1s/delta=1997 added_ticks=3994/delta=1995 added_ticks=3990/'
edit '1s/ original_crc32=[^ ]*//'
good 'cellsync line.csv -q --drift=200,0 --reference=R -o - | cellsync --check -'
good 'cellsync plain.pex --drift=1 --to=csv -o - | cellsync --check -'
good 'cellsync -q apart.csv --drift=50 -o - | cellsync --check -'
printf 'thread,time,begin\nR,10,0\nC,12,3\nR,1000000,\nC,1000100,999900\nR,1000300,999000\n' >begins.csv
good 'cellsync begins.csv --drift=200 --csv-time=both -o s.csv && cat s.csv && cellsync --check s.csv'
edit '4s/,[^,]*,[^,]*$/,1000000,0.000/'
edit '/^C,12/s/,192,/,193,/'
edit '/^C,12/s/,192,/,x,/'
edit '/^C,12/s/,192,.*/,202,0.000000202/'
edit '/^C,12/s/,192,0.000000192/,92,0.000000092/'
fails 1 'cellsync line.csv -q --drift=200 --monotonic -o - | cellsync --check -'

# Whether a file is sorted by time is seen by its stamps, though rates would let all clocks show one time.
seq 1 40 | awk 'BEGIN { print "thread,time" } { print $1 % 2 ? "a," $1 * 1000 : "b," $1 * 1000 }' >sorted.csv
seq 1 40 | awk 'BEGIN { print "thread,time" } { print $1 % 2 ? "a," $1 * 1000 : "b," $1 * 1000 - 1005 }' >unsorted.csv
good 'cellsync -q sorted.csv --drift=10000'
good 'cellsync -q unsorted.csv --drift=10000'

# The greatest error is that of the time between two events, and not that of the clocks alone.
use sockets.csv
good 'cellsync -q sockets.csv --drift=10 | sed -n "/^event errors/,/^Errors/p"'
good 'cellsync -q sockets.csv --drift=10 -r - --report-format=json | grep -o "\"m[a-z]*_\(event_\)*error_ticks\": [0-9.]*, \"m[a-z]*_\(event_\)*error_ticks\": [0-9.]*, \"m.*unb"'
good 'cellsync -q sockets.csv --drift=10 -r r.html; grep -o "<p id=.verdict.*" r.html; grep -o "Clocks cause[^.]*" r.html'

# Where delta was estimated, offsets that are exact for the clocks are ranges for their events.
good 'cellsync -q sockets.csv | sed -n "/^event errors/,\$p"'
good 'cellsync -q sockets.csv -r r.html; grep -e "<tr id=.max-" -e "earliest event" r.html; grep -A 3 "id=.threads" r.html | tail -n 2'
good 'cellsync -q sockets.csv -r - --report-format=json | grep -e "\"client\", .kind" -e "\"server\", .kind"'

# The reference bounds C from below only, D from above only, and E not at all.  C starts after B's 2000500, at least
# 1999999.99: B's 1000400 is at least 1000000, and B loses at most 100 ppm in the 1000100 ticks after it.
{
    printf '# order=partial\n# timebase_hz=1000000\nthread,time,send,recv\n'
    printf '%s\n' A,0,m1, B,500,,m1 A,1000000,m2, B,1000400,,m2 B,1000500,m3, A,1000600,,m3 \
        B,2000500,m4, C,7000000,,m4 A,2000000,m5, C,9000000,,m5 D,100,m6, A,2000900,,m6 E,5,, E,9,,
} >sides.csv
good 'cellsync -q sides.csv --drift=100 -r /dev/null --clocks=-'
# The condition has the limits on rates in every format, also where delta was estimated.
said='no clock runs more than 100 ppm faster or slower than the reference, the rate of each clock stays within 0.02 ppm of a constant, and every timestamp is correct to within 0.5 ns; if not, pass larger limits with --drift, a larger --delta, or both'
for to in r.txt r.json r.html; do
    good "cellsync t.csv --drift=100,0.02 --delta=1/2 --reference=R -r $to && grep -c -F '$said' $to"
done
for to in t.json t.pftrace t.ctf; do
    good "cellsync t.csv --drift=100,0.02 --delta=1/2 --reference=R -o $to && cat $to $to/metadata 2>/dev/null | grep -a -c -F '$said'"
done
good 'cellstat order t.csv "#0" "#1" --drift=100,0.02 --delta=1/2 --reference=R | tail -n 1'
good 'cellstat order t.csv "#0" "#1" --drift=100,0.02 --delta=1/2 --reference=R --format=json | grep -c "no clock runs more"'
good 'cellsync -q sockets.csv --drift=10 | grep "^bounds"'
good 'cellsync t.csv --drift=100 --reference=R | grep "^bounds"'
good 'cellsync t.csv --drift=100,1 --delta=3 --reference=R | grep "^bounds"'
good 'cellsync t.csv --drift=0.5,0 --relax=none --reference=R | grep "^bounds"'

# Constant rates and timestamps rounded to 10 ns: a delta of 1/2 is a lower limit that does not suffice, so delta is raised. If it is
# given, the message names one that does suffice.
cat >rounded.csv <<'ROWS'
# order=partial
# timebase_hz=1000000000
thread,time,send,recv
C,41685160,m0,
B,40685994,,m0
B,84949007,m1,
A,83949690,,m1
B,159082792,m2,
A,158084020,,m2
A,195784010,m3,
B,196782554,,m3
A,250973860,m4,
C,252966985,,m4
C,257124809,m5,
B,256129941,,m5
A,281720810,m6,
B,282718721,,m6
B,332683889,m7,
C,333677273,,m7
A,396678220,m8,
C,398667311,,m8
B,440526263,m9,
C,441517458,,m9
A,537464010,m10,
C,539449231,,m10
C,616825897,m11,
B,615838309,,m11
A,617858070,m12,
B,618853441,,m12
B,641989912,m13,
A,640994710,,m13
A,671348540,m14,
C,673330033,,m14
B,706502715,m15,
A,705508040,,m15
C,797689548,m16,
B,796705578,,m16
C,805002774,m17,
B,804018970,,m17
B,844691367,m18,
C,845674403,,m18
C,906135801,m19,
B,905154020,,m19
C,907590279,m20,
B,906608522,,m20
A,965474340,m21,
C,967447717,,m21
B,982137496,m22,
A,981144850,,m22
C,1021733854,m23,
A,1019762010,,m23
C,1106376559,m24,
A,1104407090,,m24
ROWS
good "cellsync -q rounded.csv --drift=101,0 | grep -e '^delta' -e '^error '"
fails 3 'cellsync -q rounded.csv --drift=101,0 --delta=1/2'
good "cellsync -q rounded.csv --drift=101,0 --delta=1 | grep '^error '"
# If several threads share a clock, its first record in the file can be later than the last one.
printf '# order=partial\nthread,clock,time,send,recv\nR,R,0,m,\nC1,C,9000,,k\nC2,C,1000,,m\nC2,C,1100,n,\nR,R,500,,n\nR,R,7000,k,\n' >threads.csv
good 'cellsync -q threads.csv --drift=100 --reference=R | sed -n "/^clock C/,/^  and/p"'
