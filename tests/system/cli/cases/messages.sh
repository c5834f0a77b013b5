# Warnings, and what -q, -v and --progress make of them.
for name in assumed back-one lost-in lost-out split straggler unbounded warnings six; do
    use "good/$name.pex" "good/$name.trace"
done
use samples/one-sided.csv samples/embedded.pex

for file in assumed lost-in lost-out split straggler unbounded warnings; do
    good "cellsync -r /dev/null $file.pex"
    good "cellsync -q -r /dev/null $file.pex"
done
good 'cellsync warnings.pex'
good 'cellsync warnings.pex -r - --report-format=json'
good 'cellsync -r /dev/null one-sided.csv'
good 'cellsync --relax=paper warnings.pex -r /dev/null'
good 'cellsync --relax=paper back-one.pex -r /dev/null'
good 'cellsync back-one.pex -r /dev/null'
good 'cellsync --delta=1/2 back-one.pex -r /dev/null'
good 'cellsync --delta=1000000 embedded.pex -r /dev/null'

good 'cellsync six.pex'

# Stragglers are to be expected of a notifier.
sed 's,<trace_file,<switch_source kind="notifier"/>&,' straggler.pex >notifier.pex
good 'cellsync -r /dev/null notifier.pex'
good 'cellsync -v --no-sandbox - -o - --embed <embedded.pex | cksum'

good 'cellsync -v --no-sandbox embedded.pex -r /dev/null'
good 'cellsync -v --no-sandbox embedded.pex -o out.pex -r out.json'
good 'cellsync -v --no-sandbox -q warnings.pex -o out.csv'
good 'cellsync -v --no-sandbox --check out.pex'
good 'cellsync -q --check out.pex'

# Progress goes to standard error, and is wiped away.
good 'cellsync --progress=always embedded.pex -r /dev/null 2>progress && od -An -c progress'
good 'cat embedded.pex | cellsync --progress=always - -r /dev/null 2>progress && od -An -c progress'
good 'cellsync --progress=always --check out.pex 2>&1 >/dev/null | od -An -c'
good 'cellsync --progress=auto embedded.pex -r /dev/null'
good 'cellsync --progress=never embedded.pex -r /dev/null'
