# Times with a unit, exactly in ticks of the trace's timebase, which is 14318000 Hz here, and 10^9 of a CSV.
use samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace samples/paper.csv

micro=$(printf "1\302\265s") mu=$(printf "1\316\274s")
for time in 1us 1.5us '2 ms' 7/2ns 0.25s '3ticks' '1 tick' "$micro" "$mu"; do
    good "cellsync -q --delta='$time' plain.pex -o d.pex && grep -o ' delta=[^ ]*' d.pex"
done
good 'cellsync -q --delta=1us paper.csv -o - | grep -o "delta=[^ ]*"'
good 'cellsync -q --delta=1us plain.pex -o out.pex && cellsync --check out.pex'
good 'cellsync -q --delta=1us --delta=2 plain.pex -o d.pex && grep -o " delta=[^ ]*" d.pex'
good 'cellsync -q --delta=2 --delta=1us plain.pex -o d.pex && grep -o " delta=[^ ]*" d.pex'
fails 3 'cellsync -q --delta=1ns jitter.pex'

# Of limits, the whole ticks count: 500 ns are 7.159 ticks, 450 ns 6.4.
good 'cellsync -q --monotonic --max-adjust=500ns jitter.pex -o out.csv'
fails 1 'cellsync -q --monotonic --max-adjust=450ns jitter.pex'
good 'cellsync -q --max-imprecision=1ms plain.pex -o out.pex && grep -o "max_imprecision=[^>]*" out.pex'

# Every trace of a table has its own timebase.
good 'cellsync -q --delta=1us paper.csv plain.pex --report-format=csv -r - | cut -d, -f1-2'

for time in 1m 1us2 us 1usec '1  u s' -1us 1e3us 99999999999999999999s; do
    fails 2 "cellsync --delta='$time' plain.pex"
    fails 2 "cellsync --max-adjust='$time' plain.pex"
done
fails 2 'cellsync --delta=9000000000000000000s plain.pex'
fails 2 'cellsync --delta=99999999999s plain.pex'
fails 2 'cellsync --max-imprecision=100s plain.pex'
fails 2 'cellsync --max-adjust=9000000000000000000s plain.pex'
