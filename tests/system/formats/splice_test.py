#!/usr/bin/env python3
"""The document of a synchronized .pex is, byte for byte, the one that was read, but for what pex(5) says that changes:
random documents, judged by expat, which shares no code with cellsync or libxml2.

Usage: splice_test.py CELLSYNC [SEED] [DOCUMENTS].  Each is written in white space, comments, quotes, entities,
namespaces, encodings and an order of its own, with text that looks like the tags that change.
"""
import os
import pathlib
import random
import re
import struct
import sys
import tempfile
import xml.parsers.expat

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "oracle"))
import started  # noqa: E402

# Names of encodings, Python's for them.  In the last four ] may be the second byte of a character.
ENCODINGS = {None: "utf-8", "UTF-8": "utf-8", "utf-8": "utf-8", "US-ASCII": "ascii", "ISO-8859-1": "latin-1",
             "windows-1251": "cp1251", "KOI8-R": "koi8-r", "EUC-JP": "euc-jp", "GB2312": "gb2312",
             "Shift_JIS": "shift_jis", "Big5": "big5", "GBK": "gbk", "GB18030": "gb18030"}
SPACE = [" ", "\n", "\t", "  \n ", "\r\n"]
DECOYS = ["<clock kind='x'/>", "</pdt_trace>", "<trace_file href='no'/>", "<synchronization>", ">", "/>", "--&gt;", "]]", "]>",
          "'", '"', "<", "</", "<![CDATA[", "<?", "<!--live intervals-->", "="]
ATTRIBUTE = re.compile(rb"""(\s+)([^\s=/>]+)(\s*=\s*)(["'])(.*?)\4""", re.S)


def letters_of(codec):
    """Characters beyond ASCII; where ] is the second byte of some, mostly those."""
    found, odd = [], []
    for point in [*range(0xa1, 0x180), *range(0x400, 0x460), *range(0x3041, 0x30ff), *range(0x4e00, 0x9f00, 7), 0x1f600]:
        try:
            code = chr(point).encode(codec)
        except UnicodeEncodeError:
            continue
        found.append(chr(point))
    for point in range(0x3041, 0x9f00):
        try:
            code = chr(point).encode(codec)
        except UnicodeEncodeError:
            continue
        if code[-1:] == b"]":
            odd.append(chr(point))
    return odd * 5 + found if odd else found


class Document:
    """Text of a random document, without records."""

    def __init__(self, rng):
        self.rng = rng
        self.encoding = rng.choice(list(ENCODINGS))
        self.codec = ENCODINGS[self.encoding]
        self.letters = letters_of(self.codec)
        self.prefix = rng.choice(["", "", "", "p:", "clock:"])
        self.foreign = 0

    def some(self, items, most=3):
        return "".join(self.rng.choice(items) for _ in range(self.rng.randrange(most + 1)))

    def space(self, least=0):
        return self.some(SPACE, 2) or (self.rng.choice(SPACE) if least else "")

    def words(self):
        return self.some(DECOYS + ["a", "b c", "\n", "-"] + self.rng.choices(self.letters or ["z"], k=6), 5)

    def comment(self):
        return "<!--" + self.words().replace("--", "- ").rstrip("-") + "-->"

    def instruction(self):
        return "<?x" + self.rng.choice(["", " " + self.words().replace("?>", "? >")]) + "?>"

    def cdata(self):
        trap = self.letters[0] + "]><clock>" if self.letters and self.rng.random() < 0.5 else ""
        return "<![CDATA[" + (trap + self.words()).replace("]]>", "]] >") + "]]>"

    def text(self):
        words = self.words().replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
        words = "&#65;" * words.startswith((">", "]")) + words      # after text that ends in ]
        return words + self.rng.choice(["", "&amp;", "&#65;", "&#x1F600;", "&quot;"])

    def value(self, text, quote):
        """A way to write it as an attribute's value."""
        written = text.replace("&", "&amp;").replace("<", "&lt;").replace(quote, f"&#{ord(quote)};")
        if written and self.rng.random() < 0.2:
            written = f"&#x{ord(text[0]):x};" + (written[1:] if text[0] == written[0] else "")
            if text[0] != written[-1:] and len(text) > 1 and not written.endswith(text[1:]):
                written = f"&#{ord(text[0])};" + text[1:].replace("&", "&amp;").replace("<", "&lt;").replace(quote, f"&#{ord(quote)};")
        return quote + written + quote

    def tag(self, name, attributes, content=None):
        attributes = list(attributes)
        self.rng.shuffle(attributes)
        begin = "<" + name
        for key, text in attributes:
            blank = self.rng.choice(["", "", " ", "\n"])
            begin += self.space(1) + key + blank + "=" + blank + self.value(text, self.rng.choice("\"'"))
        begin += self.space()
        if content is None and self.rng.random() < 0.6:
            return begin + "/>"
        return f"{begin}>{content or self.rng.choice(['', self.filling(1)])}</{name}{self.space()}>"

    def others(self):
        """Attributes that mean nothing."""
        names = [n for n in ("note", "a", "x.y", "kin", "hrefs", "xml:href", "xml:kind") if self.rng.random() < 0.15]
        return [(name, self.words()) for name in names]

    def element(self, depth):
        """One that means nothing, whatever it is called."""
        self.foreign += 1
        name = self.rng.choice(["clock", "trace_file", "synchronization", "pdt_trace", "note"])
        if self.rng.random() < 0.5:
            return self.tag(f"f{self.foreign}:{name}", [(f"xmlns:f{self.foreign}", "urn:other<&>"), *self.others()])
        return self.tag(f"{self.prefix}g", self.others(), self.filling(depth + 1) + self.tag(f"{self.prefix}{name}", self.others()))

    def filling(self, depth):
        makers = [self.space, self.comment, self.instruction, self.cdata, self.text]
        if depth < 3:
            makers.append(lambda: self.element(depth))
        return "".join(self.rng.choice(makers)() for _ in range(self.rng.randrange(4)))

    def misc(self):
        return "".join(self.rng.choice([self.space, self.comment, self.instruction])() for _ in range(self.rng.randrange(3)))

    def make(self, href):
        rng, p = self.rng, self.prefix
        declaration = ""
        if self.encoding or rng.random() < 0.5:
            encoding = f" encoding={rng.choice(['%s', '%s']) % (chr(39) + self.encoding + chr(39))}" if self.encoding else ""
            declaration = f"<?xml version=\"1.0\"{encoding}{rng.choice(['', ' standalone=' + chr(34) + 'yes' + chr(34)])} ?>"
        mark = "\ufeff" if self.codec == "utf-8" and rng.random() < 0.3 else ""
        parts = [self.tag(f"{p}machine", [("timebase_hz", "1000"), *self.others()]),
                 self.tag(f"{p}trace_file", [*([("href", href)] if href else []), *self.others(),
                                             *([("compression", "none")] if rng.random() < 0.5 else [])])]
        for kind in rng.choice([[], [[]], [[("kind", "local")]], [[], [("kind", "local")]]]):
            parts.append(self.tag(f"{p}clock", kind + self.others()))
        if rng.random() < 0.3:
            parts.append(self.tag(f"{p}synchronization", [("method", "old")], self.filling(1)))
        rng.shuffle(parts)
        content = self.filling(0) + "".join(part + self.filling(0) for part in parts)
        namespace = [(f"xmlns:{p[:-1]}", rng.choice(["urn:p", "a>b"]))] if p else rng.choice([[], [("xmlns", "urn:d")]])
        root = self.tag(f"{p}pdt_trace", [("version", "1"), *namespace, *self.others()], content or " ")
        text = mark + declaration + (self.misc() if declaration else self.misc().lstrip()) + root + self.misc()
        return text.encode(self.codec, "xmlcharrefreplace" if self.codec == "ascii" else "strict")


class Token:
    def __init__(self, kind, data, depth, begin):
        self.kind, self.data, self.depth, self.begin = kind, data, depth, begin
        self.bytes = None


def read(document):
    """The tokens of a document in UTF-8, as expat tells of them; their bytes are all of it."""
    parser = xml.parsers.expat.ParserCreate("utf-8", " ")
    parser.ordered_attributes = True
    tokens, depth = [], 0

    def add(kind, *data):
        tokens.append(Token(kind, data, depth, parser.CurrentByteIndex))

    def start(name, attributes):
        nonlocal depth
        add("start", name, list(zip(attributes[::2], attributes[1::2])))
        depth += 1

    def end(name):
        nonlocal depth
        depth -= 1
        add("end", name)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda text: add("text", text)
    parser.CommentHandler = lambda text: add("comment", text)
    parser.ProcessingInstructionHandler = lambda target, text: add("pi", target, text)
    parser.StartCdataSectionHandler = lambda: add("[")
    parser.EndCdataSectionHandler = lambda: add("]")
    parser.DefaultHandler = lambda text: add("default", text)
    parser.Parse(document, True)
    for token, after in zip(tokens, tokens[1:] + [None]):
        token.bytes = document[token.begin:after.begin if after else len(document)]
    return tokens


def wanted(changes, attributes):
    """What a tag's attributes become: values that are set, in place or at the end; None takes one away."""
    kept = [(name, changes.get(name, value)) for name, value in attributes]
    have = [name for name, _ in attributes]
    return [(n, v) for n, v in kept + [(n, v) for n, v in changes.items() if n not in have] if v is not None]


def compare_tag(changes, before, after, end_of_tag):
    """Attributes in the order in which they are, and every byte of those that stay."""
    if after.data[1] != wanted(changes, before.data[1]):
        raise AssertionError(f"{before.bytes!r} became {after.bytes!r}")
    old, new = ATTRIBUTE.findall(before.bytes), ATTRIBUTE.findall(after.bytes)
    old = [a for a in old if changes.get(a[1].decode(), "") is not None]
    for a, b in zip(old, new):
        if a[:4] != b[:4] or (a[1].decode() not in changes and a != b):
            raise AssertionError(f"{a} became {b}")
    tails = [re.search(rb"""(?:["']|<[^\s/>]+)(\s*/?>)""" + end_of_tag, t.bytes) for t in (before, after)]
    if tails[0].group(1) != tails[1].group(1):
        raise AssertionError(f"{before.bytes!r} became {after.bytes!r}")


def split_name(name):
    uri, _, local = name.rpartition(" ")
    return uri, local


def compare(before, after, href):
    """Both documents, in UTF-8."""
    old, new = read(before), read(after)
    root = next(t for t in old if t.kind == "start")
    uri = split_name(root.data[0])[0]
    ours = {local: next((i for i, t in enumerate(old) if t.kind == "start" and t.depth == 1 and
                         split_name(t.data[0]) == (uri, local)), None) for local in ("clock", "trace_file")}
    changes = {ours["trace_file"]: {"compression": "none", "href": href}}
    if ours["clock"] is not None:
        changes[ours["clock"]] = {"kind": "global"}
    close = next(i for i, t in enumerate(old) if t.kind == "end" and t.depth == 0)
    added = len(new) - len(old)
    inserted = new[close:close + added]
    for i, token in enumerate(old):
        other = new[i if i < close else i + added]
        if i in changes:
            compare_tag(changes[i], token, other, rb"\Z")
        elif token.bytes != other.bytes or token.kind != other.kind or token.data != other.data:
            raise AssertionError(f"{token.bytes!r} became {other.bytes!r}")
    top = [(split_name(t.data[0]), t.data[1]) for t in inserted if t.kind == "start" and t.depth == 1]
    if ours["clock"] is None:
        if top.pop(0) != ((uri, "clock"), [("kind", "global")]):
            raise AssertionError("no clock was added")
    if len(top) != 1 or top[0][0] != (uri, "synchronization") or dict(top[0][1])["records"] != "3":
        raise AssertionError(f"added: {top}")
    rows = [split_name(t.data[0]) for t in inserted if t.kind == "start" and t.depth == 2]
    if rows != [(uri, "ppe_thread"), (uri, "live_interval")] or inserted[-1].bytes != b"\n":
        raise AssertionError(f"rows: {rows}")


def records():
    ppe = [struct.pack(">HBBHHIIQQ", 32, 0, 0, event, 0, 7, 0, time, 0) for event, time in ((0x300, 1000), (0x400, 2000))]
    spe = struct.pack(">HBBHHIIII", 24, 1, 0, 0x503, 0, 1, 0, 5000, 0)
    return b"PDTTRACE" + struct.pack(">HHIQQ", 1, 32, 0, 3, 0) + ppe[0] + spe + ppe[1]


def try_one(cellsync, rng, folder):
    document = Document(rng)
    embedded, embed = rng.random() < 0.5, rng.random() < 0.5
    text = document.make(None if embedded else "r & d.trace")
    (folder / "in.pex").write_bytes(text + (b"\0" + records() if embedded else b""))
    for name in folder.glob("o*"):
        name.unlink()
    name = rng.choice(["out", "o&'<>\"", "o\u00e9\u20ac"]) + ".pex"
    arguments = [cellsync, "-q", "in.pex", "-o", name] + ["--embed"] * embed
    for call in (arguments, [cellsync, "--check", name]):
        result = started.run(call, cwd=folder, capture_output=True, check=False)
        if result.returncode != 0:
            raise AssertionError(result.stderr.decode())
    written = (folder / name).read_bytes().split(b"\0")[0]
    made = [p.name for p in folder.glob("o*.trace")]
    before, after = (b.decode(document.codec).encode() for b in (text, written))
    compare(before, after, None if embed else made[0])
    return text


def main():
    cellsync = os.path.abspath(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    documents = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        (folder / "r & d.trace").write_bytes(records())
        for i in range(documents):
            try:
                try_one(cellsync, random.Random(seed + i), folder)
            except (AssertionError, xml.parsers.expat.ExpatError, UnicodeError) as failure:
                print(f"seed {seed + i}: {failure}\n{(folder / 'in.pex').read_bytes()!r}")
                return 1
    print(f"{documents} documents from seed {seed}")
    return 0


sys.exit(main())
