/* Waits and loops by class, and tasks: the parts of a profile besides routines. */
#ifndef ANALYSIS_CALLS_PROFILE_SUMS_H
#define ANALYSIS_CALLS_PROFILE_SUMS_H

#include "analysis/ranges/forms.h"
#include "analysis/run/sheets.h"

/* The sum of one class. */
struct class_sum {
    uint64_t count;
    int128 ticks, greatest;
};

struct class_sums {
    struct class_sum *items;
    size_t n, capacity;
};

/* A loop that an actor is in, or a task that was started. */
struct open_sum {
    uint32_t actor, class;
    struct moment since;
};

struct profile_sums {
    struct class_sums waits, loops;
    struct open_sum *open; /* loops */
    size_t nopen, open_capacity;
    struct open_sum *tasks; /* that were started */
    size_t ntasks, tasks_capacity;
    uint64_t created, started, ended;
    struct forms
        forms; /* time of tasks that ended; then the time with i tasks at once, from 0 on */
    struct moment since;
    size_t most;
};

void sums_fini(struct profile_sums *sums);

/* True if a record adds to the sums. */
static inline bool sums_want(const struct seen *seen)
{
    return seen->waits || seen->sense.loop != NO_TEXT || seen->task != NO_ACTOR ||
           seen->sense.role == ROLE_CREATE;
}

/* The next record of an actor that does; false on no memory. */
bool sums_take(struct profile_sums *sums, const struct actor_instant *instant);

/* After the last: sheets of those that there are. */
csy_status sums_write(struct profile_sums *sums, const struct instants *instants,
                      const struct moves *moves, csy_analysis *out, csy_error *error);

/* The mean of n times, from their sum. */
csy_range sums_mean(const csy_range *sum, uint64_t n);

#endif
