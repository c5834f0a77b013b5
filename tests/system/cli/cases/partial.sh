# Traces in partial order: what is refused, and what reports say of them.
one_rate
partial()
{
    { echo '# order=partial'; cat; } >t.csv
}

# The order is said in a comment.
printf '# order=total\nthread,time\nA,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=buffer\n# order=partial\nthread,time\nA,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order: partial\nthread,time\nA,1\n' >t.csv
good 'cellsync t.csv -r /dev/null'
printf '# Order=partial\nthread,time\nA,1\n' >t.csv
good 'cellsync t.csv -r /dev/null'
printf '# order=buffer\nthread,time,send,send,latency\nA,1,x,y,no\n' >t.csv
good 'cellsync t.csv -r /dev/null'

# --latency is for messages of such a trace.
fails 2 'cellsync t.csv --latency=5'
fails 2 'cellsync t.csv --latency=-1'
fails 2 'cellsync t.csv --latency=fast'
fails 2 'cellsync t.csv --columns=send=x'

# A group is one instance, and does not count as channels do.
partial <<'.'
thread,begin,time,enter,leave
A,1,3,g,g
B,2,4,g,g
A,5,7,g,g
B,6,8,g,g
.
good 'cellsync -q t.csv | sed -n "/^witness/,/^$/p"'
partial <<'.'
thread,begin,time,enter,leave
A,1,3,g/1,g/1
B,2,4,g/1,g/1
A,5,7,g/2,g/2
B,6,8,g/2,g/2
.
good 'cat t.csv && cellsync -q t.csv | sed -n "/^order/p"'

# Messages both ways, at once and with a latency: g[A] - g[B] in [90,105], and in [95,100].
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
A,0,m,
B,105,,m
B,110,n,
A,20,,n
.
good 'cellsync t.csv --explain=A,B'
good 'cellsync t.csv --latency=5 --explain=A,B'
good 'cellsync t.csv --latency=5 --engine=dense --report=- --report-format=csv'
good 'cellsync t.csv -o s.csv'
good 'cat s.csv'
good 'cellsync --check s.csv'

# They contradict each other beyond 7 ticks to and fro.
fails 3 'cellsync t.csv --latency=9 --relax=none'
good 'cellsync t.csv --latency=9 -r - | head -9'

# What needs one buffer.
fails 2 'cellsync t.csv --relax=paper'
fails 2 'cellsync t.csv --engine=sweep'
fails 2 'cellsync t.csv --monotonic'
fails 2 'cellsync t.csv --center=local'
fails 2 'cellsync t.csv --drop=1'
fails 2 'cellsync t.csv --measure'
fails 2 'cellsync t.csv --graph=-'
fails 2 'cellsync t.csv --report=r.csv --pairs=live'

# Least squares over messages: in the middle where as many go each way, to the nearest tick; clocks
# that no messages connect begin where the others do.
good 'cellsync t.csv --method=lsq -r -'
good 'cellsync t.csv --method=lsq --latency=9 -o s.csv'
good 'cat s.csv'
fails 1 'cellsync --check s.csv'
fails 2 'cellsync t.csv --method=lsq --explain=A,B'
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
A,0,m,
B,105,,m
B,110,n,
A,21,,n
C,7,,
D,7,z,
E,9,,z
.
good 'cellsync t.csv --method=lsq --latency=30 -o s.csv'
good 'cat s.csv'
printf '# order=partial\nthread,time,send,recv\nA,0,m,\nB,5,,m\n' >t.csv
fails 1 'cellsync t.csv --method=lsq --latency=9223372036854775807'
printf '# order=partial\nthread,time,send,recv,id,after\nA,0,m,,,\nB,5,,m,b,\nC,0,,,,b\n' >t.csv
good 'cellsync t.csv --method=lsq -o s.csv'
good 'cat s.csv'

# Midpoints of peers; exit 2 where there are no messages.
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
A,0,m,
B,105,,m
B,110,n,
A,21,,n
C,7,,
D,7,z,
A,29,,z
.
good 'cellsync t.csv --method=ntp -r -'
good 'cellsync t.csv --method=ntp --latency=9 -o s.csv'
good 'cat s.csv'
fails 1 'cellsync --check s.csv'
fails 2 'cellsync t.csv --method=ntp --reference=A'
fails 1 'cellsync t.csv --method=ntp --latency=9223372036854775807'
printf 'thread,time\nA,1\n' >line.csv
fails 2 'cellsync line.csv --method=ntp'
fails 2 'cellsync line.csv --method=ends'
# The ends of operations: B is 100 ahead by one, 104 by the other; D has no operation, and C one alone.
cat >ends.csv <<'CSV'
# order=partial
thread,begin,time,enter,leave
A,10,50,o,o
B,130,150,o,o
A,60,90,p,p
B,170,194,p,p
D,,7,,
C,1,2,q,q
CSV
good 'cellsync ends.csv --method=ends | sed -n "/^method/p; /^A  /,\$p"'
good 'cellsync ends.csv --method=ends -o s.csv && grep "^B" s.csv'

# Lamport's clocks, in the order of messages.
good 'cellsync t.csv --method=lamport -r -'
good 'cellsync t.csv --method=lamport -o s.csv && cat s.csv'
good 'cellsync t.csv --method=lamport-clock --latency=9 -r -'
good 'cellsync t.csv --method=lamport-clock --latency=9 -o s.csv && cat s.csv'
good 'cellsync t.csv --method=lamport-clock --latency=9 -o s.json && grep -c ts s.json'
good 'cellsync t.csv --method=lamport-clock --window=2.. -q -o s.csv && cat s.csv'
fails 1 'cellsync --check s.csv'
fails 1 'cellsync t.csv --method=lamport-clock --latency=9223372036854775807'

# [BHH08] Figure 1 (a), its dotted arrows as messages: the bounds of (f), and times (d), (b) and (c); the
# rows of a thread are together, so that no line says anything.
partial <<'.'
thread,time,event,send,recv
T1,0,e11,a,
T1,10,e12,,c
T1,16,e13,d,
T2,0,e21,b,a
T2,10,e22,,e
T3,3,e31,c,b
T3,10,e32,e,d
.
good 'cellsync t.csv -q --reference=T1 -r - --report-format=csv | cut -d, -f1-5'
good 'cellsync t.csv -q --reference=T1 -o - --csv-header=none | cut -d, -f3,6 | paste -s -d " "'
for method in lamport lamport-clock; do
    good "cellsync t.csv -q --method=$method -o - --csv-header=none | cut -d, -f3,6 | paste -s -d ' '"
done
partial <<'.'
thread,time,id,after
T3,3,e31,e21
T3,10,e32,e13
T2,0,e21,e11
T2,10,e22,e32
T1,0,e11,
T1,10,e12,e31
T1,16,e13,
.
good 'cellsync t.csv -q --reference=T1 -r - --report-format=csv | cut -d, -f1-5'

# Figures of LTTV's own tests 1 and 6 (lttv/sync/testData), in hundredths: convex hulls of messages between two
# clocks that leave their offsets [430,633] apart, and such that cross each other, by 2 * delta = 369.
partial <<'.'
thread,clock,time,send,recv
s0,0,4885,m0,
r0,1,5529,,m0
s1,0,6550,m1,
r1,1,7183,,m1
s2,1,5303,m2,
r2,0,4873,,m2
s3,1,7157,m3,
r3,0,6799,,m3
.
good 'cellsync t.csv -q --reference=0 -r - --report-format=csv | cut -d, -f1-5'
partial <<'.'
thread,clock,time,send,recv
s0,0,4782,m0,
r0,1,5547,,m0
s1,0,5222,m1,
r1,1,5627,,m1
s2,0,6419,m2,
r2,1,6821,,m2
s3,0,6551,m3,
r3,1,7290,,m3
s4,1,5233,m4,
r4,0,4965,,m4
s5,1,6019,m5,
r5,0,5169,,m5
s6,1,6970,m6,
r6,0,5830,,m6
s7,1,6925,m7,
r7,0,6729,,m7
.
good 'cellsync t.csv -q -r r.json && grep -o "\"delta\": {[^}]*}" r.json'

# A barrier: [90,104].
partial <<'.'
# timebase_hz=1000000000
thread,begin,time,enter,leave
A,0,10,b1,b1
B,100,104,b1,b1
.
good 'cellsync t.csv --explain=A,B'

# Of three threads the third has nothing to do with the others.
partial <<'.'
# timebase_hz=1000000000
thread,time,id,after
A,0,a,
B,5,,a
C,7,,
.
good 'cellsync t.csv -r -'

# Orders that cannot be.
partial <<'.'
thread,time,send,recv
A,1,,y
A,2,x,
B,1,,x
B,2,y,
.
fails 1 'cellsync t.csv'
partial <<'.'
thread,time,leave,enter
A,2,g,
A,4,,g
.
fails 1 'cellsync t.csv'

# --check proves the order and the bounds, with the latency that the first line tells.
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
A,0,m,
B,105,,m
B,110,n,
A,20,,n
.
good 'cellsync t.csv --latency=5ns -o s.csv && head -n 1 s.csv && cellsync --check s.csv'
good 'sed "s/,7\$/,8/; s/,12\$/,13/" s.csv >b.csv'
fails 1 'cellsync --check b.csv'
good 'sed "s/latency=5/latency=8/" s.csv >b.csv'
fails 1 'cellsync --check b.csv'
good 'sed "s/latency=5/latency=x/" s.csv >b.csv'
fails 1 'cellsync --check b.csv'
good 'sed "s/ relax=exact/ relax=paper/" s.csv >b.csv'
fails 1 'cellsync --check b.csv'

# delta is for each ordered pair of records, not for each hop.
partial <<'.'
# timebase_hz=1000000000
thread,time,send,recv
A,0,ab,
B,0,,ab
B,0,bc,
C,0,,bc
C,10,ca,
A,7,,ca
.
good 'cellsync t.csv'
fails 3 'cellsync t.csv --delta=1/2'

# What finds no partner is listed; clocks that nothing ties are islands.
partial <<'.'
# timebase_hz=1000000000
thread,clock,time,send,recv,sync,enter,leave
p,A,0,m,,,,
q,B,0,m,,,,
C,,0,,m,,,
C,,1,,none,,,
C,,2,x,,yes,,
A,,4,,x,,g,
D,,5,,,,h,h
.
good 'cellsync t.csv'
good 'cellsync t.csv -r r.json && sed -n "/\"order\"/p; /matched/,/]},/p" r.json'
good 'cellsync t.csv -q -o s.csv && cellsync --check s.csv'

# Pairs with a constraint of their own, and a header alone, which cannot say what the order is.
good 'cellsync t.csv -q -r - --report-format=csv --pairs=met'
good 'cellsync t.csv -q -r r.json --pairs=met && grep -o "\"met\": {[^}]*}\|\"pairs_listed.*" r.json'
good 'cellsync t.csv -o - --csv-header=none'
fails 2 'cellsync line.csv -r r.json --pairs=met'
{ echo '# order=partial'; echo 'thread,time,send,recv'; i=0; while [ $i -lt 2100 ]; do echo "p$i,$i,$i,$((i - 1))"; i=$((i + 1)); done; } >many.csv
good 'cellsync many.csv -r r.csv && wc -l <r.csv && head -n 3 r.csv'

# The page has arrows for messages, of many those that took least time, and the communication graph.
partial <<'.'
thread,time,send,recv,latency
A,0,m,,
B,5,,m,
B,6,n,,
A,9,,n,2
A,10,m,,
B,25,,m,
C,3,lost,,
.
good "cellsync t.csv -q -r p.html && grep -o '<path class=\"message\".*\|<path class=\"tie.*\|Arrows are[^.]*' p.html"
good "cellsync t.csv -q --figures=figures && ls figures && grep -c 'class=\"tie' figures/communication.svg"
{ echo '# order=partial'; echo 'thread,time,send,recv'; i=0; while [ $i -lt 400 ]; do echo "A,$((i * 9)),m,"; echo "B,$((i * 9 + 5 + i % 4)),,m"; i=$((i + 1)); done; } >many.csv
good "cellsync many.csv -q -r p.html && grep -c 'class=\"message\"' p.html && grep -o '\(Arrows\|Thin lines\) are[^.]*' p.html"

# What rows cannot say.
printf '# order=partial\nthread,time,id,after\nA,0,x,\nA,1,,x z\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,id\nA,0,x\nB,1,x\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,recv,latency\nA,0,x,soon\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,buffer,block\nA,0,,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,buffer,block\nA,0,s,1\nA,1,s,2\nA,2,s,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,1\nA,1,s,1,2\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,buffer,block,flush\nA,0,s,,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,soon\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,2/1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=partial\n# block_after=never\nthread,time\nA,0\n' >t.csv
fails 1 'cellsync t.csv'
printf '# Block_after=flush\n# order=partial\nthread,time\nA,1\n' >t.csv
good 'cellsync t.csv -r /dev/null'

# Blocks that a buffer was given as wholes: unbounded as they are, [-16,4] where the flushes are
# stamped; looser where it is only between two stamps.
partial <<'.'
# timebase_hz=1000000000
thread,time,buffer,block,flush
A,0,s,1,
A,5,s,1,6
B,3,s,1,
B,9,s,1,10
A,20,s,2,
A,25,s,2,26
.
good 'sed "/^[AB]/s/[0-9]*\$//" t.csv | cellsync - -r -'
good 'cellsync t.csv --explain=A,B'
good 'cellsync t.csv -o s.csv -r - && cellsync --check s.csv'
good 'sed "s,10\$,9/12," t.csv | cellsync - -q -r - --report-format=csv'

# What shows how late a flush was: the next block's first record, its last, or nothing.
partial <<'.'
# timebase_hz=1000000000
thread,time,buffer,block
A,0,s,1
B,3,s,1
A,20,s,2
A,25,s,2
B,40,s,2
B,45,s,2
A,60,s,3
.
good 'cellsync t.csv -q --explain=A,B'
good 'sed "2i# block_after=block" t.csv >b.csv && cellsync b.csv -q --explain=A,B'
good 'sed "2i# block_after=none" t.csv | cellsync - -q -r - --report-format=csv'

# Numbers beyond all arithmetic.
printf '# order=partial\nthread,time,send,recv\nA,0,m,\nB,5,,m\n' >t.csv
fails 1 'cellsync t.csv --latency=9223372036854775807'
printf '# order=partial\nthread,begin,time,send,recv\nA,-9223372036854775808,9223372036854775807,m,\nB,,5,,m\n' >t.csv
fails 1 'cellsync t.csv'
