# %% [markdown]
# # Where is a trace's time least certain, and what does its program wait for?
#
# A notebook in cells: Jupyter (by jupytext), VS Code and Spyder open it as one, and `python3 widest.py TRACE` runs it.
# With numpy and pandas installed, `bounds.to_pandas()` and the like are data frames.

# %%
import sys

import cellsync

trace = cellsync.open(sys.argv[1] if len(sys.argv) > 1 else "testdata/demo.pex")
solution = trace.synchronize()
us = 1e6 / trace.timebase_hz  # a tick in microseconds, to print with
print(f"{solution.records} records of {len(solution.threads)} clocks, good to +-{solution.delta} ticks")

# %% [markdown]
# ## The widest bounds
# An error bound says how far the difference of two offsets can be off.

# %%
bounds = solution.bounds()
rows = sorted(bounds.rows(), key=lambda row: row[4], reverse=True)
for s, t, lower, upper, error, _ in rows[:3]:
    print(f"{s} to {t}: {error} ticks, {error * us:.2f} us")

# %% [markdown]
# ## Which events are those of the clock that is known least?

# %%
worst = max((t for t in solution.threads if t.latest_ticks is not None),
            key=lambda t: t.latest_ticks - t.earliest_ticks)
events = solution.events(columns=["thread", "global_ticks", "name"])
counts = {}
for thread, _, name in events.rows():
    if thread == worst.name:
        counts[name] = counts.get(name, 0) + 1
print(f"{worst.name}:", ", ".join(f"{n} {name}" for name, n in sorted(counts.items())))

# %% [markdown]
# ## How much ran at once, with proven ranges

# %%
total = solution.concurrency()["total"]
row = dict(zip(total, next(total.rows())))
print(f"on average {row['average_ppm'] / 1e6:.3f} of {row['units']} units were active, "
      f"at least {row['average_lo_ppm'] / 1e6:.3f}, at most {row['average_hi_ppm'] / 1e6:.3f}")

# %%
solution.close()
trace.close()
