# Outputs that cannot be written: exit 1, nothing left, old files stand.
use good/rich.pex good/rich.trace samples/paper.csv
ln -s rich.pex link.pex
ln -s rich.trace link.csv
ln -s paper.csv paper-link.csv
ln rich.trace hard.csv
echo old >old.pex
echo old >old.trace

# Onto the input, however it is named.
fails 1 'cellsync rich.pex -o rich.pex'
fails 1 'cellsync rich.pex -o ./rich.pex'
fails 1 'cellsync rich.pex -o rich.pex --embed'
fails 1 'cellsync rich.pex -o rich.trace --to=csv'
fails 1 'cellsync rich.pex -o rich.trace --to=pex --embed'
fails 1 'cellsync rich.pex -o link.pex'
fails 1 'cellsync link.pex -o rich.pex'
fails 1 'cellsync link.pex -o link.pex'
fails 1 'cellsync rich.pex -o link.csv'
fails 1 'cellsync rich.pex -o hard.csv'
fails 1 'cellsync rich.pex -r rich.pex --report-format=text'
fails 1 'cellsync rich.pex -r rich.trace --report-format=text'
fails 1 'cellsync rich.pex -r link.csv'
fails 1 'cellsync paper.csv -o paper.csv'
fails 1 'cellsync paper.csv -o paper-link.csv'
fails 1 'cellsync paper-link.csv -o paper.csv'
fails 1 'cellsync paper.csv -r paper.csv'
fails 1 'cellsync - -o paper.csv <paper.csv'
fails 1 'cellsync - -o rich.pex <rich.pex'

# Where no file can be.
mkdir folder
fails 1 'cellsync rich.pex -o nowhere/out.pex'
fails 1 'cellsync rich.pex -o nowhere/out.csv'
fails 1 'cellsync rich.pex -r nowhere/out.json'
fails 1 'cellsync rich.pex -r folder'
fails 1 'cellsync rich.pex -o rich.trace/out.csv'
cellsync rich.pex -o taken.pex
taken=$(echo taken.*.trace)
rm "$taken" && mkdir "$taken"
fails 1 'cellsync rich.pex -o taken.pex'
fails 1 'cellsync rich.pex -o ""'
fails 1 'cellsync rich.pex -o "" --to=csv'
fails 1 'cellsync rich.pex -r ""'

# The trace stays if only the report fails.
run 'cellsync rich.pex -o kept.pex -r nowhere/report.txt'
told 'cellsync rich.pex -o kept.pex -r nowhere/report.txt'
[ "$code" -eq 1 ] || complain "exit $code, want 1"
cellsync --check kept.pex >kept.txt

# No room.
fails 1 'cellsync rich.pex -o /dev/full'
fails 1 'cellsync rich.pex -o /dev/full --to=csv'
fails 1 'cellsync rich.pex -r /dev/full'
fails 1 'cellsync paper.csv -o /dev/full'
fails 1 'cellsync rich.pex >/dev/full'

# Outputs are written one by one: what was written before a failure stays, and nothing comes after it.
mkdir several
run 'cellsync rich.pex -o /dev/full --to=csv --clocks=several/c.csv --graph=several/g.dot -r several/r.txt'
[ "$code" -eq 1 ] || complain "exit $code, want 1"
good 'ls several && tail -n 1 several/c.csv && tail -n 1 several/g.dot'
fails 1 'cellsync rich.pex -o - >/dev/full'
fails 1 'cellsync --help >/dev/full'
fails 1 'cellsync --version >/dev/full'
fails 1 'cellsync rich.pex >&-'
fails 1 'cellsync rich.pex -o - >&-'
cellsync rich.pex -o synced.pex
fails 1 'cellsync --check synced.pex >/dev/full'

# A folder that is missing is named.
cat >rows.csv <<'ROWS'
thread,time
a,1
b,2
a,3
ROWS
fails 1 'cellsync rows.csv -o none/rows.csv'
fails 1 'cellsync rows.csv -r /none/more/report.txt'
fails 1 'cellsync rows.csv -o none/rows.ctf'
fails 1 'cellsync rows.csv --figures=none/figures'
fails 1 'cellsync rows.csv -o rows.csv/rows.csv'
