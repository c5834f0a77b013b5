# Reports: text, CSV and JSON, on standard output and in files, by suffix and by option.
use good/rich.pex good/rich.trace good/unbounded.pex good/unbounded.trace samples/one-sided.csv
use samples/jitter.pex samples/jitter.trace samples/embedded.pex
cat >names.csv <<'CSV'
# timebase_hz = 1000
thread,time
"comma, ""quoted""",0
plain,0
"line
end",3
"comma, ""quoted""",10
"comma, ""quoted""",16
"line
end",10
plain,10
CSV
printf 'ppe,17\n\033[31m\\\351,20\nppe,30\n' >>names.csv

for file in rich.pex unbounded.pex one-sided.csv names.csv; do
    good "cellsync $file"
    good "cellsync -r - --report-format=csv $file"
    good "cellsync -r - --report-format=json $file"
done
good 'cellsync jitter.pex'

# Both engines make the same report of the same trace.
for file in rich.pex unbounded.pex one-sided.csv names.csv jitter.pex embedded.pex; do
    for delta in relax=exact delta=7 delta=15/4; do
        run "cellsync -q --engine=sweep --$delta -r sweep.json $file"
        run "cellsync -q --engine=dense --$delta -r dense.json $file"
        good 'cmp sweep.json dense.json && rm sweep.json dense.json'
    done
done
good 'cellsync -q --relax=paper jitter.pex | head -n 20'

# The matrix is shown where it fits.
good 'cellsync embedded.pex | tail -n 9'

for suffix in csv json txt CSV ''; do
    good "cellsync rich.pex -r report${suffix:+.$suffix}"
    good "head -n 2 report${suffix:+.$suffix}"
done
good 'cellsync rich.pex -r report.csv --report-format=json && head -n 2 report.csv'
good 'ls'

# Offsets move with alpha and the reference, global time stays the timebase.
good 'cellsync --alpha=0 rich.pex | tail -n 10'
good 'cellsync --alpha=1.000000 rich.pex | tail -n 10'
good 'cellsync --alpha=2/6 --reference=spe1.1 rich.pex'
good 'cellsync --alpha=0.25 --reference=Q one-sided.csv'
good 'cellsync --delta=7/2 -r - --report-format=json rich.pex'
good 'cellsync --relax=none -r - --report-format=json rich.pex'
