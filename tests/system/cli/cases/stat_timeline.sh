# cellstat timeline: activity and concurrency as time goes by; and the pages and drawings of sheets.
use demo.pex demo.trace samples/jitter.pex samples/jitter.trace sockets.csv order/messages.pex order/messages.trace
good 'cellstat timeline demo.pex'
good 'cellstat timeline -q jitter.pex --bins=100 --units=actors'
good 'cellstat timeline demo.pex --bins=3 --format=csv | head -n 9'
good 'cellstat timeline demo.pex --bins=2 -o t.json && sed -n 8,16p t.json'
good 'cellstat timeline demo.pex --bins=2 -o t.tex && grep "^\\\$" t.tex'
good 'cellstat timeline demo.pex -o t.svg && head -n 2 t.svg && grep -c "<path" t.svg'
good 'cellstat timeline demo.pex --delta=3 -o t.svg && grep -A 1 if: t.svg'
good 'cellstat concurrency demo.pex -o c.html && grep "<h2" c.html'
good 'cellstat states demo.pex -o s.htm && grep -A 1 "<h2" s.htm && head -n 1 s.htm'
good 'cellstat timeline -q sockets.csv --bins=20'
good 'cellstat timeline -q messages.pex --bins=20'
# Its table has the bounds to the reference, which is all that a band needs.
good 'cellsync -q demo.pex -o synced.pex && cellstat timeline -q synced.pex --bins=3 --format=csv | head -n 4'
good 'cellstat timeline -q demo.pex --drift=10 --bins=3 --format=csv | head -n 4'
# A window has all parts, and the axis begins where it does.
good 'cellstat timeline -q demo.pex --window=25%..75% --bins=20'
good 'cellstat timeline -q demo.pex --window=#400.. --bins=2 --format=csv | head -n 6'
good 'cellstat timeline -q demo.pex --window=25%..75% -o t.svg && grep -o ">[0-9.]* [a-z]*s<" t.svg | head -n 2'
fails 2 'cellstat timeline demo.pex --window=75%..25%'
fails 2 'cellstat states demo.pex -o s.svg'
fails 2 'cellstat states demo.pex --bins=5'
fails 2 'cellstat timeline demo.pex --bins=0'
fails 2 'cellstat timeline demo.pex --bins=10001'
# The times of all together leave 64 bits, their mean does not; nor is a quotient beyond them a figure.
awk 'BEGIN {
    print "# timebase_hz=1000\nthread,clock,time,event"
    for (i = 0; i < 40; i++) printf "t%d,c,%d,%s\n", i, i, i % 2 ? "SYS" : "mark"
    for (i = 0; i < 40; i++) printf "t%d,c,2882303761517116%02d,mark\n", i, i
}' >far.csv
cat >far.xml <<'XML'
<events version="1"><recordType name="SYS" role="state" state="kernel"/><state name="kernel" kind="active" part="system"/></events>
XML
good 'cellstat timeline -q far.csv --bins=1 --format=csv | head -n 2'
good 'cellstat states -q far.csv --events=far.xml --format=csv | tail -n 44 | head -n 1'
good 'cellstat concurrency -q far.csv --serial=9000000000000000000 --sample=9000000000000000000 --window=1..5 | tail -n 2'
fails 1 'cellstat concurrency far.csv'
fails 1 'cellstat states far.csv'
