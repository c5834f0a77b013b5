#!/usr/bin/env python3
"""Checks all C files with clang-tidy, on all cores. Files are skipped if they had no faults before and nothing has changed:
neither the file, nor a file that it may include, nor its compiler options, nor the options of clang-tidy. MEMORY contains a
file for each hash of these inputs, similar to ccache.

    tidy.py MEMORY FOLDER [OPTION...]     FOLDER contains compile_commands.json; options are for clang-tidy

Run it in the folder with .clang-tidy. It prints all faults; the exit status is 1 if there are any.
"""
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
TOP = os.getcwd()


@functools.cache
def looked_at(path):
    """Returns the hash of a file, and pairs ("<" or a quote, name) of all files in its #include lines."""
    text = pathlib.Path(path).read_bytes()
    return hashlib.sha256(text).hexdigest(), [(kind, name.decode()) for kind, name in INCLUDE.findall(text)]


@functools.cache
def places(compiler):
    """Returns the default folders of a compiler for #include."""
    said = subprocess.run([compiler, "-E", "-v", "-x", "c", os.devnull], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=True).stderr
    return tuple(said.split("search starts here:\n")[-1].split("End of search list")[0].split())


@functools.cache
def found(name, folders):
    """Returns all files with this name, because the one that is included may depend on conditions."""
    paths = (os.path.normpath(os.path.join(folder, name)) for folder in folders)
    return [path for path in paths if os.path.isfile(path)]


def closure(path, folders):
    """Returns the file and all files that it may include."""
    seen, waiting = {path}, [path]
    while waiting:
        here = waiting.pop()
        for kind, name in looked_at(here)[1]:
            beside = (os.path.dirname(here),) if kind == b'"' else ()
            for other in found(name, beside + folders):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    return seen


def key(commands, asked):
    """Returns the hash of all inputs; a file may be compiled by several commands."""
    total = hashlib.sha256(asked)
    for command in commands:
        words = shlex.split(command["command"])
        folders = tuple(word[2:] for word in words if word.startswith("-I"))
        folders += tuple(folder for word, folder in zip(words, words[1:]) if word == "-isystem") + places(words[0])
        texts = sorted((path.replace(TOP, ""), looked_at(path)[0]) for path in closure(command["file"], folders))
        total.update(f"{command['command']}\n{texts}\n".replace(TOP, "").encode())
    return total.hexdigest()


def look_over(path, remembered, folder, options):
    """Returns True if a file has no faults, and prints faults. clang-tidy 14 confuses files if it gets several."""
    if remembered and remembered.exists():
        return True
    done = subprocess.run(["clang-tidy", "--quiet", "-p", folder, *options, path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.stdout.write(done.stdout or done.stderr)
    elif remembered:
        remembered.touch()
    return done.returncode == 0


def main(memory, folder, *options):
    ways = {}
    for command in json.loads(pathlib.Path(folder, "compile_commands.json").read_bytes()):
        ways.setdefault(command["file"], []).append(command)
    version = subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=False).stdout
    asked = b"\0".join([version, pathlib.Path(".clang-tidy").read_bytes(), *(word.encode() for word in options)])

    def clean(path):
        # Files without a compile command are always checked, because clang-tidy guesses their options from other files.
        commands = ways.get(os.path.abspath(path), [])
        return look_over(path, pathlib.Path(memory, key(commands, asked)) if commands else None, folder, options)

    files = sorted(str(path) for part in ("lib", "stat", "recorder", "simulator")
                   for path in pathlib.Path(part).rglob("*.c"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return 0 if all(list(pool.map(clean, files))) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
