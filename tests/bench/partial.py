"""Lines of traces in partial order: messages, points and rows."""
import heapq
import os
import random
import statistics

from measure import against, compare, figures, median_ratio, race

PROCESSES = 256


def messages_of(n, group_every=0):
    """Rows of messages between random processes in the order of time, whose clocks are far apart; and groups of all."""
    rng = random.Random(7)
    offsets = [rng.randint(-10**12, 10**12) for _ in range(PROCESSES)]
    now, coming, last = 0, [], {}
    empty = ",," if group_every else ""

    def arrive():
        time, target, channel = heapq.heappop(coming)
        return f"p{target},{time - offsets[target]},,{channel}{empty}\n"

    for i in range(n):
        now += int(rng.random() * 500)
        while coming and coming[0][0] <= now:
            yield arrive()
        if group_every and i % group_every == group_every - 1:
            while coming:
                now = max(now, coming[0][0])
                yield arrive()
            for column in (f"b{i},", f",b{i}"):
                now += 1000
                yield from (f"p{p},{now - offsets[p]},,,{column}\n" for p in range(PROCESSES))
        source = int(rng.random() * PROCESSES)
        target = (source + 1 + int(rng.random() * (PROCESSES - 1))) % PROCESSES
        channel = f"{source}>{target}"
        yield f"p{source},{now - offsets[source]},{channel},{empty}\n"
        last[channel] = max(now + 1000 + int(rng.random() * 20000), last.get(channel, 0))
        heapq.heappush(coming, (last[channel], target, channel))
    while coming:
        yield arrive()


def sweep_of(width, height, rounds):
    """Rows of wavefronts from the corners of a grid of processes, each of which sends on to two neighbours."""
    rng = random.Random(5)
    offsets = [rng.randint(-10**9, 10**9) for _ in range(width * height)]
    now, rows = [0] * (width * height), []
    for r in range(rounds):
        dx, dy = [(1, 1), (-1, -1), (1, -1), (-1, 1)][r % 4]
        for y in range(height)[::dy]:
            for x in range(width)[::dx]:
                source = y * width + x
                targets = [source + dx] if 0 <= x + dx < width else []
                targets += [source + dy * width] if 0 <= y + dy < height else []
                for target in targets:
                    now[source] += rng.randint(1, 50)
                    rows.append((now[source], source, f"{source}>{target},"))
                    now[target] = max(now[target], now[source] + 100 + rng.randint(0, 200)) + rng.randint(1, 9)
                    rows.append((now[target], target, f",{source}>{target}"))
    rows.sort(key=lambda row: row[0])
    return (f"p{process},{time - offsets[process]},{channel}\n" for time, process, channel in rows)


def csv(bench, name, rows, columns="thread,time,send,recv"):
    """The path of a CSV of these rows.  Made once."""
    path = bench.path(f"{name}.csv")
    if not os.path.exists(path):
        with open(path, "w", encoding="ascii") as out:
            out.write(f"# order=partial\n# timebase_hz=1000000000\n{columns}\n")
            out.writelines(rows)
    return path


def messages(bench):
    """The published rates are of other machines."""
    count = 4_000_000
    path = csv(bench, "messages", messages_of(count))
    times = race(f"{bench.cellsync} -q --threads=1 {path} -r /dev/null", f"wc -l {path}")
    rate = count / statistics.median(times[0]) / 1e6
    bench.note("4 million messages, 1 worker", median_ratio(*times), "x", 20, False,
               f"{against(*times)}; {rate:.1f} million messages a second, {2 * rate:.1f} million events; published: "
               "0.17 million messages of LTTV, 6 million events of TAU")
    bench.remove("messages.csv")


def points(bench):
    path = csv(bench, "points", messages_of(1_900_000, 100_000), "thread,time,send,recv,enter,leave")
    figure = figures(bench.program("partial_bench"), path)
    bench.note("points to pairs to offsets", float(figure["solve/read"]), "x", 2, False,
               f"{figure['solve']} s against {figure['read']} s of reading; {figure['points']} points, "
               f"{figure['pairs']} pairs")
    bench.remove("points.csv")


def drift(bench):
    """Bounds that vary over time, of which there is one for every reading, against those of one offset a clock."""
    path = csv(bench, "drift", sweep_of(16, 16, 4000))
    command = f"{bench.cellsync} -q --threads=1 {path} -r /dev/null --delta=1/2"
    compare(bench, "drift, 3.8 M points, 256 clocks", f"{command} --drift=101", f"{command} --drift=0", 4)
    bench.remove("drift.csv")


def rows(bench):
    name, program = "97,920 clocks, a row", bench.program("boost_rows")
    if not program:
        bench.leave_out(name, "Boost or a C++ compiler")
        return
    path = csv(bench, "sweep", sweep_of(306, 320, 4))
    figure = figures(program, path)
    bench.note(name, float(figure["boost/row"]), "x", 5, True,
               f"{figure['row']} s ({figure['single']} s by itself) against {figure['boost']} s of Boost's Johnson; "
               f"elimination with all bounds to the reference {figure['tau']} s; {figure['pairs']} pairs")
    bench.remove("sweep.csv")
