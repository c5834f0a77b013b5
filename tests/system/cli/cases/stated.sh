# Latencies, moments, and readings of other clocks that an option or the trace states are conditions of the bounds.
rows()
{
    printf "# order=partial\n# timebase_hz=1000000000\nthread,time,send,recv$1\n"
    shift
    printf '%s\n' "$@"
}
conditions='sed -n "s/^bounds hold if //p" | tail -n +3'
rows '' A,0,m, B,1000,,m B,1100,n, A,500,,n >plain.csv
rows ,latency,latency_max A,0,m,,, B,1000,,m,100, B,1100,n,,, A,500,,n,,900 >columns.csv
rows ,latency A,0,m,, B,1000,,m,0 B,1100,n,, A,500,,n, >nothing.csv
rows ,same,within A,0,m,,, B,1000,,m,, B,1100,n,,f,20 A,500,,n,f, >same.csv
rows ,other_clock,other_time A,0,m,,, B,1000,,m,, B,1100,n,,, A,500,,n,B,1110 >other.csv
printf '# order=partial\nthread,time,enter,leave,latency\nA,0,g,,\nB,10,g,,\nA,20,,g,5\nB,30,,g,5\n' >group.csv

good "cellsync -q plain.csv | $conditions"
good "cellsync -q nothing.csv | $conditions"
good "cellsync -q plain.csv --latency=120ns | $conditions"
good "cellsync -q plain.csv --latency=120ns --max-latency=1us --drift=0 | $conditions"
good "cellsync -q columns.csv --max-latency=2us | $conditions"
good "cellsync -q same.csv | $conditions"
good "cellsync -q other.csv --max-latency=1us | $conditions"
good 'cellsync -q group.csv --drift=0 | grep "values of"'
good 'cellsync -q plain.csv --max-latency=1us --drift=0 --report-format=csv | cut -d , -f 15'

# The line of facts has the condition, and --check accepts it. cellstat prints it.
good 'cellsync -q columns.csv --latency=120ns -o s.csv && head -n 1 s.csv | grep -o "keys=.*" && cellsync --check s.csv | head -n 1'
good 'cellstat -q latency plain.csv --latency=120ns | grep latencies'

# A synchronized CSV that is solved again has the premises of its line of facts, unless options set others.
use sockets.csv
premise='sed -n "/^premise/p; /^delta/p; /^drift/p; /message took/p"'
good 'cellsync -q sockets.csv --drift=500,3 --delta=2us --latency=1us --max-latency=10s -o f.csv -r /dev/null'
good "cellsync -q f.csv | $premise"
good "cellsync -q f.csv --drift=101 --delta=1us --latency=2us | $premise"
good "cellsync -q f.csv --drift=101 --latency=0 | $premise"
good "cellstat latency f.csv 2>&1 | grep 'drift\|took'"
good 'cellsync -q plain.csv --drift=0 -o f.csv -r /dev/null'
good "cellsync -q f.csv | $premise"

# So has a CSV of one buffer that was synchronized with a drift.
printf 'thread,time\nA,0\nB,100\nA,50\nB,170\nA,90\n' >buffer.csv
good 'cellsync -q buffer.csv --drift=50000 -o f.csv -r /dev/null'
good "cellsync -q f.csv | $premise"
good "cellstat -q concurrency f.csv | grep ppm"
good "cellsync -q f.csv --drift=0 | $premise"
good "cellsync -q f.csv --engine=dense | $premise"

# The maximum latency of a trace that was no CSV is in its rows: x was a message, and y was a post and a wait.
{
    printf '# cellsync reference=A alpha=1/2 delta=1/2 added_ticks=1 relax=exact center=reference max_latency=200 '
    printf 'drift=101.000 lacks=channels stated=yes\n'
    rows ,latency_max A,0,x,, B,100,,x,200 B,200,z,, A,300,,z,200 A,400,y,, B,9000,,y,
} >rows.csv
good 'cellsync -q rows.csv | sed -n "/^delta/p; /message took/p; /values of latency_max/p"'

# The maximum latency of captures applies to all of their messages when a CSV of them is solved again.
use pcap/wan/a.pcap pcap/wan/b.pcap
good 'cellsync -q a.pcap b.pcap --max-latency=60ms -o f.csv -r /dev/null'
good "cellsync -q f.csv | sed -n '/message took/p'"

# A latency in the facts is no error after the line that names the order was removed.
good 'cellsync -q plain.csv --latency=120ns -o f.csv -r /dev/null && sed "/^# order/d" f.csv >g.csv'
good "cellsync -q g.csv | sed -n '/message took/p'"

# The resolution of spans, which ticks do not show, applies when a CSV of them is solved again.
span() { printf '{"traceId":"%032d","id":"%016d","parentId":"%016d","kind":"%s","timestamp":%d,"duration":%d,' "$1" "$2" "$3" "$4" "$5" "$6"
    shift 6
    printf '"localEndpoint":{"serviceName":"%s"},"tags":{"host.name":"%s"}}' "$1" "$1"; }
{
    printf '['
    span 1 1 0 CLIENT 1700000000000000 900 a | sed 's/"parentId":"0*",//'
    printf ','
    span 1 2 1 SERVER 1700000005000400 200 b
    printf ']'
} >zipkin.json
good 'cellsync -q zipkin.json -o f.csv -r /dev/null'
good "cellsync -q f.csv | $premise"
good "cellsync -q f.csv --delta=1/2 | $premise"

# The original trace shows which messages a maximum latency limits.
good 'cellsync -q zipkin.json --max-latency=600us -o f.csv -r /dev/null && cellsync --check f.csv --original=zipkin.json | tail -n 1'
sed '1s/max_latency=600000/max_latency=1000/' f.csv >bad.csv
fails 1 'cellsync --check bad.csv --original=zipkin.json'
fails 1 'cellsync --check f.csv'

# A CSV of captures names clocks as the captures do, and states the steps in its facts.
use pcap/three/a.pcapng pcap/three/b.pcapng pcap/three/c.pcapng
good 'cellsync -q a.pcapng b.pcapng c.pcapng --ranges=yes --max-latency=60ms -o f.csv -r f.txt && cellsync --check f.csv | head -n 1; grep -c "^c@" f.csv || :'
good 'cellsync -q f.csv -r g.txt && grep "^max error  " f.txt && grep "^max error  " g.txt'
sed '1s/max_latency=60000000/max_latency=5000/' f.csv >bad.csv
fails 1 'cellsync --check bad.csv'
