# Times that never go down, the corrections that takes, and a limit to them.
use samples/jitter.pex samples/jitter.trace samples/plain.pex samples/plain.trace samples/paper.csv

lines="grep -E '^(delta|inversions|correction|damage)'"
good "cellsync --monotonic jitter.pex | $lines"
good "cellsync -q --monotonic --relax=paper jitter.pex | $lines"
good "cellsync -q --monotonic --delta=50 plain.pex | $lines"
good "cellsync --monotonic plain.pex | $lines"
good "cellsync -q --monotonic -r - --report-format=json jitter.pex | grep -A1 correction"
good "cellsync -q --method=lamport-clock jitter.pex | $lines"

# Local times are kept, global ones go up, and where nothing contradicts nothing changes.
good 'cellsync -q --monotonic jitter.pex --csv-header=none -o up.csv && cellsync -q jitter.pex --csv-header=none -o plain.csv &&
    cut -d, -f1-2 up.csv >up && cut -d, -f1-2 plain.csv | cmp - up && grep -v "^[#t]" up.csv | cut -d, -f3 | sort -nc &&
    ! grep -v "^[#t]" plain.csv | cut -d, -f3 | sort -nc 2>/dev/null && diff plain.csv up.csv | grep -c "^>"'
good 'cellsync --monotonic paper.csv --csv-header=none -o up.csv && cellsync paper.csv --csv-header=none -o plain.csv && cmp up.csv plain.csv'
good 'cellsync -q --monotonic jitter.pex -o up.json && cellsync -q --monotonic jitter.pex -o up.ctf && grep raised up.ctf/metadata'

# A limit.
good 'cellsync -q --monotonic --max-adjust=7 jitter.pex -o limit.csv'
good 'cellsync -q --max-adjust=0 jitter.pex -o limit.csv'
fails 1 'cellsync -q --monotonic --max-adjust=6 jitter.pex -o none.csv -r none.txt && ls none.csv none.txt'
fails 1 'cellsync -q --method=lamport-clock --max-adjust=40 jitter.pex'

# What is refused.
fails 2 'cellsync -q --monotonic jitter.pex -o up.pex && ls up.pex'
echo old >old.dot
fails 2 'cellsync -q --monotonic jitter.pex --to=pex -o up.pex --graph=old.dot -r none.txt'
good 'cat old.dot'
fails 2 'cellsync --monotonic --method=lsq jitter.pex'
fails 2 'cellsync --monotonic --check jitter.pex'
fails 2 'cellsync --max-adjust=-1 jitter.pex'
fails 2 'cellsync --max-adjust=1/2 jitter.pex'
fails 2 'cellsync --max-adjust=9223372036854775808 jitter.pex'
