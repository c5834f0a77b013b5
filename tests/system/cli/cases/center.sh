# --center=local: another estimate, the same bounds.
use demo.pex demo.trace samples/jitter.pex samples/jitter.trace samples/paper.csv good/unbounded.pex good/unbounded.trace
for file in demo.pex jitter.pex unbounded.pex; do
    good "cellsync --center=local $file"
    for which in reference local; do
        good "cellsync -q --center=$which -r $which.csv $file"
        good "cellsync -q --center=$which --engine=dense -r dense.json $file"
        good "cellsync -q --center=$which --engine=sweep -r sweep.json $file"
        good 'cmp dense.json sweep.json'
    done
    good 'cmp reference.csv local.csv'
    good "cellsync -q --center=local $file -o synced.pex --embed"
    good 'cellsync --check synced.pex'
    good 'grep -a -o "center=\"[a-z]*\"" synced.pex'
done
# The known answer: T1 leaves T3 6 to 7, which is 6 again; with that T3 leaves T2 6 to 9, no longer 6 to 10.
good 'cellsync --center=local --reference=T1 -r - paper.csv'
# From any alpha; nothing but bounds has a center.
good 'cellsync -q --center=local --alpha=0 -r - --report-format=json --pairs=none demo.pex'
fails 2 'cellsync --center=lokal demo.pex'
fails 2 'cellsync --center=local --method=lsq demo.pex'
fails 2 'cellsync --center=local --check demo.pex'
