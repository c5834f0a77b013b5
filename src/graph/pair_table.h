/*
 * The pairs of points that have been met, by the ordered pair of their vertices: of each the one
 * with the least weight, or, where clocks drift, all that do not follow from another.
 *
 * Where the clock of v gains or loses at most rate_ppb[v] and S is RATE_UNIT, one pair follows from
 * another of the same vertices if its weight is greater by at least what the two clocks can age
 * between their readings:
 *
 *   S weight + rate of s |lo(from) - lo(from')| + rate of t |hi(to) - hi(to')| <= S weight'
 *
 * Pairs of two vertices that lead to one location are a stack, and a new one is compared with its
 * top only: it is dropped if it follows, else all that follow from it are popped.  Nothing is lost
 * by that, as what follows from a popped one follows from the one that popped it.  Readings of a
 * location do not fall as its points are visited, so that little stays that need not; those of
 * several locations of a clock come in any order, and what stays must not go by that.  In the end
 * stacks of several locations become one, by their readings.  At rate 0 one of each is left.
 */
#ifndef GRAPH_PAIR_TABLE_H
#define GRAPH_PAIR_TABLE_H

#include "clock/points.h"

/* More are refused. */
#define PAIRS_MAX ((size_t)1 << 27)

/* A rate is in parts of this of what a clock shows. */
#define RATE_UNIT 1000000000

/* g[s] - g[t] <= weight + 2 delta if t is a clock, <= weight if it is a hub. */
struct clock_pair {
    uint32_t s, t;
    int64_t weight;
    uint32_t from, to; /* points of the constraint: hi(to) - lo(from) - latencies = weight */
};

struct pairs {
    size_t nclocks, nvertices;
    struct clock_pair *items; /* sorted by s, then t */
    size_t count;
    size_t *first; /* by vertex, and one more: where those with that s begin */
    uint8_t
        *met; /* NULL, or by s and then t: a constraint of the two does not go by way of a hub */
};

void pairs_fini(struct pairs *pairs);

static inline bool pair_counts(const struct pairs *pairs, const struct clock_pair *pair)
{
    return pair->t < pairs->nclocks;
}

struct pair_cell;
struct stacked_pair;

struct pair_table {
    const struct points *points;
    const uint32_t *rate_ppb; /* by vertex, below RATE_UNIT; NULL: clocks do not drift */
    struct pair_cell *cells;
    size_t ncells, cells_size; /* a power of 2 */
    struct stacked_pair *stacked;
    size_t nstacked, stacked_capacity;
    uint32_t unused; /* a list of those that were popped */
    size_t count;    /* of pairs */
};

csy_status pair_table_init(struct pair_table *table, const struct points *points,
                           const uint32_t *rate_ppb, csy_error *error);
void pair_table_fini(struct pair_table *table);

/* Of equal pairs that stays which leads to the record that is first in the trace; of one record's,
 * which is met first.  CSY_MEMORY beyond PAIRS_MAX, with how many.  O(1) amortized, 24 to 64 bytes
 * a pair of vertices, and where clocks drift these a pair of a vertex and a location, and 24 a
 * pair. */
csy_status pair_table_add(struct pair_table *table, const struct clock_pair *pair,
                          csy_error *error);

/* Set the bit PAIR_USES in used[p] of each point p that a pair is from, and no other; and then
 * numbers of points are others, numbers[p] in place of p. */
enum { PAIR_USES = 1 };

void pair_table_mark(const struct pair_table *table, uint32_t *used);
void pair_table_renumber(struct pair_table *table, const uint32_t *numbers);

/* All of them, sorted; those of two vertices in the order in which they came, or, if they lead to
 * several locations, by the readings that they lead to: without those that follow from a neighbour.
 * O(pairs + vertices), and these log of them. */
csy_status pair_table_collect(const struct pair_table *table, size_t nclocks, size_t nvertices,
                              struct pairs *out, csy_error *error);

#endif
