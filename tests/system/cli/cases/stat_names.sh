# Names from a trace as headings of columns, in folded stacks, and in the CSV report: escaped as in all other cells.
cat >make.py <<'PY'
names = ["\x1b[31mred", "=1+1", 'a"b,c', "x\ny"]
def quoted(text):
    return '"' + text.replace('"', '""') + '"'
rows = ["# timebase_hz=1000", "thread,time,begin,event,routine,class"]
t = 0
for n in names:
    rows.append(f"{quoted(n)},{t + 1},{t},WAIT,,{quoted(n)}")
    rows.append(f"{quoted(n)},{t + 2},,E_ENTRY,{quoted(n)},")
    rows.append(f"{quoted(n)},{t + 3},,E_EXIT,{quoted(n)},")
    t += 5
open("names.csv", "w", newline="").write("\n".join(rows) + "\n")
PY
good 'python3 make.py && cellstat states -q --joint names.csv | sed -n "/Combinations/,\$p"'
for format in csv json tex; do
    good "cellstat states -q --joint names.csv --format=$format | grep -a 'x.*y.*time.*share' | head -n 1"
done
good 'cellstat calls -q names.csv --format=folded'

# A class of waits is a heading, too.
printf '# timebase_hz=1000\nthread,time,begin,event\na,2,1,W1\na,4,3,W2\na,6,5,W3\nb,9,,x\n' >waits.csv
cat >waits.xml <<'XML'
<events version="1">
  <recordType name="W1" role="wait" class="&#x9b;31mred"/>
  <recordType name="W2" role="wait" class="x&#10;=1+1"/>
  <recordType name="W3" role="wait" class="a&quot;b,c"/>
</events>
XML
good 'cellstat states -q waits.csv --events=waits.xml | sed -n 6,7p'
good 'cellstat states -q waits.csv --events=waits.xml --format=csv | head -n 1 | tr , "\n" | grep -A 1 blocked_'

# Line ends and tabs in names are data in a trace; in a report they are escaped.
printf 'thread,time\n"\r=1",1\n"b\tc",2\n"d\ne",2\n"\r=1",3\n' >ends.csv
good 'cellsync -q ends.csv --report-format=csv'
good 'cellsync -q ends.csv --clocks=- | cut -d, -f 1'
