# --unwrap=strict of contexts on several nodes, which live for less than a wrap: no gap is doubtful, and no pass takes one for that.
one_rate
pdtsim --workload=halo --nodes=2 --spes=2 --events=400 --seed=1 -o halo.pex
good 'cellsync halo.pex --unwrap=strict -q | sed -n 3,4p'
good 'cellsync halo.pex --unwrap=strict --delta=1/2 -q -o synced.pex && cellsync --check synced.pex | head -n 1'
good 'cellsync halo.pex --unwrap=strict -q -o strict.csv && cellsync halo.pex -q -o assumed.csv && cmp strict.csv assumed.csv'
