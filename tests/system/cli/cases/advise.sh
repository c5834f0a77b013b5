# --advise: what more records would make of the bounds.
one_rate
use demo.pex demo.trace samples/one-sided.csv samples/paper.csv
good 'cellsync demo.pex --advise=1 | sed -n "/^advice/,/^$/p"'
good 'cellsync demo.pex --advise=4 --delta=1/2 | sed -n "/^advice/,/^$/p"'
good 'cellsync demo.pex --advise=1000 | sed -n "/^advice/,/^$/p"'
good 'cellsync demo.pex --advise=2 --report-format=json -r - | sed -n "/advice/,/]}/p"'
good 'cellsync demo.pex --advise=2 --report-format=html -r - | sed -n "/id=\"advice\"/,/<.section>/p"'
good 'cellsync one-sided.csv --advise=2 | sed -n "/^advice/,/^$/p"'
good 'cellsync one-sided.csv --advise=2 --report-format=json -r - | sed -n "/advice/,/]}/p"'
good 'cellsync one-sided.csv --advise=2 --report-format=html -r - | sed -n "/id=\"advice\"/,/<.section>/p"'
good 'cellsync paper.csv --advise=3 | sed -n "/^advice/,/^$/p"'

printf 'thread,time\nP,0\nQ,5\nP,1000\n' >short.csv
good 'cellsync short.csv --advise=2 --reference=P | sed -n "/^advice/,/^$/p"'
good 'cellsync short.csv --advise=2 --reference=P --report-format=json -r - | sed -n "/advice/,/]}/p"'
printf 'thread,time\nP,0\nP,1000\n' >alone.csv
good 'cellsync alone.csv --advise=2 | sed -n "/^advice/,/^$/p"'

cat >streams.csv <<'END'
# order=partial
thread,time,send,recv
A,0,m,
B,105,,m
B,110,n,
A,20,,n
A,30,o,
C,7,,o
D,9,p,
A,40,,p
E,1,,
END
good 'cellsync -q streams.csv --advise=2 | sed -n "/^advice/,/^$/p"'
good 'cellsync -q streams.csv --advise=2 --report-format=json -r - | sed -n "/advice/,/]}/p"'
good 'cellsync -q streams.csv --advise=2 --report-format=html -r - | sed -n "/id=\"advice\"/,/<.section>/p"'

cat >gaps.csv <<'END'
# order=partial
thread,time,send,recv
R,0,a,
C,1000,,a
C,1000,b,
R,20,,b
C,501000,,
R,1000000,c,
C,1001000,,c
C,1001000,d,
R,1000020,,d
C,1201000,,
E,5,,
END
good 'cellsync -q gaps.csv --drift=100 --reference=R --advise=4 | sed -n "/^advice/,/^$/p"'
good 'cellsync -q gaps.csv --drift=100 --reference=R --advise=4 --report-format=json -r - | sed -n "/advice/,/^  ]}/p"'
good 'cellsync -q gaps.csv --drift=100 --reference=R --advise=4 --report-format=html -r - | sed -n "/id=\"advice\"/,/<.section>/p"'
good 'cellsync -q demo.pex --drift=50 --advise=2 | sed -n "/^advice/,/^$/p"'

fails 2 'cellsync demo.pex --advise=0'
fails 2 'cellsync demo.pex --advise=1001'
fails 2 'cellsync demo.pex --advise=2 -r t.csv'
fails 2 'cellsync demo.pex --advise=2 -r t.tex'
fails 2 'cellsync demo.pex --advise=2 -o t.csv'
fails 2 'cellsync demo.pex one-sided.csv --advise=2'
fails 2 'cellsync demo.pex --advise=2 --method=lsq'
fails 2 'cellsync demo.pex --advise=2 --check'
