/* A trace divided into windows of consecutive records. Each window has the constraints of its
 * records between every two clocks. See doc/diagnosis.md, Causes.
 *
 * For a window w and clocks s and t, a(s,t) is the least x2 - x1 over all e1 of s before e2 of t in
 * w. With the greatest and least x of each clock, this suffices to join two windows, including
 * every pair of records across them: a(s,t) = min(a1(s,t), a2(s,t), least2(t) - greatest1(s)).
 * Before that, clocks can be shifted by a constant in each window, renamed, or left out. So delta
 * can be computed without another pass for the case that a clock has a rate, has a step, or is
 * absent. */
#ifndef GRAPH_WINDOWS_H
#define GRAPH_WINDOWS_H

#include "order/sink.h"

/* The maximum number of clocks, windows, and stored numbers: K windows of n clocks take n^2 K. */
enum { WINDOWS_CLOCKS_MAX = 64, WINDOWS_MAX = 1024, WINDOWS_NUMBERS_MAX = 1 << 18 };

/* a(s,t) is at least this if there is no such pair. */
#define WINDOWS_NONE ((int64_t)1 << 60)

/* Replaces a vertex if the clock is left out of the joint. */
#define WINDOWS_ABSENT UINT32_MAX

struct windows {
    size_t n, count;     /* number of clocks, and of windows */
    uint64_t total;      /* number of positions; position p is in window p * count / total */
    int64_t *a;          /* for window w: a[(w * n + t) * n + s] is a(s,t) */
    int64_t *high, *low; /* [w * n + t]; -2 WINDOWS_NONE and 2 WINDOWS_NONE without a record */
};

/* The number of windows for n clocks and this many records: at most WINDOWS_MAX, with at least
 * eight records for each clock. */
size_t windows_fit(size_t n, uint64_t records);

/* Allocate 8 n (n + 2) bytes for each window. n and count are above 0. */
csy_status windows_init(struct windows *windows, size_t n, size_t count, uint64_t total,
                        csy_error *error);
void windows_fini(struct windows *windows);

static inline size_t windows_at(const struct windows *windows, uint64_t position)
{
    return (size_t)((uint128)position * windows->count / windows->total);
}

/* A sink for events, and for all pairs (LINE_ALL) of one window; threads are clocks. O(1) each. */
struct sink windows_sink(struct windows *windows);

/* The first position of window w, or total for w = count. */
uint64_t windows_begin(const struct windows *windows, size_t w);

/* Joined windows, with up to n + 1 vertices. */
struct joint {
    size_t n;
    int64_t *a;          /* a[t * n + s] is a(s,t) */
    int64_t *high, *low; /* [t] */
};

csy_status joint_init(struct joint *joint, size_t n, csy_error *error);
void joint_fini(struct joint *joint);
void joint_clear(struct joint *joint);

/* Add window w, which follows all windows added before. shift[t] is added to the x of clock t
 * (NULL: 0). Clock t becomes vertex map[t] (NULL: t), which may be WINDOWS_ABSENT. O(n^2). */
void joint_add(struct joint *joint, const struct windows *windows, size_t w, const int64_t *shift,
               const uint32_t *map);

/* A cycle of vertices of a joint. */
struct joint_cycle {
    size_t length;
    uint32_t vertices[WINDOWS_CLOCKS_MAX + 1];
};

/* The least 2 delta at which no cycle is negative, and the cycle that needs it. The cycle has
 * length 0 if 2 delta is 0; cycle may be NULL. */
csy_fraction joint_twice(const struct joint *joint, struct joint_cycle *cycle);

/* Bounds of g[t] - g[anchor] for all t, with `added` on every constraint, which must be feasible:
 * lower[t] <= g[t] - g[anchor] <= upper[t]. A missing bound is -+4 WINDOWS_NONE. */
void joint_bounds(const struct joint *joint, int64_t added, size_t anchor, int64_t *lower,
                  int64_t *upper);

#endif
