# A run in which records were lost. What the recorder could not record makes no pairs wrong: it then gives up the channel. But
# if the disk was full, sends that it had recorded may be missing, too.
[ -n "$PYTHON" ] || exit 0
cat >make.py <<'PY'
import os, struct, sys
folder, complete, lost, *rest = sys.argv[1:]
TYPES = """<pdtGroup name="USER" id="0x05"><subGroup name="ORDER">
<recordType name="SEND" id="0x0105" type="interval" order="send" match="channel"><field name="channel" type="u64"/></recordType>
<recordType name="RECV" id="0x0205" order="recv" match="channel"><field name="channel" type="u64"/></recordType>
</subGroup></pdtGroup><pdtGroup name="GENERAL" id="0x00">
<recordType name="BUFFER_FLUSH" id="0x0900" type="interval"><field name="records" type="u64"/><field name="lost" type="u64"/>
<field name="number" type="u64"/></recordType></pdtGroup>"""
# The clock of b is 1000 ahead. a sends at 100, 200, and 300 to b, which gets each after 20; b answers 5 later, after 20.
sent, answered = [100, 200, 300], [125, 225, 325]
streams = {"a": [(t, 0x105, 1) for t in sent] + [(t + 20, 0x205, 2) for t in answered],
           "b": [(t + 1020, 0x205, 1) for t in sent] + [(t + 1000, 0x105, 2) for t in answered]}
for gone in rest:          # NAME:K, the K-th record of a process
    name, k = gone.split(":")
    streams[name][int(k)] = None
os.mkdir(folder)
for pid, (name, records) in enumerate(streams.items(), 1):
    records = sorted(r for r in records if r)
    data = b"".join(struct.pack(">HBBHHIIQQQ", 40, 0, kind == 0x105, kind, 1, 7, 0, time, time if kind == 0x105 else 0, channel) for time, kind, channel in records)
    end = records[-1][0] + 1
    data += struct.pack(">HBBHHIIQQ3Q", 56, 0, 1, 0x900, 3, 7, 0, end, end, len(records), 0, pid)
    with open(f"{folder}/{name}.{pid}.trace", "wb") as out:
        out.write(b"PDTTRACE" + struct.pack(">HHIQQ", 1, 32, 0, len(records) + 1, 0) + data)
    with open(f"{folder}/{name}.{pid}.pex", "w") as out:
        out.write(f"""<?xml version="1.0"?><pdt_trace version="2" application="x"><machine name="{name}" timebase_hz="1000"/>
<trace_file href="{name}.{pid}.trace"/><clock kind="local" id="{name}"/><order granularity="block" after="block"/>
<process host="{name}" pid="{pid}"/><recording complete="{complete}" records="{len(records)}" lost="{lost}"/>{TYPES}</pdt_trace>
""")
PY
show()
{
    good "cellsync $1 --salvage --drift=0 --delta=least -r - | grep -e ^order -e ^left -e ^bounds -e '^clock b'"
}
python3 make.py whole yes 0
show whole
# The first receive is missing: each receive belongs to its send or to a later one.
python3 make.py dropped yes 1 b:0
show dropped
# A send and two receives are missing. The pairs would be one off, and the bounds false.
python3 make.py full no 3 a:0 b:1 b:2
show full
