# cellstat calls: callers and callees, paths, graphs; messages as leaves with their arguments.
one_rate
pdtsim --workload=synthetic:blocks=2 --spes=2 --events=60 --seed=3 --level=full --calls -o t.pex
good 'cellstat calls t.pex --actors="spe*"'
good 'cellstat calls -q t.pex --of=spe1 -o g.dot && cat g.dot'
good 'cellstat calls -q t.pex --of=spe1 --weight=time --leaves=0 --at=#20 --format=dot'
good 'cellstat calls -q t.pex --of=spe1 --at=60% --format=csv --leaves=1 --weight=bytes'
good 'cellstat calls -q t.pex --of=spe1 -o f.folded && cat f.folded'
good 'cellstat calls -q t.pex --of=spe1 --weight=time --format=folded | tail -n 2'
cat >message.xml <<'XML'
<events version="1">
  <recordType name="MPI_*"><field name="peer" role="partner"/><field name="bytes" role="bytes"/></recordType>
  <symbols><symbol at="0x4400" size="1024" name="spu_main" file="main.c" line="9"/></symbols>
</events>
XML
good 'cellstat calls -q t.pex --of=spe1 --events=message.xml --format=dot --leaves=0'
cat >calls.csv <<'CSV'
thread,time,event,routine
a,0,ENTER,"f;g"
a,3,ENTER,"quote"" \ "
a,5,EXIT,
a,9,EXIT,
CSV
good 'cellstat calls -q calls.csv --format=dot --at=3ns'
good 'cellstat calls -q calls.csv --format=folded'
fails 2 'cellstat calls calls.csv --of=spe1 --actors=spe2'
fails 2 'cellstat calls calls.csv --at=10ns'
fails 2 'cellstat calls calls.csv --at=#4'
fails 2 'cellstat calls calls.csv --at=101%'
fails 2 'cellstat calls calls.csv --at=never'
fails 2 'cellstat profile calls.csv -o p.dot'
fails 2 'cellstat calls calls.csv -o p.dot --top=3'
fails 2 'cellstat calls calls.csv --format=folded --sort=calls --top=3'
fails 2 'cellstat profile calls.csv --weight=time'
fails 2 'cellsync calls.csv --report=r --report-format=dot'

# In partial order the moment of a record is its global time; each clock is another one's by its offset.
cat >partial.csv <<'CSV'
# order=partial
thread,time,event,routine,send,recv
a,0,ENTER,f,,
a,10,ENTER,g,1,
b,110,ENTER,h,,1
b,114,,,2,
a,15,,,,2
a,20,EXIT,,,
b,121,EXIT,,3,
a,30,EXIT,,,3
CSV
for at in 0 1 2 5 6 7; do
    good "cellstat calls -q partial.csv --at=#$at --format=csv | sed -n '/^actor/,\$p'"
done
# Calls of a window are cut there, and leaves clipped: by hand on one clock, in ranges on several; all the time is a window.
cat >cut.csv <<'CSV'
thread,clock,time,begin,event,routine
a,c,0,,ENTER,main
b,d,5,,ENTER,main
a,c,10,,ENTER,f
b,d,12,,ENTER,f
b,d,18,14,BARRIER,
a,c,19,11,BARRIER,
a,c,20,,EXIT,f
b,d,21,,MUTEX_UNLOCK,
b,d,26,,EXIT,f
b,d,28,,EXIT,main
a,c,30,,EXIT,main
CSV
good 'cellstat calls -q cut.csv --window=15..25'
good 'cellstat calls -q cut.csv --window=15..25 --actors=a --format=csv'
good 'cellstat calls -q cut.csv --window=#9.. --leaves=0 --format=json'
good 'cellstat calls -q cut.csv --window=19..21 --weight=time --format=dot --leaves=1'
good 'cellstat calls -q cut.csv --window=19..21 --weight=time --format=folded'
good 'cellstat calls -q cut.csv --window=19..21 --ranges=none --leaves=0'
good 'for window in "" --window=..; do for all in t.pex partial.csv cut.csv; do cellstat calls -q $all $window --top=0 --leaves=1 | sed "/^window: /d; s/ =//g; s/  */ /g"; done >all$window; done; diff all all--window=.. && wc -l <all'
fails 2 'cellstat calls cut.csv --window=15..25 --at=20'
fails 2 'cellstat calls cut.csv --window=200%..300%'
# Bytes that the trace does not tell are not known, and no more are sums of them; 0 is a number; what moves none has none.
cat >bytes.csv <<'CSV'
thread,time,event,routine,partner,bytes,count
0,0,ENTER,f,,,
0,1,MPI_SEND,,1,,
0,2,MPI_SEND,,1,8,
0,3,MPI_SEND,,1,0,
0,4,BARRIER,,,,
0,5,ENTER,g,,,
0,6,MPI_SEND,,1,8,
0,7,BARRIER,,,,
0,8,PUT,,2,,5
0,9,EXIT,,,,
CSV
cat >count.xml <<'XML'
<events version="1"><recordType name="PUT" role="send"><field name="count" role="count" unit="8"/></recordType></events>
XML
good 'cellstat calls -q bytes.csv --events=count.xml | sed -n "/^caller/,/^\$/p"'
good 'cellstat calls -q bytes.csv --events=count.xml --leaves=1 --format=csv | sed -n "/others/p"'
good 'cellstat calls -q bytes.csv --events=count.xml --leaves=1 --weight=bytes --format=json | grep -o "\"bytes[^,}]*"'
good 'cellstat calls -q bytes.csv --events=count.xml --weight=bytes --format=dot | grep -o "[lr][0-9]* \[.*plain.*\|-> .*"'
good 'cellstat calls -q bytes.csv --events=count.xml --leaves=1 --format=tex | grep others'
# What leaves 64 bits is no figure; the rest is told.
awk 'BEGIN {
    print "# timebase_hz=1000\nthread,clock,time,begin,event,routine,partner,bytes"
    print "0,c,0,,ENTER,f,,"
    for (i = 0; i < 40; i++) printf "0,c,28823037615171%04d,1,W%d,,,\n", i, i
    for (i = 0; i < 6; i++) printf "0,c,28823037615171%04d,,MPI_SEND,,1,461168601842738790%d\n", 50 + i, 4 + i % 3
    print "0,c,288230376151711743,,EXIT,,,"
}' >far.csv
echo '<events version="1"><recordType name="W*" role="wait"/></events>' >far.xml
good 'cellstat calls -q far.csv --events=far.xml --leaves=1 | sed -n "/^caller/,/^\$/p"'
good 'cellstat calls -q far.csv --events=far.xml --leaves=1 --weight=bytes --format=csv | sed -n "/^f,/p"'
good 'cellstat calls -q far.csv --events=far.xml --leaves=1 --format=json | grep others'
good 'cellstat calls -q far.csv --events=far.xml --leaves=1 --weight=time --format=dot | grep -- "->"'
good 'cellstat calls -q far.csv --events=far.xml --leaves=2 --weight=bytes --window=#44..#46 --format=csv | sed -n "/^f,/p"'
good 'cellstat profile -q far.csv --events=far.xml | tail -n 2'
fails 1 'cellstat sync far.csv --events=far.xml'
# Parts of a graph that nothing joins are drawn close to each other.
cat >parts.csv <<'CSV'
thread,time,event,routine
a,0,ENTER,spu_main
a,1,ENTER,draw_row
a,2,ENTER,subdivide
a,5,EXIT,
a,6,EXIT,
a,7,EXIT,
b,10,ENTER,main
b,11,ENTER,start
b,12,EXIT,
b,13,ENTER,run
b,14,EXIT,
b,15,ENTER,join
b,16,EXIT,
b,17,EXIT,
CSV
good 'cellstat calls -q parts.csv --format=html | grep -o "viewBox=\"[^\"]*\""'
