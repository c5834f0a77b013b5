/* Stores the constraints between points ("pairs") by the two vertices that the points belong to. If
 * clocks do not drift, only the pair with the least weight is kept for each two vertices. If clocks
 * drift, all pairs are kept that do not follow from another one.
 *
 * Let rate_ppb[v] be the greatest rate of the clock of v, gaining or losing, and S be RATE_UNIT. A
 * pair with weight' follows from another pair of the same vertices if its weight is greater by at
 * least the time that the two clocks can gain or lose between the readings of both pairs:
 *
 *   S weight + rate of s |lo(from) - lo(from')| + rate of t |hi(to) - hi(to')| <= S weight'
 *
 * The pairs of two vertices that end at one location form a stack. A new pair is compared with the
 * top of the stack. If the new pair follows from it, the new pair is dropped; otherwise all pairs
 * that follow from the new pair are popped. Everything that a popped pair implies is also implied
 * by the new pair. Few unnecessary pairs stay, because the readings of a location ascend. Readings
 * of several locations of a clock arrive in any order, and the result must not depend on it. So in
 * the end their stacks are merged in the order of readings. */
#ifndef GRAPH_PAIR_TABLE_H
#define GRAPH_PAIR_TABLE_H

#include "clock/points.h"

#define PAIRS_MAX ((size_t)1 << 27)

/* Rates of clocks are in units of 1/RATE_UNIT. */
#define RATE_UNIT 1000000000

/* A constraint between the offsets g of two vertices: g[s] - g[t] <= weight. Vertices are clocks or
 * hubs (groups of points, graph/reduce.h). If t is a clock, twice the timestamp error is added to
 * the right side. */
struct clock_pair {
    uint32_t s, t;
    int64_t weight;
    uint32_t from, to; /* the two points that the constraint is between (clock/points.h) */
};

struct pairs {
    size_t nclocks, nvertices;
    struct clock_pair *items; /* all pairs, sorted by s, then by t */
    size_t count;
    size_t *first; /* first[s]: index in `items` of the first pair of vertex s; nvertices + 1
                    * entries */
    /* [s * nclocks + t]: true if clocks s and t have a constraint that does not come from a group
     * of points. `met` may be NULL. */
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
    const uint32_t *rate_ppb; /* for each clock or hub: greatest drift rate; NULL if clocks do not
                               * drift */
    struct pair_cell *cells;
    size_t ncells, cells_size; /* cells in use, and size of the hash table (a power of 2) */
    struct stacked_pair *stacked;
    size_t nstacked, stacked_capacity;
    uint32_t unused; /* first element of `stacked` that can be reused; it links to the next */
    size_t count;    /* number of pairs in the table */
};

csy_status pair_table_init(struct pair_table *table, const struct points *points,
                           const uint32_t *rate_ppb, csy_error *error);
void pair_table_fini(struct pair_table *table);

/* Add a constraint. If two constraints between the same vertices are equal, the table keeps the
 * constraint that ends at the earlier event, or the first one added. Returns CSY_MEMORY for more
 * than PAIRS_MAX pairs. O(1) time. Memory: 24 to 64 bytes for two vertices; with drift, for two
 * vertices and a location, plus 24 bytes for each pair. */
csy_status pair_table_add(struct pair_table *table, const struct clock_pair *pair,
                          csy_error *error);

/* Flag that pair_table_mark sets in used[p] if a pair begins or ends at point p.
 * pair_table_renumber then replaces the number p by numbers[p]. */
enum { PAIR_USES = 1 };

void pair_table_mark(const struct pair_table *table, uint32_t *used);
void pair_table_renumber(struct pair_table *table, const uint32_t *numbers);

/* Get all pairs, sorted by s, then by t, then in the order of addition. If pairs of two vertices
 * end at several locations, they are sorted by the times of their ends instead, and unnecessary
 * pairs are left out. Time: O(pairs + vertices), plus sorting. */
csy_status pair_table_collect(const struct pair_table *table, size_t nclocks, size_t nvertices,
                              struct pairs *out, csy_error *error);

#endif
