# Clocks that were set: --steps.
# trip CLOCKS SIZE [SET]: round trips of A with the others, of which the first SET (default 1: B) are set by SIZE after 10 s.
trip()
{
    awk -v n="$1" -v size="$2" -v set="${3:-1}" 'BEGIN {
        print "# order=partial\n# timebase_hz=1000000\nthread,time,event,send,recv"
        for (i = 0; i < 40; i++)
            for (k = 1; k < n; k++) {
                c = substr("BCD", k, 1); t = 500000 * i + 100000 * k; s = k <= set && i >= 20 ? size : 0
                printf "A,%d,,q%d.%d,\n%s,%d,,,q%d.%d\n", t, i, k, c, t + 7000 * k + 150 + i % 7 + s, i, k
                printf "%s,%d,,p%d.%d,\nA,%d,,,p%d.%d\n", c, t + 7000 * k + 170 + i % 7 + s, i, k, t + 330 + i % 5, i, k
                if (k == 1 && i % 10 == 9) printf "B,%d,tick,,\n", t + 7000 * k + 60000 + (i == 19 ? size : s)
            }
    }'
}
told='/^premise/p; /^threads/p; /^delta/p; /^max error/p; /^warning/p; /bounds hold if .* set/p; /^B.*[0-9]$/p'

# One clock: it is B, and the row after which it may have been set is a clock by itself.
trip 3 -350000 >back.csv
good "cellsync -q back.csv --steps=1 | sed -n '$told'"
good 'cellsync -q back.csv --steps=1 -o b.csv && head -n 1 b.csv && cellsync --check b.csv'
good 'cellsync -q back.csv --steps=1 -r - --report-format=json | grep -e "\"steps\"" -e "  \"conditions\""'
# The parts of a thread count as separate actors, which the head of cellstat states.
good 'for trace in "back.csv --steps=1" b.csv; do cellstat concurrency -q $trace | grep "separate actors"; done'
good 'cellstat concurrency -q back.csv --steps=1 --format=json | grep -c "separate actors"'
good 'cellstat concurrency -q back.csv --steps=0 | grep -c "separate actors" || :'
good 'cellsync -q b.csv -r - | sed -n "/bounds hold if B/p"'
sed '1s/step=B:[0-9-]*/step=B:100-110/' b.csv >moved.csv
fails 1 'cellsync --check moved.csv'
sed '1s/ step=B:[0-9-]*//' b.csv >none.csv
fails 1 'cellsync --check none.csv'
for bad in B: B:5 B:7-7 B:8-7 :1-2 B:1-x; do
    sed "1s/step=B:[0-9-]*/step=$bad/" b.csv >bad.csv
    fails 1 'cellsync --check bad.csv'
done
sed '1s/step=B:[0-9-]*/& step=B:100-250/' b.csv >bad.csv
fails 1 'cellsync --check bad.csv'

# Without the option the diagnosis names it; a limit of delta that the step exceeds is kept with it.
good "cellsync -q back.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"
fails 3 'cellsync -q back.csv --delta=5us'
good "cellsync -q back.csv --delta=5us --steps=1 | sed -n '$told'"
good "cellsync -q back.csv --drift=0 --steps=1 | sed -n '$told'"

# Two clocks do not show which of them was set: both are cut.
trip 2 3000 >both.csv
good "cellsync -q both.csv --steps=1 | sed -n '$told'"
good "cellsync -q both.csv --steps=1 --reference=A | sed -n '$told'"
good 'cellsync -q both.csv --steps=1 -o b2.csv && head -n 1 b2.csv | grep -o " step=[^ ]*" && cellsync --check b2.csv'

# A row between the two has the union of the ranges of both segments, and a mark; also if clocks run at one rate, and if the CSV
# is read again.
good "cellsync -q both.csv --steps=1 --reference=A --ranges=yes -o r.csv && sed -n '/^thread/p; 87,92p' r.csv && cellsync --check r.csv | head -n 1"
good "cellsync -q both.csv --steps=1 --reference=A --drift=0 --ranges=yes -o one.csv && grep ',step' one.csv && cellsync --check one.csv | head -n 1"
good "cellsync -q r.csv --drift=0 -o again.csv && diff one.csv again.csv && cellsync --check again.csv | head -n 1"
good 'cellsync -q both.csv --steps=1 --ranges=yes -o - --to=json --json-args=short | grep -e step'
sed 's/,step$/,/' r.csv >unmarked.csv
fails 1 'cellsync --check unmarked.csv'
sed '20s/,$/,step/' r.csv >marked.csv
fails 1 'cellsync --check marked.csv'
sed 's/[0-9],step/,step/' r.csv >wrong.csv
fails 1 'cellsync --check wrong.csv'

# A clock that was set twice by one amount: each step alone leaves half of the contradiction, so both are found together. If there are
# two clocks, each step may be of either.
set_twice()
{
    awk -F, -v OFS=, '/^B/ { $2 += 5000 * ($2 >= 5000000) + 5000 * ($2 >= 15000000) } { print }'
}
trip 3 0 | set_twice >twice.csv
good "cellsync -q twice.csv --steps=8 | sed -n '$told'"
good "cellsync -q twice.csv --steps=1 | sed -n '/^threads/p; /^delta/p; /bounds hold if .* set/p'"
good "cellsync -q twice.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"
good 'cellsync -q twice.csv --steps=2 -o t.csv && head -n 1 t.csv | grep -o " step=[^ ]*" && cellsync --check t.csv | head -n 1'
# The order alone limits the record at the step to half a second; the segments around it limit it further, as in its range.
good 'cellsync -q twice.csv --steps=2 --explain=B@76,A | grep -e "error bound" -e range'
good 'cellsync -q twice.csv --steps=2 --drift=0 --explain=B@76,A | grep -e "error bound" -e range'
trip 2 0 | set_twice >both_twice.csv
good "cellsync -q both_twice.csv --steps=2 | sed -n '$told'"
good "cellsync -q both_twice.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"
good "cellsync -q both_twice.csv --steps=2 --reference=A | sed -n '$told'"
sed 's/partial/messages/' twice.csv >loose.csv
good "cellsync -q loose.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"

# The fewest steps may be of a clock that was not set: B and C were, by the same amount at one time. If A is known not to have been
# set, both are found.
trip 3 3000 2 >together.csv
good "cellsync -q together.csv --steps=8 | sed -n '$told'"
good "cellsync -q together.csv --steps=8 --reference=A | sed -n '/^threads/p; /^delta/p; /bounds hold if .* set/p'"

# No step: a small one, none at all, a rate, a wrong timestamp, spans; and what cannot have one.
trip 3 100 >small.csv
good "cellsync -q small.csv --steps=8 | sed -n '/^threads/p; /bounds hold if .* set/p'"
trip 3 0 >honest.csv
good "cellsync -q honest.csv --steps=8 | sed -n '/^threads/p; /bounds hold if .* set/p'"
trip 3 0 | sed '60s/^\([A-D]\),[0-9]*/\1,1/' >wrong.csv
good "cellsync -q wrong.csv --steps=8 | sed -n '/^threads/p; /bounds hold if/p'"
sed '3s/event/begin/; s/tick//; 5s/,,/,107000,/' back.csv >spans.csv
good "cellsync -q spans.csv --steps=8 | sed -n '/^threads/p; /bounds hold if/p'"
fails 2 'cellsync back.csv --steps=101'
fails 2 'cellsync back.csv --steps=1 -o part.csv --only=A'
printf '%s\n' thread,time A,1 B,2 >line.csv
fails 2 'cellsync line.csv --steps=1'
printf '%s\n' '# order=partial' thread,time,other_clock,other_time A,1,B,3 B,2,, >other.csv
fails 2 'cellsync other.csv --steps=1'

# A clock that has the name of a segment.
sed 's/^C,/B\/2,/' back.csv >named.csv
fails 2 'cellsync -q named.csv --steps=1'

# Clocks that show dates may be set: their default is --steps=8, unless the clocks run at one rate or only a part is written.
dated()
{
    awk -F, '/^#/ { if (/order/) print; next } /^thread/ { print; next }
             { printf "%s,2026-01-01T00:00:%02d.%06dZ,%s,%s,%s\n", $1, $2 / 1000000, $2 % 1000000, $3, $4, $5 }'
}
dated <back.csv >dates.csv
good "cellsync dates.csv | sed -n '$told'"
good 'cellsync -q dates.csv -o d.csv && head -n 1 d.csv | grep -o " step=[^ ]*" && cellsync --check d.csv | head -n 1'
good "cellsync -q dates.csv --steps=0 | sed -n '$told'"
good "cellsync -q dates.csv --drift=0 --delta=least | sed -n '$told' | grep -v bounds"
good "cellsync -q dates.csv --window=10%..20% -o part.csv -r - | sed -n '$told'"
good "cellstat order dates.csv -q '#0' '#300' | head -n 3"
# A name that a segment would have does not refuse the trace by default.
sed 's/^C,/B\/2,/' dates.csv >named.csv
good "cellsync -q named.csv | sed -n '$told'"
fails 2 'cellsync -q named.csv --steps=8'
# A column that steps do not go with.
sed '/^thread/s/$/,block/; /^[A-D],/s/$/,/' dates.csv >blocks.csv
good "cellsync -q blocks.csv | sed -n '/^delta/p'"

# The clock of a host with several threads: the times of its rows tell on which side of the step they are, whatever their order in the
# file. A clock that was set back shows times twice, so it is named, but not cut.
# threads SIZE [by_thread]: as trip, but the rows of clock B are in its threads B0, B1, and B2.
threads()
{
    trip 3 "$1" | awk -F, -v OFS=, '/^#/ { print; next } /^thread/ { print "clock", $0; next } {
        name = $1
        if (name == "B") name = $3 == "tick" ? "B2" : "B" (int(0.5 * n++) % 2)
        print $1, name, $2, $3, $4, $5 }' >rows.csv
    sed -n 1,3p rows.csv
    if [ "${2:-}" ]; then sed 1,3d rows.csv | sort -t, -k 2,2r -s; else sed 1,3d rows.csv; fi
}
threads 350000 >threads.csv
good "cellsync -q threads.csv | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"
good "cellsync -q threads.csv --steps=1 | sed -n '$told'"
good 'cellsync -q threads.csv --steps=1 -o th.csv && head -n 1 th.csv | grep -o " step=[^ ]*" && cellsync --check th.csv | head -n 1'
threads 350000 by_thread >sorted.csv
good "cellsync -q sorted.csv --steps=1 | sed -n '$told'"
good 'cellsync -q sorted.csv --steps=1 --ranges=yes -o so.csv && head -n 1 so.csv | grep -o " step=[^ ]*" && cellsync --check so.csv | head -n 1'
for bad in B:5@7-9 B:5-9@7 B:5@9-9@9 B:5@x-9@7 B:5@7- B:5@--9@7; do
    sed "1s/step=B:[0-9@-]*/step=$bad/" th.csv >bad.csv
    fails 1 'cellsync --check bad.csv'
done
sed '1s/step=B:[0-9@-]*/step=B:9@-7-8@9/' th.csv >moved.csv
fails 1 'cellsync --check moved.csv'
threads -3000 >back.csv
good "cellsync -q back.csv --steps=1 | sed -n '/^diagnosis/,/^explained/p' | sed \\\$d"

# A clock with a begin cannot be cut, so the diagnosis does not name --steps.
trip 3 350000 | awk -F, -v OFS=, '/^#/ { print; next } /^thread/ { print $0, "begin"; next } {
    print $0, $1 == "B" && !n++ ? $2 - 1 : "" }' >begin.csv
next="sed -n '/^diagnosis/,/^explained/p' | tr -s ' \\n' ' ' | grep -o 'Next: .*[.]'"
good "cellsync -q begin.csv | $next"
good "cellsync -q begin.csv --steps=1 | $next"
trip 3 350000 | sed '/^thread/s/$/,block/; /^[A-D],/s/$/,/' >block.csv
good "cellsync -q block.csv | $next"
trip 3 350000 >plain.csv
good "cellsync -q plain.csv | $next"

# The number in the advice includes the steps that were cut already. The clock of --reference is not cut.
{
    printf '# order=partial\nthread,time_ms,send,recv\n'
    awk 'BEGIN { for (i = 0; i < 300; i++) {
        set = (i >= 100 ? 50 : 0) + (i >= 200 ? 900 : 0)
        printf "A,%d,a%d,\nB,%d,,a%d\nB,%d,b%d,\nC,%d,,b%d\nC,%d,c%d,\nA,%d,,c%d\n",
            10000 + 10 * i - set, i, 10 * i + 1, i, 10 * i + 2, i, 10 * i + 3, i, 10 * i + 4, i,
            10000 + 10 * i + 5 - set, i } }'
} >again.csv
good "cellsync -q again.csv --steps=1 | $next"
good "cellsync -q again.csv --steps=2 --reference=A | $next"
good "cellsync -q again.csv --steps=2 | grep 'set back'"

# A synchronized CSV keeps its steps.
good 'cellsync -q again.csv --steps=2 -o cut.csv -r /dev/null'
good "cellsync -q cut.csv --steps=0 | sed -n '/^threads/p; /bounds hold if .* set/p'"
fails 2 'cellsync -q cut.csv --window=10%.. -o part.csv'

# Measured offsets do not tell the segment of a clock, so a trace with stated steps cannot use them.
printf 'clock,time_ms,other_clock,other_time\nA,10600,B,600\n' >offsets.csv
fails 2 'cellsync -q cut.csv --offsets=offsets.csv'

# The records of steps are counted in all files, so a file of a folder does not state them.
sed '/^[AB],/d' again.csv >one.csv
sed '/^C,/d' again.csv >two.csv
good 'cellsync -q one.csv two.csv --steps=2 -o parts/ -r all.txt && grep "^max error" all.txt'
good 'head -n 1 parts/two.csv | grep -c " step=" || :'
good 'cellsync -q parts/one.csv parts/two.csv --steps=2 | grep "^max error"'

# Steps are stated by positions of records, which --sort would change.
fails 2 "cellsync -q cut.csv --sort -o sorted.csv"
