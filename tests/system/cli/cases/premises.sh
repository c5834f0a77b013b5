# What is assumed of rates and timestamps if no option says it: cellsync(1), PREMISES.
head='1s/.*//; /^premise/p; /^delta/p; /^drift/p; /^max error/p'

# One buffer, in ticks: equal rates and exact timestamps, as ever, and no line for them.
printf '%s\n' '# timebase_hz=1000000' thread,time A,1000 B,2000 A,3000 B,4000 A,5000 >ticks.csv
good "cellsync ticks.csv | sed -n '$head'"

# With a unit, or dates, a step is known: half of it is the least delta.
printf '%s\n' thread,time_us A,1.5 B,2 A,3 B,1002.5 A,2003 >unit.csv
good "cellsync unit.csv | sed -n '$head'"
good "cellsync -q unit.csv -r - --report-format=json | grep -e '\"premise\"' -e '\"delta\"'"
good "cellsync -q unit.csv --delta=0 | sed -n '$head'"
good "cellsync -q unit.csv --drift=0 --delta=least | sed -n '$head'"

# Clocks that messages tie: crystals.  Dates: clocks that ntpd slews.
messages()
{
    printf '%s\n' '# order=partial' "thread,$1,send,recv" \
        "A,${2}0.000000$3,a," "B,${2}3.000100$3,,a" "B,${2}4.000000$3,b," "A,${2}1.000100$3,,b"
}
messages time_s '' '' >seconds.csv
messages time 2026-11-29T10:00:0 Z >dates.csv
good "cellsync seconds.csv | sed -n '$head'"
good "cellsync dates.csv | sed -n '$head'"
good "cellsync -q dates.csv -r p.html; sed -n '/id=.premise/p' p.html"
good 'cellsync -q seconds.csv -o s.csv && head -n 1 s.csv && cellsync --check s.csv | head -n 1'

# One clock by itself does not drift.
grep -v ^B seconds.csv | sed 's/,a,$/,,/; s/,b$/,/' >one.csv
good "cellsync one.csv | sed -n '$head'"

# What is for clocks of one rate gets it, and the premise says so.
good "cellsync seconds.csv --explain=A,B | head -n 1"
good "cellsync seconds.csv --engine=dense | sed -n '$head'"
good "cellsync seconds.csv --drift=101 | sed -n '$head'"
fails 2 'cellsync seconds.csv --drift=101 --engine=dense'
good 'cellstat latency seconds.csv | head -n 3'

# A default delta is a floor: more is a warning.  One that is passed is a limit.
sed 's/1.000100/0.999000/' seconds.csv >early.csv
good "cellsync early.csv | sed -n '$head'"
fails 3 'cellsync -q early.csv --delta=1us'

# A .pex has one offset for each clock.
pdtsim --workload=halo --nodes=2 --spes=2 --events=100 --seed=1 -o halo.pex
good 'cellsync halo.pex -r /dev/null'
good 'cellsync halo.pex -o synced.pex && cellsync --check synced.pex | head -n 1'

# A clock with fewer decimals than the others sets delta, if its digits are not left out by chance.
seq 1 8 | awk 'BEGIN { print "# order=partial\nthread,time_s,send,recv" } {
    printf "A,%.6f,m%d,\nB,%.3f,,m%d\nB,%.3f,r%d,\nA,%.6f,,r%d\n", $1 + 1e-6, $1, $1 + .004, $1, $1 + .006, $1, $1 + .009003, $1 }' >decimals.csv
good 'cellsync decimals.csv | sed -n "/^premise/p; /^delta/p"'
printf '# order=partial\nthread,time_s,send,recv\nA,1.000001,m,\nB,1.1,,m\nB,1.25,r,\nA,1.300003,,r\n' >zeros.csv
good 'cellsync zeros.csv | sed -n "/^premise/p; /^delta/p"'
