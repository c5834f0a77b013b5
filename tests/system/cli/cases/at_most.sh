# Limits between records of two clocks: longest latencies, the same moment, measured offsets.
one_rate
cat >all.csv <<'CSV'
# order=partial
# timebase_hz=1000000
# same_within=2us
thread,begin,time,event,other_clock,other_time,within,same,send,recv,latency,latency_max
A,1080,1100,ntp,B,51590,5,,,,,
A,,1200,trigger,,,,shot7,,,,
B,,51698,trigger,,,1,shot7,,,,
cam,,880,frame,,,,,f1,,,
A,,1900,frame,,,,,,f1,100,5000
cam,,940,frame,,,,,f2,,,
A,,1960,frame,,,,,,f2,,
CSV
good 'cellsync -q all.csv -o out.csv && cat out.csv && cellsync --check out.csv'
good 'cellsync -q all.csv --drift=101 -o drift.csv && cellsync --check drift.csv'
good 'cellsync -q all.csv --explain=A,B'
good 'cellsync -q all.csv --explain=cam,A --max-latency=1800us'
good 'cellsync -q all.csv --max-latency=1800us -o most.csv && head -n 1 most.csv && cellsync --check most.csv'
good 'cellsync -q all.csv -r - --report-format=json | grep matched'

# --check rejects changes of what limits say, and of times that break them.
edit()
{
    sed "$1" $2 >edited.csv
    printf '\n# %s\n' "$1 $2" >&2
    fails 1 'cellsync --check edited.csv'
}
edit '1s/max_latency=1800/max_latency=1700/' most.csv
edit '1s/ max_latency=1800//' most.csv
edit 's/,5000,/,4000,/' out.csv
edit 's/# same_within=2us/# same_within=1us/' out.csv
edit 's/,B,51590,5,/,B,51600,5,/' drift.csv

# A limit that contradicts a clock needs a delta, or is refused by one that is given.
cat >late.csv <<'CSV'
# order=partial
# timebase_hz=1000000
thread,time,send,recv,latency_max
A,0,m,,
B,100,,m,20
B,110,n,,
A,60,,n,10
CSV
good 'cellsync late.csv'
fails 3 'cellsync late.csv --delta=1us'
fails 3 'cellsync late.csv --drift=101 --delta=1us'

# Latencies contradict a limit, whatever clocks show.
cat >never.csv <<'CSV'
# order=partial
# timebase_hz=1000000
thread,time,send,recv,latency,same,latency_max
A,0,m,,,x,
B,100,,m,40,,
B,110,,,,x,
CSV
fails 3 'cellsync never.csv'
fails 3 'cellsync never.csv --drift=1000'

# What is malformed, by line.
bad()
{
    printf '# order=partial\n# timebase_hz=1000\nthread,time,send,recv,latency,latency_max,same,within,other_clock,other_time\n%b' "$1" >bad.csv
    fails 1 "cellsync bad.csv ${2-}"
}
bad 'A,0,m,,,,,,,\nB,1,,m,9,8,,,,\n'
bad 'A,0,m,,,,,,,\nB,1,,m,9,,,,,\n' --max-latency=8
bad 'A,0,m,,,,,,,\nB,1,,m,,8,,,,\n' --latency=9
bad 'A,0,m,,,,,,,\nB,1,,m,,-8,,,,\n'
bad 'A,0,m,,,,,,,\nB,1,,m,,x,,,,\n'
bad 'A,0,,,,,x,,,\nB,1,,,,,y,,,\n'
bad 'A,0,,,,,x,-1,,\nB,1,,,,,x,,,\n'
bad 'A,0,,,,,,3,,\nB,1,,,,,,,,\n'
bad 'A,0,,,,,,,B,\nB,1,,,,,,,,\n'
bad 'A,0,,,,,,,,7\nB,1,,,,,,,,\n'
bad 'A,0,,,,,,,C,7\nB,1,,,,,,,,\n'
bad 'A,0,,,,,,,A,7\nB,1,,,,,,,,\n'
bad 'A,0,,,,,,,B,4611686018427387904\nB,1,,,,,,,,\n'
printf '# order=partial\n# same_within=2 miles\nthread,time,same\nA,0,x\nB,1,x\n' >within.csv
fails 1 'cellsync within.csv'
printf '# order=partial\n# same_within=2\n# same_within=2\nthread,time,same\nA,0,x\nB,1,x\n' >within.csv
fails 1 'cellsync within.csv'
use samples/paper.csv
fails 2 'cellsync paper.csv --max-latency=5'
fails 2 'cellsync all.csv --latency=6 --max-latency=5'
fails 2 'cellsync all.csv --max-latency=soon'
