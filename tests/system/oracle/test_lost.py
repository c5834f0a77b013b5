"""Property test: two machines exchange requests; some ends of messages are not recorded.

    test_lost.py CELLSYNC [--seeds=N] [--first=SEED]

Of each seed the truth is known.  Where the first send is lost, as by a recorder that starts late, no bounds may be false without a
warning that names the channel, and the trace must not be refused as a cycle.  The same holds where receives are lost; if the trace
states that no send is, and one channel lost some, all bounds are still there, and are true.  And where as many sends as receives
are lost, of different messages, which nothing shows, it is a condition of the bounds that none are.
"""

import json
import os
import random
import tempfile
from math import inf

import started
from trials import run_seeds

AHEAD = 5 * 10**9           # B's clock shows that much more than A's
BOTH_ENDS = "the send and the receive of every message of a channel were recorded"
SENDS = "every send of a channel was recorded"


def exchange(rng):
    """[(true time, machine, send or recv, channel, number of the message)], in the order of time; channels keep the order."""
    gap = rng.choice([100, 300, 1000, 5000]) * 1000
    least = rng.choice([50, 200]) * 1000
    most = least + rng.choice([100, 400, 2000]) * 1000
    sends, receives, last = [], [], {}
    for i in range(60):
        for k, (source, target) in enumerate((("A", "B"), ("B", "A"))):
            sent = i * gap + k * (gap // 3) + rng.randrange(gap // 3)
            sends.append((sent, source, "send", source + target, i))
            receives.append((sent + rng.randint(least, most), target, "recv", source + target, i))
    ends = list(sends)
    for arrives, machine, kind, channel, i in receives:
        last[channel] = max(arrives, last.get(channel, -1) + 1)
        ends.append((last[channel], machine, kind, channel, i))
    return sorted(ends)


def solved(program, folder, ends, complete=False):
    """The report, and the least and the greatest offset of B less that of A; None: it was refused."""
    trace, report = os.path.join(folder, "t.csv"), os.path.join(folder, "r.json")
    with open(trace, "w", encoding="utf-8") as out:
        print("# order=partial\n# timebase_hz=1000000000" + "\n# sends=complete" * complete, file=out)
        print("thread,time,send,recv", file=out)
        for time, machine, kind, channel, _ in ends:
            said = f"{channel}," if kind == "send" else f",{channel}"
            print(f"{machine},{time + AHEAD * (machine == 'B')},{said}", file=out)
    done = started.run([program, trace, "--reference=A", "-r", report], capture_output=True, timeout=60, check=False)
    if done.returncode:
        raise AssertionError(f"refused: {done.stderr.decode()}")
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    warned = [text for text in found["warnings"] if text.startswith("channel")]
    assert all(text.encode() in done.stderr for text in warned), "a warning on standard error"
    a, b = (next(thread for thread in found["threads"] if thread["name"] == name) for name in "AB")
    ends = [b["earliest_ticks"], b["latest_ticks"]]
    lower, upper = (limit if end is None else end - a["offset_ticks"] for end, limit in zip(ends, (-inf, inf)))
    return found, lower, upper, warned


def expect(program, folder, ends, counts, complete=False):
    """counts: what the warning says of channels that are left out."""
    found, lower, upper, warned = solved(program, folder, ends, complete)
    assert len(warned) == bool(counts) and all(count in warned[0] for count in counts), f"{counts} in {warned}"
    assert lower <= -AHEAD <= upper, f"the truth is outside [{lower}, {upper}]"
    return found, lower, upper


def check_seed(seed, program, folder):
    rng = random.Random(seed)
    ends = exchange(rng)
    found, lower, upper = expect(program, folder, ends, [])
    assert -inf < lower and upper < inf and found["delta"]["ticks"] == "0", "all ends are there"
    assert BOTH_ENDS in found["conditions"], "what equal numbers do not prove"
    keyed = [(time, machine, kind, f"{channel}{i}", i) for time, machine, kind, channel, i in ends]
    found, *_ = expect(program, folder, [end for end in keyed if rng.random() < 0.9], [])
    assert BOTH_ENDS not in found["conditions"], "with keys of their own nothing rests on that"

    lost_send = [end for end in ends if end[2:] != ("send", "AB", 0)]
    expect(program, folder, lost_send, ["'AB' (59 sends, 60 receives)"])
    expect(program, folder, lost_send, ["'AB' (59 sends, 60 receives)"], complete=True)

    lost = rng.sample(range(60), rng.randint(1, 5))
    lost_receives = [end for end in ends if end[2:4] != ("recv", "BA") or end[4] not in lost]
    expect(program, folder, lost_receives, [f"'BA' (60 sends, {60 - len(lost)} receives)"])
    found, lower, upper = expect(program, folder, lost_receives, [], complete=True)
    assert -inf < lower and upper < inf, "no send is missing"
    assert BOTH_ENDS not in found["conditions"] and SENDS in found["conditions"], "receives are missing, and no send"

    one_each = [end for end in lost_send if end[2:] != ("recv", "AB", 59)]
    trace = os.path.join(folder, "t.csv")
    try:
        found, *_ = solved(program, folder, one_each)
        assert BOTH_ENDS in found["conditions"], f"nothing shows that {trace} lacks a send"
    except AssertionError as error:         # it may well contradict itself
        assert "cycle" in str(error), error


def check(program, seed):
    with tempfile.TemporaryDirectory() as folder:
        try:
            check_seed(seed, program, folder)
        except AssertionError as error:
            return str(error)
    return None


if __name__ == "__main__":
    run_seeds(check, 60)
