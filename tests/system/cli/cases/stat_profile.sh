# cellstat profile: the accounting rules, by hand, and its options.
one_rate
cat >calls.csv <<'CSV'
thread,time,event,routine
main,0,ENTER,A
work,1,ENTER,A
main,2,ENTER,B
work,3,ENTER,B
main,6,EXIT,B
main,7,EXIT,A
work,9,EXIT,B
work,12,EXIT,A
CSV
good 'cellstat profile calls.csv'
good 'cellstat profile -q calls.csv --per=actor --sort=actor --format=csv'
good 'cellstat profile -q calls.csv --actors="w*,x" --top=1 --sort=calls --format=csv | head -n 2'
good 'cellstat profile calls.csv -o p.json && sed -n "3,13p" p.json'
fails 2 'cellstat profile calls.csv --actors=none'
fails 2 'cellstat profile calls.csv --sort=colour'
fails 2 'cellstat profile calls.csv --per=node'
sed 's/$/,n1/; s/^work,\(.*\)n1/work,\1n2/; s/^t.*/thread,time,event,routine,node/' calls.csv >nodes.csv
good 'cellstat profile -q nodes.csv --per=node'
fails 2 'cellstat profile nodes.csv --per=cells'
fails 2 'cellstat states calls.csv --top=3'
# Nothing enters, or only what an events file says.
use demo.pex demo.trace
fails 1 'cellstat profile demo.pex'
cat >events.xml <<'XML'
<events version="1">
  <recordType name="MUTEX_LOCK" role="enter" block="HELD"/>
  <recordType name="MUTEX_UNLOCK" role="exit" block="HELD" routine="held"/>
</events>
XML
good 'cellstat profile -q demo.pex --events=events.xml'
printf '<events version="1"><recordType name="MUTEX_LOCK" role="call" routine="lock"/></events>\n' >events.xml
good 'cellstat profile -q demo.pex --events=events.xml --format=csv --per=unit'
# Exits below the top, of what was on before, of nothing; recursion; calls that cross.
cat >odd.csv <<'CSV'
thread,time,begin,event,routine
a,0,,MARK,
a,2,,ENTER,g
a,4,,EXIT,g
a,5,,EXIT,f
a,6,,ENTER,h
a,7,,ENTER,i
a,8,,ENTER,j
a,9,,EXIT,h
a,10,,ENTER,h
a,11,,EXIT,k
a,12,,MARK,
b,20,12,TIMED_CALL,p
b,24,16,TIMED_CALL,q
b,30,22,TIMED_CALL,r
b,40,11,TIMED_CALL,s
CSV
cat >timed.xml <<'XML'
<events version="1"><recordType name="TIMED_*" role="call"/></events>
XML
good 'cellstat profile -q odd.csv --events=timed.xml --sort=routine --format=csv | head -n 10'
# Symbols.
printf '<events version="1"><symbols><symbol at="0x100" size="16" name="f" file="a.c" line="7"/></symbols></events>\n' >symbols.xml
printf 'thread,time,event,routine\na,1,ENTER,0x108\nb,2,ENTER,0x110\na,5,EXIT,0x100\nb,7,EXIT,0x110\n' >at.csv
good 'cellstat profile -q at.csv --events=symbols.xml --format=csv | cut -d, -f1-8 | head -n 3'
printf '0000000000000110 0000000000000010 t g\t/src/b.c:9\n0000000000000100 T not_this_f\n' >g.nm
good 'cellstat profile -q at.csv --events=symbols.xml --symbols=g.nm --format=csv | cut -d, -f1-8 | head -n 3'
good 'cellstat profile -q at.csv --symbols=g.nm --format=csv | cut -d, -f1-8 | head -n 3'
fails 1 'cellstat profile -q at.csv --symbols=none.nm'
fails 1 'cellstat profile -q at.csv --symbols=at.csv'
fails 1 'cellstat profile -q at.csv --symbols=.'
fails 2 'cellstat order at.csv 1 2 --symbols=g.nm'
# Symbols from a pipe; but a trace that names a pipe is refused.
good 'cat g.nm | cellstat profile -q at.csv --symbols=/dev/stdin --format=csv | cut -d, -f1-8 | head -n 3'
mkfifo pipe.nm
cat g.nm >pipe.nm &
good 'cellstat profile -q at.csv --symbols=pipe.nm --format=csv | cut -d, -f1-8 | head -n 3'
fails 1 'printf "symbols\\0" | cellstat profile -q at.csv --symbols=/dev/stdin'
sed 's,<threads>,<symbols href="pipe.nm" image="x"/><threads>,' demo.pex >piped.pex
fails 1 'cellstat profile -q piped.pex'
# Waits, loops and tasks.
pdtsim --workload=synthetic:blocks=2 --spes=2 --events=60 --seed=3 --level=full --calls -o t.pex
good 'cellstat profile -q t.pex --top=2'
cat >loops.csv <<'CSV'
thread,time,event,routine
a,0,ENTER,f
a,2,CDOALL_BEGIN,
b,3,CDOALL_BEGIN,
b,7,CDOALL_END,
a,9,CDOALL_END,
a,10,SDOACROSS_BEGIN,
a,15,SDOACROSS_END,
a,16,EXIT,f
CSV
good 'cellstat profile -q loops.csv | tail -n 3'
# Where messages alone order threads, it is not known for how long they were in it at once.
cat >partial.csv <<'CSV'
# order=partial
# timebase_hz=1000
thread,time,event,routine,send,recv
A,0,ENTER,f,m,
A,100,EXIT,f,,n
B,20,ENTER,f,,m
B,70,EXIT,f,n,
CSV
good 'cellstat profile partial.csv --format=csv | tail -n 2 | cut -d, -f1-10'
# An exit of what was not entered, after a call that is an interval: on since the first record.
cat >called.csv <<'CSV'
thread,time,begin,event,routine
a,5,,MARKED,
a,20,10,CALLED,g
a,30,,EXIT,f
a,40,,MARKED,
CSV
printf '<events version="1"><recordType name="CALLED" role="call"/></events>\n' >called.xml
good 'cellstat profile -q called.csv --events=called.xml --format=csv | cut -d, -f1,4,6,8,11 | head -n 3'
# Samples, as gprof takes them: A's call of work takes 1 of the 10 ticks that both take, B's 9, but each
# is given half of them: A 9 + 5 and B 1 + 5 in place of 10 each.  Every 4 ticks B is not met at all: A
# at 0, 4 and 8, work at 12 and 16.
cat >gprof.csv <<'CSV'
thread,time,event,routine
main,0,ENTER,A
main,1,ENTER,work
main,2,EXIT,work
main,10,EXIT,A
main,10,ENTER,B
main,11,ENTER,work
main,20,EXIT,work
main,20,EXIT,B
CSV
sampled="awk 'NF == 19 { print \$1, \$8, \$18, \$9, \$19 }'"
good "cellstat profile -q gprof.csv --sort=routine --sample=1 | $sampled"
good "cellstat profile -q gprof.csv --sort=routine --sample=4 | $sampled"
# Routines that call each other are one: f has 6 ticks and g 4 and the 2 of leaf, which it alone calls;
# main and other call f once each, and get 6 of the 12: 1 + 6 and 2 + 6.
cat >cycle.csv <<'CSV'
thread,time,event,routine
p,0,ENTER,main
p,0,ENTER,f
p,2,ENTER,g
p,4,ENTER,f
p,6,EXIT,f
p,6,EXIT,g
p,6,EXIT,f
p,7,EXIT,main
p,7,ENTER,other
p,8,ENTER,f
p,10,ENTER,g
p,11,ENTER,leaf
p,13,EXIT,leaf
p,14,EXIT,g
p,14,EXIT,f
p,15,EXIT,other
CSV
good "cellstat profile -q cycle.csv --sort=routine --sample=1 | $sampled"
fails 2 'cellstat profile gprof.csv --sample=0'
fails 2 'cellstat states gprof.csv --sample=5'
# Programs read all rows; who reads 40 of them is told how many there are more.
"$PYTHON" - >many.csv <<'PY'
print('thread,time,event,routine')
for i in range(50):
    print('a,%d,ENTER,f%02d\na,%d,EXIT,f%02d' % (100 * i, i, 101 * i + 1, i))
PY
good 'cellstat profile -q many.csv --format=csv | sed "/^\$/q" | wc -l'
good 'cellstat profile -q many.csv -o many.json && grep -c "\"cumulative_ticks\"" many.json'
good 'cellstat profile -q many.csv --format=csv --top=3 | sed "/^\$/q" | wc -l'
good 'cellstat profile -q many.csv | sed -n "/^Routines/p;/more\$/p"'
good 'cellstat profile -q many.csv --top=49 | grep more'
good 'cellstat profile -q many.csv --top=0 | grep -c more || :'
good 'cellstat profile -q many.csv -o many.tex && grep more many.tex'
good 'cellstat profile -q many.csv -o many.html && grep -o "<p[^>]*>and [^<]*" many.html'
good 'cellstat summary -q many.csv --format=csv | sed -n "/^routine,file/,/^\$/p" | wc -l'
good 'cellstat calls -q many.csv | grep more'
# Calls of a window are cut there: by hand on one clock, in ranges on several; and all the time is a window.
cat >cut.csv <<'CSV'
thread,clock,time,event,routine
a,c,0,ENTER,main
b,c,5,ENTER,main
a,c,10,ENTER,f
b,c,12,ENTER,f
a,c,20,EXIT,f
b,c,26,EXIT,f
b,c,28,EXIT,main
a,c,30,EXIT,main
CSV
good 'cellstat profile -q cut.csv --window=15..25'
good 'cellstat profile -q cut.csv --window=15..25 --per=actor --actors=b --format=csv'
good 'cellstat profile -q cut.csv --window=15..25 --sample=1 --format=csv | awk -F, "NR == 1 { while (\$++c != \"sampled_ticks\"); } { print \$1, \$c, \$(c + 1) }" | head -n 3'
good 'cellstat profile -q cut.csv --window=20..20'
good 'cellstat profile -q cut.csv --window=#2..#6 --sort=calls --top=1 | head -n 6'
pdtsim -o cut.pex --workload=juliaset --calls --seed=3 --spes=4
good 'cellstat profile -q cut.pex --window=25%..75%'
good 'cellstat profile -q cut.pex --window=25%..75% --ranges=none | tail -n 5'
good 'for window in "" --window=..; do cellstat profile -q cut.pex $window | sed "/^Waits/,\$d; /^window: /d; s/ =//g; /^\$/d; s/  */ /g" >all$window; done; diff all all--window=.. && wc -l <all'
fails 2 'cellstat profile cut.pex --window=25%..75% --follow=create'
# Documents that say what events mean: the later go before the earlier, each of them before the trace.
printf '<events version="1"><recordType name="ENTER" role="enter" routine="first"/></events>\n' >first.xml
printf '<events version="1"><recordType name="ENTER" role="enter" routine="second"/></events>\n' >second.xml
printf '<events version="1"><recordType name="BARRIER" role="wait"/></events>\n' >other.xml
printf 'thread,time,event\na,0,ENTER\na,1,EXIT\n' >named.csv
good 'for files in "" "first other" "first second" "second first"; do cellstat calls -q named.csv $(printf -- "--events=%s.xml " $files | sed s/--events=.xml//) --format=folded; done'
fails 2 'cellstat profile named.csv $(yes -- --events=first.xml | head -n 17)'
fails 1 'cellstat profile -q named.csv --events=first.xml --events=gone.xml'
fails 2 'cellstat profile cut.pex --window=200%..300%'
fails 1 'cellstat profile demo.pex --window=25%..75%'
