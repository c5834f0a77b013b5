# Begins: one comes after an earlier row of its location only if its timestamp is at least 2 delta greater.
one_rate
csv()
{
    { echo '# order=partial'; cat; } >t.csv
}

# Clocks read in whole microseconds: A's send of n began before A received m, though both have one timestamp.  The true
# g[B] - g[C] is -401.
csv <<'.'
# timebase_hz=1000000000
thread,begin,time,send,recv
C,,0,,n
B,,2000,m,
A,,1000,,m
A,1000,2000,n,
C,,49000,back,
B,,50000,,back
.
good 'cellsync t.csv -q --delta=500ns --explain=B,C -o s.csv && cellsync --check s.csv'
good 'cellsync t.csv -q --delta=500ns --drift=10'

# At exactly 2 delta the begin comes after the receive, so g[B] - g[C] is at most -1000.
csv <<'.'
# timebase_hz=1000000000
thread,begin,time,send,recv
C,,0,,n
B,,2000,m,
A,,1000,,m
A,2000,3000,n,
C,,49000,back,
B,,50000,,back
.
good 'cellsync t.csv -q --delta=500ns --explain=B,C'

# A barrier that does not block: its begin has the timestamp of a receive that came after it.
csv <<'.'
# timebase_hz=1000000
thread,begin,time,send,recv,enter,leave,event
B,10,10,,,g,g,ibarrier done
B,,10,m,,,,send m
A,,10,,m,,,recv m
A,10,12,,,g,g,ibarrier done
.
good 'cellsync t.csv -q --delta=1/2 -o s.csv && cellsync --check s.csv'
good 'cellsync t.csv -q'
good 'cellsync t.csv -q --method=lamport-clock --to=csv -o -'

# What begins after a row that it comes before contradicts the timestamps of its own clock, by 1 ns: no order of rows does.
csv <<'.'
# timebase_hz=1000000000
thread,begin,time,leave,enter
A,1,2,g,
A,3,4,,g
.
good 'cellsync t.csv -q'
good 'cellsync t.csv -q --delta=1/2'
fails 3 'cellsync t.csv -q --delta=0'

# Two threads of one clock put into a queue, with one timestamp: which of them was the first is not known, so X need not
# have been before M's first.  The truth is -610.  Without --delta the least delta is that of the constraints made for it.
printf '# order=partial\n# timebase_hz=1000000000\n' >t.csv
cat >>t.csv <<'.'
thread,clock,time,send,recv
X,X,11000,x,
S1,K,10000,,x
S1,K,10000,q,
S2,K,10000,q,
M,M,9000,,q
M,M,10000,,q
M,M,49000,back,
X,X,50000,,back
.
good 'cellsync t.csv --delta=500ns --explain=X,M -o o.csv'
good 'cellsync --check o.csv'
good 'cellsync t.csv --explain=X,M -o o.csv'
good 'cellsync --check o.csv'
