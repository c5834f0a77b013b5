# Counters that wrap, and clocks of several timebases: cellsync-csv(5), CSV traces.
head='1s/.*//; /^premise/p; /^delta/p; /^max error/p; /^warning/p; /counter/p'

# One buffer: the option is recorded, and the output is read by it.
printf '%s\n' '# timebase_hz=1000000' thread,begin,time A,,65000 B,,100 A,65530,4 B,,150 A,,60 B,,200 A,,100 >wraps.csv
good "cellsync --counter-bits=16 wraps.csv | sed -n '$head'"
good 'cellsync -q --counter-bits=16 wraps.csv -o w.csv && cat w.csv && cellsync --check w.csv'
good 'cellsync -q --counter-bits=16 wraps.csv -o w.json && grep -o "\"begin_local\":[0-9]*" w.json'
good 'cellsync -q w.csv -r - --report-format=json | grep counter'
sed s/counter_bits=16/counter_bits=63/ w.csv >bad.csv
fails 1 'cellsync --check bad.csv'
fails 2 'cellsync --counter-bits=16 wraps.csv -o part.csv --only=A'
fails 2 'cellsync --counter-bits=3 wraps.csv'
fails 2 'cellsync --counter-bits=63 wraps.csv'
fails 1 'cellsync --counter-bits=8 wraps.csv'
good 'cellstat timeline --counter-bits=16 wraps.csv | tail -n 4'
use two.csv demo.pex
fails 2 'cellsync --counter-bits=32 demo.pex'

# Clocks by themselves, in partial order: ticks are those of the least common multiple.
cat >board.csv <<'END'
# order=partial
# timebase_hz=1000000
# clock "my ""b""" timebase_hz=2500000 wrap_bits=8
thread,clock,begin,time,send,recv,latency
A,,,100,m1,,
B,"my ""b""",,40,,m1,2
B,"my ""b""",,190,m2,,
A,,,162,,m2,
C,"my ""b""",,250,,,
B,"my ""b""",200,30,m3,,
A,,,200,,m3,3
END
good "cellsync board.csv | sed -n '1p; $head; /^A /p; /^my/p'"
good 'cellsync -q board.csv -o b.csv && cat b.csv && cellsync --check b.csv'
good 'cellsync -q board.csv -r - --report-format=json | grep -e timebase -e counter'
sed s/wrap_bits=8/wrap_bits=9/ b.csv >bad.csv
fails 1 'cellsync --check bad.csv'

# What lines about clocks may not say.
line()
{
    printf '%s\n' "# order=partial" "# timebase_hz=1000" "$@" thread,time A,1 B,2 B,3 >line.csv
    fails 1 'cellsync -q line.csv'
}
line '# clock A wrap_bits=3'
line '# clock A wrap_bits=63'
line '# clock A timebase_hz=0'
line '# clock A timebase_hz=1.5'
line '# clock A wrap_bits=8 rate=5'
line '# clock A wrap_bits=8 wrap_bits=8'
line '# clock "A wrap_bits=8'
line '# clock wrap_bits=8'
line '# clock A wrap_bits=8' '# clock "A" wrap_bits=8'
line '# clock nobody wrap_bits=8'
line '# clock A timebase_hz=18446744073709551557'
line '# clock A wrap_bits=60 timebase_hz=7'
printf '%s\n' '# clock A timebase_hz=5' thread,time A,1 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# clock A timebase_hz=5' thread,time_us A,1 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# clock A wrap_bits=8' thread,time A,2026-11-29T10:00:00Z >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# timebase_hz=1000' '# clock A wrap_bits=8' thread,time_us A,1000 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# timebase_hz=1000' '# clock A wrap_bits=8' thread,time A,1 B,2 A,256 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# timebase_hz=1000' '# clock A wrap_bits=8' thread,time A,1 B,2 A,-1 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# timebase_hz=1000' '# clock A timebase_hz=7' thread,time A,1 B,2 A,9223372036854775807 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# timebase_hz=1000' '# clock A wrap_bits=8' thread,begin,time A,20,10 B,,2 >line.csv
fails 1 'cellsync -q line.csv'
printf '%s\n' '# order=partial' '# timebase_hz=1000' '# clock A wrap_bits=8' thread,time,other_clock,other_time B,2,A,3 A,1,, >line.csv
fails 1 'cellsync -q line.csv'

# Other comments on clocks mean what they did: nothing.
printf '%s\n' '# timebase_hz=1000' '# clock source: tsc, wraps never' '# clock = 5' thread,time A,1 B,2 A,3 >remark.csv
good 'cellsync remark.csv | sed -n 1p'

# Locations one after another do not show how often the counter wrapped.
printf '%s\n' '# order=partial' '# timebase_hz=1000' thread,clock,time A,c,1 A,c,100 B,c,5 B,c,90 D,,7 >sorted.csv
fails 1 'cellsync -q --counter-bits=8 sorted.csv'

# The diagnosis names the option where a counter wrapped.
{
    printf '%s\n' '# order=partial' '# timebase_hz=1000000' thread,time,send,recv
    awk 'BEGIN { for (i = 0; i < 40; i++) { printf "A,%d,a%d,\nB,%d,,a%d\nB,%d,b%d,\nA,%d,,b%d\n", 1000 * i, i, (40000 + 1000 * i + 50) % 65536, i, (40000 + 1000 * i + 80) % 65536, i, 1000 * i + 130, i } }'
} >once.csv
good "cellsync -q once.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"
good "cellsync -q once.csv --counter-bits=16 | sed -n '$head'"
{
    printf '%s\n' '# order=partial' '# timebase_hz=1000000' thread,time,send,recv
    awk 'BEGIN { for (i = 0; i < 40; i++) { printf "A,%d,a%d,\nB,%d,,a%d\nB,%d,b%d,\nA,%d,,b%d\n", 9000 * i, i, (40000 + 9000 * i + 50) % 65536, i, (40000 + 9000 * i + 80) % 65536, i, 9000 * i + 130, i } }'
} >often.csv
good "cellsync -q often.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"
