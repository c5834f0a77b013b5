"""Programs with faulty.c preloaded, started as other tests start them (started.py)."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "oracle"))
import started  # noqa: E402


def preload(program, library):
    """What is to be in the environment of runs; those of started have it preloaded as they are, which does nothing of itself."""
    if "CELLSYNC_STARTER" in os.environ:
        os.environ["CELLSYNC_STARTER"] = f"{library}:{os.environ['CELLSYNC_STARTER']}"
        server = started.SERVERS.take(program)
        if server:
            started.SERVERS.give_back(program, server)
            return {}
        del os.environ["CELLSYNC_STARTER"]
    return {"LD_PRELOAD": str(library)}
