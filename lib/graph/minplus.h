/* Arithmetic on rows of walks, with minimum and plus in the roles of plus and times.
 *
 * A walk is a number: the length of a path in a graph. It is finite, within +-WALK_MAX, or WALK_INF
 * if there is no path. The sum of two finite walks is below WALK_FAR, and the sum of WALK_INF and a
 * finite walk is above it. So one comparison distinguishes them, and nothing overflows. */
#ifndef GRAPH_MINPLUS_H
#define GRAPH_MINPLUS_H

#include "base/error.h"
#include "base/number.h"

#define WALK_INF ((int64_t)1 << 62)
#define WALK_FAR ((int64_t)1 << 61)
#define WALK_MAX ((int64_t)1 << 59)

/* For each i < n: lower to[i] to first + through[i] if this sum is less. All are lengths of paths;
 * `first` must be finite. Returns false if an entry exceeds +-WALK_MAX. */
bool minplus_row(int64_t *to, const int64_t *through, int64_t first, size_t n);

/* d is a matrix of n rows with the lengths of paths between vertices. Replace each d[a * stride +
 * b] by the length of the path through vertex v, d[a][v] + d[v][b], if this is less. `stride` is a
 * multiple of MINPLUS_LANES; the entries of a row from n on are WALK_INF. Returns false if the path
 * from a vertex to itself becomes negative. *fits becomes false if an entry exceeds +-WALK_MAX.
 * Time: O(n^2). */
enum { MINPLUS_LANES = 8 };
bool minplus_through(int64_t *d, size_t stride, size_t n, size_t v, bool *fits);

/* Returns true if minplus_row would lower an entry of `to`. */
bool minplus_lowers(const int64_t *to, const int64_t *through, int64_t first, size_t n);

/* Adds an event at time x of the thread in slot `slot` (graph/sweep.h). to[i] is the length of the
 * path from slot i to this thread, and carrier[i] the length of the path from slot i to the last
 * event. For i < n, lowers to[i] to carrier[i] + x; then lowers carrier[slot] to -x. |x| is at most
 * WALK_MAX / 2. Results of WALK_FAR or more mean that no path exists. */
typedef void minplus_carry(int64_t *to, int64_t *carrier, size_t n, size_t slot, int64_t x);

minplus_carry *minplus_carry_fastest(void);

static inline csy_status walk_range_error(csy_error *error)
{
    return error_set(error, CSY_INPUT,
                     "the differences between clocks are too large for 64-bit arithmetic");
}

static inline int64_t walk_add(int64_t a, int64_t b)
{
    return a >= WALK_FAR || b >= WALK_FAR ? WALK_INF : a + b;
}

/* Returns the error bound of one thread relative to another, which is the sum of the path lengths
 * in both directions. Returns -1 if a path does not exist. */
static inline int64_t walk_width(int64_t there, int64_t back)
{
    return there >= WALK_FAR || back >= WALK_FAR ? -1 : there + back;
}

static inline void walk_lower(int64_t *walk, int64_t to)
{
    if (to < *walk)
        *walk = to;
}

#endif
