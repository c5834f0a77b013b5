# Graphs for Graphviz; tests/system/formats/graph_test.py compares them with an independent solver.
use samples/paper.csv samples/one-sided.csv samples/jitter.pex samples/jitter.trace

good 'cellsync --graph=- paper.csv'
good 'cellsync --graph=- --graph-of=bounds paper.csv'
good 'cellsync -q --graph=- one-sided.csv'
good 'cellsync -q --graph=- --graph-of=bounds one-sided.csv'
good 'cellsync --graph=- jitter.pex | head -n 4'
good 'cellsync -q --graph=- --relax=paper jitter.pex | head -n 4'
printf 'thread,time\n"a""b\\",1\nc\033,5\nKö,6\n"a""b\\",9\n' >odd.csv
good 'cellsync --graph=- odd.csv'

# Beside other outputs.
good 'cellsync --graph=x.dot --graph-of=bounds -o synced.csv -r report.csv paper.csv && ls && head -n 1 x.dot'

# More threads than can be drawn: nothing is written.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 100; i++) print "T" i "," i }' >most.csv
{ cat most.csv && echo T100,100; } >more.csv
head -n 13 most.csv >few.csv
{ cat few.csv && echo T12,12; } >beyond.csv
awk 'BEGIN { print "thread,time"; for (i = 0; i < 2002; i++) print "T" i % 1001 "," i }' >far_more.csv
good 'cellsync -q --graph=- most.csv | grep -c slack'
fails 2 'cellsync -q --graph=more.dot -o synced.csv more.csv && ls more.dot'
good 'cellsync -q --graph=- --graph-of=bounds few.csv | grep -c tooltip'
good 'cellsync --graph=- --graph-of=bounds beyond.csv | head -n 3'
good 'cellsync -q --graph=- --graph-of=bounds jitter.pex | grep -v "^  t.* \[label=\"[ps]"'
good 'grep -v T1000 far_more.csv | cellsync -q --graph=- --graph-of=bounds - | grep -c tooltip'
fails 2 'cellsync -q --graph=more.dot --graph-of=bounds far_more.csv && ls more.dot'

# What is refused.
fails 2 'cellsync --graph-of=bounds paper.csv'
fails 2 'cellsync --graph=x --graph-of=walks paper.csv'
fails 2 'cellsync --graph=x.dot --method=lsq paper.csv'
fails 2 'cellsync --graph=- -o - paper.csv'
fails 2 'cellsync --graph=- --explain=T1,T2 paper.csv'
fails 2 'cellsync --graph=x.dot --check paper.csv'
fails 1 'cellsync --graph=paper.csv paper.csv'
fails 2 'cellsync --graph=same -o ./same paper.csv'
fails 2 'cellsync --graph=same -r ./same paper.csv'
fails 1 'cellsync --graph=no/folder.dot paper.csv'
mkdir there
fails 2 'cellsync --graph=there jitter.pex'
rmdir there
