# cellstat summary, which is also what is done without a verb: a screen of all.
use demo.pex demo.trace
good 'cellstat demo.pex'
good 'cellstat summary -q demo.pex -o a.json && cellstat -q demo.pex --format=json | cmp - a.json && grep -c "" a.json'
good 'cp demo.pex plain && cellstat -q plain --from=pex --units=ppe | head -n 8'
good 'cellstat -q demo.pex -o a.html && grep "<h2" a.html'
fails 2 'cellstat summery'
fails 2 'cellstat summary'
fails 1 'cellstat gone.pex'
