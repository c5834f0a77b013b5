"""What an HTML report says, read back from the page: tables, titles of drawings, and whether it is whole."""
import html.parser
import pathlib

VOID = {"meta", "br", "hr", "img", "input", "link"}
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "main", "section", "div", "footer", "figure", "figcaption",
    "h1", "h2", "h3", "p", "strong", "bdi", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td",
    "details", "summary", "svg", "desc", "defs", "nav", "ul", "li", "a", "g", "code", "pattern", "marker", "rect", "path", "text",
}


MAN = pathlib.Path(__file__).resolve().parents[3] / "man"


def is_in_manual(reference):
    """True for "cellsync-report(7), Chains" if this page has this section."""
    page, _, section = reference.partition(", ")
    lines = (MAN / page.replace("(", ".").rstrip(")")).read_text().splitlines()
    return any(line in (f".Ss {section}", f".Sh {section}") for line in lines)


class Page(html.parser.HTMLParser):
    """rows[table id], titles[svg id] of its rectangles, texts[id] of any other element with an id."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.stack, self.faults = [], []
        self.tables, self.titles, self.texts, self.rows = {}, {}, {}, {}
        self.headings, self.terms, self.links, self.ids = [], {}, [], []
        self.term = ""
        self.feed(source)
        self.close()
        if self.stack:
            self.faults.append(f"left open: {[tag for tag, _ in self.stack]}")
        self.faults += [f"a link to no part of the page: #{link}" for link in self.links if link not in self.ids]
        self.faults += [f"two parts are called {name}" for name in set(self.ids) if self.ids.count(name) > 1]

    def within(self, tag):
        return next((attrs for name, attrs in reversed(self.stack) if name == tag), None)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        if tag not in ALLOWED:
            self.faults.append(f"<{tag}> is no part of a report")
        for name, value in attrs.items():
            if name == "href" and tag == "a" and value.startswith("#"):
                self.links.append(value[1:])
            elif name.startswith("on") or name in ("href", "src", "style", "xlink:href") or "url(" in (value or ""):
                self.faults.append(f"<{tag} {name}={value!r}>")
        if tag == "tr" and self.within("tbody") is not None:
            table = self.within("table").get("id", "statistics")
            self.tables.setdefault(table, []).append([])
            if "id" in attrs:
                self.rows[attrs["id"]] = self.tables[table][-1]
        elif tag in ("td", "th") and self.within("tbody") is not None:
            self.tables[self.within("table").get("id", "statistics")][-1].append("")
        elif tag == "title" and self.within("rect") is not None:
            self.titles.setdefault(self.within("svg")["id"], []).append("")
        elif tag in ("h1", "h2"):
            if "title" in attrs and not is_in_manual(attrs["title"]):
                self.faults.append(f"no manual has {attrs['title']}")
            self.headings.append((tag, ""))
        elif tag == "dt":
            self.term = ""
        if tag not in VOID:
            self.stack.append((tag, attrs))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self.stack[-1:]}")
        else:
            self.stack.pop()

    def handle_data(self, data):
        if not self.stack:
            return
        data = data.replace("\u202f", "")  # between groups of digits
        tag = self.stack[-1][0]
        if tag == "title" and self.within("rect") is not None:
            self.titles[self.within("svg")["id"]][-1] += data
        elif (self.within("td") is not None or self.within("th") is not None) and self.within("tbody") is not None:
            self.tables[self.within("table").get("id", "statistics")][-1][-1] += data
        elif self.within("h1") is not None or self.within("h2") is not None:
            level, text = self.headings[-1]
            self.headings[-1] = (level, text + data)
        elif tag == "dt":
            self.term += data
        elif tag == "dd":
            self.terms[self.term] = self.terms.get(self.term, "") + data
        for _, attrs in self.stack:
            if "id" in attrs and self.stack[-1][0] != "title":
                self.texts[attrs["id"]] = self.texts.get(attrs["id"], "") + data
