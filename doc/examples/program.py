# %% [markdown]
# # What did the program do, and how sure is that?
#
# A notebook in cells, as widest.py is; `python3 program.py TRACE` runs it. TRACE has events that enter routines and leave them: one of
# `celltrace -e functions`, or `pdtsim --workload=juliaset --calls --events=2000 -o julia.pex`.
# With pandas installed, `sheets["profile"].to_pandas()` and the like are data frames.

# %%
import sys

import cellsync

trace = cellsync.open(sys.argv[1])
solution = trace.synchronize()


def between(least, most):
    """A range for people; where clocks are not tied to each other there is none."""
    return "not known" if least is None or most is None else f"{least} to {most}"


# %% [markdown]
# ## How many units were active at once
# Ranges are over all offsets that the order of the records allows; `kind` says how good they are, `conditions` what they rest on.

# %%
sheets = solution.concurrency()
print(f"{trace.name}: ranges are {sheets.kind}", *(f"if {condition}" for condition in sheets.conditions), sep="; ")
levels = sheets["concurrency"]
for level, least, most in zip(levels["level"], levels["time_lo_ticks"], levels["time_hi_ticks"]):
    if level in (0, 1, 16):
        print(f"{level} active for {between(least, most)} ticks")

# %% [markdown]
# ## Where the time goes
# CPU time is by the clock of each caller, and has no range; in elapsed time a moment counts once, however many are in the routine.

# %%
sheets = solution.profile(top=3)
profile, elapsed = sheets["profile"], sheets["elapsed"]
for name, calls, direct, least, most in zip(profile["routine"], profile["calls"], profile["direct_ticks"],
                                            elapsed["elapsed_direct_lo_ticks"], elapsed["elapsed_direct_hi_ticks"]):
    print(f"{name}: {calls} calls, {direct} ticks; elapsed {between(least, most)}")

# %% [markdown]
# ## What it waits for, and who sends to whom

# %%
waits = solution.waits()["waits"]
print(*(f"{count} of {kind} for {time} ticks" for kind, count, time in
        zip(waits["class"], waits["count"], waits["time_ticks"])), sep="; ")
comm = solution.comm()["comm"]
rows = sorted(zip(comm["count"], comm["sender"], comm["receiver"], comm["what"]), reverse=True)
print(*(f"{sender} to {receiver}: {count} by {what}" for count, sender, receiver, what in rows[:3]), sep="; ")

# %%
solution.close()
trace.close()
