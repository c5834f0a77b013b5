# Clocks that nothing ties to the reference: every output says so, also with -q.
one_rate
printf '%s\n' '# order=partial' thread,time_us,event,send,recv 'server,1000,heard n1,,a1' 'n1,5500,advert,a1,' \
    'n1,9200,got ack,,k1' 'server,4600,ack,k1,' 'lonely,864000000100,advert,,' 'lonely,864000500100,advert,,' >in.csv

good 'cellsync in.csv | grep "^warning"'
good 'cellsync -q in.csv -r r.json && grep warnings r.json'
good 'cellsync -q in.csv -r r.html && grep "id=.unbounded-warning" r.html'
good 'cellsync -q in.csv -r r.html --drift=101 && grep "id=.unbounded-warning" r.html'
for to in t.json t.pftrace t.ctf; do
    good "cellsync -q in.csv -o $to && cat $to $to/metadata 2>/dev/null | grep -a -c 'no event connects the clock of lonely to the clock of server: its offset is arbitrary'"
done
good 'cellstat latency in.csv -q | grep lonely'

# The comment is ours: it is proved to be all that was added, read over, and not repeated.
good 'cellsync -q in.csv -o s.csv && cat s.csv && cellsync --check s.csv'
good 'cellsync -q s.csv -o again.csv && cmp s.csv again.csv'
good 'cellsync -q s.csv -o drift.csv --drift=101 && sed -n 2p drift.csv && cellsync --check drift.csv'
good 'cellsync -q s.csv -o - --csv-header=none | head -n 1'
good "sed 's/\$/\r/' in.csv >crlf.csv && cellsync -q crlf.csv -o s.csv && cellsync --check s.csv && grep -c '\r' s.csv"
sed '2s/.*/# note: of mine/' s.csv >changed.csv
fails 1 'cellsync --check changed.csv'

# Several clocks, and those that have a bound on one side; their names stay where they are.
printf '%s\n' '# order=partial' thread,time_ns,send,recv A,10,m, B,20,,m '"<b>""x",30,,' D,5,, D,50,, A,40,, >many.csv
good 'cellsync many.csv -r - --report-format=json --reference=A | grep warnings'
good 'cellsync -q many.csv -r r.html --reference=A && grep "id=.unbounded-warning" r.html'
good 'cellsync -q many.csv --graph=- --graph-of=bounds --reference=A | sed -n 2p'
# A drift changes nothing in which clocks are bounded on one side only.
good 'cellsync many.csv -r - --report-format=json --reference=A --drift=101 | grep warnings'
