"""Lines of packet captures: the processor time of one worker, against tcpdump, which reads the same packets and writes
them to /dev/null. The goal is at most 3 for the report and 5 for captures. For small packets, the limits are what is
reached today."""
import os
import resource

from measure import RUNS, output, shell


def cpu_seconds(command):
    """Processor time of a shell command, in user and system mode."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shell(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def captures(bench, size, packets):
    """The names of two captures of the same packets, with so many bytes. Made once."""
    names = [f"packets{size}-{host}.pcap" for host in range(2)]
    if not all(os.path.exists(bench.path(name)) for name in names):
        output(bench.program("capturegen"), bench.path(f"packets{size}-"), 2, packets, size, 60, 100)
    return names


def pcap(bench):
    if not bench.has("packets", "tcpdump"):
        return
    for size, packets, limits in ((100, 500_000, {"report": 4, "folder": 5.5, "merged": 6.5}),
                                  (1400, 150_000, {"report": 3, "folder": 5, "merged": 5})):
        names = captures(bench, size, packets)
        files = [bench.path(name) for name in names]
        out, merged = bench.path("packets-out"), bench.path("packets-merged.pcapng")
        os.makedirs(out, exist_ok=True)
        ours = f"{bench.cellsync} -q --threads=1 {' '.join(files)} -r /dev/null"
        commands = {"tcpdump": " && ".join(f"tcpdump -r {file} -w /dev/null 2>/dev/null" for file in files),
                    "report": ours, "folder": f"{ours} -o {out}/", "merged": f"{ours} -o {merged}"}
        least = {}
        for _ in range(RUNS):
            for what, command in commands.items():
                least[what] = min(cpu_seconds(command), least.get(what, float("inf")))
        for what, limit in limits.items():
            bench.note(f"packets of {size} bytes, {what}", least[what] / least["tcpdump"], "x", limit, False,
                       f"{least[what]:.3f} s against {least['tcpdump']:.3f} s of tcpdump")
        bench.remove(*names, "packets-out", "packets-merged.pcapng")
