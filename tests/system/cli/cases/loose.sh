# Rows in no order, # order=messages: cellsync-csv(5), CSV traces without an order of rows.
head='1s/.*//; /^order/p; /^left out/p; /^delta/p; /^inversions/p; /^max error/p; /^bounds hold/p; /^[ABC] /p'

# Rows of one thread go back in time, and a receive comes before its send in the file.
cat >spans.csv <<'END'
# order=messages
thread,begin,time,send,recv,enter,leave,id,after,latency
A,,100,m1,,,,,,
A,,90,m2,,,,,,
A,,300,,r1,,,,,
A,,250,,r2,,,,,
B,,1105,,m1,,,,,
B,,1096,,m2,,,,,2
B,1280,1290,r1,,g,,,,
B,,1240,r2,,,,i,,
C,,7000,,,,g,,i,
C,,6950,lost,,,,,,
A,,400,,,g,g,,,
END
good "cellsync --drift=0 spans.csv | sed -n '$head'"
good "cellsync spans.csv | sed -n '$head'"
good 'cellsync -q spans.csv -o s.csv && cat s.csv && cellsync --check s.csv'
good 'cellsync -q --sort spans.csv -o t.csv && cat t.csv && cellsync --check t.csv'
good 'cellsync -q --drift=0 --explain=A,B spans.csv'
good 'cellsync -q --drift=0 spans.csv --pairs=met -r - --report-format=csv'
good 'cellstat latency -q --drift=0 spans.csv'
sed 's/7000,/7001,/' s.csv >bad.csv
fails 1 'cellsync --check bad.csv'

# A key is one message at a time.
printf '%s\n' '# order=messages' thread,time,send,recv A,1,m, B,5,,m A,2,m, B,4,,m >again.csv
good "cellsync --drift=0 again.csv | sed -n '$head'"
printf '%s\n' '# order=messages' thread,time,send,recv A,1,m, A,2,m, B,5,,m B,4,,m >twice.csv
fails 1 'cellsync twice.csv'
printf '%s\n' '# order=messages' thread,time,send,recv A,1,,m A,2,,m >received.csv
fails 1 'cellsync received.csv'

# What refers to nothing, or to itself.
printf '%s\n' '# order=messages' thread,time,id,after A,1,a, B,2,,b >unnamed.csv
fails 1 'cellsync unnamed.csv'
printf '%s\n' '# order=messages' thread,time,id,after A,1,a, B,2,a, >named.csv
fails 1 'cellsync named.csv'
printf '%s\n' '# order=messages' thread,time,same,within A,1,a,0 B,2,,  >alone.csv
fails 1 'cellsync alone.csv'
printf '%s\n' '# order=messages' thread,time,send,recv A,1,m,n B,2,n,m >cycle.csv
fails 1 'cellsync --drift=0 cycle.csv'
printf '%s\n' '# order=messages' thread,time,send,recv,latency,latency_max A,1,m,,, B,2,,m,3,2 >short.csv
fails 1 'cellsync short.csv'

# Columns, and methods, for which rows must be in order.
printf '%s\n' '# order=messages' thread,time,buffer A,1,b >buffer.csv
fails 1 'cellsync buffer.csv'
printf '%s\n' '# order=messages' thread,time,send,recv,sync A,1,m,,yes B,2,,m, >sync.csv
fails 1 'cellsync sync.csv'
fails 2 'cellsync --method=lamport spans.csv'
fails 1 "printf '%s\n' '# order=message' thread,time A,1 | cellsync -"
printf '%s\n' thread,time A,1 B,2 >plain.csv
fails 2 'cellsync --sort plain.csv -o p.csv'
fails 2 'cellsync --sort spans.csv -o p.json'

# Limits.
cat >limits.csv <<'END'
# order=messages
thread,time,send,recv,latency_max,same,within,other_clock,other_time
A,100,m,,,,,,
B,150,,m,10,,,,
A,200,,,,x,3,,
C,900,,,,x,1,,
C,950,,,,,2,B,300
END
good "cellsync --drift=0 limits.csv | sed -n '$head'"
good 'cellsync -q limits.csv -o l.csv && cellsync --check l.csv'

# Measured offsets of a file of their own.
printf '%s\n' clock,time,other_clock,other_time,within A,200,C,905,4 >offsets.csv
printf '%s\n' '# order=messages' thread,time,send,recv A,100,m, B,150,,m C,900,, >three.csv
good "cellsync --drift=0 --offsets=offsets.csv three.csv | sed -n '$head'"
printf '%s\n' clock,time,other_clock,other_time A,200,D,905 >other.csv
fails 1 'cellsync --offsets=other.csv three.csv'
