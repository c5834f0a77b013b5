# Version 2 of .pex: what recordTypes say of order.
records()
{
    python3 "$tests/../../tools/make_records.py" "$1"
}

# document GRANULARITY RECORDTYPES: t.pex.
document()
{
    cat >t.pex <<.
<pdt_trace version="2">
<machine timebase_hz="1000000000"/><trace_file href="t.trace"/><order granularity="$1"/>
$threads
<pdtGroup name="G" id="0x0b">
$2
</pdtGroup>
</pdt_trace>
.
}

threads=
messages='<recordType name="SEND" id="0x010b" order="send" match="@self peer tag"><field name="peer"/><field name="tag"/></recordType>
<recordType name="RECV" id="0x020b" order="recv" match="peer @self tag"><field name="peer"/><field name="tag"/></recordType>'

# Messages both ways, from begin to end: g[spe1] - g[spe2] in [90,105] + 15, and with a latency [95,100].
document thread "$messages"
records t.trace <<.
spe 1 10b 100000,100010 2 7   # sends at 0, ends at 10
spe 2 20b 99985,99990 1 7
spe 2 10b 99978,99980 1 7
spe 1 20b 99990 2 7
.
good 'cellsync t.pex -q --explain=spe1.1,spe2.1'
good 'cellsync t.pex -q -r - --latency=2 | grep "^spe"'
good 'cellsync t.pex -q --latency=2 -o s.pex && cellsync --check s.pex && sed -n "/<sync/,/>/p" s.pex'
good 'cellsync t.pex -q -o - --to=csv'
good 'cellsync t.pex -q -o s.csv && cellsync s.csv -q -r - | grep ^order'
good 'cellsync t.pex -q -r r.html && grep -c id=.order r.html'
good 'sed "s/latency=\"2\"/latency=\"3\"/" s.pex >b.pex'
fails 1 'cellsync --check b.pex'
good 'sed "s/latest=\"6\"/latest=\"7\"/" s.pex >b.pex'
fails 1 'cellsync --check b.pex'
good 'sed "s/latency=\"2\"/latency=\"-2\"/" s.pex >b.pex'
fails 1 'cellsync --check b.pex'
good 'sed "s/relax=\"exact\"/relax=\"paper\"/" s.pex >b.pex'
fails 1 'cellsync --check b.pex'

# A latency of their own, in ticks or in a field; ranks for @self; the begin that a send needs.
threads='<threads><spe ctx="1" rank="10"/><ppe tid="5" rank="11"/></threads>'
document thread '<recordType name="SEND" id="0x010b" order="send" match="@self peer" stamp="before"><field name="peer"/></recordType>
<recordType name="LATE" id="0x030b" order="send" match="@self peer"><field name="peer"/></recordType>
<recordType name="RECV" id="0x020b" order="recv" match="peer @self" latency="cost"><field name="peer"/><field name="cost"/></recordType>
<recordType name="SLOW" id="0x040b" order="recv" match="peer @self" latency="0x14"><field name="peer"/></recordType>'
records t.trace <<.
spe 1 10b 1000 11
spe 1 30b 990 11
ppe 5 20b 1100 10 5
ppe 5 40b 1200 10
ppe 5 40b 1300
.
good 'cellsync t.pex -q -r -'

# Without a role, of one buffer by the record, it is as version 1: one line.
threads=
document record ''
records t.trace <<.
in 1 1000
spe 1 10b 500 1
out 1 1100
.
good 'cellsync t.pex -q -r v2.txt && sed "s/version=\"2\"/version=\"1\"/" t.pex >1.pex && cellsync 1.pex -q -r v1.txt && diff v1.txt v2.txt; sed -n 5p v2.txt'

# In one buffer with roles, its line and they: the residency, and a message that says more.
document record "$messages"
records t.trace <<.
in 1 1000
ppe 1 10b 1010,1005 1 7
spe 1 20b 500,550 1 7
out 1 1100
.
good 'cellsync t.pex -q -r -'

# Of threads a context and its switches are in order, and what is between them bounds its wraps.
document thread ''
records t.trace <<.
in 1 1000
spe 1 10b 4294967295 1
out 1 5000000000
spe 1 10b 5 2
in 1 5000000001
spe 1 10b 9 2
spe 1 10b 4294967290 2
ppe 7 10b 3
.
good 'cellsync t.pex -r -'

# Semaphores and mailboxes: with one place a second post waits.
document thread '<recordType name="POST" id="0x010b" order="post" match="box" capacity="1"><field name="box"/></recordType>
<recordType name="WAIT" id="0x020b" order="wait" match="box"><field name="box"/></recordType>'
records t.trace <<.
spe 1 10b 9980,10000 3
spe 1 10b 9900,9970 3
spe 2 20b 9960,10000 3
spe 2 20b 9940,9955 3
.
good 'cellsync t.pex -q --explain=spe1.1,spe2.1'

# Barriers, and a member that has another number of them; a scan; an operation from a root.
document thread '<recordType name="BARRIER" id="0x010b" order="enter leave" match=""/>
<recordType name="BCAST" id="0x020b" order="enter leave" kind="bcast" root="root" size="bytes"><field name="root"/><field name="bytes"/></recordType>
<recordType name="SCAN" id="0x030b" order="enter leave" kind="scan"/>'
records t.trace <<.
ppe 1 10b 10,0
spe 2 10b 9996,10000
.
good 'cellsync t.pex -q --explain=ppe,spe2.1'
records t.trace <<.
ppe 1 20b 10,0 1 8
spe 2 20b 9996,10000 1 8
spe 3 20b 9996,10000 1 0
ppe 1 30b 30,20
spe 2 30b 9946,9950
spe 3 30b 9946,9990
.
good 'cellsync t.pex -q -r -'
records t.trace <<.
ppe 1 10b 10,0
ppe 1 10b 20,11
spe 2 10b 9996,10000
spe 2 10b 9990,9995
spe 3 10b 9996,10000
.
good 'cellsync t.pex -q -r - | grep -e ^order -e "^left out"'
records t.trace <<.
ppe 1 10b 10,0
ppe 1 20b 20,11 1 8
spe 2 10b 9996,10000
spe 2 20b 9990,9995 2 8
.
good 'cellsync t.pex -q -r - | grep -e ^order -e "^left out"'

# Locks by their turns; one without.
document thread '<recordType name="LOCK" id="0x010b" order="acquire" match="lock" turn="turn"><field name="lock"/><field name="turn"/></recordType>
<recordType name="UNLOCK" id="0x020b" order="release" match="lock" turn="turn"><field name="lock"/><field name="turn"/></recordType>
<recordType name="TRY" id="0x030b" order="acquire" match="lock"><field name="lock"/></recordType>'
records t.trace <<.
spe 1 10b 10000 9 1
spe 1 20b 9990,9995 9 1
spe 2 10b 9980 9 2
spe 2 20b 9960,9970 9 2
spe 1 10b 9940 9 5
spe 1 20b 9930,9932 9 5
spe 1 30b 9930 9
.
good 'cellsync t.pex -q -r -'

# The PPE starts a context and waits for its end.
document thread ''
records t.trace <<.
ppe 1 500 1010,1000 1
spe 1 10b 5000
spe 1 10b 4950
ppe 1 600 1100,1020 1
ppe 1 500 1110,1101 2
ppe 1 500 1111
.
good 'cellsync t.pex -q --explain=ppe,spe1.1'
document thread '<recordType name="CREATE" id="0x010b" order="spawn" thread="who" stamp="before"><field name="who"/></recordType>
<recordType name="JOIN" id="0x020b" order="join" thread="who"><field name="who"/></recordType>'
records t.trace <<.
ppe 1 10b 1000 2
ppe 2 30b 1001
ppe 2 30b 1010
ppe 1 20b 1015 2
ppe 1 10b 1016 3
ppe 1 10b 1017 3
ppe 1 10b 1018 4
spe 3 10b 1000 5
spe 5 30b 7
.
good 'cellsync t.pex -q -r -'

# A cycle.
document thread "$(echo "$messages" | sed 's/order="send"/& stamp="before"/')"
records t.trace <<.
spe 1 20b 100 2 7
spe 1 10b 95 2 7
spe 2 20b 100 1 7
spe 2 10b 95 1 7
.
fails 1 'cellsync t.pex'

# What a document cannot say.
wrong()
{
    document thread "<recordType name=\"R\" id=\"0x010b\" $1><field name=\"f\"/></recordType>"
    fails 1 'cellsync t.pex' 2>/dev/null
    printf '%s\n' "$1" >&2
    cat "$tmp/err" >&2
}
wrong 'order=""'
wrong 'order="sent"'
wrong 'order="send send"'
wrong 'order="send" match="@self dst"'
wrong 'order="send" match="value"'
wrong 'order="send" match="value70000"'
wrong 'order="send" latency="1"'
wrong 'order="recv" latency="-1"'
wrong 'order="recv" latency="9223372036854775808"'
wrong 'order="recv" sync="yes"'
wrong 'order="send" sync="maybe"'
wrong 'order="send" stamp="begin"'
wrong 'order="recv" stamp="before"'
wrong 'order="send" capacity="4"'
wrong 'order="send" turn="f"'
wrong 'order="acquire" turn="g"'
wrong 'order="spawn"'
wrong 'order="send" thread="f"'
wrong 'order="enter" root="f"'
wrong 'order="enter leave" kind="dance"'
wrong 'order="enter leave" kind="bcast"'
wrong 'order="enter leave" kind="allgather" size="f f f"'
wrong 'order="send" kind="barrier"'
wrong 'order="send" instance="f"'
document page ''
fails 1 'cellsync t.pex'
document thread '<recordType name="R" id="0x010b" order="send" match="x"/>'
sed -i 's/version="2"/version="1"/; s/thread/record/' t.pex
good 'cellsync t.pex -q -r /dev/null'
