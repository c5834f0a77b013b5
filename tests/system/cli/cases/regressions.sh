# What trying cellsync as its users found broken, and must not break again.
use good/rich.pex good/rich.trace samples/paper.csv

# Standard output that is a file is written through, not replaced; and it takes one file, not two.
good '{ echo header; cellsync paper.csv -o /dev/stdout; echo trailer; } >got.csv; sed -n "1p; \$p" got.csv'
good 'echo old >log.csv; cellsync paper.csv -o /dev/stdout >>log.csv; head -n 1 log.csv'
good '{ echo header; cellsync paper.csv -r /dev/stdout; } >got.txt; head -n 1 got.txt'
fails 2 'cellsync rich.pex -o - -r /dev/stdout'
good 'cellsync rich.pex -o /dev/stdout >got.pex; ls; cellsync --check - <got.pex | head -n 1'
rm -f got.*

# A tick rate with a unit behind it is not a number; one with blanks behind it is.
printf '# timebase_hz=14 MHz\nthread,time\nT1,0\n' >unit.csv
fails 1 'cellsync unit.csv'
printf '# timebase_hz=14318000%80s\nthread,time\nT1,0\n' '' >blanks.csv
good 'cellsync blanks.csv | head -n 1'

# Names from outside are escaped on standard error.
printf 'thread,time\n"\033[31mT\nx",5\n"\033[31mT\nx",3\n' >names.csv
fails 3 'cellsync --relax=none names.csv'
sed 's/rich.trace/no\&#10;where/' rich.pex >href.pex
fails 1 'cellsync href.pex'
[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain 'a file name makes two lines'

# Messages are by cellsync, by whatever path it was called.
run '"$CELLSYNC" --no-such-option'
case $(head -n 1 "$tmp/err") in 'cellsync: '*) ;; *) complain "argv[0] in a message: $(head -n 1 "$tmp/err")" ;; esac

# A .pex written through a link can be read through it.
mkdir folder
echo old >folder/real.pex
ln -s folder/real.pex through.pex
good 'cellsync rich.pex -o through.pex && cellsync --check through.pex | head -n 1'

# Names as long as a folder takes.
long=$(printf '%0251d' 0).csv
good "cellsync paper.csv -o $long"

# The dense engine takes clocks as far apart as the sweep does.
awk 'BEGIN { print "thread,time"; for (k = 0; k < 2; k++) for (i = 0; i < 10; i++) print "t" i "," (k ? "200000000000000000" : "0") }' >far.csv
good 'cellsync --engine=sweep far.csv -r sweep.txt && cellsync --engine=dense far.csv -r dense.txt && cmp sweep.txt dense.txt && tail -n 1 dense.txt'

# Of XML faults the first one is named, and its line.
printf '<?xml version="1.0"?>\n<pdt_trace version="1">\n<machine timebase_hz="1"/>\n<!-- a --->\n<trace_file/>\n<x/>\n</pdt_trace>\n' >d.pex
fails 1 'cellsync d.pex'

# Little stack: works in a thread that has enough.
good '(ulimit -s 512; cellsync rich.pex -o small.pex && cellsync --check small.pex | head -n 1)'
