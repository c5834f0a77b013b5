# Calls that are nested deeper than a path is long: the rest of them is one path, and a condition says so.
cat >deep.py <<'PY'
depth = 300
print("# timebase_hz=1000\nthread,time,event,routine")
for i in range(depth):
    print(f"A,{i},E_ENTRY,r{i % 7}")
for i in range(depth):
    print(f"A,{depth + i},E_EXIT,r{(depth - 1 - i) % 7}")
PY
good 'python3 deep.py >deep.csv && cellstat calls -q deep.csv --format=folded | sed "s/^.*;\(r.;r.;r.;\)/...;\1/" | sed -n "1,3p;254,\$p"'
good 'cellstat calls -q deep.csv --format=csv | tail -n 2 | sed "s/^.*;/...;/"'
good 'cellstat calls -q deep.csv --top=2 | grep "^assumes: paths"'
good 'cellstat calls -q deep.csv --format=csv | sed -n "1,/^$/p"'

# As deep as this paths alone would be a gigabyte.
good 'sed -i s/300/32000/ deep.py && python3 deep.py >deep.csv && cellstat calls -q deep.csv --max-memory=64M --format=csv | wc -l'
