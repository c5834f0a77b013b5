# An IN that is its context's first switch and comes after records of it: from a log it proves that an OUT was lost.
use finds/lostout.pex finds/lostout.trace
good 'cellsync lostout.pex -o - --to=csv | tail -n 5'
good 'cellsync -q lostout.pex | grep "^spe"'
good 'cellsync -q lostout.pex -o s.pex && cellsync --check s.pex'

# A notifier was only late.
sed 's/switch_log/notifier/' lostout.pex >notifier.pex
good 'cellsync notifier.pex | grep "^spe"'
