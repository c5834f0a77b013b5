# Several files as one trace: cellsync(1).
head='1,2p; /^threads/p; /^order/p; /^left out/p; /^reference/p'
printf '%s\n' '# order=messages' thread,time_us,send,recv A,100,m1, A,300,,r1 A,350,lost, >a.csv
printf '%s\n' '# order=messages' host,note,ts_us,recv,send B,'"x, y"',1105,m1, '' B,,1290,,r1 >b.csv
good "cellsync -q a.csv b.csv | sed -n '$head'"
good 'cellsync -q a.csv b.csv -o m.csv && cat m.csv && cellsync --check m.csv'
good 'cellsync -q a.csv b.csv --sort -o -'
good 'cellsync -q a.csv b.csv -o synced/ && ls synced && cat synced/a.csv synced/b.csv'
good 'cellsync -q a.csv b.csv -o synced --sort && cat synced/b.csv'
fails 1 'cellsync --check synced/b.csv'
good 'cellsync -q b.csv - -o - <a.csv | tail -n 2'
good 'cellsync -q --drift=0 --explain=A,B a.csv b.csv | grep line'
good 'cellsync -q --table a.csv b.csv'
good 'cellstat latency -q --drift=0 a.csv b.csv'
good 'cellstat -q --drift=0 a.csv b.csv | head -n 1'
good 'cellstat order -q --drift=0 a.csv b.csv "#0" "#3" | head -n 3'

# Names before the names of threads and clocks.
printf '%s\n' '# order=partial' thread,time,send,recv,clock main,10,a,, main,50,,b,x >one.csv
printf '%s\n' '# order=partial' thread,time,send,recv main,20,,a main,30,b, >two.csv
fails 1 'cellsync one.csv two.csv'
good 'cellsync -q X=one.csv Y=two.csv -o -'
good 'cellsync -q X=one.csv Y=two.csv -o out/ && cat out/one.csv'
cp one.csv X=one.csv
good "cellsync -q X=one.csv | sed -n '1p'"
rm X=one.csv

# What does not fit together.
fails 1 'cellsync one.csv a.csv'
printf '%s\n' '# order=partial' thread,time,send,recv B,20,a, B,30,,b >twice.csv
fails 1 'cellsync one.csv twice.csv'
printf '%s\n' '# order=messages' thread,time_us,send,recv B,20,m1, >again.csv
fails 1 'cellsync a.csv again.csv'
printf '%s\n' '# order=messages' thread,time,send,recv B,20,, >ticks.csv
fails 1 'cellsync a.csv ticks.csv'
printf '%s\n' '# order=messages' '# timebase_hz=1000' thread,time,send,recv B,20,, >hz.csv
fails 1 'cellsync ticks.csv hz.csv'
printf '%s\n' '# order=messages' thread,time_us,send,recv B,20,, B,x,, >bad.csv
fails 1 'cellsync a.csv bad.csv'
mkdir other && cp a.csv other/a.csv && sed -i 's/^A/C/; s/m1/c1/; s/r1/c2/; s/lost/c3/' other/a.csv
fails 2 'cellsync a.csv other/a.csv -o out2/'
good 'ls -d out2 2>/dev/null || echo none'
fails 1 'cellsync a.csv b.csv -o ./'
fails 2 'cellsync a.csv b.csv -o j/ --to=json'
fails 2 'cellsync b.csv - -o out3/ <a.csv'

# A file that cannot be opened is named, if others could be joined.
: >empty.csv
fails 1 'cellsync a.csv missing.csv -o lost/'
fails 1 'cellsync missing.csv a.csv'
fails 1 'cellsync a.csv empty.csv -o lost/'
fails 2 'cellstat latency a.csv missing.csv'

# Traces of their own: a table, as ever.
printf '%s\n' thread,time A,1 B,2 A,3 >plain.csv
good 'cellsync -q plain.csv a.csv'
fails 2 'cellsync plain.csv a.csv -o x.csv'
fails 1 'cellsync a.csv missing.csv'
fails 2 'cellsync Z=plain.csv'
use two.csv demo.pex demo.trace
fails 2 'cellsync --join demo.pex a.csv'
fails 2 'cellsync --join --table a.csv b.csv'
fails 2 'cellstat latency plain.csv a.csv'

# --join: CSV files without a line # order=.
printf '%s\n' thread,time,send,recv A,100,m, A,300,,r >u.csv
printf '%s\n' thread,time,send,recv B,105,,m B,290,r, >v.csv
good "cellsync -q --join u.csv v.csv | sed -n '$head'"
good 'cellsync -q --join u.csv v.csv -o -'
printf '%s\n' '# order=buffer' thread,time A,1 >w.csv
fails 2 'cellsync --join u.csv w.csv'

# Files that were concatenated.
cat a.csv b.csv >both.csv
fails 1 'cellsync both.csv'
(cat a.csv && tail -n +2 a.csv) >header.csv
fails 1 'cellsync header.csv'

# Measured offsets are for all files.
printf '%s\n' clock,time_us,other_clock,other_time,within A,200,B,1200,4 >offsets.csv
good "cellsync -q --drift=0 --offsets=offsets.csv a.csv b.csv | sed -n '$head; /^max error/p'"
