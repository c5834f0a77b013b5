# Traces that are cut off are refused with what is left of them, and salvaged with --salvage.
use demo.pex demo.trace good/embedded.pex good/embedded-gzip.pex samples/paper.csv

# A tracer that died: the record file ends within a record.
head -c 20000 demo.trace >whole.trace
cp demo.trace all.trace && cp whole.trace demo.trace
fails 1 'cellsync demo.pex -o out.pex'
good 'cellsync demo.pex --salvage -o out.pex -r report.txt && cellsync --check out.pex'
good 'head -n 4 report.txt; grep -o "salvaged_until=[^ ]*" out.pex'
good 'cellsync demo.pex --salvage -r - --report-format=json | head -n 12'
good 'cellsync -q demo.pex --salvage -o csv.csv && wc -l <csv.csv'
for threads in 1 2 5; do
    good "cellsync -q demo.pex --salvage --threads=$threads -o t.pex --embed && cellsync --check t.pex | head -n 1"
done
for to in json ctf csv; do
    good "cellsync -q demo.pex --salvage -o s.$to"
done
for method in lamport lamport-clock lsq; do
    good "cellsync -q demo.pex --salvage --method=$method | head -n 3"
done
good 'cellsync -q demo.pex --salvage --engine=dense -o dense.pex && cmp dense.*.trace out.*.trace'
good 'cellsync -q demo.pex --salvage --unwrap=strict | head -n 3'

# Records that the header counts are missing, and none is cut; the header alone; not even that.
head -c 19968 all.trace >demo.trace
fails 1 'cellsync demo.pex'
good 'cellsync demo.pex --salvage | head -n 3'
head -c 32 all.trace >demo.trace
fails 1 'cellsync demo.pex --salvage'
head -c 31 all.trace >demo.trace
fails 1 'cellsync demo.pex --salvage'
: >demo.trace
fails 1 'cellsync demo.pex --salvage'

# What is whole is not salvaged; more than the header counts is no cut.
cp all.trace demo.trace
good 'cellsync demo.pex -o a.pex && cellsync demo.pex --salvage -o b.pex && cmp a.*.trace b.*.trace && ! grep salvaged b.pex'
printf x >>demo.trace
fails 1 'cellsync demo.pex --salvage'

# In a pipe, packed, and from what cellsync has packed itself.
good 'head -c -20 embedded.pex | cellsync - --salvage -o - | cellsync --check -'
good 'head -c -20 embedded-gzip.pex | cellsync - --salvage | head -n 3'
fails 1 'head -c -20 embedded-gzip.pex | cellsync -'
fails 2 'cellsync --check --salvage out.pex'

# A CSV: the last row counts only with its line end.  Several threads read it.
printf 'thread,time\na,1\nb,2' >cut.csv
good 'cellsync cut.csv | head -n 2'
good 'cellsync cut.csv --salvage | head -n 3'
cp cut.csv "$(printf '\033[31m.csv')"
good 'cellsync "$(printf "\033[31m.csv")" --salvage -r /dev/null'
printf 'thread,time\na,1\nb,' >cut.csv
fails 1 'cellsync cut.csv'
good 'cellsync cut.csv --salvage -r - --report-format=json | grep -A1 salvaged'
awk 'BEGIN { print "thread,time"; for (i = 0; i < 400000; i++) print "thread" i % 5 "," 3 * i }' | head -c 5000000 >big.csv
good 'for n in 1 2 3; do cellsync big.csv --salvage --threads=$n -o big$n.csv; done; cmp big1.csv big2.csv; cmp big1.csv big3.csv; tail -n 1 big1.csv'

# A tail of zeros, as a power cut leaves it: in the middle of what the header counts, after all of it, and in a CSV.
cp all.trace demo.trace
{ head -c 19968 all.trace; head -c 70000 /dev/zero; } >demo.trace
fails 1 'cellsync demo.pex'
good 'cellsync demo.pex --salvage -o zeros.pex && cellsync --check zeros.pex | head -n 1'
head -c 19968 all.trace >demo.trace
good 'cellsync -q demo.pex --salvage -o short.pex && cmp short.*.trace zeros.*.trace && grep -o "original_crc32=[^ ]*" short.pex zeros.pex'
good 'cellsync -q demo.pex --salvage --embed -o short.pex && grep -a -o "original_crc32=[^ ]*" short.pex'
{ head -c 19968 all.trace; head -c 70000 /dev/zero; printf x; } >demo.trace
fails 1 'cellsync demo.pex --salvage'
{ cat all.trace; head -c 5000000 /dev/zero; } >demo.trace
fails 1 'cellsync demo.pex'
good 'cellsync demo.pex --salvage --threads=2 | head -n 2'
gzip -c demo.trace >zeros.trace.gz
sed 's/demo.trace/zeros.trace.gz/; s/"none"/"gzip"/' demo.pex >packed.pex
good 'cellsync -q packed.pex --salvage | head -n 2'
printf 'thread,time\nA,1\nB,2\nA,3' >rows.csv
head -c 3000000 /dev/zero >>rows.csv
fails 1 'cellsync rows.csv'
good 'cellsync -q rows.csv --salvage -o -'
