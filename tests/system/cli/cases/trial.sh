# What a sixth stranger stumbled over: what is meant for another place is told so.
use two.csv demo.pex demo.trace

# One column for what contradicts: the sender has not received it.  Enter and leave may be one, as rows may have a begin.
printf '# order=partial\nthread,time_us,msg\na,1,q\nb,2,q\n' >one.csv
fails 2 'cellsync one.csv --columns=send=msg,recv=msg'
sed s/msg/recv/ one.csv >named.csv
fails 2 'cellsync named.csv --columns=send=recv'
fails 2 'cellsync two.csv --columns=time=time,begin=time'
fails 2 'cellsync two.csv --columns=time=time,duration=Time'
good 'cellsync -q one.csv --columns=enter=msg,leave=msg | grep ^order'
good 'cellsync -q named.csv --columns=send=,recv=recv -o recorded.csv && sed -n "1s/.* columns=/columns=/p" recorded.csv'
sed '1s/send=,/send=recv,/' recorded.csv >edited.csv
fails 1 'cellsync edited.csv'

# A folder that is no run: what folders are read, whatever else is in it.
mkdir empty traces archive
cp demo.pex demo.trace two.csv traces
touch archive/b.otf2
for folder in empty traces archive; do
    fails 1 "cellsync $folder"
    fails 1 "cd $folder && cellsync ."
done
fails 1 'cellstat traces'

# What is written only, given back.
good 'cellsync -q two.csv -o t.json -r r.html && cellsync -q two.csv -o t.json.gz -r r.json && cellsync -q two.csv -o t.pftrace -r r.txt'
good 'cellsync -q two.csv -o t.pftrace.gz -r r.tex && cellsync -q two.csv -o t.ctf --graph=constraints.dot'
good 'cellsync -q two.csv --graph=bounds.dot --graph-of=bounds && cellstat -q two.csv -o s.html && cellstat -q two.csv -o s.json'
for file in t.json t.json.gz t.pftrace t.pftrace.gz t.ctf r.html r.json r.txt r.tex constraints.dot bounds.dot s.html s.json; do
    fails 1 "cellsync $file"
done
fails 1 'cellstat t.json'
fails 1 'cellsync - <t.pftrace'
fails 1 'cellsync --check t.json'
printf '\n# timebase_hz=1000000\nthread,time\na,1\n' >blank.csv
good 'cellsync -q blank.csv | grep ^records'
fails 1 'cellsync --from=csv t.json'

# A file named twice would be lost; of other options the last counts.
fails 2 'cellsync two.csv -o a.csv -o b.csv'
fails 2 'cellsync two.csv -r a.txt --report=b.html'
fails 2 'cellstat two.csv -o a.csv -o b.html'
fails 2 'pdtsim --workload=lb -o a.pex -o b.pex'
good 'cellsync -q two.csv --alpha=1 --alpha=0 | grep ^alpha'

# A name that was meant for an output.
fails 1 'cellsync two.csv synced.csv'
fails 1 'cellsync two.csv page.html'
fails 1 'cellsync two.csv gone.csv -r table.csv'
fails 1 'cellsync synced.csv two.csv'
fails 2 'cellstat demo.pex page.html'
fails 2 'cellstat summary demo.pex page.html'
fails 2 'cellstat order demo.pex 1 2 page.html'
fails 2 'cellstat sumary demo.pex'

# What says half of an order, or says it as a .pex does, is ordered by nothing.
for columns in send recv enter leave spawn Join; do
    printf '# order=partial\nthread,time_us,%s\na,1,q\nb,2,\na,3,\nb,4,q\n' "$columns" >half.csv
    good 'cellsync half.csv | grep ^order'
done
printf '# order=partial\nthread,time_us,send,recv,wait\na,1,q,,5\nb,2,,q,\n' >waits.csv
good 'cellsync waits.csv -r /dev/null'

# A remedy for what is packed, which works.
printf '1,10,x\n2,12,y\n' | gzip -n >"rows of.gz"
printf '# timebase_hz=1000\n1,10,x\n2,12,y\n' | gzip -n >rows.packed
printf 'thread,time\n1,10\n2,12\n' | iconv -f UTF-8 -t UTF-16LE | gzip -n >wide.gz
printf 'thread,time\r1,10\r2,12\r' | gzip -n >returns.gz
for file in "rows of.gz" rows.packed wide.gz returns.gz; do
    fails 1 "cellsync '$file'"
    remedy=$(sed -n "s/.*\(to add a header: \|UTF-16LE: \|to convert them: \)//p" "$tmp/err")
    good "$remedy -q | grep ^records"
    fails 1 "cellsync - <'$file'"
done

# Only as much as was said is told of, unless it is much.
good 'pdtsim --workload=juliaset -o julia.pex'
good 'pdtsim --workload=oversubscribed -o many.pex && wc -c <many.trace'
good 'pdtsim --workload=oversubscribed --events=500000 -o many.pex'

# A thread with nothing between its first record and its last is not drawn as one that was at work.
printf 'thread,clock,time\nmain,host,1\nhelper,host,2\nmain,host,3\nmain,host,5\nhelper,host,9\nother,guest,9\n' >shared.csv
good "cellsync -q shared.csv -r p.html && sed -n '/<svg id=\"members\"/,/<\\/figcaption>/p' p.html | grep -o 'class=\"[a-z0-9]* *quiet\"\|A thread with a pale bar[^<]*'"
sed '/helper\|other/d' shared.csv >busy.csv
good "cellsync -q busy.csv -r p.html && grep -c 'a pale bar' p.html || true"
