# Nanoseconds of this decade that went through floating-point numbers, which are 256 apart there.

# As jq 1.6 prints them, 17 digits of a double; as a column of floats has them; and as the double is.
events='BEGIN { print "thread," name; for (i = 0; i < 120; i++) printf "%s," form "\n", i % 3 ? "A" : "B", 1700000000123456789 + i * 1237 }'
awk -v name=time_ns -v form=%.17g "$events" >floats.csv
sed -n 1,3p floats.csv
sed 's/1\.\([0-9]*\)e+18/1\10000000000000000000/; s/\(,[0-9]\{19\}\)0*$/\1/; s/time_ns/time/' floats.csv >jq.csv
awk -v name=time -v form=%.0f "$events" >whole.csv
for file in floats jq whole; do
    good "sed -n 3p $file.csv && cellsync -q $file.csv | grep '^warning'"
done
good 'cellsync -q jq.csv --delta=177 | grep -c "^warning.*floating"'
good 'cellsync -q jq.csv --delta=178 | grep -c "^warning.*floating" || :'
good 'cellsync -q jq.csv -r - --report-format=json | grep -c "converted through floating-point numbers"'
good 'cellsync -q jq.csv -o t.ctf && grep -c "coarse_warning.*floating-point numbers" t.ctf/metadata'

# Seconds with a fraction; six rows; and one clock of several, whose log alone was converted.
awk 'BEGIN { print "thread,time_s"; for (i = 0; i < 6; i++) printf "%s,%.17g\n", i % 2 ? "A" : "B", 1700000000.1234567 + i * 1.237e-6 }' >seconds.csv
good 'cat seconds.csv && cellsync -q seconds.csv | grep "^warning"'
awk -F, 'NR == 1 || $1 == "B" { print; next } { printf "%s,%s%03d\n", $1, substr($2, 1, 16), NR * 137 % 1000 }' jq.csv >one.csv
good 'cellsync -q one.csv | grep "^warning.*steps"'
