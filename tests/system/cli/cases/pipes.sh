# Standard input and output, FIFOs, and what stands in for them.
use good/rich.pex good/rich.trace good/embedded.pex good/embedded-gzip.pex samples/paper.csv samples/embedded.pex
cellsync embedded.pex -o expected.pex --embed
cellsync paper.csv -o expected.csv

good 'cat embedded.pex | cellsync - -o - | cellsync --check -'
good 'cat embedded.pex | cellsync - -o - | cmp - expected.pex'
good 'cat paper.csv | cellsync - -o - | cellsync - -o - | cmp - expected.csv'
good 'cat embedded.pex | cellsync - -o - --to=csv | cellsync - -o - | tail -n 1'
good 'cellsync embedded.pex -o - | cmp - expected.pex'
good 'cellsync embedded.pex -o /dev/stdout | cmp - expected.pex'
good 'cellsync embedded.pex -r /dev/stdout | head -n 2'
good 'cellsync embedded.pex -o /dev/null -r - | head -n 2'

# Standard input that is a file is read where it stands.
good 'cellsync - <embedded.pex | head -n 2'
good 'cellsync - -o - <embedded.pex | cmp - expected.pex'
good 'cellsync /dev/stdin -o - <embedded.pex | cmp - expected.pex'
good 'cat embedded.pex | cellsync /dev/stdin -o - | cmp - expected.pex'
printf 'skipped' | cat - embedded.pex >behind.pex
good '(dd bs=1 count=7 status=none >/dev/null; cellsync - -o out.pex --embed) <behind.pex && cmp out.pex expected.pex'
printf 'skipped' | cat - paper.csv >behind.csv
good '(dd bs=1 count=7 status=none >/dev/null; cellsync - -o out.csv) <behind.csv && cmp out.csv expected.csv'

# A .pex on standard input finds its records beside the current folder.
good 'cat rich.pex | cellsync - | head -n 2'
fails 1 'cd / && cellsync - <"$OLDPWD/rich.pex"'
mkdir elsewhere && mkfifo elsewhere/in
good 'cat rich.pex >elsewhere/in & timeout 60 cellsync elsewhere/in || [ $? -eq 1 ]'

# The report and the trace, one of them on standard output.
good 'cat paper.csv | cellsync - -o - -r report.json && cat report.json'
good 'cat paper.csv | cellsync - -o out.csv -r - --report-format=csv && cmp out.csv expected.csv'
good 'cellsync embedded.pex -o out.pex -r - | head -n 2'

# FIFOs.
mkfifo in out
good 'cat embedded.pex >in & timeout 60 cellsync in -o - | cmp - expected.pex'
good 'timeout 60 cellsync --check out & cellsync embedded.pex -o out; wait'
good 'timeout 60 cat out >piped.csv & cellsync paper.csv -o out; wait; cmp piped.csv expected.csv'
good 'timeout 60 cat out >report.csv & cellsync paper.csv -r out --report-format=csv; wait; cat report.csv'
good 'cat embedded-gzip.pex >in & timeout 60 cellsync in | head -n 2'

# What comes through a pipe waits in TMPDIR; what does not needs none.
fails 1 'cat embedded.pex | TMPDIR=nowhere cellsync - 2>&1 >/dev/null | sed "s/sync\.[^:]*/sync.XXXXXX/" >&2; exit 1'
good 'TMPDIR=nowhere cellsync - <embedded.pex | head -n 2'
good 'TMPDIR=nowhere cellsync embedded.pex -o - | cmp - expected.pex'

# Nothing, or half of it.
fails 1 'cellsync -'
fails 1 'cellsync - <&-'
fails 1 'cellsync - <.'
fails 1 'head -c 7000 embedded.pex | cellsync - -o -'
fails 1 'cellsync paper.csv -o - | head -n 3 | cellsync --check -'

# What is no trace by its begin is refused before all of it has been copied.
fails 1 'ulimit -f 4096; timeout 60 cellsync - </dev/zero'
fails 1 'ulimit -f 4096; timeout 60 cellsync - --from=pex </dev/zero'
fails 1 'ulimit -f 4096; yes | timeout 60 cellsync -'
fails 1 'ulimit -f 4096; { printf "<a>\0"; cat /dev/zero; } | timeout 60 cellsync -'

# Pipes that do not wait.
if command -v python3 >/dev/null; then
    cat >unwilling.py <<'END'
import fcntl, os, subprocess, sys, threading, time
def slow(fd):
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)
(from_us, to), (back, out) = os.pipe(), os.pipe()
slow(from_us), slow(out)
fcntl.fcntl(out, 1031, 4096)  # F_SETPIPE_SZ
os.write(out, bytes(4000))  # so that it is full at once
process = subprocess.Popen(sys.argv[2:], stdin=from_us, stdout=out, pass_fds=[])
os.close(from_us), os.close(out)
def feed():
    with open(sys.argv[1], "rb") as file, open(to, "wb", buffering=0) as pipe:
        while piece := file.read(1000):
            time.sleep(0.001)
            pipe.write(piece)
threading.Thread(target=feed).start()
time.sleep(0.3)
with open(back, "rb") as pipe:
    sys.stdout.buffer.write(pipe.read()[4000:])
sys.exit(process.wait())
END
    { cat paper.csv; seq 17 20000 | sed 's/^/T1,/'; } >long.csv
    cellsync long.csv -o want.csv
    good 'timeout 60 python3 unwilling.py long.csv cellsync - -o - | cmp - want.csv'
    cellsync --help >want.txt
    good 'timeout 60 python3 unwilling.py /dev/null cellsync --help | cmp - want.txt'
fi
