"""What is found against what is wanted."""


class Mismatch(AssertionError):
    """cellsync and the oracle differ."""


def same(found, wanted, what):
    """Compares, and names the first place where lists or dicts differ."""
    if found == wanted:
        return
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for index, (a, b) in enumerate(zip(found, wanted)):
            same(a, b, f"{what}[{index}]")
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        for key in found:
            same(found[key], wanted[key], f"{what}.{key}")
    raise Mismatch(f"{what}: found {str(found)[:300]}, wanted {str(wanted)[:300]}")


def same_lines(found, wanted, what):
    """Compares texts, and names the first line that differs."""
    same(found.split(b"\n"), wanted.split(b"\n"), what)


def read(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()
