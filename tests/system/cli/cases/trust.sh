# What a solution rests on is said by all that is written of it: a delta that was estimated, and gaps that were
# assumed.  One warning on standard error, whatever is written.
use finds/slept.pex finds/slept.trace samples/jitter.pex samples/jitter.trace
printf '%s\n' thread,time A,4294967000 B,100 A,4294967200 B,300 A,104 B,500 A,304 B,700 >wrapped.csv
for kind in early drift step; do
    python3 "$tests/../report/strangers.py" $kind 1 4000 >$kind.csv 2>/dev/null
done

good 'cellsync wrapped.csv -o out.csv && cat out.csv'
good 'cellsync wrapped.csv -r out.txt && grep -c "^warning" out.txt'
good 'cellsync wrapped.csv -r out.html && grep "id=.warning" out.html | cut -c1-120'
good 'cellsync wrapped.csv -r out.json && grep -A1 "conditional" out.json'
good 'cellsync wrapped.csv -r bounds.csv && cat bounds.csv'
good 'cellsync wrapped.csv -r out.tex && tail -n 5 out.tex'
good 'cellsync wrapped.csv --graph=g.dot && grep label=.wrapped g.dot'
good 'cellsync wrapped.csv --explain=A,B | head -n 1'
good 'cellsync wrapped.csv -o out.json && head -n 2 out.json | grep -o "\"conditional.*"'
good 'cellsync jitter.pex -o out.ctf && grep -a -A3 "added_ticks =" out.ctf/metadata'
good 'cellsync --table wrapped.csv slept.pex'
good 'cellsync -q wrapped.csv -o out.json'

# A delta that was given is the caller's word.
good 'cellsync --delta=2147483548 wrapped.csv -o out.csv'
good 'cellsync --relax=paper early.csv | grep -A2 "^delta"'

for kind in early drift step; do
    good "cellsync $kind.csv | sed -n '/^delta/,/^inv/p; /^event errors/,/^mean/p; /^max clock/p; /^the time/,/^$/p'"
done

# Half a minute or five: the gap was assumed.
good 'cellsync slept.pex -o s.pex && cellsync --check s.pex'
good 'cellsync -q slept.pex | grep ^warning'
good 'cellsync -q slept.pex -r s.html && grep -o "provided that timestamps.*correct" s.html'
good 'cellsync -q slept.pex -r s.csv && head -n 2 s.csv'
good 'cellsync -q slept.pex -r s.tex && tail -n 5 s.tex'
good 'cellsync -q slept.pex -r - --report-format=json | grep -A3 conditional'
good 'cellsync -q slept.pex -o s.csv && head -n 1 s.csv && cellsync --check s.csv'
good 'cellsync s.csv -o again.csv && cmp s.csv again.csv'
good 'cellsync -q slept.pex -o s.json && head -n 2 s.json | grep -o "\"assumed.*correct"'
good 'cellsync -q slept.pex -o s.ctf && grep -a assumed s.ctf/metadata'
good 'cellsync -q --method=lsq slept.pex -o lsq.csv && head -n 1 lsq.csv'
good 'cellsync -q --unwrap=strict slept.pex -o s.pex && cellsync --check s.pex | head -n 1'

# Stamps that were found to be off, but by less than half a tick, rest on it, too.
printf '# timebase_hz=1000000\nthread,time,event\nA,0,x\nB,10,x\nB,20,x\nA,9,x\nB,30,x\nA,25,x\n' >quarter.csv
good 'cellsync -q quarter.csv | grep -e "^delta" -e "^bounds"'

# What nothing has said of the clocks stands in traces for viewers, too, as these have bounds.
use two.csv
said='all clocks run at the same rate and tick at the same instants, and every timestamp is exact to the tick; if not, pass --drift, --delta=1/2 or more, or both'
for file in t.json t.pftrace t.ctf/metadata; do
    good "cellsync two.csv -o ${file%/*} && grep -a -c -F '$said' $file"
done
good 'cellstat concurrency two.csv --format=tex | grep If:'
