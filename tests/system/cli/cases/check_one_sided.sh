# A live interval that is unbounded on one side is moved, offset and records together: its offset is still not a free
# choice, cellsync-model(7), Unbounded pairs.
use good/unbounded.pex good/unbounded.trace
cellsync -q unbounded.pex -o synced.pex
good 'sed -n "/<ppe_thread/p; /<live_interval/p" synced.pex'

# moved TICKS: the records of context 2, which are the last two, and its offset.
moved()
{
    python3 - "$1" <<'END'
import re, struct, sys
shift = int(sys.argv[1])
text = open("synced.pex").read()
records = re.search(r'href="([^"]*)"', text)[1]
row = re.search(r'<live_interval id="2" .*? offset="(-?\d+)"[^>]*-?inf[^>]*>', text)
new = row[0].replace(f'offset="{row[1]}"', f'offset="{int(row[1]) + shift}"')
open("moved.pex", "w").write(text.replace(row[0], new).replace(records, "moved.trace"))
data = bytearray(open(records, "rb").read())
at, context = 32, int(re.search(r'ctx="(\d+)"', row[0])[1])
while at < len(data):
    size, core, flags = struct.unpack_from(">HBB", data, at)
    if core == 1 and struct.unpack_from(">I", data, at + 8)[0] == context:
        stamp, begin = struct.unpack_from(">qq", data, at + 16)
        struct.pack_into(">qq", data, at + 16, stamp + shift, begin + (shift if flags & 1 else 0))
    at += size
open("moved.trace", "wb").write(data)
END
}
for ticks in 1 -1 1000 1000000000000; do
    moved "$ticks"
    fails 1 'cellsync --check moved.pex'
done
moved 0
good 'cellsync --check moved.pex'

# No delta is used where contradictions are refused.
sed 's/relax="exact" delta="0" added_ticks="0"/relax="none" delta="9\/2" added_ticks="9"/' synced.pex >none.pex
fails 1 'cellsync --check none.pex'
sed 's/relax="exact" delta="0" added_ticks="0"/relax="none" delta="0" added_ticks="0"/' synced.pex >none.pex
good 'cellsync --check none.pex'
