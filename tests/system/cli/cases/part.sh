# A part of a trace: --window, --only and --json-args.
use strangers/two-hosts.csv samples/paper.csv good/rich.pex good/rich.trace samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace

# Windows of global time, of time since the first record, of parts, of positions; open ones, mixed ones.
for window in 8..10 8.. ..8 .. '#2..#4' '#2..9' '9..#4' 25%..50% 0%..100% 33.4%.. -50%..150% 5ns..9ns 0.005us..0.000009ms 1s.. -1s..0s; do
    good "cellsync -q paper.csv -o - --csv-header=none --window='$window' | paste -s -d ' '"
done
# Times that begin below 0, and a clock of another rate.
printf '# timebase_hz=3\nthread,time\nppe,-7\nA,0\nppe,-4\nA,3\nppe,-1\n' >slow.csv
for window in ..-4 -5..-1 1s..1.4s 0s..0s 50%..50%; do
    good "cellsync -q slow.csv -o - --csv-header=none --window='$window' | paste -s -d ' '"
done
good 'cellsync rich.pex -o - --to=csv --window=#3..#5 | cut -d , -f 1-4'

# Threads by name.
for only in T1 'T[12]' '*' '?3' 'T?' '[!T]*'; do
    good "cellsync -q paper.csv -o - --csv-header=none --only='$only' | paste -s -d ' '"
done
for only in alpha 17 '2?' beta; do
    good "cellsync -q --columns=clock=host,thread=tid two-hosts.csv -o - --csv-header=none --only='$only' | paste -s -d ' '"
done
good "cellsync -q --columns=clock=host,thread=tid two-hosts.csv -o - --to=json --only=17 --json-args=short | sed 1,3d"
good "cellsync rich.pex -o - --to=csv --only='spe*' --window=25%.. | cut -d , -f 1-4"
good 'cellsync -q --method=lamport rich.pex -o - --to=csv --window=..#1 | cut -d , -f 1-3'
fails 2 'cellsync -q --method=lamport rich.pex -o x.csv --window=25%..'

# None is left.
good 'cellsync paper.csv -o - --window=100..200'
good 'cellsync paper.csv -o x.json --only=x && python3 -m json.tool x.json /dev/null'
good 'cellsync -q paper.csv -o - --only='

# JSON.
good "cellsync rich.pex -o - --to=json --window=1100..1250"
good "cellsync rich.pex -o - --to=json --only='spe2.*' --json-args=short | sed 1,2d"
good "cellsync rich.pex -o - --to=json --only=ppe --json-args=none | sed 1,2d"
good 'cellsync paper.csv -o - --to=json --json-args=short --window=..#2 | sed 1,2d'
good 'cellsync -q --relax=paper jitter.pex -o - --to=json --window=..#20 | grep -e uncertainty -e added_ticks | tail -n 2 | cut -c -150'
good '! cellsync -q --method=lsq rich.pex -o - --to=json | grep uncertainty'
for args in all short none; do
    good "cellsync plain.pex -o $args.json --json-args=$args && python3 -c 'import json; print(sum(len(json.dumps(e)) for e in json.load(open(\"$args.json\"))[\"traceEvents\"]) // 305)'"
done
good 'cellsync plain.pex -o short.json.gz --json-args=short && zcat short.json.gz | cmp - short.json'

# CTF: streams of what is left only; tests/system/formats reads them.
for part in '--window=20%..30%' "--only='spe[12].*'" '--only=spe1.* --window=#100..'; do
    good "cellsync -q plain.pex -o p.ctf $part && ls p.ctf && grep part p.ctf/metadata"
done
good 'cellsync -q paper.csv -o p.ctf --window=#1..#3 && ls p.ctf'
good 'cellsync paper.csv -o p.ctf --only=x && ls p.ctf'
good 'cellsync -q paper.csv -o p.ctf && grep -c part p.ctf/metadata || true'

# A part cannot be proved.
good 'cellsync paper.csv -o part.csv --window=5.. && head -n 1 part.csv'
fails 1 'cellsync --check part.csv'

fails 2 'cellsync paper.csv --window=1..2'
fails 2 'cellsync paper.csv --only=T1 -r x.csv'
fails 2 'cellsync paper.csv --json-args=none'
fails 2 'cellsync rich.pex -o x.pex --window=1..2'
fails 2 'cellsync rich.pex -o x.pex --only=ppe'
fails 2 'cellsync rich.pex -o x.csv --json-args=short'
fails 2 'cellsync rich.pex -o x.json --json-args=few'
for window in 10..9 9..-1 '#3..#2' 50%..25% 2us..1999ns 0.000001s..0.5us; do
    fails 2 "cellsync paper.csv -o x.csv --window='$window'"
done
fails 2 'cellsync -q paper.csv -o x.csv --window=1s..5'
good 'cellsync slow.csv -q -o x.csv --window=0.3ns..0.6ns'
for window in x 1 '' 1..2..3 1.5..2 '#1.5..' '#-1..' 1m..2m 1..%  ..9999999999999999999 ' 1..2' 0x1..2 --1..2; do
    fails 2 "cellsync paper.csv -o x.csv --window='$window'"
done
