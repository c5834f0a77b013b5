# Files that may not become long enough: exit 1, nothing left, old files stand.
use good/rich.pex good/rich.trace samples/plain.pex samples/plain.trace
echo old >old.pex
echo old >old.trace
cellsync rich.pex -o old.ctf

# 512 bytes, or 1024; .trace would need less, .pex more.
limited="trap '' XFSZ; ulimit -f 1; cellsync"
fails 1 "$limited rich.pex -o old.pex"
fails 1 "$limited plain.pex -o old.pex"
fails 1 "$limited plain.pex -o new.pex"
fails 1 "$limited plain.pex -o new.csv"
fails 1 "$limited plain.pex -r new.json"
fails 1 "$limited plain.pex -o old.ctf"
fails 1 "$limited plain.pex -o new.ctf"
fails 1 "cat plain.trace | ($limited -)"
fails 1 'ulimit -f 16; pdtsim -o t.pex --workload=matrix_mul'
