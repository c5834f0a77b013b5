# Version 2 of .pex: recordTypes that limit the time between records, and latencies of groups.
document()
{
    cat >t.pex <<.
<pdt_trace version="2">
<machine timebase_hz="1000000000"/><trace_file href="t.trace"/><order granularity="thread"/>
<pdtGroup name="G" id="0x0b">
$1
</pdtGroup>
</pdt_trace>
.
}
records()
{
    python3 "$tests/../../tools/make_records.py" "$1"
}

# A measured offset: the PPE's clock showed 1000500 while the context's showed -100 to 0. A moment, and a longest latency.
document '<recordType name="PING" id="0x010b" other_clock="ppe" other_time="tb" within="3"><field name="tb"/></recordType>
<recordType name="SHOT" id="0x020b" same="n" within="w"><field name="n"/><field name="w"/></recordType>
<recordType name="SEND" id="0x030b" order="send" match="key" stamp="before"><field name="key"/></recordType>
<recordType name="RECV" id="0x040b" order="recv" match="key" latency="2" latency_max="most"><field name="key"/><field name="most"/></recordType>'
records t.trace <<.
ppe 5 30b 1000550 7
spe 1 10b 99900,100000 1000500
spe 1 40b 99890 7 60
spe 1 20b 99000 1 4
ppe 5 20b 1001450 1 9
.
good 'cellsync t.pex -q --drift=0 --delta=least | sed -n "/^matched/p; /^order/p; /^spe1/p"'
good 'cellsync t.pex -q --drift=0 --delta=least --explain=ppe,spe1.1'
good 'cellsync t.pex -q --drift=0 --delta=least -o s.pex && cellsync --check s.pex | head -n 1'
good 'sed "s/earliest=\"[0-9]*\"/earliest=\"1000000\"/" s.pex >b.pex'
fails 1 'cellsync --check b.pex'
good 'cellsync t.pex -q --drift=0 --delta=least -o s.csv && sed -n "/^thread/,\$p" s.csv && cellsync --check s.csv | head -n 1'
good 'cellsync s.csv -q --drift=0 --delta=least | sed -n "/^spe1/p"'
good 'cellsync t.pex -q --drift=50 --delta=1 -o s.csv && cellsync --check s.csv | head -n 1'
# A part lacks rows of moments.
good 'cellsync t.pex -q --drift=0 --delta=least --only=ppe -o - --to=csv | sed -n "/^thread/,\$p"'

# A latency of a group: each leave is at least 30 after each enter.
document '<recordType name="ENTER" id="0x010b" order="enter" match="g" stamp="before"><field name="g"/></recordType>
<recordType name="LEAVE" id="0x020b" order="leave" match="g" latency="30"><field name="g"/></recordType>'
records t.trace <<.
ppe 5 10b 1000000 1
spe 1 10b 100000 1
ppe 5 20b 1000100 1
spe 1 20b 99950 1
.
good 'cellsync t.pex -q --drift=0 --delta=least | sed -n "/^spe1/p"'
good 'cellsync t.pex -q --drift=0 --delta=least -o s.csv && sed -n "/^thread/,\$p" s.csv && cellsync --check s.csv | head -n 1'

# What is refused.
bad()
{
    document "<recordType name=\"T\" id=\"0x010b\" $1><field name=\"n\"/></recordType>"
    fails 1 'cellsync t.pex'
}
records t.trace <<.
ppe 5 10b 1000000 1
spe 1 10b 100000 1000000
.
bad 'same="m"'
bad 'same=""'
bad 'order="send" latency_max="5"'
bad 'same="n" latency_max="5"'
bad 'other_clock="spe1.1" other_time="n"'
bad 'other_clock="ppe"'
bad 'order="send" other_time="n"'
bad 'order="send" within="2"'
bad 'same="n" within="x"'
# A moment of one record; a clock that is compared with itself; a longest latency that is too short.
bad 'same="n"'
bad 'other_clock="ppe" other_time="n"'
document '<recordType name="SEND" id="0x010b" order="send" stamp="before"/>
<recordType name="RECV" id="0x020b" order="recv" latency="9" latency_max="8"/>'
records t.trace <<.
ppe 5 10b 1000000
spe 1 20b 100000
.
fails 1 'cellsync t.pex'
