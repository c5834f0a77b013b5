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
good 'python3 onto.py LANG=de_DE.UTF-8 -- --explain="$pair" "$name.csv" | head -n 3'
good 'python3 onto.py LANG=C.utf8 -- "$name.missing.csv"'
good 'python3 onto.py LC_CTYPE=C LANG=C.UTF-8 -- "$name.missing.csv"'
good 'python3 onto.py LC_ALL=C.UTF-8 LANG=C -- "$name.missing.csv"'
good 'python3 onto.py -- "$name.missing.csv"'
good 'LC_ALL=C.UTF-8 cellsync --explain="$pair" "$name.csv" | head -n 3'

# Reports are the same wherever they go.
good 'python3 onto.py LANG=C.UTF-8 -- -q "$name.csv" >there; LC_ALL=C.UTF-8 cellsync -q "$name.csv" | cmp - there && grep ^trace there'
