"""Processes that log into one file, each line stamped while the lock is held that orders it."""
import logging
import multiprocessing
import sys
import time


class Ordered(logging.FileHandler):
    """Stamps a record when it has its place: records are made before they wait for the lock."""

    def __init__(self, path, between):
        super().__init__(path, delay=True)
        self.between = between

    def createLock(self):  # pylint: disable=invalid-name
        self.lock = None

    def emit(self, record):
        with self.between:
            record.ns = time.monotonic_ns()
            super().emit(record)


def work(path, lock):
    handler = Ordered(path, lock)
    handler.setFormatter(logging.Formatter("%(processName)s,monotonic,%(ns)d,%(message)s"))
    logger = logging.getLogger("work")
    logger.addHandler(handler)
    for step in range(10):
        logger.warning("step %d", step)


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        print("# timebase_hz=1000000000", "thread,clock,time,event", sep="\n", file=file)
    between = multiprocessing.Lock()
    processes = [multiprocessing.Process(target=work, args=(sys.argv[1], between), name=f"worker{n}") for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
