# Traces of a few rows: steps that decimals show, and rows that may have been sorted by time.
one_rate

# Two processes of one host, whose whole milliseconds are written in microseconds; their clocks are one.
printf '%s\n' '# order=partial' thread,location,time_us,event,send,recv 'front,front.p,1496221200123000,parent,c1q c2q,' \
    'back,back.c1,1496221200124000,child 1,,c1q' 'back,back.c1,1496221200125000,child 1,c1r,' \
    'back,back.c2,1496221200168000,child 2,,c2q' 'front,front.p,1496221200171000,parent,,c1r c2r' \
    'back,back.c2,1496221200171000,child 2,c2r,' >spans.csv
good 'cellsync spans.csv | grep -e "^warning" -e "^front  *2"'
good 'cellsync spans.csv --delta=500us | grep -e "^warning" -e "^front  *2"'

# Decimals of a unit, zeros at their end included; the finest of all rows.
for rows in 'time A,1 B,2' 'time_us A,1 B,2' 'time_us A,1 B,2 A,3.00' 'time_ms A,1.0 B,2' 'time_s A,1.000 B,2' \
    'time_s A,1e-3 B,2e-3' 'time_s A,1.5e1 B,2e1' 'time_ns A,1 B,2' 'time_s A,0.123456789 B,2' 'time_us A,7'; do
    printf '%s\n' thread,$rows >step.csv
    good "cat step.csv && cellsync -q step.csv | grep '^warning.* steps' || :"
done
printf '%s\n' thread,time A,2024-05-01T12:00:00.250Z B,2024-05-01T12:00:00.31Z >step.csv
good "cellsync -q step.csv | grep '^warning.* steps'"
printf '%s\n' 'thread;time_ms' 'A;1,25' 'B;2,5' >step.csv
good "cellsync -q step.csv | grep '^warning.* steps'"
printf '%s\n' '# timebase_hz=2500000' thread,time_us A,2 B,4 >step.csv
good "cellsync -q step.csv | grep '^warning.* steps'"
good 'printf "%s\n" thread,time A,1000 B,2000 | cellsync -q --time-unit=ms - | grep "^warning.* steps"'

# Sorted by time with three changes of the clock: every format says what bounds rest on then.
printf '%s\n' thread,time A,100 B,120 A,125 B,130 >sorted.csv
good 'cellsync sorted.csv --time-unit=ticks | grep "^bounds hold"'
good 'cellsync -q sorted.csv -r - --report-format=json | grep -e doubted -e conditions'
good 'cellsync -q sorted.csv -r - --report-format=csv'
good 'cellsync -q --table sorted.csv -r t.csv && cut -d, -f 32 t.csv'
good 'cellsync -q sorted.csv -o - | head -n 1'
for to in t.json t.pftrace t.ctf; do
    good "cellsync -q sorted.csv -o $to && cat $to $to/metadata 2>/dev/null | grep -a -c 'if they were sorted by time'"
done
good 'cellsync -q sorted.csv -r r.html && grep -c "if they were sorted by time" r.html'
good 'cellsync -q sorted.csv --graph=- --graph-of=bounds | grep -c "if they were sorted by time"'
good 'cellsync -q sorted.csv --explain=A,B | grep sorted'
good 'cellsync -q sorted.csv --drift=101 | grep "sorted by time"'
good 'cellstat states -q sorted.csv | grep sorted'

# Up to 12 rows and from 13 on; three rows, two changes, a step back, or one clock say nothing.
for rows in 'A,1 B,2 A,3' 'A,1 B,2 B,3 A,4' 'A,2 B,1 A,3 B,4' 'A,1 B,2 A,3 B,4 A,5 B,6 A,7 B,8 A,9 B,10 A,11 B,12' \
    'A,1 B,2 A,3 B,4 A,5 B,6 A,7 B,8 A,9 B,10 A,11 B,12 A,13'; do
    printf '%s\n' thread,time $rows >few.csv
    good "wc -l <few.csv && cellsync -q few.csv | grep -c -e '^bounds hold if the rows are in the order' -e '^warning  *the rows look sorted' || :"
done
