"""What cellsync without options prints of traces that people have: testdata/people/README says what is true of each.

    people_test.py CELLSYNC TESTDATA

Either the truth is inside what is printed, or a warning, a condition, or the diagnosis names the cause. An option that is
advised is tried: it must solve the trace, and the truth must be inside then.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, DATA = sys.argv[1:3]
MS, SECOND = 10**6, 10**9


class People(unittest.TestCase):
    def solve(self, name, *options):
        """The JSON report, the text report, and standard error."""
        path = os.path.join(DATA, name)
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for form in "json", "txt":
                out = os.path.join(folder, "report")
                done = subprocess.run([PROGRAM, *options, f"--report-format={form.replace('txt', 'text')}", "-r", out, path],
                                      stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(out, encoding="utf-8") as file:
                    texts.append(file.read())
            return json.loads(texts[0]), texts[1], done.stderr

    def inside(self, report, clock, first, last=None):
        """How far the clock read ahead of the reference is inside the printed range, at its first and last record."""
        moments = {"first": first, "last": first if last is None else last}
        row, = (row for row in report["threads"] if row["name"] == clock)
        ranges = [(row, first)]
        for drifting in report.get("drift", {"clocks": []})["clocks"]:
            if drifting["name"] == clock:
                ranges = [(drifting[key], truth) for key, truth in moments.items()]
        for said, truth in ranges:
            least, greatest = said["difference_least_ns"], said["difference_greatest_ns"]
            self.assertTrue(least is None or least <= truth, (clock, said, truth))
            self.assertTrue(greatest is None or truth <= greatest, (clock, said, truth))
        return ranges[0][0]

    def says(self, err, *words):
        for word in words:
            self.assertIn(word, err)

    def equal_clocks(self, name, *options):
        report, text, err = self.solve(name, *options)
        for row in report["threads"]:
            self.inside(report, row["name"], 0)
        return report, text, err

    def test_charm(self):
        report, _, err = self.equal_clocks("people/charm.csv")
        self.assertLess(report["drift"]["max_event_error_ticks"], 10400)
        self.says(err, "timestamps are rounded to 1 us", "give each message its own key")

    def test_packets(self):
        _, _, err = self.equal_clocks("people/packets.csv")
        self.says(err, "all clocks seem to advance in steps of 1000 ticks", "--delta=500 ")
        report, _, _ = self.equal_clocks("people/packets.csv", "--delta=500")
        for row in report["threads"]:
            self.assertLess(row["difference_greatest_ns"] - row["difference_least_ns"], 25000)

    def test_packets_late(self):
        for name in "people/packets-5.csv", "finds/packets.csv", "people/packets-30.csv":
            _, _, err = self.equal_clocks(name)
            self.says(err, "channel", "left out", "give each message its own key")

    def test_twamp(self):
        report, _, _ = self.solve("people/twamp.csv")
        for truth in -267 * MS, -275 * MS:
            said = self.inside(report, "reflector", truth)
        self.assertTrue(-277 * MS < said["difference_least_ns"] and said["difference_greatest_ns"] < -265 * MS)

    def test_chronyd(self):
        report, text, _ = self.solve("people/chronyd.csv")
        self.inside(report, "server", 2001917000, 2008690000)
        self.says(text, "clock server reads 2.00", "ahead of local")

    def test_spans(self):
        for name in "people/spans-ms.csv", "people/spans-ms-clocks.csv":
            report, _, err = self.equal_clocks(name)
            self.says(err, "steps of 1000000 ticks (1 ms)", "--delta=500000 ")
            report, _, err = self.equal_clocks(name, "--delta=500000")
            self.assertNotIn("warning", err)
            for row in report["threads"]:
                self.assertLess(row["difference_greatest_ns"] - row["difference_least_ns"], 4.1 * MS)

    def test_producer(self):
        report, text, err = self.solve("people/producer.csv")
        said = self.inside(report, "producer", 18 * SECOND // 10)
        self.assertTrue(1787 * MS < said["difference_least_ns"] and said["difference_greatest_ns"] is None)
        self.says(err, "from the clock of consumer is limited on one side only")
        _, text, err = self.solve("people/producer-overlap.csv")
        self.says(err, "the timestamps contradict the order of events", "diagnosis: ")
        self.says(" ".join(text.split()), "Spans of this thread overlap repeatedly", "give overlapping spans different threads")

    def test_two_cores(self):
        report, _, err = self.solve("people/two-cores.csv")
        self.assertEqual(report["reference"], "net")
        self.inside(report, "app", 1258453000)
        self.says(err, "steps of about 30517.6 ticks (30.5 us)", "--delta=15759 ")
        report, _, _ = self.solve("people/two-cores.csv", "--delta=15759")
        self.inside(report, "app", 1258453000)

    def test_logs(self):
        for name in "people/logs-big-right.csv", "people/logs-merged.csv":
            report, _, _ = self.solve(name)
            self.inside(report, "db1", 200 * MS)
        _, text, err = self.solve("people/logs-big-sorted.csv")
        self.says(err, "the rows look sorted by time: bounds hold only if the records are in the order in which they were written")
        self.says(text, "not_interleaved")
        report, text, _ = self.solve("people/logs-sorted.csv")
        self.says(text, "if they were sorted by time, the bounds are wrong")
        self.assertTrue(any("sorted by time" in condition for condition in report["conditions"]))

    def test_viztracer(self):
        truth = -812345678901000
        report, _, err = self.solve("people/viztracer.csv")
        said = self.inside(report, "rank1", truth)
        self.assertLess(said["difference_greatest_ns"] - said["difference_least_ns"], MS)
        self.assertNotIn("warning", err)
        report, text, err = self.solve("people/viztracer-one-name.csv")
        self.says(err, "the timestamps contradict the order of events")
        self.says(" ".join(text.split()), "unlike channels, groups do not count repetitions")

    def test_robots(self):
        for name, truth in (("finds/topics.csv", SECOND), ("people/robots-end.csv", SECOND), ("people/robots-small.csv", MS)):
            report, _, err = self.solve(name)
            for clock, sign in ("B", 1), ("A", -1):
                if clock != report["reference"]:
                    self.inside(report, clock, sign * truth)
            self.says(err, "left out because messages are missing", "give each message its own key")

    def test_lonely(self):
        report, text, err = self.solve("people/lonely.csv")
        for truth in 4500000, 4600000:
            said = self.inside(report, "n1", truth)
        self.assertLess(said["difference_greatest_ns"] - said["difference_least_ns"], 110000)
        warning = "no event connects the clock of lonely to the clock of server"
        self.says(err, warning)
        self.says(text, "clock lonely cannot be compared with server")
        self.assertTrue(any(warning in said for said in report["warnings"]))
        for form in "csv", "json", "pftrace", "ctf":
            with tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                subprocess.run([PROGRAM, "-q", f"--to={form}", "-o", out, os.path.join(DATA, "people/lonely.csv")], check=True)
                files = [os.path.join(at, name) for at, _, names in os.walk(out) for name in names] or [out]
                contents = b"".join(pathlib.Path(file).read_bytes() for file in files)
                self.assertIn(warning.encode(), contents, form)

    def test_can(self):
        report, _, err = self.solve("people/can.csv")
        self.says(err, "the timestamps contradict the order of events", "see the diagnosis in the report")
        row, = (row for row in report["explanations"] if row["plausible"])
        self.assertEqual((row["drift_ppb"], row["wander_ppb"], row["example"]["name"]), (101000, 0, "can2"))
        self.assertTrue(-43060 <= row["example"]["rate_ppb"] <= -42900, row)
        self.assertTrue(19000 <= eval(row["delta_ticks"]) <= 20000, row)
        _, text, _ = self.solve("people/can.csv")
        self.assertRegex(text, r"\* 19.1 us +constant, e.g. can2 4[23]\.\d+ ppm fast +--drift=101,0 --delta=19.1us\n")
        self.solve("people/can.csv", *row["options"].split())
        report, _, err = self.solve("people/can.csv", "--drift=101,0", "--delta=21us")
        self.assertNotIn("warning", err)
        clock = report["drift"]["clocks"][1]
        self.assertTrue(-43070 <= clock["least_ppb"] <= -42998 <= clock["greatest_ppb"] <= -42890, clock)

    def test_ntp(self):
        report, _, err = self.solve("people/ntp-a.csv")
        self.says(err, "the timestamps contradict the order of events", "see the diagnosis in the report")
        row, = (row for row in report["explanations"] if row["plausible"])
        self.assertEqual((row["drift_ppb"] // 1000, row["options"]), (152, "--drift=1001"))
        _, _, err = self.solve("people/ntp-a.csv", "--drift=1001")
        self.assertNotIn("contradict", err)
        _, _, err = self.solve("people/ntp-b.csv")
        self.says(err, "within 101 ppm of each other")
        self.solve("people/ntp-b.csv", "--drift=1001")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
