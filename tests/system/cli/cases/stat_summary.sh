# cellstat summary, which is also what is done without a verb: a screen of all.
use demo.pex demo.trace
good 'cellstat demo.pex'
good 'cellstat summary -q demo.pex -o a.json && cellstat -q demo.pex --format=json | cmp - a.json && grep -c "" a.json'
good 'cp demo.pex plain && cellstat -q plain --from=pex --units=ppe | head -n 10'
# Units are those of states, too, but of cores there are none.
good 'cellstat -q demo.pex --units=ppe -o u.csv && for verb in concurrency timeline states; do cellstat $verb -q demo.pex --units=ppe --format=csv >c.csv && echo $verb $(grep -vcxFf u.csv c.csv) others; done'
good 'cellstat -q demo.pex -o a.html && grep "<h2" a.html'
pdtsim --workload=synthetic:blocks=2 --spes=2 --events=60 --seed=3 --level=full --calls -o t.pex
good 'cellstat -q t.pex | sed -n "/^routine/,\$p"'
good 'cellstat -q t.pex -o t.csv && cellstat calls -q --leaves=0 t.pex --format=csv >c.csv && ! grep -vxFf t.csv c.csv'
good 'cellstat comm -q t.pex --format=csv | grep -vxFf t.csv'
# Of a window each table is what its question says of that.
good 'cellstat -q t.pex --window=25%..75%'
good 'cellstat -q t.pex --window=25%..75% -o w.csv; for verb in concurrency timeline states profile "calls --leaves=0" comm latency sync; do cellstat $verb -q t.pex --window=25%..75% --format=csv >c.csv && echo $verb $(grep -c . c.csv) rows, $(grep -vcxFf w.csv c.csv) others; done'
good 'cellstat -q t.pex --window=25%..75% -o w.html && grep -o "<h2[^<]*" w.html'
fails 2 'cellstat t.pex --window=200%..'
printf 'thread,time,event\nppe,1,A\nspe,5,B\nppe,9,C\n' >plain.csv
good 'cellstat -q plain.csv | tail -n 5'
# A trace of few ticks is drawn without gaps.
good 'cellstat -q plain.csv -o p.html && grep -o "does-[a-z]*\" d=\"[^\"]*" p.html | sort -u'
good 'cellstat -q plain.csv -o p.json && sed -n "/missing/,\$p" p.json'
printf 'thread,time,event,routine\nppe,1,ENTER,f\nppe,9,EXIT,f\n' >calls.csv
good 'cellstat -q calls.csv | tail -n 6'
printf 'thread,time,event,partner,bytes,tag\n0,1,MPI_SEND,1,64,1\n1,5,MPI_RECV,0,64,1\n0,9,MPI_SEND,1,64,2\n' >late.csv
good 'cellstat -q late.csv --topology=2,1 | sed -n "/^sender/,\$p"'
fails 2 'cellstat summery'
fails 2 'cellstat summary'
fails 1 'cellstat gone.pex'
# What the head says of ranges is true of each, and the same in every format.
good 'for f in text tex json html; do cellstat -q demo.pex --format=$f | grep -o "ranges.*proven[^<]*"; done'
good 'for f in text tex json html; do cellstat -q demo.pex --delta=2 --format=$f | grep -o "ranges.*proven[^<]*"; done'
# So are figures by one clock: by their stamps, which delta lets be off; not where each is by two, or a count.
good 'for f in text tex json html; do cellstat -q demo.pex --delta=2 --format=$f | grep -o "[Ii]f.*figures from a single.*\|\"conditions.*"; done'
good 'for d in 0 5; do cellstat states -q demo.pex --delta=$d --format=json | grep -o "conditions.*\|spe1.*user_[^}]*"; done'
printf 'thread,time,begin,event,partner\nrank0,10,5,MPI_SEND,1\nrank1,30,26,MPI_RECV,0\n' >ranks.csv
good 'cellstat latency -q ranks.csv --delta=1 --format=json | grep -A 5 conditions'
printf 'thread,time,begin,event\nspe1,10,4,SPU_READ_IN_MBOX\n' >waits.csv
good 'cellstat sync -q waits.csv --delta=1'
good 'for f in text tex json html; do cellstat timeline -q demo.pex --bins=4 --format=$f | grep -o "ranges.*star[^<]*"; done'
good 'cellstat summary -q demo.pex --ranges=none --format=json | grep "\"ranges\""'
