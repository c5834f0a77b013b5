# A trace as Perfetto's TrackEvents; tests/system/formats/perfetto_test.py looks into it.
use good/rich.pex good/rich.trace samples/paper.csv
good 'cellsync rich.pex -o out.pftrace && wc -c <out.pftrace'
good 'cellsync rich.pex -o - --to=pftrace | cmp - out.pftrace'
good 'cellsync rich.pex -o OUT.PfTrace --threads=2 && cmp OUT.PfTrace out.pftrace'
good 'cellsync rich.pex -o out.pftrace.gz && zcat out.pftrace.gz | cmp - out.pftrace'
good 'cellsync rich.pex -o short.pftrace --json-args=short && wc -c <short.pftrace'
good 'cellsync rich.pex -o none.pftrace --json-args=none --only="spe*" && wc -c <none.pftrace'
good 'cellsync paper.csv -o paper.pftrace && wc -c <paper.pftrace'
good 'cellsync -q --method=lamport rich.pex -o lamport.pftrace && wc -c <lamport.pftrace'

# Times that 63 bits of nanoseconds do not hold.
printf '# timebase_hz=1\nthread,time\na,0\na,9223372036\na,9223372037\n' >far.csv
fails 1 'cellsync far.csv -o far.pftrace'
good 'test ! -e far.pftrace'
good 'cellsync far.csv -o far.pftrace --window=..9223372036 && wc -c <far.pftrace'

fails 2 'cellsync rich.pex -o out.pftrace --embed'
fails 2 'cellsync rich.pex -o out.pftrace --compress'
fails 2 'cellsync rich.pex -o out.pftrace --csv-time=seconds'
fails 2 'cellsync paper.csv -o out.csv --json-args=short'
fails 2 'cellsync out.pftrace --from=pftrace'
fails 1 'cellsync rich.pex -o /dev/full --to=pftrace'
