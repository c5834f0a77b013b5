# Rows of a CSV with a begin or a duration, several threads on a clock: what every format makes of them.
printf 'clock,thread,time_us,duration,event,note\nhost1,main,10,40,load,"a ""b"""\nhost2,m,1000,2.5,,\nhost1,io,12,,"read ""x""",-\nhost2,m,1003,1,write,\nhost1,main,16,,,\n' >perf.csv

# JSON: a begin before the first record is shown as it is.
good 'cellsync perf.csv -o - --to=json'

# CTF: a stream a clock, a class a name.
good 'cellsync perf.csv -o perf.ctf && ls perf.ctf && sed -n "/^    header/p; /^struct/,\$p" perf.ctf/metadata && od -A d -t x1 perf.ctf/clock1'
good 'gzip -n perf.csv && cellsync perf.csv.gz -o gzip.ctf && diff -r perf.ctf gzip.ctf | grep -v trace_name'
good 'cellsync -q --monotonic perf.csv.gz -o perf.ctf && cmp perf.ctf/clock0 gzip.ctf/clock0'
good 'cellsync -q --method=lamport perf.csv.gz -o perf.ctf && sed -n "/^env/,/^}/p" perf.ctf/metadata'
good 'gunzip perf.csv.gz'
fails 2 'cellsync perf.csv -o perf.ctf.gz'

# CSV: begins in global time, which --check proves and another run fills in.
good 'cellsync -q perf.csv -o both.csv --csv-time=both && cat both.csv && cellsync --check both.csv'
good 'cellsync both.csv -o again.csv --csv-time=both && cmp both.csv again.csv'
good 'cellsync -q perf.csv -o - --csv-time=seconds --csv-header=none'
sed 's/,-1500,/,-1499,/' both.csv >moved.csv
fails 1 'cellsync --check moved.csv'
sed 's/0.000006000,,$/0.000006000,6000,/' both.csv >more.csv
fails 1 'cellsync --check more.csv'
good 'cellsync -q both.csv --columns=duration= -o - | grep -v ^#.*-warning | cut -d, -f 7-'
fails 1 'cellsync --check both.csv --columns=duration='
printf 'thread,time,begin\nb,0,\na,100,-9223372036854775800\n' >far.csv
fails 1 'cellsync far.csv -o x.csv'
printf 'thread,time,global_begin\na,1,x\n' >own.csv
good 'cellsync own.csv -o -'

# HTML: a bar a thread, the names of a clock's threads.
good 'cellsync -q perf.csv -r perf.html && grep -A 1 -e "<rect.*main" -e threads.on.this.clock -e members-claim perf.html'
