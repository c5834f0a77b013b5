# Timestamps that step back within delta: ranges have the truth and the estimate in them.
# T0 is there from #1 to #5, so in the window it is absent from #0 to #1 alone, for 1 to 3 ticks.
cat >window.csv <<'CSV'
# timebase_hz=1000
thread,clock,time,begin,event
T1,K1,100,,x
T0,K0,1000002,,x
T1,K1,101,,x
T1,K1,103,,x
T1,K1,103,,x
T0,K0,1000000,,x
CSV
good 'cellstat states -q window.csv --delta=1 --window=#0..#4'

# The order says that #2 was not after #3, and the timestamps say that it was, by 1.
printf '# timebase_hz=1000\nthread,time\nA,0\nB,10\nA,3\nB,9\nA,5\n' >order.csv
good 'cellstat order order.csv -q --delta=2 "#2" "#3" --format=csv'
good 'cellstat order order.csv -q --delta=2 "#2" "#3"'
good 'cellstat order order.csv -q --delta=2 "#3" "#2"'

# The whole is by one clock, as it is stamped; as a divisor it counts with what its two timestamps may be off.
printf '# timebase_hz=1000\nthread,clock,time,begin,event\nA,K,0,,x\nB,L,5,,x\nA,K,6,2,WAIT\nB,L,9,,x\nA,K,10,,x\n' >idle.csv
good 'cellstat concurrency -q idle.csv --delta=1 --with-idle --format=csv | tail -n 1'
