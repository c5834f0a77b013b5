/* The pairs of points so far, by the ordered pair of their vertices. If clocks do not drift, only
 * the pair with the least weight is kept; if clocks drift, all pairs that do not follow from
 * another pair.
 *
 * Let rate_ppb[v] be the greatest rate at which the clock of v gains or loses, and S be RATE_UNIT.
 * A pair follows from another pair of the same vertices if its weight is greater by at least what
 * the two clocks can age between the readings of both pairs:
 *
 *   S weight + rate of s |lo(from) - lo(from')| + rate of t |hi(to) - hi(to')| <= S weight'
 *
 * The pairs of two vertices that lead to one location form a stack. A new pair is compared only
 * with the top of the stack. If the new pair follows from the top, the new pair is dropped;
 * otherwise all pairs that follow from the new pair are popped. Nothing is lost, because everything
 * that a popped pair implies is also implied by the pair that popped it. Since the readings of a
 * location do not decrease as its points are visited, few unnecessary pairs stay. Readings of
 * several locations of a clock arrive in any order, and the result must not depend on that order.
 * So in the end their stacks are merged by reading. At rate 0, one pair of each stack is left. */
#ifndef GRAPH_PAIR_TABLE_H
#define GRAPH_PAIR_TABLE_H

#include "clock/points.h"

/* The maximum number of pairs. */
#define PAIRS_MAX ((size_t)1 << 27)

/* The unit of rates is 1/RATE_UNIT. */
#define RATE_UNIT 1000000000

/* A constraint: g[s] - g[t] <= weight + 2 delta if t is a clock, and <= weight if t is a hub. */
struct clock_pair {
    uint32_t s, t;
    int64_t weight;
    uint32_t from, to; /* points of the constraint; hi(to) - lo(from) - latencies = weight */
};

struct pairs {
    size_t nclocks, nvertices;
    struct clock_pair *items; /* sorted by s, then t */
    size_t count;
    size_t *first; /* for each vertex s: index of its first pair; nvertices + 1 entries */
    /* by s and then t: true if s and t have a constraint without a hub; or NULL */
    uint8_t *met;
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
    const uint32_t *rate_ppb; /* for each vertex: greatest rate; NULL: clocks do not drift */
    struct pair_cell *cells;
    size_t ncells, cells_size; /* `cells_size` is a power of 2 */
    struct stacked_pair *stacked;
    size_t nstacked, stacked_capacity;
    uint32_t unused; /* free list of popped pairs */
    size_t count;    /* number of pairs */
};

csy_status pair_table_init(struct pair_table *table, const struct points *points,
                           const uint32_t *rate_ppb, csy_error *error);
void pair_table_fini(struct pair_table *table);

/* Add a pair. Of two equal pairs, the pair that leads to the earlier record stays; if both lead to
 * one record, the pair added first stays. Returns CSY_MEMORY for more than PAIRS_MAX pairs. Time:
 * O(1) amortized. Memory: 24 to 64 bytes for every two vertices; if clocks drift, for every two
 * vertices and each location, and 24 for each pair. */
csy_status pair_table_add(struct pair_table *table, const struct clock_pair *pair,
                          csy_error *error);

/* pair_table_mark sets the bit PAIR_USES in used[p] for each point p of a pair, and no other bit.
 * pair_table_renumber replaces each point p by the number numbers[p]. */
enum { PAIR_USES = 1 };

void pair_table_mark(const struct pair_table *table, uint32_t *used);
void pair_table_renumber(struct pair_table *table, const uint32_t *numbers);

/* Get all pairs, sorted by their vertices. Pairs of the same two vertices stay in the order in
 * which they were added. If they lead to several locations, they are instead sorted by the readings
 * at their ends, and pairs that follow from a neighbouring pair are removed. Time: O(pairs +
 * vertices), plus sorting. */
csy_status pair_table_collect(const struct pair_table *table, size_t nclocks, size_t nvertices,
                              struct pairs *out, csy_error *error);

#endif
