# Logs of Dursun's profiler: one an SPE, named by a .pex of version 2.
one_rate
log()
{
    python3 "$tests/../../tools/make_log.py" "$@"
}

# document HEAD FILES...: t.pex, whose trace_files are event80.
document()
{
    printf '<pdt_trace version="2">\n<machine name="QS22" timebase_hz="1000"/>\n%s\n' "$1" >t.pex
    shift
    printf '<trace_file format="event80" %s/>\n' "$@" >>t.pex
    printf '</pdt_trace>\n' >>t.pex
}

both='href="a.log" ctx="1" rank="0" node="0" cell="0" spe="0"'
ends='href="b.log" ctx="2" rank="1" node="1" cell="0" spe="0"'

# Two messages, there and back, and all types of events; one slot is not used.
a()
{
    log a.log "$@" <<.
PROFILE_START 0 0
E 1 1 enx=0x1000 exx=0x2000
MPI_SEND 100 105 peer=1 bytes=8 count=1 tag=7
MPI_SEND 100 105 peer=1 tag=8 flag=0
MPI_RECV 110 140 peer=1 bytes=8 count=1 tag=7
MFC_PUT 141 142 bytes=128
MFC_PUT64 142 143 bytes=128
MFC_GET64 143 150 bytes=128
MFC_PUT32 150 151 bytes=128
MFC_GET32 151 152 bytes=128
X 160 160 enx=0x1000 exx=0x2000
PROFILE_STOP 200 200
.
}
b()
{
    log b.log "$@" <<.
PROFILE_START 0 0
MPI_RECV 500 520 peer=0 bytes=8 count=1 tag=7
MPI_SEND 525 530 peer=0 bytes=8 count=1 tag=7
PROFILE_STOP 600 600
.
}
a
b
document '' "$both" "$ends"
good 'cellsync t.pex -r -'
good 'cellsync t.pex -q -o -'
good 'cellsync t.pex --explain=spe1,spe2'
good 'cellsync t.pex -q -r r.json && grep -e matched -e lower r.json'
good 'cellsync t.pex -q -o s.json && grep -e GET64 -e MPI_SEND s.json'
good 'cellsync t.pex -q -o s.pftrace && cellsync t.pex -q --to=ctf -o s.ctf && ls s.ctf && grep _values s.ctf/metadata && grep -al partner=1 s.ctf/clock0 s.pftrace'
good 'cellsync - <t.pex -q -r - | head -n 5'
fails 2 'cellsync t.pex -o s.pex'
fails 2 'cellsync t.pex --monotonic -o s.csv'
cellsync t.pex -q -o plain.csv

# The same bytes in the other order, in pages, with stamps of ends, and packed.
a little pages
b pages end
document '' "$both byte_order=\"little\" pages=\"yes\"" "$ends pages=\"yes\" stamp=\"end\""
good 'wc -c *.log && cellsync t.pex -q -o - | cmp - plain.csv'
gzip -c b.log >c.log
mv c.log b.log
document '' "$both byte_order=\"little\" pages=\"yes\"" "$ends pages=\"yes\" stamp=\"end\" compression=\"gzip\""
good 'cellsync t.pex -q -o - | cmp - plain.csv'
good 'cellsync t.pex -q --threads=1 -o - | cmp - plain.csv'

# What is wrong with the document.
a
b
fails 1 'cellsync t.pex'
document '' "$both byte_order=\"middle\"" "$ends"
fails 1 'cellsync t.pex'
document '' "$both" "$ends pages=\"64\""
fails 1 'cellsync t.pex'
document '' "$both stamp=\"middle\"" "$ends"
fails 1 'cellsync t.pex'
document '' "href=\"a.log\"" "$ends"
fails 1 'cellsync t.pex'
document '' "href=\"a.log\" ctx=\"x\"" "$ends"
fails 1 'cellsync t.pex'
document '' "href=\"a.log\" ctx=\"1\" rank=\"x\"" "$ends"
fails 1 'cellsync t.pex'
document '' "$both" "href=\"b.log\" ctx=\"1\""
fails 1 'cellsync t.pex'
document '' "$both" "href=\"a.log\" ctx=\"2\""
fails 1 'cellsync t.pex'
document '' "$both" "href=\"c.log\" ctx=\"2\""
fails 1 'cellsync t.pex'
document '' 'ctx="1"'
fails 1 'cellsync t.pex'
document '<trace_file href="b.trace"/>' "$both"
fails 1 'cellsync t.pex'
document '<clock kind="global"/>' "$both" "$ends"
fails 1 'cellsync t.pex'
document '<order granularity="block"/>' "$both" "$ends"
fails 1 'cellsync t.pex'
sed 's/event80/event81/' t.pex >u.pex
fails 1 'cellsync u.pex'

# What is wrong with the logs, and what the cause may be.
document '' "$both byte_order=\"little\"" "$ends"
fails 1 'cellsync t.pex'
a pages
document '' "$both" "$ends"
fails 1 'cellsync t.pex'
a
document '' "$both pages=\"yes\"" "$ends"
fails 1 'cellsync t.pex'
document '' "$both" "$ends"
echo '15 1 2' | log a.log
fails 1 'cellsync t.pex'
echo 'E -1 -1' | log a.log
fails 1 'cellsync t.pex'
echo 'E 2 1' | log a.log
fails 1 'cellsync t.pex'
echo 'E nans 1' | log a.log
fails 1 'cellsync t.pex'
echo 'E infs 1' | log a.log
fails 1 'cellsync t.pex'
echo 'E 9007199254740000 9007199254740000' | log a.log
good 'cellsync t.pex -q -o - | grep ^spe1'
echo 'E 9007199254740994 9007199254740994' | log a.log
fails 1 'cellsync t.pex'
echo 'E 9007199254740000 9007199254749999' | log a.log
fails 1 'cellsync t.pex'
document '' "$both stamp=\"end\"" "$ends"
echo 'E -2 1' | log a.log end
fails 1 'cellsync t.pex'
document '' "$both" "$ends"
: >a.log
echo 'E 1 1' | log b.log
fails 1 'cellsync t.pex'
b

# Cut off: what is whole can be salvaged; what follows in other logs is read.
a
head -c 500 a.log >c.log
mv c.log a.log
fails 1 'cellsync t.pex'
good 'cellsync t.pex --salvage -o -'
a pages
head -c 500 a.log >c.log
mv c.log a.log
document '' "$both pages=\"yes\"" "$ends"
fails 1 'cellsync t.pex'
good 'cellsync t.pex --salvage -q -o - | grep -c ^spe1'
head -c 7 a.log >c.log
mv c.log a.log
good 'cellsync t.pex --salvage -q -o - | grep -c ^spe'

# Stamps that are no whole ticks are rounded, to the nearest.
document '' "$both" "$ends"
log a.log <<.
MPI_SEND 0.100s 0.105s peer=1 tag=7
MPI_RECV 0.1104s 0.1406s peer=1 tag=7
E 0.15025s 0.15025s
.
good 'cellsync t.pex -o -'

# In the order of begins or of ends: overlapping intervals come as they end.
log a.log <<.
E 0 300
MPI_SEND 100 105 peer=1 tag=7
MFC_GET64 106 200
MPI_RECV 110 140 peer=1 tag=7
X 300 300
.
good 'cellsync t.pex -q -o - | tee c.csv | grep ^spe1'
log a.log <<.
MPI_SEND 100 105 peer=1 tag=7
MPI_RECV 110 140 peer=1 tag=7
MFC_GET64 106 200
E 0 300
X 300 300
.
good 'cellsync t.pex -q -o - | cmp - c.csv'

# A receive whose sender is not known, and a send to MPI_PROC_NULL.
log a.log <<.
MPI_SEND 100 105 peer=1 tag=7
MPI_SEND 106 107 peer=-1 tag=7
MPI_RECV 110 140 peer=1 tag=7
MPI_RECV 150 160 peer=-1 tag=7
.
good 'cellsync t.pex -r - | grep -A 4 ^order'

# Collective operations, of kinds with a root and without; those without bytes do not count.
document '' "$both" "$ends" 'href="c.log" ctx="3" rank="2"'
log a.log <<.
MPI_BCAST 10 20 peer=0 bytes=4
MPI_BARRIER 30 45 peer=-1
MPI_ALLREDUCE 50 61 peer=-1 bytes=8
MPI_REDUCE 70 95 peer=2 bytes=8
MPI_ALLREDUCE 100 101 peer=-1
.
log b.log <<.
MPI_BCAST 110 123 peer=0 bytes=4
MPI_BARRIER 131 147 peer=-1
MPI_ALLREDUCE 150 162 peer=-1 bytes=8
MPI_REDUCE 172 175 peer=2 bytes=8
MPI_ALLREDUCE 900 901 peer=-1
.
log c.log <<.
MPI_BCAST 212 221 peer=0 bytes=4
MPI_BARRIER 230 246 peer=-1
MPI_ALLREDUCE 251 263 peer=-1 bytes=8
MPI_REDUCE 270 279 peer=2 bytes=8
MPI_ALLREDUCE 300 301 peer=-1
.
good 'cellsync t.pex -r -'
good 'cellsync t.pex --explain=spe1,spe3'

# A document that says roles of its own: here DMA to another SPE is what orders.
document '<pdtGroup name="CML" id="0x0b">
<recordType name="NOTIFY" id="0x0a0b" order="send" match="@self data0"><field name="enx"/><field name="exx"/><field/><field name="data0"/></recordType>
<recordType name="NOTIFIED" id="0x0c0b" order="recv" match="data0 @self"><field/><field/><field name="flag"/><field name="data0"/></recordType>
<recordType name="MPI_BARRIER" id="0x080b"/>
</pdtGroup>
<threads><spe ctx="2" rank="11"/></threads>' 'href="a.log" ctx="1" rank="10"' 'href="b.log" ctx="2"'
log a.log <<.
MFC_PUT 100 105 peer=11
MFC_GET64 110 140 peer=11
.
log b.log <<.
MFC_GET64 500 520 peer=10
MFC_PUT 525 530 peer=10
MPI_SEND 540 550 peer=10
.
good 'cellsync t.pex -r - | grep -e ^order -e ^spe; cellsync t.pex -q -o -; cellsync t.pex --explain=spe1,spe2'

# A CSV made of logs is proved beside them.
good 'cellsync t.pex -q -o t.csv; cellsync --check --original=t.pex t.csv'
good 'cellsync --check --original=- t.csv <t.pex'
fails 1 'cellsync --check t.csv'

# One clock alone is read in its own ticks: delta is 0.
document '' "$both"
log a.log <<.
MPI_SEND 100 101 peer=0 bytes=8 count=1 tag=7
MPI_RECV 98 105 peer=0 bytes=8 count=1 tag=7
.
good 'cellsync t.pex'
