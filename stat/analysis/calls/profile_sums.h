/* The parts of a profile other than routines: waits by class, loops by class, and tasks. */
#ifndef ANALYSIS_CALLS_PROFILE_SUMS_H
#define ANALYSIS_CALLS_PROFILE_SUMS_H

#include "analysis/ranges/forms.h"
#include "analysis/run/sheets.h"

/* The number of waits or loops of a class, and their total and greatest time. */
struct class_sum {
    uint64_t count;
    int128 ticks, greatest;
};

struct class_sums {
    struct class_sum *items;
    size_t n, capacity;
};

/* A loop that an actor is in, or a task that was started and has not ended. */
struct open_sum {
    uint32_t actor, class;
    struct moment since;
};

struct profile_sums {
    struct class_sums waits, loops;
    struct open_sum *open; /* loops that have not ended */
    size_t nopen, open_capacity;
    struct open_sum *tasks; /* tasks that were started and have not ended */
    size_t ntasks, tasks_capacity;
    uint64_t created, started, ended;
    /* form 0: total time of ended tasks; form i + 1: time with exactly i running tasks */
    struct forms forms;
    struct moment since;
    size_t most;
};

void sums_fini(struct profile_sums *sums);

/* Returns true if a record adds to the sums of waits, loops, or tasks. */
static inline bool sums_want(const struct seen *seen)
{
    return seen->waits || seen->sense.loop != NO_TEXT || seen->task != NO_ACTOR ||
           seen->sense.role == ROLE_CREATE;
}

/* Add the next record for which sums_want is true. Returns false if out of memory. */
bool sums_take(struct profile_sums *sums, const struct actor_instant *instant);

/* After the last record, write the sheets of waits, loops, and tasks, if there are any. */
csy_status sums_write(struct profile_sums *sums, const struct instants *instants,
                      const struct moves *moves, csy_analysis *out, csy_error *error);

/* Find the mean of n times from the range of their sum. */
csy_range sums_mean(const csy_range *sum, uint64_t n);

#endif
