# cellstat comm, latency and sync: who sends whom how much, how long that takes, and what is waited for.
one_rate
use demo.pex demo.trace sockets.csv order/messages.pex order/messages.trace
good 'cellstat comm -q messages.pex'
good 'cellstat comm -q sockets.csv --format=json'
good 'cellstat latency -q messages.pex'
good 'cellstat sync -q messages.pex'
good 'cellstat sync -q demo.pex | head -n 9'
fails 1 'cellstat comm demo.pex'
fails 1 'cellstat latency demo.pex'
# Ranks of logs, with places of their own.
pdtsim -o lb.pex --workload=lb:rounds=1 --nodes=2 --spes=4
good 'cellstat comm lb.pex --group=cell'
good 'cellstat comm -q lb.pex --group=node --by=size --format=csv'
good 'cellstat comm -q lb.pex --heavy=9/10 --by=function | grep -v memory'
good 'cellstat comm -q lb.pex --templates --format=csv | tail -n 6'
good 'cellstat latency lb.pex'
good 'cellstat latency -q lb.pex -o l.json && cat l.json'
good 'cellstat latency -q lb.pex -o l.tex && grep -A 3 message l.tex'
good 'cellstat sync -q lb.pex'
good 'cellstat sync -q lb.pex --ranges=none --format=csv | tail -n 3'
good 'cellstat comm -q lb.pex --by=datatype --heavy | sed -n 5,8p'
# Of some actors: the rows that have them, of which only the costs are by another line; of groups and latencies their part.
cellstat comm -q lb.pex --format=csv | grep message >all.csv
cellstat comm -q lb.pex --actors='spe[01]' --format=csv | grep message >some.csv
good 'for f in all some; do grep -E "(^|,)spe[01]," $f.csv | grep -v Cell | cut -d, -f -8 >$f.rows; done; cmp all.rows some.rows && wc -l <some.rows'
good 'cellstat comm -q lb.pex --actors="spe[01]" --group=node | sed -n 6,9p'
good 'cellstat latency -q lb.pex --actors="spe[01]" | tail -n +6'
fails 2 'cellstat comm lb.pex --top=3'
fails 2 'cellstat latency lb.pex --top=3 --actors=spe1'
fails 2 'cellstat comm lb.pex --actors=nobody'
fails 2 'cellstat latency lb.pex --actors=spe1,'"'"'spe[23'"'"',nobody --window=9..8'
# One buffer: ends are met by what events mean, also if receives complete in another order.
cat >ranks.csv <<'CSV'
thread,time,begin,event,partner,bytes,tag
rank0,10,5,MPI_SEND,1,100,7
rank0,20,15,MPI_SEND,1,200,7
rank1,30,26,MPI_RECV,0,,7
rank1,40,22,MPI_RECV,0,,7
rank1,50,45,MPI_SEND,0,8,1
rank2,60,55,MPI_SEND,rank0,8,1
rank0,70,65,MPI_RECV,1,,1
rank0,80,75,MPI_RECV,-1,,
rank2,90,85,MFC_GET,,64,
CSV
good 'cellstat comm -q ranks.csv --topology=2,1'
good 'cellstat comm -q ranks.csv --topology=1 --group=cell | sed -n 5,9p'
# What comes first was posted last, and is of as many bytes as no message.
printf 'thread,time,begin,event,partner,bytes\nr0,10,8,MPI_SEND,1,256\nr1,11,9,MPI_RECV,0,\nr0,12,4,MPI_SEND,1,8\nr1,20,15,MPI_RECV,0,\n' >late.csv
good 'cellstat latency -q late.csv --format=csv | cut -d, -f -9'
cat >events.xml <<'XML'
<events version="1">
  <recordType name="PUT" role="send"><field name="to" role="partner"/><field name="n" role="count" unit="8"/></recordType>
  <recordType name="TAKE" role="recv"><field name="from" role="partner"/></recordType>
  <place rank="0" node="3" cell="0"/>
  <place rank="1" node="3" cell="1"/>
</events>
XML
printf 'thread,time,event,to,from,n\nr0,1,PUT,1,,5\nr1,3,TAKE,,0,\n' >own.csv
good 'cellstat comm -q own.csv --events=events.xml'
# Written and read once more: times are those of the solution that was written.
pdtsim -o j.pex --workload=juliaset --spes=2 --events=300 --level=full
cellsync -q j.pex -o synced.pex
good 'cellstat comm -q synced.pex | sed -n 3,7p'
good 'cellstat latency -q synced.pex | sed -n 3,7p'
# Transfers that are moments: when they ended is not known, nor is any sum of that; those that are intervals have rows apart.
cat >moments.csv <<'CSV'
thread,time,begin,event,bytes
spe1,10,,MFC_GET,64
spe1,20,15,MFC_GET,64
spe1,30,,MFC_PUT,64
spe2,40,,MFC_GET,
spe2,50,50,MFC_PUT,8
spe3,60,52,MFC_GET,32
CSV
good 'cellstat comm -q moments.csv'
good 'cellstat comm -q moments.csv --by=size --format=csv | head -n 8'
good 'cellstat comm -q moments.csv --window=#0..#4 --format=json | grep spe1'
# A moment that is the begin of a window is in that one, and in no other.
good 'for w in "#0..#2" "#2..#4"; do cellstat comm -q moments.csv --window=$w | grep spe1; cellstat latency -q moments.csv --window=$w | grep -c memory; done'
good 'cellstat comm -q moments.csv --format=html | grep -o "[a-z0-9]* to [a-z0-9]*: [^<]*"'
good 'cellstat latency -q moments.csv'
good 'cellstat latency -q moments.csv --delta=1 | head -n 5'
good 'cellstat latency -q moments.csv --format=json | grep 64'
good 'cellstat latency -q moments.csv --window=#1..#4 --format=csv | head -n 7'
printf '<events version="1">\n<place node="1"/>\n</events>\n' >wrong.xml
fails 1 'cellstat comm own.csv --events=wrong.xml'
fails 2 'cellstat comm lb.pex --heavy=2'
fails 2 'cellstat comm lb.pex --topology=0'
fails 2 'cellstat comm lb.pex --topology=8,2,1'
fails 2 'cellstat states lb.pex --group=cell'
fails 2 'cellstat latency lb.pex --templates'
fails 2 'cellstat sync lb.pex --topology=8'

# Locks by their addresses, which are in hexadecimal everywhere.
sed 's/name="lock" type="u64"/name="lock" type="address"/' demo.pex >locks.pex
good "cellstat sync -q locks.pex --format=csv | sed -n '/^object/,/^$/p' | head -n 3"
# Who only lets go of a lock is no holder; of a lock that no record lets go of it is not known how long it was held.
good "cellstat sync -q locks.pex | grep -c tid4711 || :"
pdtsim --workload=oversubscribed --events=300 -o kept.pex
good "cellstat sync -q kept.pex | sed -n '/^object/,/^$/p' | head -n 3"
good "cellstat sync -q kept.pex --window=10%..90% --format=csv | sed -n '/^object/,/^$/p' | head -n 2"
good 'cellsync -q locks.pex -o locks.csv && grep MUTEX_LOCK locks.csv | head -n 1'
good "cellstat sync -q locks.csv --format=json | grep '\"object\": \"0x' | head -n 1"
good 'cellsync -q locks.pex -o locks.json && grep -o "\"lock\":[^,}]*" locks.json | sort | uniq -c'
good 'cellsync -q locks.pex --to=ctf -o locks.ctf && grep hex64_t locks.ctf/metadata'

# What the recorder says of calls of MPI, in words: whose instances are those of a communicator, and what waits.
cat >words.csv <<'CSV'
# timebase_hz=1000
thread,clock,begin,time,event,values
r0,a,5,10,MPI_BARRIER,18446744073709551615 0 0 1 0
r1,a,8,11,MPI_BARRIER,18446744073709551615 0 0 1 0
r0,a,12,14,MPI_ISEND,1 0 8 1 7
r0,a,15,20,MPI_WAITALL,2
r0,a,21,30,MPI_BARRIER,18446744073709551615 1 0 1 0
r1,a,24,31,MPI_BARRIER,18446744073709551615 1 0 1 0
r1,a,32,36,MPI_BARRIER,18446744073709551615 0 0 9 0
CSV
good 'cellstat sync -q words.csv --format=csv'
# On one clock, either of two arrivals less than 2 delta apart may be the last one.
for delta in 1 3/2 2; do good "cellstat sync -q words.csv --delta=$delta --format=csv | sed -n '/spread/,\$p'"; done
good "cellstat sync -q words.csv --delta=2 --drift=1 --format=csv | sed -n '/spread/,\$p'"
good "cellstat sync -q words.csv --delta=2 --ranges=none --format=csv | sed -n '/spread/,\$p'"
# Bytes that the trace does not tell are not known, and no more are sums of them; 0 is a number.
cat >some.csv <<'CSV'
thread,time,event,partner,bytes
0,1,MPI_SEND,1,
1,5,MPI_RECV,0,
0,6,MPI_SEND,1,8
1,9,MPI_RECV,0,8
1,10,MPI_SEND,0,0
0,12,MPI_RECV,1,0
1,13,MPI_SEND,0,
0,19,MPI_RECV,1,24
CSV
good 'cellstat comm -q some.csv --templates'
good 'cellstat comm -q some.csv --by=size --heavy --format=csv'
good 'cellstat latency -q some.csv'
good 'cellstat comm -q some.csv --format=json | grep -o "\"bytes[^,}]*"'
good 'cellstat comm -q some.csv --format=tex | grep -A1 midrule | head -n 2'
good 'cellstat comm -q some.csv --format=html | grep -o "[01] to [01]: [^<]*"'
# What is under way in a part of the time: messages cut, certain or possible there.
pdtsim -o w.pex --workload=halo --nodes=1 --spes=4 --events=400
good 'cellstat comm -q w.pex --window=37%..61% --topology=2,1'
good 'cellstat comm -q w.pex --window=20%..60% --format=csv --by=size --heavy=1/2 | sed -n 1,3p'
good 'cellstat comm -q w.pex --window=0%..0%'
good 'cellstat comm -q some.csv --window=#2..#5'
fails 2 'cellstat comm w.pex --window=20%..60% --templates'
# How long they took, those that may be there or not, too; by hand on one clock.
sed "s/^thread,/thread,clock,/; s/^[01],/&c,/" some.csv >one.csv
good 'cellstat latency -q one.csv --window=5..13'
good 'cellstat latency -q w.pex --window=37%..61% --topology=2,1'
good 'cellstat latency -q w.pex --window=37%..61% --ranges=none | tail -n 4'
good 'cellstat latency -q w.pex --window=0%..0% --format=csv'
# Without bounds nothing of them is certain, as others may be there: also not what one clock tells.
good 'cellstat latency -q moments.csv --window=#1..#5 --ranges=none'
good 'cellstat latency -q w.pex --window=.. | sed /^window/d >all && cellstat latency -q w.pex | cmp - all'
# Waits and locks cut there, and arrivals that are there.
good 'cellstat sync -q words.csv --window=9ms..25ms --format=csv'
good 'cellstat sync -q demo.pex --window=30%..60% | head -n 14'
good 'cellstat sync -q demo.pex --window=#300..#500 --ranges=none | head -n 8'
good 'cellstat sync -q demo.pex --window=0%..0% --sort=time'
# One of four hours and one that may be there: a mean of no more than 64 bits, whose upper end has more.
cat >hours.csv <<'CSV'
thread,time_ns,begin,event
a,1000,1000,MARK
b,2001,2001,MARK
b,1000000,1000000,MARK
a,1001003,999500,BARRIER
b,1005007,1005007,MARK
a,14400000000000,20000000,BARRIER
b,14400000001000,14400000001000,MARK
CSV
good 'cellstat sync -q hours.csv --window=#2..#6 --format=csv | head -n 2'
fails 2 'cellstat sync demo.pex --window=5'
fails 2 'cellstat order w.pex "#1" "#2" --window=20%..60%'
# Bytes beyond 63 bits, and misses that no lock has.
cat >far.csv <<'CSV'
thread,time,event,partner,bytes
0,1,MPI_SEND,1,18446744073709551000
1,2,MPI_RECV,0,
CSV
fails 1 'cellstat latency -q far.csv'
fails 1 'cellstat comm -q far.csv'
cat >misses.csv <<'CSV'
thread,begin,time,event,object,value
0,1,2,MUTEX_LOCK,1,5
0,3,4,MUTEX_LOCK,1,3000000000
0,5,6,MUTEX_LOCK,2,7
CSV
good 'cellstat sync -q misses.csv --format=csv | head -n 3'
# A sum of a time by one clock, which is as stamped, and of one between two clocks allows for all four timestamps.
cat >sum.csv <<'CSV'
# timebase_hz=1000
thread,clock,event,begin,time,partner,bytes,tag
1,k1,MPI_SEND,0,1,2,8,0
2,k1,MPI_RECV,0,11,1,8,0
1,k1,MPI_SEND,20,21,3,8,0
3,k2,MPI_RECV,20,31,1,8,0
3,k2,MARK,,35,,,
1,k1,MARK,,36,,,
CSV
good 'cellstat comm -q sum.csv --delta=1 | sed -n "/^sender/,/^$/p"'
good 'cellstat comm -q sum.csv --delta=1 --topology=8,1 --group=cell | sed -n "/^sender/,/^$/p"'
