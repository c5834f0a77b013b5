# Channels with several messages, some of which were not recorded: which of them are missing is not known.
one_rate
partial()
{
    { echo '# order=partial'; cat; } >t.csv
}

# B began to record early: it has a receive whose send is missing.  Pairs would be one off; the truth is -1000 us.
partial <<'.'
thread,time_us,event,send,recv
A,100,s1,m,
A,200,s2,m,
A,300,s3,m,
A,2000,r,,n
B,1090,dup,,m
B,1110,r1,,m
B,1210,r2,,m
B,1310,r3,,m
B,1320,s,n,
.
good 'cellsync t.csv -r -'
good 'cellsync t.csv -q -r - --report-format=json | grep -e warnings -e conditions'
good 'cellsync t.csv -q -r r.html && grep -o "<p id=.channels-warning.*" r.html'
good 'cellsync t.csv -q -o s.csv && cellsync --check s.csv'
good 'cellsync t.csv -q -o t.json && grep -o "\"channel.*missing" t.json'
good 'cellsync t.csv -q --drift=100 -r - | grep -e ^warning -e "^order " -e "^  m"'
good 'cellstat latency t.csv'

# The first of six requests is missing at A; the truth is -5 s.
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
B,5000140822,BA,
A,323496,AB,
B,5000374748,,AB
B,5000423496,BA,
A,642731,AB,
A,729732,,BA
B,5000742731,BA,
B,5000885488,,AB
A,930515,AB,
A,1011415,,BA
A,1011416,,BA
B,5001030515,BA,
B,5001120624,,AB
A,1203398,AB,
B,5001261090,,AB
B,5001303398,BA,
B,5001485633,,AB
A,1524365,AB,
A,1570764,,BA
A,1570765,,BA
B,5001624365,BA,
A,1953640,,BA
B,5001970292,,AB
.
good 'cellsync t.csv --reference=A -r -'
good 'cellsync t.csv -q --reference=A --delta=1/2 --drift=101 -r - | grep -e "^order " -e ^warning'

# Messages of two robots, one of which started late, and a capture of packets that did.
use finds/topics.csv finds/packets.csv
good 'cellsync topics.csv -r - | sed -n "/^order /,/^$/p"'
good 'grep -v "^B,110.[6-9]" topics.csv >end.csv && cellsync end.csv -r - | sed -n "/^order /,/^$/p"'
good 'cellsync packets.csv --delta=500ns -r - | grep -e "^warning" -e "^delta" -e "^[er]"'

# If no send is missing, the k-th receive is of the k-th send or of a later one.  Of which one is not known: it took no time.
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
A,0,m,
A,100,m,
A,200,m,
B,60,,m
B,270,,m
B,280,n,
A,400,,n
.
good 'cellsync t.csv --explain=A,B'
sed 's/^thread/# sends=complete\n&/' t.csv >c.csv
good 'cellsync c.csv --explain=A,B'
good 'cellsync c.csv -r - | grep -e "^order " -e "^left" -e ^bounds'
good 'cellsync c.csv -q -o s.csv && cellsync --check s.csv'
good 'cellsync c.csv -q --relax=none -o t.json && grep -c "\"ph\":\"[sf]\"" t.json'
good 'cellstat latency c.csv'
good 'cellstat comm c.csv'
sed 's/^A,200,m,$/A,200,,/' c.csv | sed '/^A,100/d' >d.csv
good 'cellsync d.csv -r /dev/null'

# One that needs a send to wait for its receive says nothing then.
partial <<'.'
# sends=complete
thread,begin,time,send,recv,sync
A,0,10,m,,yes
A,20,70,m,,yes
B,55,60,,m,
.
good 'cellsync t.csv -q -r - | grep -e "^order " -e "^left"'

# Messages that meet by what events mean took no time that is known, either.
printf 'thread,time,event,partner,bytes\n0,1,MPI_SEND,1,64\n1,5,MPI_RECV,0,64\n0,9,MPI_SEND,1,64\n' >t.csv
good 'cellstat latency -q t.csv'
printf 'thread,time,event,partner,bytes\n0,1,MPI_SEND,1,64\n1,5,MPI_RECV,0,64\n1,9,MPI_RECV,0,64\n' >t.csv
good 'cellstat comm -q t.csv'

# With keys of one message each no pair can be wrong.
partial <<'.'
thread,time,send,recv
A,0,m1,
B,5,,m1
B,6,n1,
A,9,,n1
A,10,m2,
B,30,,m2
A,11,m3,
B,31,,m4
.
good 'cellsync t.csv -r - --report-format=json | grep conditions'

# Other values and places.
printf '# order=partial\n# sends=all\nthread,time,send,recv\nA,0,m,\nB,5,,m\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\n# sends=\nthread,time,send,recv\nA,0,m,\nB,5,,m\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\n# Sends=complete\nthread,time,send,recv\nA,0,m,\nB,5,,m\n' >t.csv
good 'cellsync t.csv -r /dev/null'

# The same of a .pex, and of tokens.
document()
{
    cat >t.pex <<.
<pdt_trace version="2">
<machine timebase_hz="1000000000"/><trace_file href="t.trace"/><order granularity="thread"$1/>
<pdtGroup name="G" id="0x0b">
<recordType name="SEND" id="0x010b" order="send" match="@self peer" stamp="before"><field name="peer"/></recordType>
<recordType name="RECV" id="0x020b" order="recv" match="peer @self"><field name="peer"/></recordType>
<recordType name="POST" id="0x030b" order="post" match="box" stamp="before"><field name="box"/></recordType>
<recordType name="WAIT" id="0x040b" order="wait" match="box"><field name="box"/></recordType>
</pdtGroup>
</pdt_trace>
.
}
python3 "$tests/../../tools/make_records.py" t.trace <<.
spe 1 10b 1000000 2
spe 1 10b 999900 2
spe 1 10b 999800 2
spe 1 30b 999700 7
spe 1 30b 999600 7
spe 1 20b 999500 2
spe 2 20b 999940 1
spe 2 20b 999730 1
spe 2 40b 999590 7
spe 2 10b 999570 1
.
document ''
good 'cellsync t.pex -r - | grep -e "^warning" -e "^order " -e "^spe"'
good 'cellsync t.pex -q -o s.pex && cellsync --check s.pex'
document ' sends="complete"'
good 'cellsync t.pex -r - | grep -e "^warning" -e "^order " -e "^spe"'
good 'cellsync t.pex -q -o s.pex && cellsync --check s.pex'
good 'cellsync t.pex -q -o s.csv && cat s.csv && cellsync -q s.csv -r - | grep "^spe"'
document ' sends="most"'
fails 1 'cellsync t.pex'
