# cellstat concurrency: parts of the time, and what else can be asked.
one_rate
use demo.pex demo.trace
good 'cellstat concurrency demo.pex --window=25%..75%'
good "cellstat concurrency demo.pex --window='#100..#400' --with-idle"
good 'cellstat concurrency demo.pex --window=..0.5ms | tail -n 2'
good 'cellstat concurrency demo.pex --window=61000010000..61000020000 | tail -n 2'
good 'cellstat concurrency demo.pex --bins=3 --sample=100 --speedup=8 --serial=5ms'
good 'cellstat concurrency demo.pex --units=spe --actors=spe1,spe2 | tail -n 2'
good 'cellstat concurrency demo.pex --each=MUTEX_LOCK --format=csv | head -n 4'
good 'cellstat concurrency demo.pex --section=MUTEX_LOCK#2-3 | tail -n 3'
cat >sections.csv <<'CSV'
# timebase_hz=1000
thread,time,event
A,0,start
B,1,start
A,10,PHASE_ENTRY
B,20,STEP
B,30,STEP
A,40,PHASE_EXIT
A,50,PHASE_ENTRY
B,60,STEP
A,70,end
CSV
good 'cellstat concurrency sections.csv --each=PHASE'
good 'cellstat concurrency sections.csv --each=STEP --format=csv | tail -n 4'
fails 2 'cellstat concurrency sections.csv --section=STEP#2 --window=..'
good 'cellstat concurrency demo.pex --attained'
good 'cellstat concurrency demo.pex --attained --units=actors --sample=100 --delta=2 | head -n 8'
good 'cellstat concurrency demo.pex --attained --window=20%..60% --format=csv'
# A window of all of it is all of it; parts of it that are all of it, too.
cellstat concurrency -q demo.pex --attained --format=csv | head -n 6 | cut -d, -f1,2,11-14 >all.csv
good 'cellstat concurrency -q demo.pex --attained --bins=1 --format=csv | head -n 6 | cut -d, -f4,5,14-17 | diff all.csv -'
good 'cellstat concurrency -q demo.pex --attained --bins=2 | head -n 12'
good 'cellstat concurrency -q sections.csv --attained --each=PHASE | head -n 14'
fails 2 'cellstat states demo.pex --attained'
# Partial order: few messages, and much between them that can be in either order.
pdtsim -o halo.pex --workload=halo --contexts=3 --nodes=2 --events=60
good 'cellstat concurrency halo.pex'
good 'cellstat concurrency -q halo.pex --bins=2 --format=csv | tail -n 3'
# Of each node, or Cell, by itself: as of its actors alone.
pdtsim -o lb.pex --workload=lb:rounds=1 --nodes=2 --spes=2
good 'cellstat concurrency lb.pex --per=node'
good 'cellstat concurrency -q lb.pex --per=cell --bins=2 --actors="spe[01]" --format=csv | tail -n 3'
for node in 0 1; do
    [ $node = 0 ] && actors=spe[01] || actors=spe[23]
    cellstat concurrency -q lb.pex --units=spe --attained --actors="$actors" --format=csv >some.csv
    cellstat concurrency -q lb.pex --units=spe --attained --per=node --format=csv |
        sed -n "/^\$/p; s/^node,//p; s/^node $node,//p" | cmp - some.csv
done
good 'cellstat concurrency -q demo.pex --per=node --units=actors --topology=1,2 | cut -c -40'
fails 2 'cellstat concurrency lb.pex --per=node --actors=nobody'
fails 2 'cellstat concurrency lb.pex --per=actor'
fails 2 'cellstat concurrency sections.csv --per=cell'
# Threads that have cores, as stamped none for 2 of the 20 ticks, one for 8, both for 10.
cat >cores.csv <<'CSV'
# timebase_hz=1000
thread,time,begin,event,who,cpu
a,0,,MARK,,
b,1,,MARK,,
k,1,,OUT,b,1
k,5,,IN,b,0
a,8,2,BARRIER,,
k,10,,OUT,a,0
k,11,,OUT,b,0
k,13,,IN,b,1
k,14,,IN,a,0
b,19,17,BARRIER,,
a,20,,MARK,,
CSV
cat >cores.xml <<'XML'
<events version="1">
  <recordType name="OUT" role="suspend"><field name="who" role="thread"/><field name="cpu" role="cpu"/></recordType>
  <recordType name="IN" role="resume"><field name="who" role="thread"/><field name="cpu" role="cpu"/></recordType>
</events>
XML
good 'cellstat concurrency -q cores.csv --events=cores.xml --units=cpu'
good 'cellstat timeline -q cores.csv --events=cores.xml --units=cpu --bins=20 --ranges=none'
fails 2 'cellstat concurrency demo.pex --units=cpu'
fails 2 'cellstat timeline demo.pex --units=cpu'
fails 2 'cellstat concurrency demo.pex --window=5..1'
fails 2 'cellstat concurrency demo.pex --window=0..10'
fails 2 'cellstat concurrency demo.pex --window=200%..300%'
fails 2 "cellstat concurrency demo.pex --window='#0..#828'"
fails 2 'cellstat concurrency demo.pex --window=1'
fails 2 'cellstat concurrency demo.pex --section=NONE'
fails 2 'cellstat concurrency demo.pex --section=MUTEX_LOK'
{ printf 'thread,time,event\n'; for i in 1 2 3 4 5 6 7 8 9 10 11; do printf 'a,%s,phase%s_BEGIN\na,%s,phase%s_END\n' $i $i $i $i; done; } >many.csv
fails 2 'cellstat concurrency many.csv --section=phase12'
head -n 19 many.csv >some.csv
fails 2 'cellstat concurrency some.csv --section=other'
printf 'thread,time\na,1\nb,2\n' >unnamed.csv
fails 2 'cellstat concurrency unnamed.csv --section=phase1'
fails 2 'cellstat concurrency demo.pex --section=MUTEX_LOCK#0'
fails 2 'cellstat concurrency demo.pex --section=MUTEX_LOCK#9-2'
fails 2 'cellstat concurrency demo.pex --section=MUTEX_LOCK#999'
fails 2 'cellstat concurrency demo.pex --each=A --section=B'
fails 2 'cellstat concurrency demo.pex --bins=0'
fails 2 'cellstat concurrency demo.pex --sample=0.5'
fails 2 'cellstat concurrency demo.pex --serial=x'
fails 2 'cellstat concurrency demo.pex --actors=nothing-is-so'
fails 2 'cellstat states demo.pex --bins=2'
# Where nothing limits the time from the first record to the last, nothing limits that with no unit active.
use good/unbounded.pex good/unbounded.trace
good 'cellstat concurrency -q unbounded.pex --format=csv | head -n 2'

# The limit is made of exact times, also where the share of level 1 is about a millionth.
printf '# timebase_hz=1000\nthread,clock,time,event\nA,K,0,x\nB,K,14,x\nA,K,10000000,x\nB,K,10000000,x\n' >tiny.csv
good 'cellstat concurrency -q tiny.csv --speedup=3'

# The least share of level 2 is 1/13: of no offsets are the least time of it and the greatest whole those of the same ones.
cat >share.csv <<'CSV'
# timebase_hz=1000
thread,clock,time,event
T1,K1,0,x
T0,K0,1000000,x
T0,K0,1000001,x
T2,K2,-3,x
T1,K1,4,x
T1,K1,7,x
T2,K2,1,x
T0,K0,1000011,x
CSV
good 'cellstat concurrency -q share.csv'
