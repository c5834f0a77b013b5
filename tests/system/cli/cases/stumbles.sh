# What a stranger stumbled over: one message says what is there, what is wanted, and where.

# Time goes back within a thread: which one, where, by how much, what to do; whatever is between, in one buffer or not.
printf '# timebase_hz=1000000\nthread,time\nA,100\nB,50\nA,110\nB,60\nA,90\nB,70\nA,130\n' >back.csv
printf '# order=partial\nthread,time_us,send,recv\nA,100,q,\nB,10,,q\nA,110.625,,\nA,110,,\n' >partial.csv
good "cellsync back.csv -q | sed -n '/^diagnosis/,/^$/p'"
good "cellsync partial.csv -q | sed -n '/^diagnosis/,/^$/p'"
good "cellsync back.csv -q -r - --report-format=json | sed -n 's/.*\(\"diagnosis\": {\"kind\": \"[a-z_]*\", \"clocks\": .[^]]*.\).*\(\"step\": {[^}]*}\).*/\1 \2/p'"
fails 3 'cellsync --relax=none partial.csv'

# A message from a thread to another one of its clock is no step of a clock.
printf '# order=partial\nthread,clock,time,send,recv\nA,C,110,q,\nB,C,90,,q\n' >shared.csv
good "cellsync shared.csv -q | sed -n '/^diagnosis/,/^$/p'"

# Neither column is there, or only one.
for header in a,b,c thread,when,c what,time,c lines; do
    echo "$header" >header.csv
    fails 1 'cellsync header.csv'
done

# Whole microseconds where ticks are nanoseconds: B is 123,456.789 us behind, and that is in the bounds that the warning asks for.
awk 'BEGIN {
    print "# order=partial\nthread,time_us,send,recv"
    for (i = 0; i < 30; i++) {
        at = 200000 + 7.123 * i; back = i % 2
        printf "%s,%d,m%d,\n", back ? "B" : "A", at - back * 123456.789, i
        printf "%s,%d,,m%d\n", back ? "A" : "B", at + 0.4 - !back * 123456.789, i
    }
}' >coarse.csv
good "cellsync coarse.csv | grep -e '^warning' -e '^[AB]  '"
good "cellsync coarse.csv --delta=500 | grep -e '^warning' -e '^[AB]  '"

# Only one of three clocks reads whole microseconds, and two of three; what is said of it is not said with that delta.
for stepping in 1 2; do
    awk -v stepping=$stepping 'BEGIN {
        print "thread,time"
        for (i = 0; i < 45; i++) {
            at = 5000000000 + 1237 * i + (i * i) % 97
            printf "%s,%.0f\n", substr("ABC", i % 3 + 1, 1), i % 3 < stepping ? at - at % 1000 : at
        }
    }' >some.csv
    good "cellsync some.csv -q | grep '^warning.*steps'"
    good "cellsync some.csv -q --drift=60 | grep '^warning.*steps'"
    good "cellsync some.csv -q --delta=500 | grep -c '^warning.*steps' || true"
    good "cellsync some.csv -q --delta=1/2 --drift=101 | grep '^warning.*steps'"
    for delta in 250 250.5; do # enough of one clock that rounds to nearest: a quarter, and half a tick
        good "cellsync some.csv -q --delta=$delta | grep -c '^warning.*steps' || true"
    done
done

# A counter of 14.318 MHz in ns, of all clocks or of A alone, and one of 32768 Hz in whole us: steps that are no whole number of ticks.
uneven() { # clocks, ns of a step, column, ns of a unit
    awk -v stepping="$1" -v step="$2" -v column="$3" -v unit="$4" 'BEGIN {
        print "thread," column
        for (i = 0; i < 90; i++) {
            at += step / 7 * (20 + (i * i * 37) % 499)
            count = int(at / step) * step
            printf "%s,%d\n", substr("ABC", i % 3 + 1, 1), (i % 3 < stepping ? count : at) / unit
        }
    }'
}
uneven 3 69.841270 time_ns 1 >uneven.csv
good "cellsync uneven.csv -q | grep '^warning.*steps'"
good "cellsync uneven.csv -q --delta=1/2 --drift=101 | grep '^warning.*steps'"
for delta in 35 35.5; do
    good "cellsync uneven.csv -q --delta=$delta | grep -c '^warning.*steps' || true"
done
uneven 1 69.841270 time_ns 1 >uneven.csv
good "cellsync uneven.csv -q | grep '^warning.*steps'"
for delta in 18 18.5; do # enough of one clock that rounds to nearest, both times
    good "cellsync uneven.csv -q --delta=$delta | grep -c '^warning.*steps' || true"
done
uneven 3 30517.578125 time_us 1000 >uneven.csv
good "cellsync uneven.csv -q | grep '^warning.*steps'"

# Columns of a partial order that is none, and a partial order without columns.
sed 1d coarse.csv >lines.csv
good 'cellsync lines.csv -r lines.txt && grep ^warning lines.txt'
good 'cellsync -q lines.csv -r - --report-format=json | grep \"warnings'
good 'cellsync -q lines.csv -r - --report-format=html | grep -o "columns send[^.]*"'
good 'cellsync -q lines.csv --drift=60 -r - --report-format=html | grep -o "columns send[^.]*"'
good 'cellsync -q lines.csv --method=lsq | grep ^warning'
(echo "# order=buffer" && cat lines.csv) >said.csv
good 'cellsync said.csv | grep -c ^warning || :'
sed 's/send,recv/enter,leave/' lines.csv >groups.csv
good 'cellsync groups.csv | grep ^warning'
sed 's/send,recv/sent,received/' coarse.csv >named.csv
good "cellsync named.csv >/dev/null; cellsync -q named.csv --columns=send=sent,recv=received | tail -n 4"

# B is ahead of A by 100.5, and whole ticks hide it: stamped at 0.9, 1, 1.5 and 1.6.  A report says what its bounds ask for.
printf '# timebase_hz=1000\nthread,time\nA,0\nB,101\nB,102\nA,1\n' >half.csv
good "cellsync half.csv | grep -e '^bounds' -e '^B  '"
good "cellsync half.csv --delta=1/2 | grep -e '^bounds' -e '^B  '"
good "cellsync half.csv --drift=1 | grep '^bounds'"
good "cellsync half.csv --drift=1 -r half.html && grep -o '<li>no clock.*' half.html"
good 'cellstat concurrency half.csv | sed 2q'
good 'cellstat concurrency half.csv --delta=1/2 | sed 2q'
for with in '#1' '#3'; do
    good "cellstat order -q half.csv '#0' '$with'"
done
good "cellstat order -q half.csv '#0' '#1' --delta=1/2"
# Not of what was said, of clocks of a Cell, or of one clock; beside other steps, too.  Bounds on one side rest on it, too.
for options in --relax=none --delta=0 '--drift=0 --delta=1/2'; do
    good "cellsync -q half.csv $options | grep -c 'step at' || true"
done
good "cellsync -q half.csv --relax=paper | grep -c 'step at' || true"
good "sed s/A,/ppe,/ half.csv | cellsync -q - | grep -c 'step at' || true"
good "awk 'BEGIN { print \"thread,time,core\" } NR > 2 { print \$0 \",spe\" }' half.csv | cellsync -q - | grep 'bounds hold'"
good "grep -v A, half.csv | cellsync -q - | grep -c 'step at' || true"
good "cellsync -q coarse.csv | grep -c 'step at' || true"
good "sed 4q half.csv | cellsync -q - | grep 'step at'"

# Times in hexadecimal are converted as the message says; a row without a time is none.
printf 'thread,time,pc\nA,0x10,1\nB,0x11,0x2\nA,0xfedcba9876,3\n' >hex.csv
fails 1 'cellsync hex.csv'
remedy=$(sed -n 's/.*to decimal: //p' "$tmp/err")
good "$remedy hex.csv"
printf 'thread,time_us\nA,1\nB,\n' >none.csv
fails 1 'cellsync none.csv'
