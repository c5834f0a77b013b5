# Chains of records that set the ends of a bound; tests/system/oracle/explain.py proves them on random traces.
use samples/paper.csv samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace
use samples/one-sided.csv

good 'cellsync --explain=T1,T2 paper.csv'
good 'cellsync --explain=T2,T1 paper.csv'
good 'cellsync --explain=spe2.1,ppe plain.pex'
good 'cellsync --explain=ppe,spe3.1 jitter.pex'
good 'cellsync --explain=ppe,spe3.1 --relax=paper jitter.pex'
good 'cellsync --explain=ppe,spe3.1 --alpha=0 --engine=dense plain.pex'

# Threads that are bounded on one side; names with commas and bytes that are not for a terminal.
good 'cellsync -q -r - one-sided.csv | grep inf'
for pair in $(cellsync -q one-sided.csv -r - --report-format=csv | sed -n 's/^\([^,]*,[^,]*\),.*inf.*/\1/p'); do
    good "cellsync -q --explain=$pair one-sided.csv"
done
printf 'thread,time\n"a,b",1\nc\033,5\n"a,b",9\n"a",11\n"b,c\033",12\nc\033,7\n' >odd.csv
good 'cellsync -q --explain="a,b,c$(printf "\\033")" odd.csv'

# Monotonic times are those that are written, here of record 114.
good 'cellsync -q --monotonic --explain=ppe,spe2.1 jitter.pex | grep -A1 "record 113"'
good 'cellsync -q --monotonic jitter.pex -o - --to=csv | grep -v "^[#t]" | sed -n 115p | cut -d, -f1-3'

# Beside other outputs; the order is that of the chain, then the files.
good 'cellsync --explain=T1,T2 paper.csv -o synced.csv -r report.json >chains && ls && wc -l chains'

# What is refused, and then nothing is written.
for pair in T1 T1, ,T1 T1,T1 T1,nobody T1,T2,T3 ''; do
    fails 2 "cellsync --explain=$pair paper.csv -o none.csv && ls none.csv"
done
fails 2 'cellsync --explain=T1,T2 -o - paper.csv'
fails 2 'cellsync --explain=T1,T2 -r - paper.csv'
fails 2 'cellsync --explain=T1,T2 --method=lsq paper.csv'
fails 2 'cellsync --explain=T1,T2 --check paper.csv'
fails 3 'cellsync --explain=ppe,spe3.1 --relax=none jitter.pex'

# Names of threads that share a clock stand for it, if they say which; a clock's own name goes first.
cat >shared.csv <<'END'
thread,clock,time
main,host1,1
worker,host1,3
other,host2,10
main,host1,12
worker,host1,14
twin,host2,20
twin,host1,25
host2,host1,26
END
good 'cellsync -q --explain=worker,other shared.csv'
good 'cellsync -q --explain=host1,other shared.csv | head -n 2'
good 'cellsync -q --explain=main,host2 shared.csv | head -n 2'
for pair in main,worker main,main twin,host2 host1,othr host1,x,y x,y wroker,twin; do
    fails 2 "cellsync -q --explain=$pair shared.csv"
done
good 'cellsync -q --reference=other shared.csv | grep ^reference'
good 'cellsync -q --reference=host2 shared.csv | grep ^reference'
good 'cellsync -q --reference=other shared.csv -o a.csv && cellsync -q --reference=host2 shared.csv -o b.csv && cmp a.csv b.csv'
fails 2 'cellsync --reference=twin shared.csv'
fails 2 'cellsync --reference=mian shared.csv'
# Stamps that are good to so much, given or estimated: the time between two events is known less well.
good 'cellsync -q --explain=ppe,spe3.1 --delta=7/2 jitter.pex | tail -n 2'
good 'cellsync -q --explain=ppe,spe3.1 --relax=none plain.pex | tail -n 1'

# A blank at an end of a name is seen, and is no part of what is proposed.
fails 2 'cellsync --explain="worker, other" -q shared.csv'
fails 2 'cellsync --explain="T1 ,T2" paper.csv'
