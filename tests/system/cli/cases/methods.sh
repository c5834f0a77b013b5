# The methods to compare with: reports, outputs, what is refused; and ours, measured.
use samples/paper.csv samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace
use good/rich.pex good/rich.trace

for method in bhh lamport lamport-clock lsq; do
    good "cellsync --method=$method --measure plain.pex | head -n 18"
    good "cellsync --method=$method --measure -r - --report-format=json plain.pex"
    good "cellsync --method=$method paper.csv -o -"
done

# Stamps that contradict each other: the order is broken within what delta says, or beyond.
for method in bhh lamport lamport-clock lsq; do
    good "cellsync --method=$method --measure jitter.pex | grep -E '^(delta|method|inversions|damage)'"
done
good 'cellsync -q --delta=1000 --measure --alpha=1/3 plain.pex | head -n 11'

# The synchronized trace names its method, and --check says that it proves nothing of it.
for method in lamport lamport-clock lsq; do
    good "cellsync -q --method=$method rich.pex -o $method.pex && sed -n '/<synchronization/,\$p' $method.pex"
    good "cellsync -q --method=$method rich.pex --to=csv -o - | cut -d, -f1-3"
    good "cellsync -q --method=$method rich.pex --to=json -o - | grep -o '\"ticks\".*begin_ticks\":[0-9-]*'"
    fails 1 "cellsync --check $method.pex"
done
sed 's/method="lsq"/method="\\guess"/' lsq.pex >guess.pex
cp lsq.*.trace guess.trace
sed -i 's/lsq\.[0-9a-f]*\.trace/guess.trace/' guess.pex
fails 1 'cellsync --check guess.pex'

# A table from before there were methods is one of ours.
good 'cellsync rich.pex -o old.pex && sed -i "s/ method=.bhh.//" old.pex && cellsync --check old.pex'

# What only bounds have a use for.
fails 2 'cellsync --method=guess plain.pex'
fails 2 'cellsync --method=lsq --relax=none plain.pex'
fails 2 'cellsync --delta=3 --method=lsq plain.pex'
fails 2 'cellsync --method=lamport --alpha=0 plain.pex'
fails 2 'cellsync --method=lamport --drift=1 plain.pex'
good 'cellsync -q --method=lamport --drift=0 plain.pex | head -n 2'
fails 2 'cellsync --method=lamport --reference=ppe plain.pex'
fails 2 'cellsync --method=lamport-clock --engine=dense plain.pex'
fails 2 'cellsync --method=lsq --unwrap=strict plain.pex'
fails 2 'cellsync --method=lsq -r bounds.csv plain.pex'
fails 2 'cellsync --method=lsq --report-format=csv plain.pex'
fails 2 'cellsync --check --method=bhh plain.pex'
fails 2 'cellsync --check --measure plain.pex'
good 'cellsync -q --method=lsq --unwrap=assume --max-imprecision=7 plain.pex | sed -n 5,8p'

# Global times that 64 bits do not hold.
cat >far.csv <<'CSV'
thread,time
ppe,9223372036854775806
A,0
A,1
CSV
fails 1 'cellsync --method=lamport-clock far.csv'
good 'cellsync -q --method=lamport far.csv | tail -n 2'
