# -o FOLDER/ with one trace: under its own name, in its own format.
use two.csv
good 'cellsync -q two.csv -o synced/; ls synced'
good 'cellsync -q --check synced/two.csv' >/dev/null
mkdir there
good 'cellsync -q two.csv -o there; cmp there/two.csv synced/two.csv && ls there'
gzip -k two.csv
good 'cellsync -q two.csv.gz -o packed/; ls packed; gzip -t packed/two.csv.gz'
use demo.pex
good 'cellsync -q $DATA/demo.pex -o pex/; ls pex'
printf '{"traceEvents":[{"ph":"X","ts":1.5,"dur":2,"pid":1,"tid":1,"name":"a"}]}\n' >profile.json
good 'cellsync -q profile.json -o profiles/; ls profiles; sed "s/\"cellsync\":.*/.../" profiles/profile.json'
good 'cellsync -q two.csv -o both.ctf/; ls both.ctf'
fails 1 'cellsync -q two.csv -o ./'
fails 1 'cellsync -q two.csv -o none/there/'
fails 2 'cellsync -q - <two.csv -o in/'
fails 2 'cellsync -q two.csv -o new/ --to=json'
fails 2 'cellsync -q two.csv -o synced/ -r synced/two.csv'
# What fails leaves no folder.
printf 'thread,time\na,1\na,x\n' >bad.csv
fails 1 'cellsync -q bad.csv -o left/'
ls
