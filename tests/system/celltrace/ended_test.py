#!/usr/bin/env python3
"""Programs that cancel threads, and whose main thread ends first, do the same with celltrace(1) as without.

Usage: ended_test.py CELLTRACE ENDED
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from run_files import processes  # noqa: E402

CELLTRACE, ENDED = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])


def both(folder, *words, status=0, settings=()):
    """The output without celltrace and with it, which must be the same, and the run."""
    run = pathlib.Path(folder) / f"run{len(list(pathlib.Path(folder).iterdir()))}"
    plain = subprocess.run([ENDED, *words], capture_output=True, text=True, timeout=60)
    ended = subprocess.run([CELLTRACE, "-o", run, *settings, ENDED, *words], capture_output=True, text=True, timeout=60)
    assert plain.returncode == status and plain.stdout, (words, plain)
    assert (ended.returncode, ended.stdout, ended.stderr) == (status, plain.stdout, ""), (words, settings, ended)
    (p,) = processes(run)
    assert p.recording["complete"] == "yes" and p.said == len(p.records) and not p.has_live, (words, p.recording)
    return ended.stdout, p


def cancelled(folder):
    """No lock is held by a thread that was cancelled, and none is cancelled where it would not be without celltrace."""
    for settings in (("--page=4k",), ("--page=4k", "--order=buffer")):
        for words in (("cancel", "5"), ("spend", "5")):
            said, p = both(folder, *words, settings=settings)
            assert said == "5 returned\n" and p.recording["lost"] == "0", (words, said, p.recording)
        said, p = both(folder, "wait", "5", settings=settings)
        assert said == "0 returned\n" and p.recording["lost"] == "0", (said, p.recording)
        # A thread that is cancelled within an event loses this event, and those of its end.
        said, p = both(folder, "torn", "5", settings=settings)
        assert said == "0 returned\n" and int(p.recording["lost"]) <= 4 * 40 and len(p.of("FUNCTION_ENTRY")) > 40, (said, p.recording)


def ending(folder):
    for settings in ((), ("-e", "none"), ("--order=buffer",)):
        for threads in ("0", "2"):
            said, p = both(folder, "pthread_exit", threads, settings=settings)
            assert said == "thread ends\n" * int(threads) + "exit handler\n", said
            assert [r.values[0] for r in p.of("PROGRAM_STOP")] == [int(p.root.find("process").get("pid"))]
    for words in (("syscall", "0"), ("syscall", "7"), ("quick_exit", "7")):
        _, p = both(folder, *words, status=int(words[1]))
        assert len(p.of("PROGRAM_STOP")) == 1


def daemonized(folder):
    """The daemon is what it is without celltrace; its parent's record is complete, and it is said that the daemon has none."""
    def start(*words):
        reader, writer = os.pipe()
        with os.fdopen(reader) as said:
            command = ["sh", "-c", f'exec 3>&{writer}; exec "$@"', "sh", *words]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, pass_fds=[writer])
            os.close(writer)
            return done, said.read()
    for keep, where, output in ((0, "/", "null"), (1, folder, "null"), (2, "/", "kept"), (3, folder, "kept")):
        run = pathlib.Path(folder) / f"daemon{keep}"
        plain, ended = start(ENDED, "daemon", str(keep)), start(CELLTRACE, "-o", run, ENDED, "daemon", str(keep))
        assert plain[1] == ended[1] == f"{where} {output} leader\n", (plain, ended)
        assert (plain[0].returncode, ended[0].returncode, plain[0].stderr) == (0, 0, ""), (plain, ended)
        assert ended[0].stderr == ("celltrace: the program called daemon(3): the daemon is not recorded; to record it, have the "
                                   "program stay in the foreground\n"), ended
        (p,) = processes(run)
        assert p.recording["complete"] == "yes" and not p.has_live and len(p.of("PROGRAM_STOP")) == 1, p.recording


def main():
    cases = [cancelled, ending, daemonized]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
