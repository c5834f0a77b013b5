"""Options of cellsync, drawn at random: what goes together, and now and then what does not.

    draw(rng, kind, names)      the options of a run; those of arguments() that are paths begin with OUT
"""

from dataclasses import dataclass, field

OUT = "OUT"
SOLVING = ["--method", "--relax", "--delta", "--drop", "--alpha", "--center", "--reference", "--unwrap", "--max-imprecision", "--engine",
           "--monotonic", "--max-adjust", "--measure", "--salvage", "--from"]
CARELESS = ["--embed", "--compress=9", "--pairs=live", "--graph-of=bounds", "--table", "--alpha=2", "--monotonic", "--to=pex",
            "--reference=nobody", "--explain=nobody,ppe", "--report-format=csv", "--check", "--relax=none", "--delta=0", "--drop=1",
            "--method=lsq", "--threads=0", "--max-imprecision=2000000000", "--from=csv", "--from=pex", "--no-such"]
FORMATS = ["pex", "csv", "json", "ctf"]
REPORTS = ["text", "csv", "json", "html", "tex"]

# What must have been in a good run once there are many.
LABELS = ["--method=lamport", "--method=lamport-clock", "--method=lsq", "--relax=exact", "--relax=paper", "--relax=none",
          "--delta", "--drop", "records left out", "--alpha", "--center=reference", "--center=local", "--reference", "--unwrap=assume", "--unwrap=strict", "--max-imprecision", "--engine=auto",
          "--engine=sweep", "--engine=dense", "--monotonic", "--max-adjust", "--measure", "--salvage", "--from", "--embed",
          "--compress", "--table", "--pairs=all", "--pairs=live", "--pairs=reference", "--pairs=none", "--explain",
          "--graph", "--graph-of=constraints", "--graph-of=bounds", "-q", "-v", "--progress=auto", "--progress=always",
          "--progress=never", "file", "pipe", "redirected", "oracle", "oracle of strict", "chains", "truth of each record",
          "truth of the simulator", "a trace that is whole", "a trace that is cut", "a trace that is damaged",
          "exit status 0", "exit status 1", "exit status 2", "exit status 3",
          *[f"-o {format}" for format in FORMATS], *[f"-r {format}" for format in REPORTS],
          "-o to standard output", "-r to standard output", "--graph to standard output"]


@dataclass
class Drawn(dict):
    """Option -> value, None where it takes none; a path may be "-"."""
    files: list = field(default_factory=list)       # what a good run writes below OUT, but for CTF folders
    formats: dict = field(default_factory=dict)     # file -> its format
    standard: str = ""                              # what goes to standard output: an option or ""
    explained: tuple = ()
    careless: list = field(default_factory=list)    # options that need not go with the others

    @property
    def method(self):
        return self.get("--method", "bhh")

    def format_of(self, name):
        return self.formats.get(name)


def arguments(drawn):
    """As the command line has them."""
    words = [key if value is None else f"{key}={value}" if key.startswith("--") else key + value
             for key, value in drawn.items()]
    return words + getattr(drawn, "careless", [])


def solving(drawn):
    """Those that say how to solve."""
    return {key: value for key, value in drawn.items() if key in SOLVING}


def maybe(rng, drawn, share, key, *values):
    """Takes an option in that share of all runs."""
    if rng.random() < share:
        drawn[key] = rng.choice(values)


def draw_solving(rng, drawn, kind, names):
    maybe(rng, drawn, 0.15, "--method", "bhh", "lamport", "lamport-clock", "lsq")
    maybe(rng, drawn, 0.15, "--max-imprecision", "0", "1", "100", "1000000", "1073741824")
    maybe(rng, drawn, 0.15, "--measure", None)
    maybe(rng, drawn, 0.1, "--max-adjust", "0", "5", "1000", "9223372036854775807")
    maybe(rng, drawn, 0.4, "--salvage", None)
    maybe(rng, drawn, 0.1, "--from", kind)
    if drawn.method != "bhh":
        return
    maybe(rng, drawn, 0.5, "--relax", "exact", "exact", "paper", "none")
    if "--relax" not in drawn:
        maybe(rng, drawn, 0.4, "--delta", "0", "1/2", "3", "7/2", "20", "60", "100", "1000000")
    if "--delta" not in drawn and drawn.get("--relax", "exact") == "exact":
        maybe(rng, drawn, 0.5, "--drop", "1", "1", "1", "2", "3", "10")
    maybe(rng, drawn, 0.4, "--alpha", "0", "1", "1/3", "0.25", "123457/1000000")
    maybe(rng, drawn, 0.4, "--center", "reference", "local")
    maybe(rng, drawn, 0.3, "--reference", *(names or ["ppe"]))
    maybe(rng, drawn, 0.3, "--unwrap", "assume", "strict")
    maybe(rng, drawn, 0.4, "--engine", "auto", "dense", *(["sweep"] if drawn.get("--relax") != "paper" else []))
    maybe(rng, drawn, 0.15, "--monotonic", None)


def take_path(rng, drawn, key, path, format):
    """An output: a file below OUT, or standard output where nothing else goes there; returns whether it is a file."""
    drawn.formats[key] = format
    if not drawn.standard and rng.random() < 0.3:
        drawn[key], drawn.standard = "-", key
        return False
    drawn[key], drawn.formats[path] = f"{OUT}/{path}", format
    drawn.files.append(path)
    return True


def draw_output(rng, drawn, kind):
    """The trace."""
    good = [f for f in FORMATS if not (kind == "csv" and f == "pex") and
            not ("--monotonic" in drawn and f == "pex")]
    format = rng.choice(good)
    if format == "ctf":
        drawn["-o"], drawn.formats["-o"] = f"{OUT}/x.ctf", format
        return
    is_file = take_path(rng, drawn, "-o", rng.choice([f"x.{format}", "x.out"]), format)
    if format == "pex":
        maybe(rng, drawn, 0.4, "--embed", None)
        maybe(rng, drawn, 0.4, "--compress", None, "0", "1", "9")
        if is_file and "--embed" not in drawn:
            drawn.files.append("x.TAG.trace.gz" if "--compress" in drawn else "x.TAG.trace")
    maybe(rng, drawn, 0.5 if drawn["-o"].endswith(f".{format}") else 1, "--to", format)


def draw_report(rng, drawn):
    format = rng.choice(REPORTS if drawn.method == "bhh" else ["text", "json"])
    maybe(rng, drawn, 0.5, "--table", None) if format in ("text", "csv") and drawn.method == "bhh" else None
    if format in ("csv", "json") and "--table" not in drawn and drawn.method == "bhh":
        maybe(rng, drawn, 0.9, "--pairs", "all", "live", "reference", "none")
    suffix = "txt" if format == "text" else format
    take_path(rng, drawn, "-r", rng.choice([f"r.{suffix}", "r.out"]), format)
    if not drawn["-r"].endswith(f".{suffix}"):
        drawn["--report-format"] = format


def draw_graph(rng, drawn):
    maybe(rng, drawn, 0.9, "--graph-of", "constraints", "bounds")
    take_path(rng, drawn, "--graph", "g.dot", "dot")


def draw_views(rng, drawn, kind, names):
    if drawn.method == "bhh" and rng.random() < 0.3:
        draw_graph(rng, drawn)
    if drawn.method == "bhh" and not drawn.standard and rng.random() < 0.3:
        drawn.explained = tuple(rng.sample(names, 2) if len(names) > 1 else ["ppe", "spe1.1"])
        drawn["--explain"], drawn.standard = ",".join(drawn.explained), "--explain"
        drawn.formats["--explain"] = "explain"
    if rng.random() < 0.6:
        draw_output(rng, drawn, kind)
    if rng.random() < 0.7:
        draw_report(rng, drawn)
    if drawn.keys().isdisjoint(["-o", "-r", "--graph", "--explain"]):
        drawn.standard, drawn.formats[""] = "", "text"
    maybe(rng, drawn, 0.2, rng.choice(["-q", "-v"]), None)
    maybe(rng, drawn, 0.2, "--progress", "auto", "always", "never")


def draw(rng, kind, names):
    """The options of a run."""
    drawn = Drawn()
    draw_solving(rng, drawn, kind, names)
    draw_views(rng, drawn, kind, names)
    if rng.random() < 0.08:
        drawn.careless = [rng.choice(CARELESS)]
    return drawn


def labels(drawn):
    """What a run is counted under."""
    found = list(drawn) + [f"{key}={value}" for key, value in drawn.items() if value]
    found += [f"{key} {drawn.formats[key]}" for key in ("-o", "-r") if key in drawn]
    return [label for label in found + [f"{drawn.standard} to standard output"] if label in LABELS]
