# A row a trace: of several traces, with --table, and as TeX.
use samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace samples/one-sided.csv
use good/infeasible.pex good/infeasible.trace good/rich.pex good/rich.trace
mkdir sub
cp plain.pex 'sub/50% of_it & #1.pex'
cp plain.trace 'sub/plain.trace'

good 'cellsync plain.pex jitter.pex'
good 'cellsync -q plain.pex one-sided.csv'
good 'cellsync -q one-sided.csv plain.pex -r mixed.tex && grep "records &" -A 5 mixed.tex'
good 'cellsync plain.pex jitter.pex -r table.csv && cat table.csv'
good 'cellsync -v --no-sandbox plain.pex jitter.pex one-sided.csv -r table.tex && cat table.tex'
good 'cellsync -q --unit=us plain.pex jitter.pex -r us.tex && cat us.tex'
good 'cellsync -q --unit=us plain.pex jitter.pex && cellsync -q --unit=ticks --table plain.pex'
good 'cellsync "sub/50% of_it & #1.pex" -r - --report-format=tex'
good 'cellsync --table plain.pex'
good 'cellsync --table plain.pex -r - --report-format=csv'
good 'cellsync --table plain.pex -r one.csv -o one.pex && cat one.csv && cellsync --check one.pex'
good 'cellsync plain.pex - <one-sided.csv 2>/dev/null'
good 'cellsync --relax=paper plain.pex jitter.pex'
good 'cellsync --delta=7/2 plain.pex jitter.pex plain.pex'

# Whatever is wrong with a trace is said, the others are tried, and the old table stands.
echo old >old.tex
fails 1 'cellsync plain.pex nowhere.pex jitter.trace -r old.tex'
fails 3 'cellsync --relax=none infeasible.pex plain.pex nowhere.pex -r old.tex'
fails 1 'cellsync --relax=none nowhere.pex infeasible.pex plain.pex'
fails 2 'cellsync --reference=spe9.1 plain.pex rich.pex -r old.tex'
fails 1 'cellsync plain.pex jitter.pex -r jitter.pex --report-format=text'
fails 1 'cellsync plain.pex jitter.pex -r jitter.trace --report-format=text'
fails 1 'cellsync plain.pex jitter.pex >/dev/full'
fails 1 'cellsync plain.pex jitter.pex -r no/where.tex'
fails 2 'cellsync --unit=ns plain.pex jitter.pex'
fails 2 'cellsync --unit=us plain.pex'
fails 2 'cellsync --unit=us --table plain.pex -r u.csv'
