/* Divides a trace into windows of consecutive records. Each window has the constraints of its
 * records between every two clocks. See doc/diagnosis.md, Causes.
 *
 * For clocks s and t, a(s,t) is the least x2 - x1 over all records of s at time x1 and later
 * records of t at time x2 (order/rebase.h) in the window. With the greatest and the least x of each
 * clock, this suffices to join two windows, including all pairs of records across them:
 *
 *   a(s,t) = min(a1(s,t), a2(s,t), least2(t) - greatest1(s))
 *
 * Before windows are joined, clocks can be shifted by a constant in each window, renamed, or left
 * out. So delta can be computed without another pass over the trace for the case that a clock has a
 * rate, was set, or is absent. */
#ifndef GRAPH_WINDOWS_H
#define GRAPH_WINDOWS_H

#include "order/sink.h"

/* Limits: clocks, windows, and entries of `a`, which are n^2 K for K windows of n clocks. */
enum { WINDOWS_CLOCKS_MAX = 64, WINDOWS_MAX = 1024, WINDOWS_NUMBERS_MAX = 1 << 18 };

/* Value of a(s,t), or a greater number, if no record of s precedes a record of t in the window. */
#define WINDOWS_NONE ((int64_t)1 << 60)

/* In `map` of joint_add: leave the clock out. */
#define WINDOWS_ABSENT UINT32_MAX

struct windows {
    size_t n, count;     /* number of clocks, and number of windows */
    uint64_t total;      /* number of positions; position p is in window p * count / total */
    int64_t *a;          /* least time from clock s to t in window w, at (w * n + t) * n + s */
    int64_t *high, *low; /* at w * n + t: greatest and least x, or -2 and +2 WINDOWS_NONE */
};

/* Returns how many windows suit n clocks: at most WINDOWS_MAX, each with 8 records per clock or
 * more. */
size_t windows_fit(size_t n, uint64_t records);

/* Allocate `count` windows of n clocks and `total` positions. Memory: 8 n (n + 2) bytes each. */
csy_status windows_init(struct windows *windows, size_t n, size_t count, uint64_t total,
                        csy_error *error);
void windows_fini(struct windows *windows);

static inline size_t windows_at(const struct windows *windows, uint64_t position)
{
    return (size_t)((uint128)position * windows->count / windows->total);
}

/* Returns a sink that adds events, and pairs of the kind LINE_ALL (order/line.h) within a window.
 * The threads of these records must be clocks. Time: O(1) for each. */
struct sink windows_sink(struct windows *windows);

/* Returns the first position of window w, or `total` if w is `count`. */
uint64_t windows_begin(const struct windows *windows, size_t w);

/* Joined windows. Each clock is a vertex, perhaps another one in each window (see joint_add). */
struct joint {
    size_t n;
    int64_t *a;          /* least time from clock s to t in all windows, at t * n + s */
    int64_t *high, *low; /* for each vertex: greatest and least x so far */
};

csy_status joint_init(struct joint *joint, size_t n, csy_error *error);
void joint_fini(struct joint *joint);
void joint_clear(struct joint *joint);

/* Add window w after all earlier windows. Clock t is the vertex map[t], or WINDOWS_ABSENT, with
 * shift[t] added to its times x. shift and map may be NULL. Time: O(n^2). */
void joint_add(struct joint *joint, const struct windows *windows, size_t w, const int64_t *shift,
               const uint32_t *map);

struct joint_cycle {
    size_t length;
    uint32_t vertices[WINDOWS_CLOCKS_MAX + 1];
};

/* Returns the least 2 delta (delta: timestamp error) without contradictions. *cycle becomes the
 * cycle that requires it, or gets the length 0 if none does. `cycle` may be NULL. */
csy_fraction joint_twice(const struct joint *joint, struct joint_cycle *cycle);

/* Compute lower[t] <= g[t] - g[anchor] <= upper[t] for the offsets g, with `added` ticks on every
 * constraint. No cycle may contradict itself. -4 or +4 WINDOWS_NONE means no limit. */
void joint_bounds(const struct joint *joint, int64_t added, size_t anchor, int64_t *lower,
                  int64_t *upper);

#endif
