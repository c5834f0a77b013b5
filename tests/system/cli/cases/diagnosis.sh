# What contradictions between order and clocks look like: kinds that need no long trace.
# Traces with a cause are those of doc/contradictions.md (tests/system/report/contradictions_test.py).
one_rate

awk 'BEGIN { print "thread,time"; for (i = 0; i < 40; i++) print "A," 1000 + 7 * i; for (i = 0; i < 40; i++) print "B," 90 + 3 * i }' >apart.csv
good 'cellsync -q apart.csv | sed -n "/^diagnosis/,/^$/p"'

# Sorted by time; or threads that all read one clock, which looks the same.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 40; i++) print (i * i % 3 ? "A," : "B,") 1000 + 7 * i }' >sorted.csv
good 'cellsync -q sorted.csv | sed -n "/^diagnosis/,/^$/p"'
good 'cellsync -q --delta=2 sorted.csv -r - --report-format=json | grep diagnosis'
good 'cellsync -q sorted.csv -r - --report-format=html | grep -A2 "id=.diagnosis"'

# Few records say nothing of the order of a file.
printf '%s\n' thread,time A,1 A,2 B,3 B,4 >few.csv
good 'cellsync -q few.csv -r - --report-format=json | grep -o "\"diagnosis\": {\"kind\": \"[a-z_]*\""'

# A counter of 32 bits that wraps.
printf '%s\n' thread,time A,4294967000 B,100 A,4294967200 B,400 A,50 B,700 A,350 B,1000 >wrapped.csv
good 'cellsync -q wrapped.csv | sed -n "/^diagnosis/,/^$/p"'

# Contradictions within what whole ticks explain, and beyond it but with few records.
printf '%s\n' thread,time A,10 B,0 B,10 A,19 >half.csv
good 'cellsync -q half.csv -r - --report-format=json | grep -o "\"diagnosis\": .*\"text\": \"[^\"]*\""'
printf '%s\n' thread,time A,10 B,0 B,10 A,9 >tiny.csv
good 'cellsync -q tiny.csv -r - --report-format=json | grep diagnosis'
good 'cellsync -q --delta=3 tiny.csv -r - --report-format=json | grep -o "\"diagnosis\": .*\"text\": \"[^\"]*\""'
good 'cellsync -q --relax=paper tiny.csv -r - --report-format=json | grep -o "\"diagnosis\": .*\"text\": \"[^\"]*\""'
good 'cellsync -q --method=lsq tiny.csv -r - --report-format=json | grep -o "\"diagnosis\": .*\"text\": \"[^\"]*\""'

# Narrow bounds of such a file are not told as certain.
good 'cellsync -q sorted.csv -r - --report-format=html | grep "id=.verdict"'

# Clocks that stop while their threads are silent look like clocks that drift.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 6000; i++) { c = 1 + int(i / 200) % 2; if (i % 200 == 0) lost[c] += 90; print (i % 4 ? "C" c "," 1000 * c + 20 * i - lost[c] : "P," 20 * i) } }' >switched.csv
good 'cellsync -q switched.csv | sed -n "/^diagnosis/,/^profile/p"'

# A clock in another unit, of few records and with clocks that begin late or end early; slower and faster; of two, either.
awk 'BEGIN { print "# timebase_hz=1000000000\nthread,time"; for (i = 0; i < 240; i++) { x = 40000 * i + i * 7919 % 30000; c = i * i % 7 % 3; if (i % 11 == 3 && i > 100) c = 3; print "c" c "," (c == 2 ? 500 + int(x / 1000) : 1000000 * c + x) } }' >unit.csv
good 'cellsync -q unit.csv | sed -n "/^diagnosis/,/^profile/p" | sed \$d'
good 'cellsync -q unit.csv -r - --report-format=json | grep -o "\"diagnosis.*"'
good 'cellsync -q unit.csv -r - --report-format=html | grep -A1 "id=.diagnosis"'
awk -F, '$1 == "c2" { $2 = 1000000 * $2 } NR > 1 { print $1 "," $2 }' unit.csv >faster.csv
good 'cellsync -q faster.csv --time-unit=ticks | sed -n "/^diagnosis/,/^profile/p" | sed \$d'
good 'cellsync faster.csv --time-unit=ticks -r faster.txt && grep ^warning faster.txt'
good 'cellsync faster.csv --time-unit=ticks -o faster.out.csv'
good 'cellsync -q faster.csv --time-unit=ticks -r - --report-format=json | grep \"warnings'
grep -v "c[03]" faster.csv >two.csv
good 'cellsync -q two.csv --time-unit=ticks | sed -n "/^diagnosis/,/^profile/p" | sed \$d'

# A clock that speaks for a tenth of the time is no slower one.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 600; i++) { c = i * i % 7 % 3; if (c == 2 && (i < 300 || i > 359)) c = 0; print "c" c "," 1000 * c + 40 * i - (c == 1 && i > 400 ? 900 : 0) } }' >short.csv
good 'cellsync -q short.csv -r - --report-format=json | grep -o "\"diagnosis\": {\"kind\": \"[a-z_]*\""'

# Every output says that the order is doubted, and --check finds it out anew.
for file in apart sorted; do
    good "cellsync $file.csv -o $file.out.csv && head -n 1 $file.out.csv && cellsync --check $file.out.csv | head -n 1"
    good "cellsync -q $file.csv -r - | grep ^warning"
    good "cellsync -q $file.csv -r - --report-format=csv"
    good "cellsync -q $file.csv -r - --report-format=json | grep \"warnings\\|doubted\""
    good "cellsync -q $file.csv -o $file.json && grep -o \"\\\"warnings\\\":\\[[^]]*\\]\" $file.json"
    good "cellsync -q $file.csv --graph=- | grep label=.$file"
done
good 'cellsync -q apart.csv -r - --report-format=html | grep "id=.order-warning"'
good 'cellsync -q apart.csv sorted.csv few.csv --table'
good 'cellsync -q sorted.csv few.csv --table -r - --report-format=csv | sed "s/.*,\(\([^,]*,\)\{6\}[^,]*\)$/\1/"'
good 'cellsync -q sorted.csv few.csv --table -r - --report-format=tex | grep superscript'
good 'cellsync sorted.csv --delta=2 -o given.csv && head -n 1 given.csv && cellsync --check given.csv | head -n 1'
good 'cellsync apart.csv --method=lsq -o lsq.csv && head -n 1 lsq.csv'

# Sorted but for one stamp, and both engines say so.
sed 's/^A,1077$/A,1076/' sorted.csv | awk -F, 'NR == 13 { $2 = $2 - 8 } { print $1 "," $2 }' >nearly.csv
good 'cellsync -q nearly.csv -r - --report-format=json | grep -o "\"doubted\": [a-z]*"'
good 'for engine in sweep dense; do cellsync -q sorted.csv --engine=$engine -r - --report-format=json | grep -o "\"doubted\": [a-z]*"; done'

# What was said is not believed: a line of facts without it.
sed '1s/ order_doubted=yes//' sorted.out.csv >silent.csv
good 'cellsync --check silent.csv | head -n 1'

# Rates too small to be estimated in these ticks, and nothing else: no record is to be left out.
awk 'BEGIN { print "# timebase_hz=1000000\nthread,time"; s = 7; for (i = 0; i < 6000; i++) { s = (s * 16807) % 2147483647; t += s % 3333; s = (s * 16807) % 2147483647; c = int(s / 1000) % 4; print "c" c "," int(t * (1 + (c * c * 7 % 5 - 2) * 0.000002) + c / 4) + 1000000 * c } }' >rates.csv
good 'cellsync -q rates.csv | sed -n "/^diagnosis/,/^$/p"'
good 'cellsync -q rates.csv -r - --report-format=json | grep -o "\"left_delta_ticks.*\|\"advised.*" | cut -c 1-110'

# Crystals of +50 and -50 ppm, for 1000 s: by the fast one the other is 100.005 ppm off, so 100 is not enough; 101, which is named, is.
cat >crystals.csv <<'END'
# order=partial
# timebase_hz=1000000000
thread,time,send,recv
fast,0,a,
slow,0,,a
slow,0,b,
fast,0,,b
fast,1000050000000,c,
slow,999950000000,,c
slow,999950000000,d,
fast,1000050000000,,d
END
good "cellsync -q crystals.csv | sed -n '/^diagnosis/,/^$/p'"
for ppm in 100 100.005 100.006 101; do
    good "cellsync -q crystals.csv --drift=$ppm | grep '^delta'"
done

# A partial order: a clock that was set back by 3 ms, one wrong timestamp, spans that overlap, and a send that was lost.
round_trips() { # SET_AT BY WRONG_AT BY
    awk -v at="$1" -v by="$2" -v wrong="$3" -v off="$4" 'BEGIN {
        print "# order=partial\nthread,time_us,send,recv"
        for (i = 0; i < 40; i++) {
            t = 400000 * i; s = i >= at ? by : 0
            printf "a,%d,m%d,\nb,%d,,m%d\n", t, i, t + 100 + s, i
            printf "b,%d,n%d,\na,%d,,n%d\n", t + 120 + s + (i == wrong ? off : 0), i, t + 220, i
        }
    }'
}
round_trips 20 -3000 99 0 >set.csv
round_trips 99 0 20 9000 >wrong.csv
good 'cellsync -q set.csv --reference=a | sed -n "/^diagnosis/,/^$/p"'
good 'cellsync -q wrong.csv --reference=a | sed -n "/^diagnosis/,/^$/p"'
cat >spans.csv <<'.'
# order=partial
thread,begin,time_ms,send,recv
p,0,1,m,
q,10,30,,m
q,12,20,n,
q,14,25,,
q,16,19,,
p,90,95,,n
.
good 'cellsync -q spans.csv | sed -n "/^diagnosis/,/^$/p"'
cat >lost.csv <<'.'
# order=partial
thread,time_us,send,recv
B,10,,cmd
B,11,y1,
A,12,,y1
A,13,cmd,
B,14,,cmd
B,15,y2,
A,16,,y2
A,17,cmd,
.
fails 1 'cellsync lost.csv'
# A long trace that is read again: other rates are not tried, and JSON states it, too.
pdtsim -o long.pex --workload=md:rounds=1500 --nodes=2 --spes=2 --level=outer --jitter=300 2>/dev/null
good "cellsync -q long.pex --drift=0 | sed -n '/^records/p; /^explained/,/own crystal/p'"
good 'cellsync -q long.pex --drift=0 -r - --report-format=json | sed -n "/explanations/p"'
good 'cellsync -q long.pex --drift=101 -r - --report-format=json | sed -n "/explanations/p"'
