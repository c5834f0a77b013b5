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

/* For n entries, lower to[i] to first + through[i], if that is less. `first` must be finite.
 * Returns false if an entry exceeds +-WALK_MAX. */
bool minplus_row(int64_t *to, const int64_t *through, int64_t first, size_t n);

/* Lower each d[a * stride + b] to the walk through v: d[a][v] + d[v][b]. `stride` is a multiple of
 * MINPLUS_LANES, and entries of a row from n on are WALK_INF. Returns false if a walk from a to
 * itself becomes negative. *fits is false if an entry exceeds +-WALK_MAX. Time: O(n^2). */
enum { MINPLUS_LANES = 8 };
bool minplus_through(int64_t *d, size_t stride, size_t n, size_t v, bool *fits);

/* Returns true if minplus_row would lower an entry of `to`. */
bool minplus_lowers(const int64_t *to, const int64_t *through, int64_t first, size_t n);

/* Add an event of `slot` at time x (graph/sweep.h): lower each to[i] to carrier[i] + x, then
 * carrier[slot] to -x. |x| is at most WALK_MAX / 2. Results >= WALK_FAR mean no walk. */
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

/* Returns the error bound of two threads, `there` + `back`, or -1 if one walk is infinite. */
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
