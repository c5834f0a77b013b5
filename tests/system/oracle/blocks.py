"""Blocks of records that happen at known instants, and the truth of their flushes."""


class Blocks:
    """Some locations write to one buffer each, in blocks, others record by record; the truth of every flush."""

    def __init__(self, rng, happenings):
        self.rng = rng
        self.after = rng.choice(["flush", "block", "none"])
        self.stamped = rng.choice([0, 0, 0.5, 1])
        self.flushes = {}                               # by the id of a block's last happening, its instant
        self.keys = {id(h): h.end for h in happenings}  # when something was in its buffer
        buffers = rng.choice([["s"], ["s", "s", "t"]])
        size = rng.choice([1, 2, 3, 5, 8])
        for location in dict.fromkeys(h.row.runs_at for h in happenings):
            mine = [h for h in happenings if h.row.runs_at == location]
            buffer = rng.choice(buffers)
            written = [h for h in mine if rng.random() < rng.choice([0.9, 1])]
            for h in written:
                h.row.buffer = buffer
            if rng.random() < 0.8:
                self.cut(written, size)
                key, those = 0, {id(h) for h in written}
                for h in mine:
                    key = self.keys[id(h)] if id(h) in those else key
                    self.keys[id(h)] = key

    def cut(self, written, size):
        rng, blocks = self.rng, []
        names = rng.choice([range(1000), range(7, 7000, 5), [f"b{i}" for i in range(1000)]])
        while written:
            n = rng.randint(1, size)
            blocks.append(written[:n])
            written = written[n:]
        last = 0
        for i, block in enumerate(blocks):
            least = max(last, block[-1].end)
            following = blocks[i + 1] if i + 1 < len(blocks) else None
            most = least + 30
            if following and self.after != "none":
                most = following[0 if self.after == "flush" else -1].end
            last = rng.randint(least, max(least, most))
            self.flushes[id(block[-1])] = last
            for h in block:
                h.row.block = str(names[i])
                self.keys[id(h)] = last

    def stamp(self, h, stamp):
        """The flush of the block that h is the last one of, as it is stamped."""
        rng = self.rng
        if id(h) not in self.flushes or rng.random() >= self.stamped:
            return ""
        at = self.flushes[id(h)]
        if rng.random() < 0.6:
            return str(stamp(at))
        lo, hi = stamp(at - rng.randint(0, 5)), stamp(at + rng.randint(0, 5))
        return f"{min(lo, hi)}/{max(lo, hi)}"


def long_csv(rng, named):
    """A CSV of many rows in blocks, most of them plain, each location on a clock that goes up; named: one has a name."""
    locations, size = rng.randint(2, 6), rng.choice([1, 3, 10, 60])
    off = [rng.randint(-10**6, 10**6) for _ in range(locations)]
    now, last, odd = [0] * locations, 0, rng.choice([0, 0, 0.02, 0.3])
    stamped, end = rng.choice([0, 0.5, 1]), rng.choice(["\n", "\r\n"])
    numbers = [0] * locations
    lines = [f"# order=partial{end}# block_after={rng.choice(['flush', 'block', 'none'])}{end}",
             f"{'id,' if named else ''}thread,begin,time,buffer,block,flush,event{end}"]
    for i in range(rng.randint(5, 120)):
        one = rng.randrange(locations)
        rows = rng.randint(1, size)
        late = rng.choice([0, 0, 0, 5]) if rng.random() < 0.5 else 0
        for k in range(rows):
            now[one] = max(now[one] + rng.randint(0, 9), last - 40)
            begin = str(now[one] + off[one] - rng.randint(0, 3)) if rng.random() < 0.2 else ""
            flush = str(now[one] + off[one] + rng.randint(0, 9) - late) if k + 1 == rows and rng.random() < stamped else ""
            thread, time = f"t{one}", str(now[one] + off[one])
            if rng.random() < odd:
                thread, time = rng.choice([(f'"{thread}"', time), (f" {thread}", time), (thread, time + " ")])
            name = ("x" if i + k == 0 else "") + "," if named else ""
            lines.append(f"{name}{thread},{begin},{time},s,{numbers[one]},{flush},e{k}{end}")
        numbers[one] += 1
        last = max(last, now[one])
    return "".join(lines)
