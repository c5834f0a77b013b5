# What the name of an output says of its format, and gzip in and out.
use good/rich.pex good/rich.trace samples/paper.csv samples/plain.pex samples/plain.trace

# An unknown suffix is never another format.
for name in out.pdf x.xml x.csv.bz2 x.pex.gz x.gz x.7z folder.d/x.txt 'x.a b' x.html; do
    fails 2 "cellsync paper.csv -o '$name'"
done
for name in out.pdf x.xml x.csv.gz x.pex; do
    fails 2 "cellsync paper.csv -r '$name'"
done
fails 2 "cellsync paper.csv rich.pex -r table.pdf"
fails 2 "cellsync paper.csv -r '$(printf 'x.\033')'"

# Unless --to or --report-format says which; letters of any case; no suffix; not a regular file.
good 'cellsync paper.csv -o out.pdf --to=csv && tail -n 1 out.pdf'
good 'cellsync paper.csv -r out.pdf --report-format=csv && head -n 1 out.pdf'
good 'cellsync paper.csv -o X.JSON -r R.CSV && head -c 9 X.JSON && head -n 1 R.CSV'
good 'cellsync paper.csv -r r.txt && head -n 1 r.txt'
good 'cellsync paper.csv -o out && cellsync rich.pex -o .pdf && ls -A out .pdf && rm .pdf .pdf.*.trace'
mkfifo pipe.pdf
good 'cat pipe.pdf >got & cellsync paper.csv -o pipe.pdf && wait && tail -n 1 got'
good 'cat pipe.pdf >got & cellsync paper.csv -r pipe.pdf && wait && head -n 1 got'
good 'cellsync paper.csv -r /dev/null -o /dev/null'

# gzip out by name, by --compress, at any level, the same from any number of threads.
good 'cellsync paper.csv -o plain.csv && cellsync paper.csv -o x.csv.gz && zcat x.csv.gz | cmp - plain.csv'
good 'cellsync rich.pex -o rich.json && cellsync rich.pex -o x.json.gz && zcat x.json.gz | cmp - rich.json'
good 'cellsync paper.csv -o - --compress | zcat | cmp - plain.csv'
good 'cellsync paper.csv -o packed --compress && zcat packed | cmp - plain.csv'
good 'cellsync paper.csv --to=csv -o x.gz && zcat x.gz | cmp - plain.csv'
good 'cellsync rich.pex --to=json -o y.csv.gz && zcat y.csv.gz | cmp - rich.json'
good 'cellsync paper.csv -o x.csv.gz --compress=0 && zcat x.csv.gz | cmp - plain.csv'
fails 2 'cellsync paper.csv -o x.csv --compress'
fails 2 'cellsync paper.csv --to=csv -o x.pdf --compress'
fails 2 'cellsync paper.csv -o paper.csv.gz -r ./paper.csv.gz --report-format=csv'

# Large enough for many members.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 60000; i++) print "T" i % 7 "," 1000 * (i % 7) + 10 * i }' >large.csv
good 'cellsync large.csv -o plain.csv -r bounds.csv'
for threads in 1 2 5; do
    good "cellsync --threads=$threads large.csv -o by$threads.csv.gz && zcat by$threads.csv.gz | cmp - plain.csv"
done
good 'cmp by1.csv.gz by2.csv.gz && cmp by1.csv.gz by5.csv.gz'

# gzip in, told by its magic and not by its name; several members; empty ones; from a pipe.
gzip -n <large.csv >large
good 'cellsync large -r - --report-format=csv | cmp - bounds.csv'
good 'cellsync large --from=csv -o - --to=csv | cmp - plain.csv'
good 'cellsync --threads=1 large -o - --to=csv | cmp - plain.csv'
{ head -c 100001 large.csv | gzip; gzip </dev/null; tail -c +100002 large.csv | gzip -1; } >large.csv.gz
good 'cellsync large.csv.gz -o - --to=csv | cmp - plain.csv'
good 'cat large.csv.gz | cellsync - -o - | cmp - plain.csv'
good 'cellsync large.csv.gz -o - | cmp - plain.csv'
fails 1 'cellsync large.csv.gz -o large.csv.gz'

# Damaged: cut off within a row, on a row's end, in the header; altered; empty.
head -c 50000 large >cut.csv.gz
fails 1 'cellsync cut.csv.gz'
good 'cellsync --salvage cut.csv.gz -o cut.csv --csv-header=none'
good 'head -n "$(wc -l <cut.csv)" large.csv | cut -d , -f 1,2 >want && cut -d , -f 1,2 cut.csv | cmp - want'
head -c 12 large >cut.csv.gz
fails 1 'cellsync cut.csv.gz'
fails 1 'cellsync --salvage cut.csv.gz'
{ head -c 70000 large; printf 'xxxxxxxx'; tail -c +70009 large; } >bad.csv.gz
fails 1 'cellsync bad.csv.gz -o out.csv'
gzip </dev/null >empty.csv.gz
fails 1 'cellsync empty.csv.gz'
printf 'thread,time\nA,1\nB,x\n' | gzip >line.csv.gz
fails 1 'cellsync line.csv.gz'

# A .pex in gzip as a whole, a record file, a gzip in a gzip.
gzip -c plain.pex >plain.pex.gz
fails 1 'cellsync plain.pex.gz'
fails 1 'cellsync --check plain.pex.gz'
gzip -c plain.trace >plain.trace.gz
fails 1 'cellsync plain.trace.gz'
gzip -c large.csv.gz >twice.csv.gz
fails 1 'cellsync twice.csv.gz'
