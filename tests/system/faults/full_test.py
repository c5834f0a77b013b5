"""There is no room for an output, of any format: exit status 1, a message, the old output as it was, nothing beside it.

    full_test.py disk CELLSYNC TESTDATA     on a file system with so many free pages, or so many free inodes, more each time;
                                            exit status 77 where a user may not mount one (unshare -rm)
    full_test.py limit CELLSYNC TESTDATA    files may have so many bytes (ulimit -f), more each time

Each loop ends when a run succeeds, which then gives what it gives where there is room.
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

DISK = "2m"
PAGE = os.sysconf("SC_PAGESIZE")
OLD = b"what stood here before\n"
REASONS = {"disk": b": No space left on device\n", "limit": b": File too large\n"}

# Arguments; what stands there before.
SCENARIOS = [
    (["TRACE", "-o", "out.pex"], ["out.pex"]),
    (["TRACE", "-o", "out.pex", "--compress"], ["out.pex"]),
    (["TRACE", "-o", "out.pex", "--embed"], ["out.pex"]),
    (["TRACE", "-o", "out.csv"], ["out.csv"]),
    (["TRACE", "-o", "out.json"], ["out.json"]),
    (["TRACE", "-o", "out.ctf"], ["out.ctf"]),
    (["ARCHIVE", "-o", "out.archive/"], ["out.archive"]),
    (["TRACE", "-r", "out.txt"], ["out.txt"]),
    (["TRACE", "-r", "out.csv"], ["out.csv"]),
    (["TRACE", "-r", "out.json"], ["out.json"]),
    (["TRACE", "-r", "out.html"], ["out.html"]),
    (["TRACE", "TRACE", "-r", "out.tex"], ["out.tex"]),
    (["TRACE", "--graph=out.dot"], ["out.dot"]),
    (["-", "-r", "/dev/null"], []),  # which waits in TMPDIR
]


class Failed(Exception):
    pass


class Runner:
    def __init__(self, cellsync, data, folder):
        self.cellsync, self.folder = cellsync, folder
        self.files_of = {"TRACE": data / "samples/stragglers.pex", "ARCHIVE": data / "otf2/traces.otf2"}
        self.piped = (data / "samples/embedded.pex").read_bytes()

    def prepare(self, outputs, old):
        (self.folder / "spool").mkdir(exist_ok=True)
        (self.folder / "run").mkdir(exist_ok=True)
        # The folder itself stays: a sandbox that is gone keeps its inode for a moment.
        for path in (self.folder / "run").iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for name in outputs if old else []:
            if name.endswith((".ctf", ".archive")):
                (self.folder / "run" / name).mkdir()
            else:
                (self.folder / "run" / name).write_bytes(OLD)

    def files(self):
        return {str(p.relative_to(self.folder)): p.read_bytes() if p.is_file() else None
                for part in ("run", "spool") for p in sorted((self.folder / part).rglob("*"))}

    def run(self, arguments, limit=resource.RLIM_INFINITY):
        environment = {**os.environ, "TMPDIR": str(self.folder / "spool"), "LC_ALL": "C"}
        command = [self.cellsync, "-q", *(self.files_of.get(a, a) for a in arguments)]
        with subprocess.Popen(command, cwd=self.folder / "run", env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) as process:
            out, error = process.communicate(self.piped if arguments[0] == "-" else b"")
            return process.returncode, out, error

    def judge(self, arguments, result, before, good, reason):
        """True where the run succeeded."""
        code, out, error = result
        if code == 0 and self.files() == good and not error:
            return True
        if code != 1 or out or not error.startswith(b"cellsync: ") or not error.endswith(reason) or error.count(b"\n") != 1:
            raise Failed(f"{arguments}: exit status {code}: {error.decode()}")
        if self.files() != before:
            raise Failed(f"{arguments}: {error.decode()}: files: {sorted(self.files())}, or what is in them")
        return False

    def try_rooms(self, mode, scenario, make_room, rooms):
        """How many runs failed."""
        arguments, outputs = scenario
        self.prepare(outputs, True)
        if self.run(arguments)[0] != 0:
            raise Failed(f"{arguments}: {self.run(arguments)}")
        good = self.files()
        for failures, room in enumerate(rooms):
            self.prepare(outputs, True)
            before = self.files()
            limit = make_room(room)
            result = self.run(arguments, limit)
            make_room(None)
            if self.judge(arguments, result, before, good, REASONS[mode]):
                return failures
        raise Failed(f"{arguments}: it never succeeds")


class Disk:
    """A file system that can be filled."""
    def __init__(self, folder):
        self.folder = folder

    def leave(self, pages):
        """All but so many pages are taken; None: none is."""
        filler = self.folder / "filler"
        filler.unlink(missing_ok=True)
        if pages is not None:
            free = os.statvfs(self.folder).f_bavail * os.statvfs(self.folder).f_frsize
            with open(filler, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, free - pages * PAGE)
        return resource.RLIM_INFINITY

    def leave_inodes(self, inodes):
        filler = self.folder / "inodes"
        shutil.rmtree(filler, ignore_errors=True)
        if inodes is not None:
            filler.mkdir()
            for i in range(os.statvfs(self.folder).f_ffree - inodes):
                (filler / str(i)).touch()
        return resource.RLIM_INFINITY


def mounted(folder):
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK},nr_inodes=64", "tmpfs", str(folder)]
    return subprocess.run(command, stderr=subprocess.PIPE, check=False)


def enter_namespace():
    """Run this again where it may mount."""
    if os.environ.get("CELLSYNC_FULL_TEST") == "inside":
        return
    can = subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.PIPE, check=False)
    if can.returncode != 0:
        print("skipped:", can.stderr.decode().strip())
        sys.exit(77)
    os.environ["CELLSYNC_FULL_TEST"] = "inside"
    os.execvp("unshare", ["unshare", "-rm", sys.executable, *sys.argv])


def main():
    mode = sys.argv[1]
    cellsync, data = (pathlib.Path(p).resolve() for p in sys.argv[2:4])
    if mode == "disk":
        enter_namespace()
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp) / "disk"
        folder.mkdir()
        if mode == "disk" and (mount := mounted(folder)).returncode != 0:
            print("skipped:", mount.stderr.decode().strip())
            return 77
        runner = Runner(cellsync, data, folder)
        runner.prepare([], False)
        disk = Disk(folder)
        ways = {"limit": [(lambda room: resource.RLIM_INFINITY if room is None else room, range(0, 1 << 20, 2048), "bytes")],
                "disk": [(disk.leave, range(1000), "pages"), (disk.leave_inodes, range(60), "inodes")]}[mode]
        try:
            for make_room, rooms, unit in ways:
                for scenario in SCENARIOS:
                    if "ARCHIVE" in scenario[0] and b"without OTF2" in runner.run(["ARCHIVE"])[2]:
                        continue
                    failures = runner.try_rooms(mode, scenario, make_room, rooms)
                    print(f"{' '.join(scenario[0])}: {failures} runs had too few {unit}")
                    if failures == 0:
                        raise Failed("none at all")
        except Failed as failure:
            print("FAILED:", failure)
            return 1
        finally:
            if mode == "disk":
                subprocess.run(["umount", str(folder)], check=True)
    return 0


sys.exit(main())
