# cellstat timeline: activity and concurrency as time goes by; and the pages and drawings of sheets.
use demo.pex demo.trace samples/jitter.pex samples/jitter.trace sockets.csv order/messages.pex order/messages.trace
good 'cellstat timeline demo.pex'
good 'cellstat timeline -q jitter.pex --bins=100 --units=actors'
good 'cellstat timeline demo.pex --bins=3 --format=csv | head -n 9'
good 'cellstat timeline demo.pex --bins=2 -o t.json && sed -n 8,16p t.json'
good 'cellstat timeline demo.pex --bins=2 -o t.tex && grep "^\\\$" t.tex'
good 'cellstat timeline demo.pex -o t.svg && head -n 2 t.svg && grep -c "<path" t.svg'
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
