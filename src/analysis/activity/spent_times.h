/*
 * What the system counted for actors, where the trace has it (pex(5), Meaning): time in user code,
 * in the system and ready to run, from when an actor began, or was first told of, to when it was
 * last.
 *
 * These are sums: when in between it was which is not said.  The rest is time in which
 * the actor had nothing to run.
 */
#ifndef ANALYSIS_ACTIVITY_SPENT_TIMES_H
#define ANALYSIS_ACTIVITY_SPENT_TIMES_H

#include "instants/instants.h"

/* Of an actor; ticks by its clock. */
struct spent_time {
    bool known;
    struct moment from, until; /* the latter not after the last record of the trace */
    int64_t user_ticks, system_ticks, ready_ticks;
    int64_t idle_ticks; /* for the caller: in between, as events say */
    struct {
        struct moment since;
        bool has, waits;
        int128 ticks, waiting_ticks; /* that it had one, and that it waited with one */
    } core;                          /* as events say */
};

/* After the instants were opened with MORE_TIMES. */
struct spent_time spent_time_of(const struct instants *instants, const struct actor *actor);

/* The rest of the time, that it was idle for and blocked: what was counted may be a little more
 * than the time that passed. */
void spent_time_rest(const struct spent_time *spent, int64_t *idle_ticks, int64_t *blocked_ticks);

/* An instant of the actor: whether it has a core from there on. */
void spent_time_take(struct spent_time *spent, const struct actor_instant *instant);

/* The time with at least one of n actors executing, where events say that it is so much: of those
 * that are known at least the longest; at most the sum of all, or the whole time, as the caller
 * knows.  Where events say of all of these when they had a core (told) it is off by no more than
 * they and the system differ: a thread may have had none before switches were recorded. */
csy_range spent_times_together(const struct spent_time *spent, size_t n, int64_t most, bool told,
                               const csy_range *by_events);

#endif
