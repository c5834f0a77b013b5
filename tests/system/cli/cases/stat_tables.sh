# cellstat states and concurrency: tables in their formats.
one_rate
use demo.pex demo.trace samples/jitter.pex samples/jitter.trace samples/stragglers.pex samples/stragglers.trace sockets.csv order/messages.pex order/messages.trace
good 'cellstat states demo.pex'
good 'cellstat concurrency demo.pex'
good 'cellstat concurrency demo.pex --format=csv'
good 'cellstat states demo.pex --format=csv | head -n 3'
good 'cellstat concurrency demo.pex -o c.json && cat c.json'
good 'cellstat concurrency -q stragglers.pex -o c.tex && cat c.tex'
good 'cellstat states -q stragglers.pex | head -n 5'
good 'cellstat concurrency demo.pex --units=actors | tail -n 2'
good 'cellstat concurrency demo.pex --units=ppe | tail -n 2'
good 'cellstat concurrency -q jitter.pex'
good 'cellstat states -q sockets.csv'
# A mutex that is another event's business: what the document says goes first.
cat >events.xml <<'XML'
<events version="1">
  <recordType name="MUTEX_*" role="mark"/>
</events>
XML
good 'cellstat states demo.pex --events=events.xml --format=csv | head -n 3'
printf '<events version="1">\n<recordType name="A" role="wiat"/>\n</events>\n' >wrong.xml
fails 1 'cellstat states demo.pex --events=wrong.xml'
printf '<events version="1">\n<recordType name="A" state="blokced"/>\n</events>\n' >wrong.xml
fails 1 'cellstat states demo.pex --events=wrong.xml'
fails 1 'cellstat states demo.pex --events=gone.xml'
cat >calls.xml <<'XML'
<events version="1">
  <recordType name="MUTEX_LOCK" role="call" routine="lock"/>
</events>
XML
good 'cellsync -q demo.pex -o synced.pex && cellstat concurrency synced.pex | tail -n 2'
# It has all that the original has, but for the name; of one that lies about its offsets nothing.
good 'cellstat summary synced.pex | sed "s/synced/demo/" >again && cellstat summary demo.pex | cmp - again'
good 'cellstat profile synced.pex --events=calls.xml --format=csv >again && cellstat profile demo.pex --events=calls.xml --format=csv | cmp - again'
good 'cellstat concurrency synced.pex --ranges=star | tail -n 2'
sed 's/ctx="2" \(.*\) offset="\([0-9]*\)[0-9]" /ctx="2" \1 offset="\27" /' synced.pex >lies.pex
good 'cmp -s synced.pex lies.pex || echo changed'
fails 1 'cellstat concurrency lies.pex'
good 'cellsync -q jitter.pex --drop=3 -o dropped.pex && cellstat concurrency -q dropped.pex | tail -n 2'
# Ranges: of bounds to the reference alone, and none.
good 'cellstat concurrency demo.pex --ranges=star | tail -n 2'
good 'cellstat concurrency demo.pex --ranges=none | tail -n 2'
good 'cellstat concurrency demo.pex --drift=50'
good 'cellstat states demo.pex --drift=50 --format=csv | tail -n 1'
fails 2 'cellstat states demo.pex --drift=50 --drop=1'
fails 2 'cellstat states demo.pex --drift=50 --engine=dense'
fails 2 "cellstat order demo.pex '#1' '#2' --ranges=none"
# Traces in partial order, location by location.
good 'cellstat states messages.pex'
good "cellstat order messages.pex '#0' '#3'"
good 'cellsync -q messages.pex -o again.pex && cellstat concurrency again.pex -q --with-idle | sed "s/again/messages/" >again && cellstat concurrency -q messages.pex --with-idle | cmp - again'
# Nothing but two messages orders what two threads do: pairs of changes are too many.
{
    printf '# order=partial\n# timebase_hz=1000\nthread,time,event,send,recv\n'
    seq 0 2999 | awk '{ print "A," 10 * $1 "," ($1 % 2 ? "BLOCK," : "RUNNING,") ($1 == 0 ? "m" : "") "," ($1 == 2999 ? "n" : "") }'
    seq 0 2999 | awk '{ print "B," 10 * $1 "," ($1 % 4 ? "BLOCK," : "RUNNING,") ($1 == 2999 ? "" : $1 == 2900 ? "n" : "") "," ($1 == 100 ? "m" : "") }'
} >dense.csv
good 'cellstat concurrency dense.csv'
good 'cellstat concurrency dense.csv --window=5s..25s | tail -n 2'
cat >rows.csv <<'CSV'
# order=partial
# timebase_hz=1000
thread,event,begin,time,send,recv
B,mark,,105,,m
B,mark,,110,n,
B,BARRIER,120,130,,
A,mark,,0,m,
A,mark,,20,,n
A,BARRIER,30,60,,
A,mark,,70,,
CSV
good 'cellstat states rows.csv'
good 'cellstat concurrency rows.csv'
printf '# order=partial\nthread,time,send,recv\nA,0,m,\nA,9,,\nB,10,,m\nB,15,,\n' >rows.csv
good 'cellstat concurrency rows.csv'
fails 2 'cellstat states demo.pex --units=cpu'
fails 2 'cellstat states demo.pex --units=ppe --actors="spe?"'
fails 2 'cellstat sync demo.pex --units=spe'
# Of some units alone, as of actors that are named.
good 'for o in "" "--window=25%..75%" "--pairs --sort=user"; do cellstat states -q demo.pex --units=spe $o >spe && cellstat states -q demo.pex --actors="spe?" $o | cmp - spe; cellstat states -q demo.pex --units=ppe $o >ppe && cellstat states -q demo.pex --actors="tid*" $o | cmp - ppe; done; cellstat states -q demo.pex --units=actors | grep -c . && cellstat states -q demo.pex | grep -c .'
good 'for u in spe ppe actors; do cellstat states -q demo.pex --units=$u --joint --format=csv | grep ",time_ticks,"; done'
good 'cellstat states -q sockets.csv --units=spe | tail -n 6'
fails 2 'cellstat states demo.pex --explain'
fails 2 "cellstat order demo.pex '#1' '#2' --bins=3"
fails 2 'cellstat states demo.pex -o x.png'
fails 2 'cellstat states demo.pex -o demo.trace'
fails 1 'cellstat states demo.pex -o demo.trace --format=csv'
good 'cellstat states demo.pex -o table --format=csv && head -n 1 table | cut -c1-40'
fails 2 'cellstat states demo.pex demo.pex'
# Rows of what has no order of its own: as sort(1) has them.
column() { cut -d, -f"$1" | sed '/^$/q' | tail -n +2 | grep .; }
cellstat states -q demo.pex --format=csv | column 3 | sort -rn | head -n 5 >greatest
good 'cellstat states -q demo.pex --format=csv --sort=user --top=5 | column 3 | diff - greatest && cat greatest'
good 'cellstat comm -q messages.pex --sort=count --top=2 --format=csv | head -n 3'
fails 2 'cellstat states demo.pex --top=5'
fails 2 'cellstat states demo.pex --sort=calls'
fails 2 'cellstat timeline demo.pex --sort=begin'
# Times to the nanosecond, ends outward: a tick is 69.84 ns.
good 'cellstat concurrency demo.pex --time=us | head -n 6'
good 'cellstat concurrency demo.pex --time=s --format=csv | head -n 3'
good 'cellstat order demo.pex "#5" "#40" | head -n 1'
fails 2 'cellstat concurrency demo.pex --time=ms -o page.html'
fails 2 'cellstat concurrency demo.pex --time=min'

# What the recorder of a run itself does is no unit's, nor is what cores tell; also where a run has become a CSV.
cat >run.csv <<'CSV'
thread,time,event
h.1/1,0,PROGRAM_START
h.1/cpu0,2,SWITCH_OUT
h.1/cpu0,3,SWITCH_IN
h.1/celltrace,9,BUFFER_FLUSH
h.1/1,10,PROGRAM_STOP
h.1/cpu1,11,PREEMPTED
h.1/celltrace,12,BUFFER_FLUSH
CSV
good 'cellstat states -q run.csv --format=csv | cut -d, -f1-3 | head -n 3'
good 'sed s,/celltrace,/writer,\;s,/cpu,/core, run.csv | cellstat states -q - --format=csv | cut -d, -f1-3 | head -n 6'

# Of a part of the time, whose ends other clocks know but so well; the levels of executing actors are those of concurrency.
use demo.pex order/messages.pex order/messages.trace
good 'cellstat states -q demo.pex --window=25%..#500'
good 'cellstat states -q demo.pex --window=#100..#200 --ranges=none --format=csv | sed -n 1,3p'
good 'cellstat states -q demo.pex --window=.. --time=us | sed -n 4,7p'
good 'cellstat states -q messages.pex --window=10%..90%'
good 'cellstat states -q demo.pex --window=#40.begin..#40 --format=csv | grep "^actor.*[1-9]" | cut -d, -f2-5,18-20'
fails 2 'cellstat states demo.pex --window=#0.begin..'
fails 2 'cellstat states demo.pex --window=#5.end..'
fails 2 'cellsync demo.pex -o cut.csv --window=#40.begin..'
fails 2 'cellstat states demo.pex --window=25%..75% --joint'
fails 2 'cellstat states demo.pex --window=5..1'
fails 2 'cellstat states demo.pex --window=200%..300%'
# What ranges leave open of the place of a sorted row.
good 'cellstat states -q demo.pex --window=#100..#500 --sort=absent --top=0 | sed -n "s/^\(unit *SPE .\).* 0  *\([0-9]* .* ~\).*/\1 \2/p"'
good 'cellstat states -q demo.pex --window=#100..#500 --sort=absent --format=tex | grep -c "sim}"'
good 'cellstat states -q demo.pex --window=#100..#500 --sort=absent --format=html | grep -o "<td>[^~]*~</small></td>" | head -n 1'
# What only the trace knows of: a wait by its stall alone, and a call by its call alone.
sed 's/MUTEX_LOCK/GRAB/' demo.pex >stalls.pex
sed 's/MUTEX_LOCK/GRAB/; s/stall="yes"/call="yes"/' demo.pex >calls.pex
good 'cellstat states demo.pex --format=csv | grep ^all'
good 'cellstat states stalls.pex --format=csv | grep ^all'
good 'cellstat profile calls.pex --format=csv | cut -d, -f1-4'

# Who waits before its first record is there by then, if the trace had begun; in partial order, too.
printf 'thread,clock,time,begin,event,send,recv\na,x,100,,MARK,,\na,x,129,,MARK,m,\nb,x,130,110,SPE_OUT_MBOX_READ,,m\n' >early.csv
printf 'a,x,131,,MARK,,\nc,x,140,90,SPE_OUT_MBOX_READ,,\nb,x,150,105,SPE_OUT_MBOX_READ,,\nc,x,155,95,SPE_OUT_MBOX_READ,,\na,x,160,,MARK,,\n' >>early.csv
good "cellstat states -q early.csv | sed -n '/^what/,/^all/p'"
good "(echo '# order=partial'; cat early.csv) | cellstat states -q - | sed -n '/^what/,/^all/p'"
good "(echo '# order=partial'; sed 1q early.csv; for t in c b a; do grep ^\$t early.csv; done) | cellstat states -q - | sed -n '/^what/,/^all/p'"
# Clocks that drift: what of a long time is in a short window is no less than 0, and parts come to the whole.
awk 'BEGIN {
    print "# timebase_hz=1000\nthread,time,event,routine"
    for (i = 0; i < 40; i++) {
        printf "a,%d,%s,\n", 10000 * i, i % 4 == 1 ? "BLOCK" : "RUNNING"
        printf "b,%d,%s,%s\n", 10001.2 * i + 500, i % 10 == 0 ? "ENTER" : i % 10 == 8 ? "EXIT" : i % 5 == 2 ? "BLOCK" : "RUNNING", i % 10 == 0 ? "f" : ""
    }
}' >drift.csv
for window in .. ..100500 100500..100510 100510.. 55000..55001 385000..385100; do
    good "cellstat states -q drift.csv --drift=200 --window=$window --format=csv | head -n 4 | cut -d , -f 2,3,18,24"
    good "cellstat profile -q drift.csv --drift=200 --window=$window --format=csv | head -n 2 | cut -d , -f 1,4,16,19"
done
# Stamps that are off: figures of a window have ranges that allow for it, also by one clock; a window that two clocks say
# where it ends has none of its own, whichever actor writes the first record and the last.
cat >off.csv <<'CSV'
# timebase_hz=1000
thread,time,begin,event,routine
ppe,0,,ENTER,f
b,1002,,ENTER,g
ppe,20,10,BARRIER,
b,1032,1012,BARRIER,
ppe,40,,EXIT,
b,1050,,EXIT,
ppe,60,,RUNNING,
CSV
for verb in states profile calls sync; do
    good "cellstat $verb -q off.csv --delta=1 --window=15..30 --format=csv"
done
good "cellstat concurrency -q off.csv --window=#1..#4 --units=actors | tail -n 1"
good "cellstat concurrency -q off.csv --window=#2..#4 --units=actors | tail -n 1"
