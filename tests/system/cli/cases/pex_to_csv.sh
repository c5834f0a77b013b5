# A .pex as CSV, and that CSV as input.
use good/rich.pex good/rich.trace samples/plain.pex samples/plain.trace
good 'cellsync rich.pex -o out.csv && cat out.csv'
good 'cellsync rich.pex -o - --to=csv | cmp - out.csv'
good 'cellsync out.csv -o again.csv && cmp out.csv again.csv'
good 'cellsync rich.pex | tail -n 11'
good 'cellsync out.csv | tail -n 11'

# The same bounds from the CSV as from the .pex itself.
good 'cellsync plain.pex -o plain.csv -r bounds.csv && cellsync plain.csv -r again.csv && cmp bounds.csv again.csv'
good 'cellsync plain.csv -o twice.csv && cmp plain.csv twice.csv'
good 'cksum <plain.csv'
