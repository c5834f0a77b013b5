# What a CSV that is written says of itself, and of global time.
use samples/paper.csv good/rich.pex good/rich.trace samples/jitter.pex samples/jitter.trace

# --csv-header=none: the header is the first line, whatever stood before it.
printf '\357\273\277# timebase_hz=1000\n\n# note, "mine"\nthread,time\r\nT1,0\r\nT2,-7\r\nT1,10\r\n' >full.csv
good 'cellsync full.csv -o - --csv-header=comment | od -An -c'
good 'cellsync full.csv -o - --csv-header=none | od -An -c'
good 'cellsync rich.pex -o - --to=csv --csv-header=none | head -n 2'
use order/triangle.pex order/triangle.trace
good 'cellsync -q triangle.pex -o - --to=csv --csv-header=none | head -n 2'

# --csv-time: exact decimals where the timebase has them.
for time in ticks seconds both; do
    good "cellsync full.csv -o - --csv-header=none --csv-time=$time"
done
good 'cellsync rich.pex -o - --to=csv --csv-time=both | sed -n 3,5p | cut -d , -f 1-5'
good 'cellsync rich.pex -o - --to=csv --csv-time=seconds | sed -n 3,5p | cut -d , -f 1-5'
for hz in 1 2 10 1024 32768 3 14318000 1000000000 3000000000 1152921504606846976 18446744073709551615; do
    printf '# timebase_hz=%s\nthread,time\nA,0\nA,1\nA,%s\nA,144115188075855872\n' "$hz" "$hz" | sed 's/,1.................*/,144115188075855871/' >hz.csv
    good "cellsync hz.csv -o - --csv-header=none --csv-time=seconds | cut -d , -f 3 | paste -s -d ' '"
done
printf '# timebase_hz=3\nthread,time\nA,-144115188075855872\nA,-5\nA,-1\nA,1\nppe,2\nppe,-2\n' >below.csv
good 'cellsync below.csv -q -o - --csv-header=none --csv-time=both'

# Columns that the input has are filled in, whatever is asked for; also those of other formats.
printf 'global_time_s,thread,time,global_time\n"",A,5,x\n1,B,6,\n,A,9,""\n' >both.csv
printf 'thread,global_time_s,time\nA,,5\nB,7,6\nA,"a,b",9\n' >one.csv
for time in ticks seconds both; do
    good "cellsync both.csv -o - --csv-time=$time"
    good "cellsync one.csv -o - --csv-time=$time"
done

# The line of facts: names that blanks would break, options, methods of which nothing is proved.
printf 'thread,time\n"a b%%\n""c"" \303\251",5\nB,6\n"a b%%\n""c"" \303\251",7\n' >names.csv
good 'cellsync names.csv -o - | head -n 1'
good 'cellsync jitter.pex -o - --to=csv --delta=7/2 --alpha=1/3 --center=local --reference=spe2.1 | head -n 1'
good 'cellsync -q jitter.pex -o - --to=csv --relax=paper --monotonic | head -n 1'
for method in lamport lamport-clock lsq; do
    good "cellsync -q paper.csv -o - --method=$method | head -n 2"
done

# What is in it is the sum of the input, where that has no such line and columns.
good 'cellsync paper.csv -o - | sed -n "1s/.*original_crc32=0x\([0-9a-f]*\).*/\1/p"; gzip <paper.csv | tail -c 8 | head -c 4 | od -An -tx4'

# In a file it is filled in at the end, elsewhere it is found beforehand.
for trace in full.csv both.csv names.csv rich.pex jitter.pex; do
    good "cellsync -q $trace --to=csv -o file.csv && cellsync -q $trace --to=csv -o - | cmp - file.csv && cellsync -q $trace -o file.csv.gz --to=csv && zcat file.csv.gz | cmp - file.csv"
done

# A synchronized CSV again: one warning, and the same bytes.
good 'cellsync full.csv -o once.csv && cellsync once.csv -o twice.csv && cmp once.csv twice.csv'
good 'cellsync -q once.csv -o twice.csv --csv-time=both && cellsync -q twice.csv -o thrice.csv && cmp twice.csv thrice.csv && cat thrice.csv'
good 'cellsync once.csv -r /dev/null'
good 'cellsync --table once.csv paper.csv'
# Comments of others are not that line.
printf '# cellsync is good\n#cellsync=1\n# cellsyncs a=b\nthread,time\nA,1\n' >remarks.csv
good 'cellsync remarks.csv -o -'

# Read as they are.
good "cellsync -q rich.pex -o rows.csv --csv-header=none --csv-time=seconds && python3 -c 'import csv; print([(r[\"thread\"], r[\"global_time_s\"]) for r in csv.DictReader(open(\"rows.csv\"))][:3])'"

fails 2 'cellsync paper.csv --csv-header=none'
fails 2 'cellsync paper.csv --csv-time=both -r out.csv'
fails 2 'cellsync paper.csv -o x.csv --csv-header=no'
fails 2 'cellsync paper.csv -o x.csv --csv-time=s'
fails 2 'cellsync rich.pex -o x.pex --csv-time=both'
fails 2 'cellsync rich.pex -o x.json --csv-header=none'
fails 2 'cellsync rich.pex -o x.csv --to=ctf --csv-header=none'
