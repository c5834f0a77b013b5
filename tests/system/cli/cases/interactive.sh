# A reader that goes away, as head does: the end by SIGPIPE, with nothing said and nothing left; a terminal as input.
use samples/embedded.pex samples/paper.csv

# unread COMMAND: its standard output is a pipe without a reader; how it ends.
cat >unread.py <<'END'
import os, signal, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
ignored = sys.argv[1] == "ignored"
done = subprocess.run(["cellsync", *sys.argv[2:]], stdout=writer, stderr=subprocess.PIPE, restore_signals=False,
                      preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL))
print(done.returncode == -signal.SIGPIPE, done.returncode, done.stderr.decode())
END
for command in 'embedded.pex' 'embedded.pex -o -' '--explain=T1,T2 paper.csv' --help 'paper.csv -o out.pex.csv -r -'; do
    good "python3 unread.py heeded $command"
    good "python3 unread.py ignored $command"
done
good 'ls'

# What has failed for another reason is said.
good 'python3 unread.py heeded nowhere.pex'

# terminal COMMAND: standard input is a terminal, at which two rows are typed.
cat >terminal.py <<'END'
import os, pty, subprocess, sys
master, slave = pty.openpty()
program = subprocess.Popen(["cellsync", *sys.argv[1:]], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
os.write(master, b"thread,time\nA,1\nB,2\nA,5\n\x04")
out, err = program.communicate(timeout=60)
print(out.decode() + err.decode())
END
good 'python3 terminal.py - -o - | tr -d "\r" | grep -v "^#"'
good 'python3 terminal.py -q - -o - | tr -d "\r" | grep -v "^#"'
good 'cellsync - -o - <paper.csv | tail -n 1'
