# Traces that contradict themselves: exit 3 with a witness where that is not relaxed, and nothing written.
use good/infeasible.pex good/infeasible.trace good/infeasible-3.pex good/infeasible-3.trace
use good/back-one.pex good/back-one.trace good/back-hours.pex good/back-hours.trace
cat >two.csv <<'CSV'
thread,time
T1,0
T2,3
T2,10
T1,5
CSV
cat >three.csv <<'CSV'
thread,time
A,0
B,0
C,0
A,10
A,90
B,20
B,95
C,30
C,99
A,40
CSV
cat >itself.csv <<'CSV'
thread,time
"T,1",5
"T,1",3
T2,1
CSV
for old in out.csv out.pex out.trace out.json; do
    echo "old $old" >"$old"
done

for file in two.csv three.csv itself.csv infeasible.pex infeasible-3.pex back-one.pex back-hours.pex; do
    fails 3 "cellsync --relax=none -o out.${file##*.} -r out.json $file"
done
for file in two.csv three.csv infeasible-3.pex back-one.pex; do
    fails 3 "cellsync --delta=1/4 -o out.${file##*.} -r out.json $file"
done
fails 3 'cellsync --delta=0 two.csv'
fails 3 'cellsync -q --delta=19.999999 infeasible-3.pex'

# What the witness asks for is what it takes.
good 'cellsync --delta=1/2 two.csv'
good 'cellsync --delta=20 -r /dev/null infeasible-3.pex'
good 'cellsync --delta=1/2 -r /dev/null back-one.pex'
good 'cellsync --delta=128862000005 -r /dev/null back-hours.pex'

# Relaxed, they can be synchronized.
for file in two.csv three.csv itself.csv infeasible.pex infeasible-3.pex back-one.pex back-hours.pex; do
    for relax in exact paper; do
        good "cellsync --relax=$relax -o new.${file##*.} -r - $file"
        case $file in *.pex) good 'cellsync --check new.pex' ;; esac
    done
done
good 'cellsync -r - --report-format=json three.csv'

# Constraints of more than 64 bits are none that can be shown.
{
    echo thread,time
    printf '%s\n' T0,-9223372036854775807 T1,2 T0,-9223372036854775800 T1,10 T1,11 \
        T0,-9223372036854775801
} >far.csv
fails 1 'cellsync --relax=none far.csv'
fails 1 'cellsync far.csv'
