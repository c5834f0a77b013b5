# Chrome JSON of several ranks: k-th with k-th only if that is certain; otherwise the counts are printed.
event() { printf '{"ph":"X","name":"%s","pid":%s,"tid":1,"ts":%s,"dur":%s%s}' "$@"; } # NAME PID TS DUR [MORE]
rank() { printf '{"distributedInfo":{"rank":%s},"traceEvents":[%s]}\n' "$1" "$2"; }
step() { event 'ProfilerStep#4' "$1" "$2" 900 ''; }
a=$(event gloo:all_reduce 10 100.25 50.5 ''),$(event gloo:all_reduce 10 300.25 50.5 '')
b=$(event gloo:all_reduce 20 5120.125 40.25 ''),$(event gloo:all_reduce 20 5310.125 45 '')

rank 0 "$(step 10 1),$a" >rank0.json
rank 1 "$(step 20 5001),$b" >rank1.json
good 'cellsync --drift=0 rank0.json rank1.json -r report.txt; grep -e ^order -e ^clock report.txt'
good 'cellsync --drift=0 -q rank0.json rank1.json -o synced/'
sed 's/"cellsync":".*"/"cellsync":VERSION/' synced/rank1.json
fails 1 'cellsync -q synced/rank0.json synced/rank1.json'
good 'cellsync --drift=0 -q rank0.json rank1.json -o merged.json'
grep -c gloo merged.json

rank 1 "$(step 20 5001),$(event gloo:all_reduce 20 5120.125 40.25 '')" >fewer.json
fails 1 'cellsync -q rank0.json fewer.json'
rank 1 "$b" >unstepped.json
fails 1 'cellsync -q rank0.json unstepped.json'
rank 1 "$(step 20 5001 | sed 's/#4/#5/'),$b" >later.json
fails 1 'cellsync -q rank0.json later.json'

# Seq needs no steps, and no equal counts.
seq() { printf ',"args":{"Process Group Name":"p","Seq":%s}' "$1"; }
rank 0 "$(event gloo:all_reduce 10 100.25 50.5 "$(seq 7)"),$(event gloo:all_reduce 10 300.25 50.5 "$(seq 8)")" >seq0.json
rank 1 "$(event gloo:all_reduce 20 5310.125 45 "$(seq 8)")" >seq1.json
good 'cellsync --drift=0 -q seq0.json seq1.json -r report.txt; grep "^order" report.txt'

# Flows, events with separate ends, and an array without its end.
printf '[%s,\n%s,\n%s,\n%s,\n' '{"ph":"s","ts":1.5,"id":7,"pid":1,"tid":1,"name":"f","cat":"c"}' \
    '{"ph":"f","ts":0.25,"id":7,"pid":2,"tid":1,"name":"f","cat":"c"}' '{"ph":"B","ts":3,"pid":1,"tid":1,"name":"x"}' \
    '{"ph":"E","ts":4,"pid":1,"tid":1}' >flow.json
good 'cellsync --drift=0 -q flow.json -o out.json -r report.txt; grep "^order" report.txt; cat out.json'
printf '{"traceEvents":[{"ph":"X","ts":"x","dur":1,"pid":1,"tid":1,"name":"a"}]}' >word.json
fails 1 'cellsync -q word.json'
printf '{"traceEvents":[]}' >none.json
fails 1 'cellsync -q none.json'
good 'cellsync -q $DATA/two.csv -o own.json'
fails 1 'cellsync -q own.json'
fails 2 'cellsync -q flow.json --spans=nested'
