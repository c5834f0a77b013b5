# cellstat order: which of two moments came first.
one_rate
use demo.pex demo.trace sockets.csv samples/jitter.pex samples/jitter.trace
good "cellstat order demo.pex '#5' '#40'"
good "cellstat order demo.pex '#40' '#5.begin'"
good "cellstat order demo.pex '#5' '#5'"
good 'cellstat order demo.pex ppe@61000001290 spe4.1@921'
good 'cellstat order demo.pex ppe@61000001300 spe4.1@921'
good "cellstat order demo.pex '#40.begin' '#38' --explain"
good "cellstat order --explain demo.pex '#5' '#40'"
# Records of one buffer are decided by their places; what only a clock timed allows for delta, too.
good "cellstat order -q jitter.pex '#10' '#11'"
good 'cellstat order -q jitter.pex spe2.1@0 ppe@1000'
good "cellsync -q demo.pex -o synced.pex && cellstat order synced.pex '#5' '#40'"
fails 2 "cellstat order synced.pex '#5' '#40' --explain"
good "cellsync -q demo.pex -o synced.csv && cellstat order synced.csv '#5' '#40'"
good "cat demo.pex | cellstat order - '#5' '#40' | head -n 1"
# As other thread names say it, and with bounds that are not there.
fails 2 "cellstat order demo.pex '#828' '#5'"
fails 2 "cellstat order demo.pex '#5' '#30.begin'"
fails 2 "cellstat order demo.pex '#5' '#x'"
fails 2 "cellstat order demo.pex '#-1' '#5'"
fails 2 "cellstat order demo.pex '#5' 'spe2.1@1.5'"
fails 2 "cellstat order demo.pex '#5' 'spe9.1@1'"
fails 2 "cellstat order demo.pex '#5' 'ppe@9223372036854775808'"
fails 2 "cellstat order demo.pex '#5'"
fails 2 'cellstat order'
fails 2 'cellstat'
fails 2 "cellstat ordre demo.pex '#5' '#6'"
fails 2 "cellstat order demo.pex '#5' '#6' --drop=1 --delta=1"
fails 1 "cellstat order gone.pex '#5' '#6'"
fails 3 "cellstat order -q jitter.pex '#5' '#6' --relax=none"
good 'cellstat --version | head -c 9; echo'
good 'cellstat --help'
good 'cellstat --help-all'
# As a table.
good "cellstat order demo.pex '#5' '#40' --format=csv"
good "cellstat order demo.pex '#40' '#5.begin' --format=json"
good "cellstat order demo.pex ppe@61000001300 spe4.1@921 -o o.csv && cat o.csv"
good "cellstat order -q demo.pex ppe@61000001290 spe4.1@921 --time=us"
good "cellstat order -q demo.pex '#5' '#5' --format=tex | tail -n 4"
good "cellstat order -q jitter.pex '#10' '#11' --format=text"
good "cellstat order -q demo.pex '#5' '#40' -o o.html && grep -o 'id=\"order\"' o.html"
fails 2 "cellstat order demo.pex '#5' '#40' --format=csv --explain"
fails 2 "cellstat order demo.pex '#5' '#40' -o o.svg"
fails 2 "cellstat order demo.pex '#5' '#40' -o o.dot"
# Where clocks drift, by all walks between the two moments, and not by the reference alone.
good "cellstat order sockets.csv '#4' '#22' --drift=101 --delta=1/2"
good "cellstat order -q sockets.csv '#1' server@5000388950 --drift=101 --delta=1/2 --format=csv"
good "cellstat order sockets.csv '#4' '#22' --drift=101 --delta=1/2 --format=json | grep conditions"
good "cellstat -q order sockets.csv '#4' '#22' --drift=101 --explain"
fails 1 "cellstat order -q sockets.csv '#1' server@9223372036854775807 --drift=101"
printf '# order=partial\nthread,time,send,recv\nA,1,m,\nB,5,,m\n' >once.csv
fails 2 "cellstat order -q once.csv '#0' '#1' --drift=50"
# Before or at the same time, whichever is asked for first.
printf '# order=partial\nthread,time,send,recv\nA,10,q,\nB,7012,,q\nB,7020,a,\nA,31,,a\n' >ask.csv
good "cellstat order -q ask.csv '#0' '#1'"
good "cellstat order -q ask.csv '#1' '#0'"
