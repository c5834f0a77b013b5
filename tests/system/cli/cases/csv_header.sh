# What the header of a CSV may look like, and the units of its times.
row() { printf '%b' "$1" >t.csv; }

# Names: case, blanks, quotes, other words for thread and time.
row ' Thread ;"TIME";Core\nA;5;\nB;6;spe\n'
good 'cellsync -q t.csv -o -'
for thread in tid cpu host process rank; do
    row "ts,$thread,other\n5,1,a\n6,2,b\n"
    good 'cellsync -q t.csv -o -'
done
row 'timestamp\tts\tthread\ttid\n5\t7\tA\t1\n'
good 'cellsync -q t.csv -o -'
row 'host,tid,time\na,1,5\nb,1,6\n'
fails 1 'cellsync t.csv'
good 'cellsync -q t.csv --columns=thread=host -o -'

# --columns: names as they are written, else without their case; commas in them; none.
row 'Who,who,"a,time",when\nA,B,7,x\n'
good 'cellsync -q t.csv --columns=thread=who,time=a,time -r - --report-format=json | grep -A 1 "\"threads\": "'
good 'cellsync -q t.csv --columns=time=A,Time,thread=WHO -r - --report-format=json | grep -A 1 "\"threads\": "'
fails 2 'cellsync t.csv --columns=thread=whom,time=when'
fails 2 'cellsync t.csv --columns=thraed=who'
fails 2 'cellsync t.csv --columns=thread=who,thread=Who'
fails 2 'cellsync t.csv --columns=thread'
row 'thread,time,core,duration\nA,5,3,1.5\nB,6,0,\n'
fails 1 'cellsync t.csv'
fails 1 'cellsync t.csv --columns=core='
good 'cellsync -q t.csv --columns=core=,duration= -o -'
use samples/embedded.pex
fails 2 'cellsync --columns=thread=a embedded.pex'
fails 2 'cellsync --time-unit=s embedded.pex'
fails 2 'cellsync --check --time-unit=s embedded.pex'

# No header: the command in the message works.
row 'A;1.5;x\nB;2.5;y\nA;3.5;z\n'
fails 1 'cellsync t.csv'
good '(printf "thread;time_s;x3\n"; cat t.csv) | cellsync -q - -o -'
fails 1 'cat t.csv | cellsync -'
cat t.csv >"a b.csv"
fails 1 'cellsync "a b.csv"'
# Comments and empty lines in front of the row stay in front of the header, and count.
row '# timebase_hz=1000\n\nA,5,x\nB,6,y\n'
fails 1 'cellsync t.csv'
good 'eval "$(cellsync t.csv 2>&1 | sed "s/.*to add a header: //") -q -o -"'
fails 1 'cellsync - <t.csv'
good 'eval "$(cellsync - <t.csv 2>&1 | sed "s/.*to add a header: //") -q -o -" <t.csv'
row '# x\nA\t5\tx\nB\t6\ty\n'
cp t.csv "a=b c.csv"
good 'eval "$(cellsync "a=b c.csv" 2>&1 | sed "s/.*to add a header: //") -q -o -"'
row 'thread,time\nA,5\n'
for code in UTF-16 UTF-16LE UTF-16BE UTF-32; do
    iconv -t "$code" t.csv >wide.csv
    fails 1 'cellsync wide.csv'
done
iconv -t UTF-16 t.csv >wide.csv
good 'iconv -f UTF-16 -t UTF-8 wide.csv | cellsync -q - -o -'

# Units.
row 'thread,time\nppe,1.5\nppe,2.25\n'
fails 1 'cellsync t.csv'
for unit in s ms us; do
    good "cellsync -q t.csv --time-unit=$unit -o - | tail -n 1"
done
fails 1 'cellsync t.csv --time-unit=ns'
fails 1 'cellsync t.csv --time-unit=ticks'
fails 2 'cellsync t.csv --time-unit=m'
row 'thread,time_ms\nppe,1.5\nppe,+2.25e1\nppe,3000E-2\nppe,30.\n'
good 'cellsync -q t.csv -o -'
fails 2 'cellsync t.csv --time-unit=s'
row 'thread;Time [us]\nppe;1,5\nppe;2.5\n'
good 'cellsync -q t.csv -o -'
row 'thread,elapsed_us\nppe,1.5\n'
good 'cellsync -q t.csv --columns=time=elapsed_us -o -'
row '# timebase_hz=3\nthread,time_s\nppe,1\nppe,2.5\n'
fails 1 'cellsync t.csv'
row '# timebase_hz=6\nthread,time_s\nppe,1\nppe,2.5\n'
good 'cellsync -q t.csv -o -'
row 'thread,time_s\nppe,0.000000000000000000001\n'
fails 1 'cellsync t.csv'
row 'thread,time_s\nppe,0.1234567890123456789012345678901234567\n'
fails 1 'cellsync t.csv'
row 'thread,time\nppe,2024-02-29T23:59:60.5Z\nppe,2024-03-01 01:00:01.25+01:00\nppe,2024-02-29T19:00:02-0500\n'
good 'cellsync -q t.csv -o -'

for unit in s us; do
    row "thread,time_$unit\na,2026-11-28T18:00:00Z\n"
    fails 1 'cellsync t.csv'
done
for time in '2026-11-28 18:00' 18:00:00 28/Nov/2026:18:00:00 20240304T183002Z 28-Nov-2026; do
    row "thread,time\nppe,$time\n"
    fails 1 'cellsync t.csv'
done

# What is assumed, and what is not understood.
row 'thread,time\nA,5\nB,6\n'
good 'cellsync -q t.csv | head -n 1'
row 'thread,time_us\nA,5\nB,6\n'
good 'cellsync -q t.csv | head -n 1'
for key in timebase 'Timebase_Hz ' host clock_rate; do
    row "# $key=5\nthread,time\nA,5\n"
    good 'cellsync t.csv -r /dev/null'
done
row '# host=a\n# timebase=5\n# a=b\nthread,time\nA,5\n'
good 'cellsync t.csv -r /dev/null'
good 'cellsync -q t.csv -r /dev/null'

# No =, or a blank for it; a remark that gives no rate says nothing.
for line in 'timebase_hz: 1000' 'timebase_hz 1000' 'TIMEBASE_HZ : 1000' 'clock-rate: 16 MHz' 'frequency:1_000.5'; do
    row "# $line\nthread,time\nA,5\n"
    good 'cellsync t.csv -r /dev/null'
done
for line in 'time: 12:30' 'clock: host' 'frequency 1000' 'timebase_hz: see below' 'seed: 7' ': 5' '=5' 'timebase_hz' 'timebase_hz:'; do
    row "# $line\nthread,time\nA,5\n"
    good 'cellsync t.csv -r /dev/null'
done
# Several: each that may have been the timebase, up to a limit, and one line for the others.
row '# a=1\n# b=2\n# tick=1\n# hz=2\n# rate=3\n# freq=4\n# clock: 5\n# c=3\nthread,time\nA,5\n'
good 'cellsync t.csv -r /dev/null'
# Two timebases.
row '# timebase_hz=1000\n# x\n# timebase_hz=2000\nthread,time\nA,5\n'
fails 1 'cellsync t.csv'
row '# timebase_hz=1000\n# timebase_hz = 1000\nthread,time\nA,5\n'
good 'cellsync t.csv | head -n 1'
