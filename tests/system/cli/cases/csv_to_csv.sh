# A CSV comes out as it went in, byte for byte, with its global time.
use samples/paper.csv
good 'cellsync paper.csv -o -'
good 'cellsync paper.csv -o out.csv && cat out.csv'
good 'cellsync paper.csv -o out && cat out'
good 'cellsync paper.csv -o out.pex --to=csv && cat out.pex'

# Names of nothing but a suffix say no format, in whatever folder.
mkdir folder
for name in .json .ctf folder/.json folder/.ctf; do
    good "cellsync -q paper.csv -o $name && head -n 1 $name && rm $name"
done

# Lines before the header, empty lines, quotes, an empty column, a column beyond ours.
cat >full.csv <<'CSV'
# timebase_hz = 14318000
#  another remark, "with quotes"
note,"time","core",thread,""

"a ""note"", with commas",0,ppe,main,
,+3,,"S, 1",x

"of two
lines","10",ppe,other,"y"
,-4,spe,S2,
tail,20,,ppe,z
CSV
good 'cellsync full.csv -o -'
good 'cellsync full.csv'

printf '# a 5" disk\nthread,time\nT1,0\nT1,9\n' >inch.csv
good 'cellsync inch.csv -o -'

# global_time is filled in where there is such a column, quoted or not.
cat >filled.csv <<'CSV'
thread,global_time,time
T1,,0
T2,99,0
T3,"1,5",3
T1,"",10
T1,text,16
T3,0,10
T2,"a ""quote""",10
CSV
good 'cellsync filled.csv -o -'
printf 'global_time,thread,time\n7,A,0\n,B,5\n"",A,9\n' >first.csv
good 'cellsync first.csv -o -'

# CRLF, mixed line ends, no end of the last line, a byte order mark.
printf 'thread,time\r\nT1,0\r\nT2,0\nT1,10\r\n' >crlf.csv
good 'cellsync crlf.csv -o - | od -An -c'
printf 'thread,global_time,time\r\nT1,,0\r\nT2,,0' >no-end.csv
good 'cellsync no-end.csv -o - | od -An -c'
printf '\357\273\277# timebase_hz=5\nthread,time\nT1,0\nT1,9' >mark.csv
good 'cellsync mark.csv -o - | od -An -c'

# What has been written can be read, and gives the same again.
good 'cellsync full.csv -o once.csv && cellsync once.csv -o twice.csv && cmp once.csv twice.csv'

# Clocks that are far apart.
printf 'thread,time\nppe,1000000000000000000\nT,-1000000000000000000\nppe,1000000000000000100\n' >far.csv
good 'cellsync far.csv -o -'

# A name in .csv, or --from, or neither: the content tells.
good 'cat paper.csv >trace.txt && cellsync trace.txt -r /dev/null'
fails 1 'cellsync paper.csv --from=pex'
cat paper.csv >trace.pex
fails 1 'cellsync trace.pex'
good 'cellsync trace.pex --from=csv -o - | tail -n 1'
