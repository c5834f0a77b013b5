# A trace as trace events, for Perfetto.
use good/rich.pex good/rich.trace samples/paper.csv
good 'cellsync rich.pex -o out.json && cat out.json'
good 'cellsync rich.pex -o - --to=json | cmp - out.json'
good 'cellsync rich.pex -o other --to=json && cmp other out.json'
good 'cellsync paper.csv -o - --to=json'
good 'cellsync rich.pex -o out.json -r report.json; sed -n 1,2p report.json'

# Methods that make no bounds, or no offsets.
good 'cellsync -q --method=lsq rich.pex -o - --to=json | grep -e otherData -e live'
good 'cellsync -q --method=lamport rich.pex -o - --to=json | grep -e otherData -e live'

# Names of any bytes.
printf 'event,thread,time,event\n"a ""b"" \\ \037","T\377\303\251",5,x\n,T,6,\n' >names.csv
good 'cellsync names.csv -o names.json && cat names.json'

fails 2 'cellsync rich.pex -o out.json --embed'
fails 2 'cellsync rich.pex -o out.json --compress'
fails 2 'cellsync rich.pex -o out.pex --to=json --compress'
fails 2 'cellsync rich.pex -o out.json --to=json --compress'
fails 2 'cellsync --from=json out.json'
fails 2 'cellsync rich.pex -o out.json -r ./out.json'
fails 1 'cellsync rich.pex -o /dev/full --to=json'
fails 1 'cellsync rich.pex -o nowhere/out.json'
use good/infeasible.pex good/infeasible.trace
fails 3 'cellsync --relax=none infeasible.pex -o out.json'
