# --csv-time=date: global times as dates.
one_rate
cat >log.csv <<'CSV'
# order=partial
host,time,duration,send,recv
a,2024-02-29T23:59:59.9995Z,,m,
b,2024-03-01T01:00:07.000000001+01:00,0.25,,m
b,2024-03-01T00:00:07.5Z,,n,
a,2024-03-01T00:00:01Z,0,,n
CSV
good 'cellsync -q log.csv -o dates.csv --csv-time=date && cat dates.csv && cellsync --check dates.csv'
good 'cellsync -q log.csv --drift=101 -o drift.csv --csv-time=date && cat drift.csv && cellsync --check drift.csv'
good 'cellsync -q dates.csv -o again.csv && cellsync -q log.csv -o ticks.csv && cellsync --check again.csv && cut -d , -f 6- again.csv && cut -d , -f 6- ticks.csv'
good 'cellsync -q dates.csv -o again.csv --csv-time=date && cmp dates.csv again.csv'

# Nanoseconds since 1970; a timebase of microseconds.
printf 'thread,time_ns\nA,1714564800000000000\nB,1714564800000000007\n' >ns.csv
printf '# timebase_hz=1000000\nthread,time\nA,1714564800000000\nB,1714564800250000\n' >us.csv
good 'cellsync -q ns.csv -o - --csv-header=none --csv-time=date && cellsync -q us.csv -o - --csv-time=date | tee us2.csv && cellsync --check us2.csv'

# A date that is not the global time, or not written so.
edit()
{
    sed "$1" $2 >edited.csv
    printf '\n# %s\n' "$1 $2" >&2
    fails 1 'cellsync --check edited.csv'
}
for file in dates.csv drift.csv; do
    edit '4s/\(.*\)0Z,/\11Z,/' $file
    edit '5s/\(.*\)0Z/\1Z/' $file
    edit '5s/\(.*\)Z/\1+00:00/' $file
    edit '6s/2024-03-01\(T[0-9:.]*Z,\)$/2024-03-02\1/' $file
    edit '7s/Z,.*Z,/&x/' $file
done
edit '6s/$/2024-03-01T00:00:00.000000000Z/' dates.csv
good 'cellsync -q log.csv -o both.csv && cellsync -q both.csv -o both2.csv --csv-time=date && cellsync --check both2.csv'
edit '5s/2024-03-01\(T[0-9:.]*Z,\)/2024-03-03\1/' both2.csv

edit '1s/epoch=1/epoch=2/' dates.csv
edit '1s/epoch=1/epoch=2/' drift.csv
edit '1s/epoch=1/epoch=x/' dates.csv
edit '1s/ epoch=[0-9]*//' dates.csv

# No dates.
use samples/paper.csv good/rich.pex good/rich.trace
fails 2 'cellsync -q paper.csv -o x.csv --csv-time=date'
fails 2 'cellsync -q rich.pex -o x.csv --csv-time=date'
printf 'thread,time_s\nA,1.5\nB,2\n' >up.csv
fails 2 'cellsync -q up.csv -o x.csv --csv-time=date'
fails 2 'cellsync -q log.csv --method=lamport -o x.csv --csv-time=date'
fails 2 'cellsync -q log.csv -o x.json --csv-time=date'
printf '# timebase_hz=1\nthread,time\nA,1714564800\nA,1714564800\nA,1714564801\nB,0\nB,300000000000\n' >far.csv
fails 1 'cellsync -q far.csv -o x.csv --csv-time=date'
