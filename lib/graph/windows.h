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

/* The most clocks, windows, and stored numbers. K windows of n clocks take n^2 K numbers. */
enum { WINDOWS_CLOCKS_MAX = 64, WINDOWS_MAX = 1024, WINDOWS_NUMBERS_MAX = 1 << 18 };

/* The least value of a(s,t) if no pair leads from s to t. */
#define WINDOWS_NONE ((int64_t)1 << 60)

/* The vertex of a clock that is left out of a joint. */
#define WINDOWS_ABSENT UINT32_MAX

struct windows {
    size_t n, count;     /* number of clocks, and of windows */
    uint64_t total;      /* number of positions; window p * count / total contains position p */
    int64_t *a;          /* for window w: a[(w * n + t) * n + s] is a(s,t) */
    int64_t *high, *low; /* [w * n + t]; -2 WINDOWS_NONE and 2 WINDOWS_NONE without a record */
};

/* Returns the number of windows: at most WINDOWS_MAX, with at least eight records for each
 * clock. */
size_t windows_fit(size_t n, uint64_t records);

/* Allocate 8 n (n + 2) bytes for each window. The numbers n and count must be above 0. */
csy_status windows_init(struct windows *windows, size_t n, size_t count, uint64_t total,
                        csy_error *error);
void windows_fini(struct windows *windows);

static inline size_t windows_at(const struct windows *windows, uint64_t position)
{
    return (size_t)((uint128)position * windows->count / windows->total);
}

/* Returns a sink for events and all pairs (LINE_ALL) of one window; threads are clocks. Time: O(1)
 * each. */
struct sink windows_sink(struct windows *windows);

/* Returns the first position of window w, or `total` if w is `count`. */
uint64_t windows_begin(const struct windows *windows, size_t w);

/* Several windows joined into one graph with up to n + 1 vertices. */
struct joint {
    size_t n;
    int64_t *a;          /* a[t * n + s] is a(s,t) */
    int64_t *high, *low; /* for each clock t: greatest and least x */
};

csy_status joint_init(struct joint *joint, size_t n, csy_error *error);
void joint_fini(struct joint *joint);
void joint_clear(struct joint *joint);

/* Add window w, which must follow all windows added before. shift[t] is added to the x of clock t;
 * NULL means 0. map[t] is the vertex of clock t or WINDOWS_ABSENT; NULL means t. Time: O(n^2). */
void joint_add(struct joint *joint, const struct windows *windows, size_t w, const int64_t *shift,
               const uint32_t *map);

/* A cycle of vertices of a joint. */
struct joint_cycle {
    size_t length;
    uint32_t vertices[WINDOWS_CLOCKS_MAX + 1];
};

/* Returns the least 2 delta at which no cycle is negative. *cycle becomes the cycle that needs this
 * 2 delta; its length is 0 if 2 delta is 0. `cycle` may be NULL. */
csy_fraction joint_twice(const struct joint *joint, struct joint_cycle *cycle);

/* Get bounds lower[t] <= g[t] - g[anchor] <= upper[t] of the offsets g, with `added` on every
 * constraint. The constraints must be feasible. A missing bound is -+4 WINDOWS_NONE. */
void joint_bounds(const struct joint *joint, int64_t added, size_t anchor, int64_t *lower,
                  int64_t *upper);

#endif
