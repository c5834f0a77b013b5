# Elements and attributes of other namespaces are carried as they are, and mean nothing.
use finds/ns1.pex finds/ns2.pex good/unbounded.trace
mv unbounded.trace p.trace
for file in ns1 ns2; do
    good "cellsync -q $file.pex -o synced.pex && cat synced.pex && cellsync --check synced.pex"
done
good 'cellsync -q ns2.pex -r - | head -n 2'

# The document may have a namespace of its own, by default or with a prefix.
for name in '' ' xmlns="urn:pdt"'; do
    printf '<pdt_trace%s version="1"><machine timebase_hz="9"/><trace_file href="p.trace"/></pdt_trace>\n' "$name" >own.pex
    good 'cellsync -q own.pex -o synced.pex && cellsync --check synced.pex | head -n 1'
done
cat >own.pex <<'END'
<synchronization:pdt_trace version="1" xmlns:synchronization="urn:pdt"><machine timebase_hz="7"/><x:clock xmlns:x="urn:x"/>
<synchronization:machine timebase_hz="9"/><synchronization:trace_file href="p.trace"/></synchronization:pdt_trace>
END
good 'cellsync -q own.pex -o synced.pex && cat synced.pex && cellsync --check synced.pex'

# Whatever their names are.
printf '<pdt_trace version="1"><machine timebase_hz="9"/><trace_file href="p.trace"/><note xmlns:x="a&amp;&lt;&#10;b"/></pdt_trace>' >own.pex
good 'cellsync -q own.pex -o synced.pex && head -n 1 synced.pex && cellsync --check synced.pex | head -n 1'
