# A folder in which nothing may be written, a file that may not be read.
[ "$(id -u)" -ne 0 ] || skip 'root may do anything'
use good/rich.pex good/rich.trace
mkdir closed
echo old >closed/old.csv
chmod a-w closed
fails 1 'cellsync rich.pex -o closed/out.pex'
fails 1 'cellsync rich.pex -o closed/out.csv'
fails 1 'cellsync rich.pex -o closed/old.csv'
fails 1 'cellsync rich.pex -r closed/out.json'
chmod a-r rich.trace
fails 1 'cellsync rich.pex'
chmod a-r rich.pex
fails 1 'cellsync rich.pex'
chmod u+w closed
