#!/usr/bin/env python3
"""What the Python module takes the library for is what its headers say: the prototypes are compiled beside them, structures
have the same members of the same size at the same places, and words the same values.

Usage: headers.py SOURCE_FOLDER     CC names another compiler than cc; CELLSYNC_LIBRARY the library
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys


# Of what the module does not write: pictures of an analysis.
LEFT_OUT = {"CSY_REPORT_SVG", "CSY_REPORT_DOT", "CSY_REPORT_FOLDED"}


def unnamed(top, words):
    """Constants of an enumeration that the module has words for, and that none of the words is."""
    named = {prefix + word.upper().replace("-", "_") for prefix, values in words.WORDS.values() for word in values}
    headers = "".join(path.read_text() for path in sorted((pathlib.Path(top) / "include/cellsync").glob("*.h")))
    for body in re.findall(r"typedef enum[^{]*\{(.*?)\}", re.sub(r"/\*.*?\*/", "", headers, flags=re.S), re.S):
        constants = set(re.findall(r"\bCSY_\w+", body))
        if constants & named:
            yield from sorted(constants - named - LEFT_OUT)


def claims(c, words):
    """The module's view as C."""
    yield "#include <cellsync/analysis.h>\n#include <cellsync/cellsync.h>"
    yield c.PROTOTYPES
    for structure in c.STRUCTURES:
        name = structure.__name__
        for member, kind in structure._fields_:
            field = getattr(structure, member)
            yield (f'_Static_assert(offsetof({name}, {member}) == {field.offset} && '
                   f'sizeof((({name} *)0)->{member}) == {field.size}, "{name}.{member}");')
            if kind in (ctypes.c_int64, ctypes.c_uint64) and ctypes.c_int64 is not ctypes.c_uint64:
                sign = "<" if kind is ctypes.c_int64 else ">"
                yield f'_Static_assert((__typeof__((({name} *)0)->{member}))-1 {sign} 0, "sign of {name}.{member}");'
        # Those that may grow are only looked at; those in arrays, and those that the module makes, must have this size.
        if name not in ("csy_summary", "csy_imprecision", "csy_proof", "csy_drift", "csy_witness"):
            yield f'_Static_assert(sizeof({name}) == {ctypes.sizeof(structure)}, "size of {name}");'
    for prefix, values in words.WORDS.values():
        for word, value in values.items():
            constant = prefix + word.upper().replace("-", "_")
            yield f'_Static_assert({constant} == {value}, "{constant}");'
    for constant, value in {"CSY_OK": c.OK, "CSY_CHECK": c.CHECK, "CSY_INFEASIBLE": c.INFEASIBLE}.items():
        yield f'_Static_assert({constant} == {value}, "{constant}");'


def main(top):
    sys.path.insert(0, str(pathlib.Path(top) / "python"))
    from cellsync import _c, words
    assert len(_c.prototypes()) == _c.PROTOTYPES.count(";"), "a prototype is not understood"
    missing = list(unnamed(top, words))
    assert not missing, f"no words for {missing}"
    value = words.WORDS["format"][1].pop("otf2")  # it can fail
    assert list(unnamed(top, words)) == ["CSY_FORMAT_OTF2"]
    words.WORDS["format"][1]["otf2"] = value
    text = "\n".join(claims(_c, words)) + "\n"
    command = [os.environ.get("CC", "cc"), "-std=gnu11", "-fsyntax-only", "-Wall", "-Werror", f"-I{top}/include", "-x", "c", "-"]
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    print(done.stderr, end="")
    if done.returncode:
        return 1
    # It can fail: the same with one thing wrong.
    for wrong in (text.replace("uint64_t timebase_hz", "int64_t timebase_hz"), text.replace(") == 8 &&", ") == 16 &&", 1)):
        assert wrong != text
        if subprocess.run(command, input=wrong, text=True, capture_output=True).returncode == 0:
            print("what is wrong compiles, too")
            return 1
    print(f"{len(_c.prototypes())} functions, {len(_c.STRUCTURES)} structures as in the headers")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
