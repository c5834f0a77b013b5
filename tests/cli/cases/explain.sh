# Chains of records that set the ends of a bound; tests/oracle/explain.py proves them on random traces.
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
