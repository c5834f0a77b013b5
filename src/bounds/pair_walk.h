/*
 * One walk over eliminations backwards, for bounds/pair_stats.h, which says what it keeps.
 *
 * A walk may begin anywhere between eliminations, and then has to guess what one from the last of
 * them would know there.  It begins some eliminations early, knowing of no savings; those of
 * threads that were eliminated later fade, so that it soon knows the same.  Whether it does, shows
 * when the walk over the later eliminations has come to that place:
 *
 *   elimination  0 ........................ begin - - - - early ............................ count
 *                <---- walk 1 ----------- |<- warm-up - |
 *                                         |<---------------- walk 0 ----------------------- |
 *                                      same state?
 */
#ifndef BOUNDS_PAIR_WALK_H
#define BOUNDS_PAIR_WALK_H

#include "base/progress.h"
#include "base/slots.h"
#include "bounds/pair_savings.h"
#include "bounds/pair_tally.h"
#include "graph/eliminations.h"

/* What walks share.  It stays as it is but for own_to and own_from. */
struct pair_plan {
    const struct progress *progress; /* or NULL */
    const struct eliminations *graph;
    const struct pair_tally_thread *threads;
    size_t savings_bytes_max;
    uint64_t savings_steps_max; /* of a walk */
    size_t chunk; /* columns of zeros are forgotten where the index of an elimination is a multiple
                     of it, so that what a walk knows there does not depend on where it began */
    uint32_t *component; /* by thread */
    uint32_t *landmarks; /* by component */
    size_t ncomponents, landmarks_capacity;
    uint32_t *previous; /* by thread: the inverse of next, or NO_THREAD */
    struct elimination_uses uses;
    const int64_t *to, *from;   /* by thread: walks to its landmark and from it */
    int64_t *own_to, *own_from; /* the same, where the walk finds them, what landmarks hand on being
                                   there already; NULL: they are known */
};

/* What is known of a component from the threads met so far, by whether they are SPEs'. */
struct pair_component {
    uint64_t n[2];
    int128 sum[2];   /* of radii */
    int64_t most[2]; /* the greatest radius among those without a column; -1: none */
};

/* A thread that an earlier elimination will ask for. */
struct pair_wanted {
    uint32_t component, first; /* first: the elimination that does so last */
    int64_t to, from;
};

/* The carrier is that of one component at a time: events of one come before those of the next. */
struct pair_carrier {
    uint32_t component;
    int64_t walk; /* to the landmark */
};

/* What a walk knows between two eliminations, of a graph with one component and no carrier. */
struct pair_state {
    struct pair_component component;
    size_t nthreads, ncolumns;
    uint32_t *threads, *columns; /* that are wanted; that have columns */
    int64_t *cells;              /* two rows of columns for each thread */
};

struct pair_walk {
    const struct pair_plan *plan;
    size_t next; /* eliminations from here on have been met */
    struct pair_component *components;
    uint32_t *column;            /* by thread */
    struct pair_savings savings; /* rows 2 slot: out of, 2 slot + 1: into; then the carrier's */
    struct slots slots;          /* of those that are wanted */
    struct pair_wanted *wanted;  /* by slot */
    struct saving_source *out, *into; /* room */
    struct pair_carrier carrier;
    struct tallies tallies;
    uint128 work;   /* columns at all eliminations */
    uint64_t steps; /* savings by way of a neighbour: of all that it has walked */
};

/* From the last elimination. */
csy_status pair_walk_init(struct pair_walk *walk, const struct pair_plan *plan, csy_error *error);
void pair_walk_fini(struct pair_walk *walk);

/* Instead, from between eliminations `next` - 1 and `next`, 0 < next: a guess.  Of one component,
 * in the order of one buffer, without a carrier and with known walks. */
csy_status pair_walk_guess(struct pair_walk *walk, size_t next, csy_error *error);

/* Go on over the eliminations down to `end`.  Progress is told as if `times` walks did as much. */
csy_status pair_walk_run(struct pair_walk *walk, size_t end, size_t times, csy_error *error);

/* What was tallied so far is forgotten. */
void pair_walk_restart(struct pair_walk *walk);

/* What it knows now, and whether it is what is known in *state; columns of zeros have been
 * forgotten. */
csy_status pair_walk_keep(const struct pair_walk *walk, struct pair_state *state, csy_error *error);
bool pair_walk_is_at(const struct pair_walk *walk, const struct pair_state *state);
void pair_state_fini(struct pair_state *state);

#endif
