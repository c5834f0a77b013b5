# Clocks that differ by nearly as much as 64 bits hold; the times of the second are those of the first, 2^62 and more less.
use finds/p62.pex finds/p62.trace
good 'cellsync p62.pex -o - --to=csv | grep -v ^# | cut -d, -f1-3'
good 'cellsync p62.pex -o s.pex && cellsync --check s.pex'

# apart A B: A at this time, then B, A a tick on, B two ticks on.
apart()
{
    printf 'thread,time\nA,%s\nB,%s\nA,%s\nB,%s\n' "$1" "$2" "$(($1 + 1))" "$(($2 + 2))" >apart.csv
}
apart 8100000000000000000 0
good 'cellsync apart.csv -o - | grep -v ^# && cellsync apart.csv -r - --report-format=csv | cut -d, -f1-5'
good 'cellsync --explain=A,B apart.csv'
good 'cellsync --graph=- apart.csv | grep slack'
apart 4611686018427387904 -4611686018427387000
good 'cellsync apart.csv -o - | grep -v ^# && cellsync apart.csv -r - --report-format=csv --engine=dense | cut -d, -f1-5'
apart 9223372036854775806 9
good 'cellsync apart.csv -o - | grep -v ^# && cellsync apart.csv -r - --report-format=csv --pairs=live | cut -d, -f1-5'
apart 9223372036854775806 0
fails 1 'cellsync apart.csv -o none.csv'
apart 5000000000000000000 -5000000000000000000
fails 1 'cellsync apart.csv -o none.csv'
