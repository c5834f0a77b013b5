# Version 2 of .pex: several buffers, and blocks.
one_rate
records()
{
    python3 "$tests/../../tools/make_records.py" "$1"
}

# document GRANULARITY FILES...: t.pex.
document()
{
    printf '<pdt_trace version="2">\n<machine timebase_hz="1000000000"/>\n<order granularity=%s/>\n' "$1" >t.pex
    shift
    printf '<trace_file %s/>\n' "$@" >>t.pex
    cat >>t.pex <<.
<pdtGroup name="G" id="0x0b">
<recordType name="SEND" id="0x010b" order="send" match="@self peer"><field name="peer"/></recordType>
<recordType name="RECV" id="0x020b" order="recv" match="peer @self"><field name="peer"/></recordType>
</pdtGroup>
</pdt_trace>
.
}

# Two buffers, each in order; a message from one to the other.  Positions count through.
document '"record"' 'href="a.trace" buffer="a"' 'buffer="b" href="b.trace"'
records a.trace <<.
in 1 1000
spe 1 10b 500,505 2
out 1 1100
.
records b.trace <<.
in 2 1010
spe 2 20b 70 1
spe 2 30b 60
out 2 1200
.
good 'cellsync t.pex -r -'
good 'cellsync t.pex --explain=spe1.1,spe2.1'
good 'cellsync t.pex -q -o s.pex && ls s.* && grep trace_file s.pex && cellsync --check s.pex'
good 'for f in s.*.trace; do od -A d -t x1 -N 32 $f; done'

# What is written can be undone, also packed, and again onto itself: old record files go.
cat a.trace b.trace | python3 -c '
import sys, zlib
data = sys.stdin.buffer.read()
sizes = [len(open(name, "rb").read()) for name in ("a.trace", "b.trace")]
print("0x%08x" % zlib.crc32(data[32:sizes[0]] + data[sizes[0] + 32:]))'  >crc
good 'grep -c "$(cat crc)" s.pex'
good 'cellsync t.pex -q --compress -o s.pex && ls s.* && cellsync --check s.pex | head -n 1'
good 'cellsync t.pex -q --latency=1 -o s.pex && ls s.* && cellsync --check s.pex | head -n 1'
good 'cellsync t.pex -q --method=lsq -o l.pex && ls l.* && grep -c method=.lsq l.pex'
good 'cellsync t.pex -q -o - --to=csv'
fails 2 'cellsync t.pex --embed -o e.pex'
fails 2 'cellsync t.pex --to=pex -o -'
fails 2 'cellsync t.pex -o s.pex -r s.a.01234567.trace --report-format=text'

# A record that was changed is found, in whichever file it is.
good 'cellsync t.pex -q -o s.pex; f=$(ls s.b.*.trace) && printf "\377" | dd of=$f bs=1 seek=95 conv=notrunc 2>/dev/null'
fails 1 'cellsync --check s.pex'
rm -f s.* l.*

# The context of a switch that stands in another buffer: one residency is clear, several are not.
records a.trace <<.
spe 1 30b 500
ppe 9 30b 1005
.
records b.trace <<.
in 1 1000
out 1 1100
.
good 'cellsync t.pex -q -r - | grep -e ^threads -e ^spe'
records b.trace <<.
in 1 1000
out 1 1100
in 1 1200
.
fails 1 'cellsync t.pex'

# Wraps are told by the stamps of the buffer.
records a.trace <<.
ppe 1 30b 1000
spe 1 30b 4294967295
spe 1 30b 4294967290
ppe 1 30b 1010
.
records b.trace <<.
ppe 2 30b 9000000000
spe 2 30b 10
spe 2 30b 4294967290
ppe 2 30b 9000000100
.
good 'cellsync t.pex -q -r - | sed -n "2,5p"'

# A buffer that is cut off is salvaged up to there, the others are whole.
records a.trace <<.
ppe 1 30b 1000
ppe 1 30b 1010
.
records b.trace <<.
ppe 1 30b 1001
spe 2 30b 70
.
dd if=a.trace of=cut bs=1 count=70 2>/dev/null && mv cut a.trace
fails 1 'cellsync t.pex'
good 'cellsync --salvage t.pex -o s.pex && cellsync --check s.pex | head -n 1'
rm -f s.*

# What a document cannot say.
document '"record"' 'href="a.trace" buffer="x"' 'href="b.trace" buffer="x"'
fails 1 'cellsync t.pex'
document '"record"' 'href="a.trace" buffer="1"' 'href="b.trace"'
fails 1 'cellsync t.pex'
document '"record"' 'href="b.trace" buffer="a"' 'href="b.trace" buffer="b"'
fails 1 'cellsync t.pex'
document '"record"' 'href="t.pex" buffer="a"' 'href="b.trace" buffer="b"'
fails 1 'cellsync t.pex'
document '"record"' 'href="b.trace"' 'buffer="b"'
fails 1 'cellsync t.pex'
document '"record"' 'href="b.trace"' 'href="missing.trace"'
fails 1 'cellsync t.pex'
document '"record"' 'href="b.trace" format="event80"'
fails 1 'cellsync t.pex'
for name in '' '../x' 'a/b' '.x' 'a b' "$(printf '%065d' 0)"; do
    document '"record"' "href=\"b.trace\" buffer=\"$name\""
    fails 1 'cellsync t.pex'
done
document '"record"' 'href="a.trace"' 'href="g.trace"'
records a.trace <<.
ppe 1 30b 1000
.
python3 - <<'.'
data = bytearray(open("a.trace", "rb").read())
data[15] = 1
open("g.trace", "wb").write(data)
.
fails 1 'cellsync t.pex'

# Blocks: records are known by the flushes of theirs.  Stamps 6, 10 and 26: [-16,4].
blocks()
{
    document "\"block\"$1" 'href="a.trace"'
    sed -i 's/order="[a-z]*"//' t.pex
}
blocks ''
records a.trace <<.
spe 1 30b 1000
spe 1 30b 995
spe 1 900 994 2
spe 2 30b 997
spe 2 30b 991
spe 2 900 990 2
spe 1 30b 980
spe 1 30b 975
spe 1 900 974 2
.
good 'cellsync t.pex -q -r - | grep -e ^order -e ^spe'
good 'cellsync t.pex -q -o s.pex && cellsync --check s.pex | head -n 1'
good 'cellsync t.pex -q -o - --to=csv | sed 1d'
for after in flush block none; do
    blocks " after=\"$after\""
    grep -v 900 <<. | records a.trace
spe 1 30b 1000
spe 1 30b 995
spe 2 30b 997
spe 2 30b 991
spe 1 30b 980
spe 1 30b 975
.
    good 'cellsync t.pex -q -r - | grep -e ^order -e ^spe'
    good 'cellsync t.pex -q -o s.csv && sed -n "5,7p" s.csv && cellsync s.csv -q -r - | grep -e ^order -e ^spe && cellsync --check s.csv | head -n 1'
done
good 'cellsync t.pex --window="#1..#3" -o s.csv && sed 1,4d s.csv'
blocks ' records="1"'
good 'cellsync t.pex -q -r - | grep -e ^order -e ^spe'

# A flush begins before its time; a count is right, or an error.
blocks ''
records a.trace <<.
spe 1 30b 1000
spe 1 900 980,990 1 0 1
ppe 7 30b 100
ppe 7 900 120,110 1
spe 1 30b 970
spe 1 900 960 1
.
good 'cellsync t.pex -q -r - | grep -e ^order -e ^spe -e ^ppe'
records a.trace <<.
spe 1 30b 1000
ppe 7 30b 100
spe 1 900 980 2
.
fails 1 'cellsync t.pex'
records a.trace <<.
spe 1 900 980
.
fails 1 'cellsync t.pex'
blocks ' records="0"'
fails 1 'cellsync t.pex'
blocks ' after="all"'
fails 1 'cellsync t.pex'

# A block that may be of two residencies: its records are of none; a flush is of the later one.  One
# that comes after the OUT is of the residency before it.
blocks ''
records a.trace <<.
in 1 1000
spe 1 30b 900
spe 1 900 890 1
out 1 1100
in 1 1200
spe 1 30b 880
spe 1 30b 500
spe 1 900 490 2
spe 1 30b 480
out 1 1300
spe 1 900 470 1
.
good 'cellsync t.pex -q -r - | grep -e ^threads -e ^order -e "^[sp]pe"'

# after="block": records of the next block are written before the flush is, so it is in no order with them.
for after in block flush; do
    blocks " after=\"$after\""
    records a.trace <<.
ppe 7 30b 100
ppe 7 30b 110
ppe 7 900 200,115 2
ppe 7 30b 120
spe 1 30b 1000
spe 1 900 985,990 1
ppe 7 30b 130
ppe 7 900 210,135 2
.
    good 'cellsync t.pex -q -r - | grep -e ^delta -e ^order -e ^spe -e ^ppe'
    good 'cellsync t.pex -q -o s.csv && sed 1,3d s.csv && cellsync s.csv -q -r - | grep -e ^delta -e ^order -e ^spe'
    good 'cellsync t.pex -q -o s.pex && cellsync --check s.pex | head -n 1'
done
