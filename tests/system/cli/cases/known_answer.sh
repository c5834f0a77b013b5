# The known answer of cellsync-model(7), in both formats.
use samples/paper.csv good/paper.pex good/paper.trace
good 'cellsync paper.csv'
good 'cellsync paper.csv -r - --report-format=csv'
good 'cellsync paper.csv -r - --report-format=csv | cut -d, -f1-5 | diff - "$DATA/samples/paper.bounds.csv"'
good 'cellsync paper.csv -o -'
good 'cellsync paper.pex'
good 'cellsync -q paper.pex -r - --report-format=csv'
good 'cellsync -q paper.pex -o out.csv && cat out.csv'
good 'cellsync -q paper.pex -o out.pex && cat out.pex && od -Ax -tx1 out.*.trace'
good 'cellsync --check out.pex'
