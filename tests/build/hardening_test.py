#!/usr/bin/env python3
"""What is installed is hardened: position independent, bound at start, its relocations read-only, its stack
guarded and not executable, its copies of memory checked where their size is known.

Usage: hardening_test.py FILE...     programs and shared libraries, built for release
"""
import pathlib
import subprocess
import sys

# Where jumps by pointers may land.  The linker's mark for it depends on the C library's own objects.
ENDBR64 = b"\xf3\x0f\x1e\xfa"


def readelf(*arguments):
    run = subprocess.run(["readelf", "-W", *arguments], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def words_after(lines, name):
    """The words of the lines that hold NAME, without it."""
    return {word for line in lines if name in line for word in line.split(name)[1].split()}


def faults(path):
    header, segments, dynamic = readelf("-h", path), readelf("-l", path), readelf("-d", path)
    imported = {word.split("@")[0] for line in readelf("--dyn-syms", path) if " UND " in line
                for word in line.split()[7:8]}
    program = any("INTERP" in line for line in segments)
    if "DYN" not in words_after(header, "Type:"):
        yield "not position independent"
    if program and "PIE" not in words_after(dynamic, "(FLAGS_1)"):
        yield "not marked as a position independent executable"
    if not any("GNU_RELRO" in line for line in segments):
        yield "relocations stay writable"
    if "NOW" not in words_after(dynamic, "(FLAGS_1)"):
        yield "symbols are not bound at the start"
    if "RWE" in words_after(segments, "GNU_STACK") or not words_after(segments, "GNU_STACK"):
        yield "the stack is executable"
    if "TEXTREL" in " ".join(dynamic):
        yield "relocations in the text"
    if "__stack_chk_fail" not in imported:
        yield "no guards on the stack"
    if "X86-64" in words_after(header, "Machine:") and pathlib.Path(path).read_bytes().count(ENDBR64) < 10:
        yield "jumps may land anywhere"
    if not any(name.startswith("__") and name.endswith("_chk") for name in imported):
        yield "no copy of memory is checked"


def main(paths):
    found = [f"{path}: {fault}" for path in paths for fault in faults(path)]
    print("\n".join(found))
    print(f"{len(paths)} files, {len(found)} faults")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
