# --check of synchronized CSV.
one_rate
use samples/paper.csv samples/one-sided.csv good/rich.pex good/rich.trace samples/jitter.pex samples/jitter.trace \
    samples/switches.pex samples/switches.trace demo.pex demo.trace
printf '\357\273\277# timebase_hz=1000\n\n# note\nx,thread,global_time,time,global_time_s\r\n1,"T ""1""",,0,\r\n\n"a\nb",T2,7,-7,x\n,"T ""1""",,10,"1,5"\n3,T3,,4,' >full.csv

good 'cellsync paper.csv -o sync.csv && cellsync --check sync.csv'
for trace in one-sided.csv full.csv rich.pex switches.pex demo.pex jitter.pex; do
    good "cellsync -q $trace --to=csv -o x.csv && cellsync --check x.csv"
    good "cellsync -q $trace --to=csv -o - --csv-time=both --compress | cellsync --check -"
done
for options in --alpha=0 --alpha=1/3 --alpha=1 --center=local --reference=spe2.1 --relax=paper --delta=7/2 --delta=100; do
    good "cellsync -q jitter.pex --to=csv $options -o - | cellsync --check -"
done
good 'cellsync paper.csv -o - | cellsync -q - -o - | cellsync --check - | head -n 1'
printf 'thread,time\n' >none.csv
fails 1 'cellsync none.csv -o - | cellsync --check -'

# The bounds are those of the .pex.
good 'cellsync demo.pex -o demo2.pex && cellsync --check demo2.pex | sed -n 3p && cellsync demo.pex -o demo.csv && cellsync --check demo.csv | sed -n 3p'

# Nothing to prove.
fails 1 'cellsync --check paper.csv'
for options in --csv-header=none --csv-time=seconds --method=lsq --method=lamport --monotonic; do
    fails 1 "cellsync -q paper.csv $options -o - | cellsync --check -"
done

# A word of the line, a row, a comment that is not what it was.
edit()
{
    sed "$1" sync.csv >edited.csv
    printf '\n# %s\n' "$1" >&2
    fails 1 'cellsync --check edited.csv'
}
edit '1s/reference=T1/reference=T%3/'
edit '1s/reference=T1/reference=T9/'
edit '1s/alpha=1.2/alpha=3\/2/'
edit '1s/alpha=1.2//'
edit '1s/delta=0/delta=1/'
edit '1s/crc32=0x../crc32=0x00/'
edit '1s/original_crc32=[^ ]*//'
edit '1s/exact/least/'
edit '1s/exact/none/;1s/delta=0 added_ticks=0/delta=9\/2 added_ticks=9/'
edit '1s/center=reference/center=middle/'
edit '3s/,0$/,1/'
edit '4s/,8$/,9/'
edit '5s/,9$/,9.0/'
edit '5s/,9$/,09/'
edit '5s/,9$/,"9"/'
edit '5s/,9$/,/'
edit '5s/,9$/,9223372036854775808/'
edit '6s/10,10/11,11/'
edit '$d'
edit '4{h;d};5G'
edit 's/^T2,\([0-9]*\),8/T2,\1,4/;s/^T2,\([0-9]*\),18/T2,\1,14/'
edit 's/^T1,/T5,/'
good 'cellsync paper.csv -o both.csv --csv-time=both && sed "4s/.$/7/" both.csv >edited.csv'
fails 1 'cellsync --check edited.csv'
# Words in another order, and ones of other versions, mean what they mean.
good 'sed "1s/\(# cellsync\) \(.*\) center=reference/\1 new=1 center=reference \2/" sync.csv >edited.csv && head -n 1 edited.csv && cellsync --check edited.csv | head -n 1'
# An offset that keeps all constraints, but is not where alpha puts it.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 9; i++) print "A," 100 * i "\nB," 100 * i + 50 }' >loose.csv
good 'cellsync loose.csv -o sync.csv && cellsync --check sync.csv'
edit 's/^B,\([0-9]*\),\([0-9]*\)\(.\)$/B,\1,\27/'
good 'cellsync --alpha=1/3 loose.csv -o sync.csv && cellsync --check sync.csv | head -n 1'
edit '1s/delta=0 added_ticks=0/delta=6 added_ticks=12/'
edit '1s/alpha=1.3/alpha=1\/2/'
# Larger than what is kept in memory.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 150000; i++) print "T" i % 5 "," 1000 * (i % 5) + 10 * i }' >large.csv
good 'cellsync large.csv -o sync.csv.gz && cellsync --check sync.csv.gz'
# Threads that share a clock; columns and units as they were said when it was written.
use strangers/two-hosts.csv
good 'cellsync -q --columns=clock=host,thread=tid two-hosts.csv -o sync.csv && cellsync --columns=clock=host,thread=tid --check sync.csv'
good 'sed "7s/155000/155001/" sync.csv >edited.csv'
fails 1 'cellsync --columns=clock=host,thread=tid --check edited.csv'
good "printf 'cpu,when\n1,0.25\n2,7\n1,1.5\n' | cellsync -q --columns=time=when --time-unit=s - -o - | cellsync --columns=time=when --time-unit=s --check -"
# The line records how the rows were read, so that the file can be proved, and read again, alone.
read_back()
{
    good "cellsync -q $1 in.csv -o out.csv && head -n 1 out.csv && cellsync --check out.csv && cellsync -q out.csv -o again.csv && cmp out.csv again.csv"
}
printf 'cpu,when\n1,0.25\n2,7\n1,1.5\n' >in.csv
read_back '--columns=time=when --time-unit=s'
printf '"Who","a, time%%\n",core\nA,5,x\nB,6,y\n' >in.csv
read_back '"--columns=time=a, time%
,core=,thread=who"'
printf 'h\303\266st,t\001\177\na,5\nb,6\n' >in.csv
read_back '"--columns=$(printf "thread=h\303\266st,time=t\001\177")"'
cp two-hosts.csv in.csv
read_back '--columns=clock=host,thread=tid'
good 'cellsync -q --columns=clock=host,thread=tid --monotonic in.csv -o out.csv && cellsync -q out.csv -r /dev/null && head -n 1 out.csv'
good 'cellsync -q --columns=clock=host,thread=tid --method=lsq in.csv -o out.csv && cellsync -q out.csv -r /dev/null && head -n 1 out.csv'
# What is said on the command line goes first, all of it.
good 'cellsync -q --columns=clock=host,thread=tid in.csv -o out.csv && cellsync -q --columns=thread=host out.csv | grep -c "^threads     2$"'
# Nothing in it is trusted.
cp out.csv sync.csv
edit '1s/ columns=/ columns=thread=host columns=/'
edit '1s/ columns=[^ ]*/ columns=/'
edit '1s/ columns=[^ ]*/ columns=nonsense/'
edit '1s/ columns=[^ ]*/ columns=thread=tid,thread=host/'
edit '1s/ columns=[^ ]*/ columns=thread=%00/'
edit '1s/ columns=[^ ]*/ columns=thread=%4/'
edit '1s/ columns=[^ ]*/ columns=thread=%0a/'
edit "1s/ columns=[^ ]*/ columns=thread=$(printf '\001')/"
edit '1s/ columns=[^ ]*/ columns=thread=none%0Asuch%1B[31m/'
edit '1s/ columns=[^ ]*/ columns=thread=event/'
edit '1s/$/ time_unit=/'
edit '1s/$/ time_unit=h/'
edit '1s/$/ time_unit=us time_unit=us/'
good 'awk "NR == 1 { printf \"%s time_unit=\", \$0; for (i = 0; i < 1000000; i++) printf \"x\"; print \"\"; next } 1" sync.csv >edited.csv'
fails 1 'cellsync --check edited.csv'
