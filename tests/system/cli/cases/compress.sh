# --compress and --threads: the records that are written, as gzip.
use good/rich.pex good/rich.trace good/embedded-gzip.pex demo.pex demo.trace samples/paper.csv

# In two files: the name, what the .pex says of it, the same records.
good 'cellsync rich.pex -o plain.pex'
good 'cellsync --compress rich.pex -o x.pex && ls && cat x.pex'
good 'zcat x.*.trace.gz | cmp - plain.*.trace'
good 'sed "s/x\.[0-9a-f]*\.trace.gz/$(echo plain.*.trace)/; s/\"gzip\"/\"none\"/" x.pex | cmp - plain.pex'
good 'cellsync --check x.pex'

# Every level; 0 stores.
good 'cellsync demo.pex -o plain.pex && cksum plain.*.trace'
for level in 0 1 2 3 4 5 6 7 8 9; do
    good "cellsync --compress=$level demo.pex -o level$level.pex && zcat level$level.*.trace.gz | cmp - plain.*.trace"
    good "cellsync --check level$level.pex | head -n 1"
done
good 'cellsync --compress demo.pex -o level6.pex && mv level6.*.trace.gz default.gz'
good 'cellsync --compress=6 demo.pex -o level6.pex && cmp default.gz level6.*.trace.gz'
[ "$(cat level0.*.trace.gz | wc -c)" -gt "$(cat plain.*.trace | wc -c)" ] || complain 'level 0 does not store'
[ "$(cat level9.*.trace.gz | wc -c)" -lt "$(cat level1.*.trace.gz | wc -c)" ] || complain 'level 9 is not below level 1'

# In one file: the document says gzip, and what follows the NUL is the record file.
good 'cellsync --compress --embed demo.pex -o one.pex && tr "\0" "\n" <one.pex | grep -a trace_file'
size=$(($(wc -c <one.pex) - $(wc -c <default.gz)))
good "tail -c +$((size + 1)) one.pex | cmp - default.gz && head -c $size one.pex | tail -c 1 | od -An -tx1"
good 'cellsync --check one.pex | head -n 1'
good 'cellsync --compress demo.pex -o - | cmp - one.pex'
good 'cellsync --compress embedded-gzip.pex -o - | cellsync --check -'

# Many members: the same bytes from any number of threads.
# Behind the records of demo.trace more of its last one, which is the PPE's.
head -c 16 demo.trace >large.trace
printf '\377\377\377\377\377\377\377\377\0\0\0\0\0\0\0\0' >>large.trace # more than can be counted
tail -c +33 demo.trace >>large.trace
tail -c 32 demo.trace >last
for doubling in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    cat last last >twice
    mv twice last
done
cat last >>large.trace
sed 's/demo\.trace/large.trace/' demo.pex >large.pex
good 'cellsync large.pex -o plain.pex && wc -c plain.*.trace'
for threads in 1 2 7; do
    good "cellsync --compress --threads=$threads large.pex -o x.pex && zcat x.*.trace.gz | cmp - plain.*.trace"
    good 'cellsync --check x.pex | head -n 1'
    mv x.*.trace.gz "by$threads.gz"
    mv x.pex "by$threads.pex"
done
good 'cmp by1.gz by2.gz && cmp by1.gz by7.gz && cmp by1.pex by2.pex && cmp by1.pex by7.pex'

# One member for each 128 KiB; stored, their first bytes can be seen.
good 'cellsync --compress=0 --threads=2 large.pex -o x.pex && zcat x.*.trace.gz | cmp - plain.*.trace'
good "LC_ALL=C grep -obUaP '\\x1f\\x8b\\x08' x.*.trace.gz | wc -l"

# Compressed input is the same for any number of threads, too.
{ head -c 1000001 large.trace | gzip; tail -c +1000002 large.trace | gzip -1; } >packed.trace.gz
sed 's/demo\.trace/packed.trace.gz/; s/"none"/"gzip"/' demo.pex >packed.pex
for threads in 1 2 7; do
    good "cellsync --threads=$threads packed.pex -o x.pex && cmp x.*.trace plain.*.trace"
done

# No output becomes an input, or another output.
good 'cellsync --compress packed.pex -o packed.xml --to=pex && cellsync --check packed.xml | head -n 1'
fails 2 'cellsync --compress demo.pex -o new.pex -r new.0a1b2c3d.trace.gz --report-format=csv'

# Usage.
echo old >out.csv
fails 2 'cellsync --compress demo.pex'
fails 2 'cellsync --compress -r out.csv demo.pex'
fails 2 'cellsync --compress --check by1.pex'
fails 2 'cellsync --compress --to=ctf -o new demo.pex'
fails 2 'cellsync --compress -o new.ctf demo.pex'
fails 2 'cellsync --compress -o out.csv demo.pex'
fails 2 'cellsync --compress -o out.csv paper.csv'
for level in x 10 -1 1.5 ''; do
    fails 2 "cellsync --compress=$level -o new.pex demo.pex"
done
fails 2 'cellsync --compress 5 -o new.pex demo.pex'
for threads in 0 1025 -1 x ''; do
    fails 2 "cellsync --threads=$threads demo.pex"
done
fails 2 'cellsync --threads=2 --check by1.pex'
