# cellstat --section and --each: parts of the time that events tell, one by one.
use demo.pex demo.trace order/messages.pex order/messages.trace
pdtsim --workload=synthetic:blocks=2 --spes=2 --events=60 --seed=3 --level=full --calls -o t.pex
pdtsim -o lb.pex --workload=lb:rounds=2 --nodes=2 --spes=2
good 'cellstat states -q demo.pex --section=MUTEX_LOCK#15-16 --actors=spe1,spe2'
good 'cellstat timeline -q t.pex --section=OUTER_LOOP --bins=30'
good 'cellstat profile t.pex --each=SPE --sort=calls --top=2 --format=csv | cut -d, -f1-8'
good 'cellstat calls -q t.pex --section=OUTER_LOOP#1 --leaves=0 -o c.json && sed -n "s/ *\"calls\": *\[/calls/p; /sections/,/]/p" c.json'
good 'cellstat comm -q lb.pex --drift=0 --delta=least --section=MPI_BARRIER#2-3 --group=node'
good 'cellstat states -q t.pex --section=BARRIER#1 --time=us --format=csv | head -n 2'
# A section is what its window is, in every question, also in partial order; and what concurrency has of it.
same()
{
    cellstat "$@" -q --format=csv >all.csv
    sed '1d;/^$/,$d' all.csv | while IFS=, read -r block begin end window; do
        cellstat $1 -q "$2" --window="$window" ${4-} --format=csv >one.csv
        sed '1,/^$/d' all.csv | sed -n "s/^$block,//p" >block
        sed '1,/^$/d' all.csv | sed -n "s/^block,//p" | sort -u >heads
        grep . one.csv | grep -vxFf heads | cmp - block && wc -l <block
    done | sort | uniq -c | awk '{ n += $1; m += $1 * $2 } END { print n, "sections,", m, "rows" }'
}
for verb in states timeline profile calls sync summary; do
    good "same $verb t.pex --each=BARRIER"
done
for verb in comm latency sync states summary; do
    good "same $verb lb.pex --section=MPI_BARRIER#2-4"
done
good 'same states messages.pex --each=SEND'
good 'same states t.pex --section=OUTER_LOOP#1 --units=spe'
# In one without any length there is nothing, whatever goes on around it; the last one lasts to the end.
printf 'thread,time,begin,event,partner,bytes\na,0,,MARK,,\na,3,1,MPI_SEND,b,8\na,5,5,POLL,,\nb,9,2,MPI_RECV,a,\na,9,,MARK,,\n' >empty.csv
good 'for verb in sync comm; do cellstat $verb -q empty.csv --section=POLL --format=csv; done'
good 'cellstat sync -q empty.csv --section=MARK --format=csv | head -n 3'
# Drawings and pages are of one.
good 'cellstat timeline -q t.pex --section=OUTER_LOOP#1 -o t.svg && grep -c "<path" t.svg && cellstat -q t.pex --section=OUTER_LOOP#1 -o t.html && grep -o "<h2[^<]*" t.html | head -n 3'
good 'cellstat calls -q t.pex --section=BARRIER#1 --format=folded | head -n 3'
fails 2 'cellstat timeline t.pex --each=BARRIER -o t.svg'
fails 2 'cellstat t.pex --each=BARRIER -o t.html'
fails 2 'cellstat states t.pex --section=BARRIER --joint'
fails 2 'cellstat profile t.pex --each=BARRIER --follow=create'
fails 2 'cellstat calls t.pex --each=BARRIER --at=50%'
fails 2 'cellstat comm t.pex --each=BARRIER --templates'
fails 2 'cellstat states t.pex --each=BARRIER --window=25%..'
fails 2 'cellstat states t.pex --section=BARRIER --window=25%..'
fails 2 'cellstat concurrency t.pex --section=BARRIER --bins=3'
fails 2 'cellstat concurrency t.pex --each=BARRIER --bins=3'
fails 2 'cellstat states t.pex --section=BARRIER --each=BARRIER'
fails 2 'cellstat states t.pex --section=BARRIER#0'
fails 2 'cellstat states t.pex --section=BARRIER#99'
fails 2 'cellstat sync t.pex --each=NOTHING'
fails 2 "cellstat order t.pex '#1' '#2' --each=BARRIER"
fails 1 'cellstat comm demo.pex --each=MUTEX_LOCK'
