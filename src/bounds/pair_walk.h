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

#include "base/number.h"
#include "base/progress.h"
#include "base/slots.h"
#include "bounds/pair_tally.h"
#include "graph/eliminations.h"

/*
 * Savings: by how much walks between threads are shorter than the way through a landmark.
 *
 *   saving(v,x) = to[v] + from[x] - wbar(v,x) >= 0,
 *   to[v] = wbar(v,landmark), from[x] = wbar(landmark,x)
 *
 * They are kept as a dense matrix.  Its rows are the walks out of, or into, one of the few threads
 * that are live; its columns the threads x where any of the rows still saves something.  The row of
 * a new thread is made of those of its neighbours b:
 *   saving(v,x) = max(0, max over b of saving(b,x) - cost(v,b)),
 * the cost, >= 0, being how much longer the way to the landmark becomes by going to b first.  So a
 * column of zeros stays one, and is dropped.
 */

struct saving_column {
    uint32_t thread;
    uint32_t component;
    int64_t radius; /* to + from */
    bool spe;
    bool idle; /* to be dropped: of zeros (pair_savings_mark), or of no more use */
};

/* A row of which another one is made. */
struct saving_source {
    size_t row;
    int64_t cost;
};

/* Of a row and the columns of a component: sums of savings, and the greatest error bounds, by
 * whether columns are those of SPEs; -1: there are none. */
struct saving_totals {
    int128 saved[2];
    int64_t most[2];
};

struct pair_savings {
    size_t nrows, stride, bytes_max;
    int64_t *cells; /* row i at i * stride; 0 from ncolumns on */
    int64_t *most;  /* by row: no cell of it is above */
    struct saving_column *columns;
    int64_t *radii;  /* those of the columns */
    uint32_t *order; /* room, an entry a column */
    size_t ncolumns;
    bool uniform; /* columns are of one component and kind */
    size_t ripe;  /* look for columns of zeros when there are this many */
    const struct savings_loops *loops;
};

/* Give the last column its cell in this row. */
static inline void pair_savings_set(struct pair_savings *s, size_t row, int64_t saving)
{
    s->cells[row * s->stride + s->ncolumns - 1] = saving;
    s->most[row] = saving > s->most[row] ? saving : s->most[row];
}

static inline const int64_t *pair_savings_row(const struct pair_savings *s, size_t row)
{
    return s->cells + row * s->stride;
}

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
