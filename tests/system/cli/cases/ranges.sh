# --ranges: the earliest and latest global time of each event, and of the begin of a row.
use two.csv sockets.csv demo.pex demo.trace
ranges()
{
    good "cellsync -q $* --ranges=yes -o synced.csv && sed -n '/^thread/,\$p' synced.csv | head -n 4"
    good 'cellsync --check synced.csv | head -n 1'
}
ranges two.csv
ranges two.csv --delta=3/2 --csv-time=seconds
ranges sockets.csv
ranges sockets.csv --drift=0 --delta=least
ranges demo.pex --drop=2 --csv-header=comment
# A range that is already there is made anew.
good 'cellsync -q sockets.csv --ranges=yes -o a.csv && cellsync -q a.csv --drift=0 --delta=least -o b.csv && sed -n "/^thread/,\$p" b.csv | head -n 3 && cellsync --check b.csv | head -n 1'
sed '5s/.$/7/' a.csv >wrong.csv
fails 1 'cellsync --check wrong.csv'
sed '6s/,[0-9-]*$/,/' a.csv >empty.csv
fails 1 'cellsync --check empty.csv'
# Begins; a clock that is bounded on one side, and one that nothing ties.
printf '# order=partial\nthread,begin,time,send,recv\nA,1,5,m,\nB,3,9,,m\nC,4,4,,\nA,,7,,\n' >begins.csv
ranges begins.csv --drift=0 --delta=1/2
ranges begins.csv --drift=101
# As arguments of events; tests/system/formats compares them with the columns.
good 'cellsync -q begins.csv --drift=0 --delta=1/2 --ranges=yes -o - --to=json | grep "cat.:.row"'
good 'cellsync -q begins.csv --drift=101 --ranges=yes -o - --to=json --json-args=short | grep "cat.:.row"'
good 'cellsync -q demo.pex --drop=2 --ranges=yes -o - --to=json --json-args=short | grep -m 2 "cat.:.spe"'
# Only with bounds.
fails 2 'cellsync -q two.csv --ranges=yes --method=lsq -o x.csv'
fails 2 'cellsync -q two.csv --ranges=yes --monotonic -o x.csv'
fails 2 'cellsync -q two.csv --ranges=yes --method=ntp -o x.json'
fails 2 'cellsync -q two.csv --ranges=yes --to=ctf -o x'
fails 2 'cellsync -q two.csv --ranges=yes --json-args=none -o x.pftrace'
fails 2 'cellsync -q two.csv --ranges=some -o x.csv'
fails 2 'cellsync -q two.csv --ranges=yes'
good 'test ! -e x.csv'
