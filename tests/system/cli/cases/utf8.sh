# Names in UTF-8 are shown as they are on a terminal that has UTF-8, and escaped anywhere else.
euro=$(printf '\342\202\254') name=$(printf 'gr\303\274n')
# Shown: u with dots, the euro, a treble clef. Not shown: C1, a turn of direction, no shortest form, a cut one, ESC.
printf 'thread,time\n%s%s\360\235\204\236,1\nB\302\205\342\200\256\300\257\303\033,5\n%s%s\360\235\204\236,9\n' \
    "$name" "$euro" "$name" "$euro" >"$name.csv"

# onto TERMINAL... -- COMMAND: standard output and error are a terminal, with this environment.
cat >onto.py <<'END'
import os, pty, subprocess, sys
cut = sys.argv.index("--")
master, slave = pty.openpty()
environment = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LC_CTYPE", "LANG")}
environment.update(word.split("=") for word in sys.argv[1:cut])
program = subprocess.Popen(["cellsync", *sys.argv[cut + 1:]], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                           env=environment)
os.close(slave)
shown = b""
try:
    while more := os.read(master, 65536):
        shown += more
except OSError:
    pass
program.wait()
sys.stdout.buffer.write(shown.replace(b"\r", b""))
END
pair=$name$euro$(printf '\360\235\204\236'),$(printf 'B\302\205\342\200\256\300\257\303\033')
good 'python3 onto.py LANG=de_DE.UTF-8 -- -q --explain="$pair" "$name.csv" | head -n 3'
good 'python3 onto.py LANG=C.utf8 -- "$name.missing.csv"'
good 'python3 onto.py LC_CTYPE=C LANG=C.UTF-8 -- "$name.missing.csv"'
good 'python3 onto.py LC_ALL=C.UTF-8 LANG=C -- "$name.missing.csv"'
good 'python3 onto.py -- "$name.missing.csv"'
good 'LC_ALL=C.UTF-8 cellsync --explain="$pair" "$name.csv" | head -n 3'

# Wrong usage, too.
wide=$(printf '\346\227\245\346\234\254') odd=$(printf 'o\314\210')
good 'python3 onto.py LANG=C.UTF-8 -- --delta="$odd" x.csv'
good 'python3 onto.py LANG=C.UTF-8 -- --gr"$wide" x.csv'
good 'python3 onto.py LANG=C.UTF-8 -- --explain="$wide,$wide" --report-format="$(printf "\302\233\033")" x.csv'

# Text reports and tables, in columns by the width of characters: a wide one, one that combines, and ones that
# deceive or are not UTF-8 (C1, DEL, a mark of order, a separator of lines, a surrogate, beyond Unicode, cut off).
bad=$(printf '\302\237\177\342\200\217\342\201\246\342\200\251\357\273\277\355\240\200\364\220\200\200\342\202\033[31m\\x41')
printf 'thread,time\n%s,1\n%s,5\n%s,6\n%s,7\nplain,8\n%s,9\n' "$name" "$wide" "$odd" "$bad" "$name" >"$wide.csv"
good 'python3 onto.py LANG=C.UTF-8 -- -q "$wide.csv"'
good 'python3 onto.py LANG=C.UTF-8 -- -q --table "$wide.csv" "$name.csv" -r - | cut -c 1-40'
good 'python3 onto.py LC_ALL=C -- -q "$wide.csv" | head -n 1'
good 'python3 onto.py LANG=C.UTF-8 -- -q --reference="$wide" "$wide.csv" -r /dev/stdout | grep reference'
# What is no text for people, and whatever goes elsewhere, is the same as ever.
for options in '--report-format=csv -r -' '--report-format=json -r -' '--graph=-' '-o -' '--report-format=tex -r -'; do
    good "python3 onto.py LANG=C.UTF-8 -- -q $options \"\$wide.csv\" >there; LC_ALL=C.UTF-8 cellsync -q $options \"\$wide.csv\" | tr -d '\r' | cmp - there"
done
good 'LC_ALL=C.UTF-8 cellsync -q "$wide.csv" >utf8; LC_ALL=C cellsync -q "$wide.csv" | cmp - utf8; python3 onto.py LANG=C.UTF-8 -- -q "$wide.csv" -r file && cmp file utf8 && grep ^trace utf8'
