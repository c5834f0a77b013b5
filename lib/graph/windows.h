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

/* Greatest number of clocks, of windows, and of elements of the array `a` in struct windows. */
enum { WINDOWS_CLOCKS_MAX = 64, WINDOWS_MAX = 1024, WINDOWS_NUMBERS_MAX = 1 << 18 };

/* A least time of this number or more means that in the window, no record of clock t comes after a
 * record of clock s. */
#define WINDOWS_NONE ((int64_t)1 << 60)

/* An element of `map` in joint_add has this value if the clock is to be left out. */
#define WINDOWS_ABSENT UINT32_MAX

struct windows {
    size_t n, count;     /* n: number of clocks; count: number of windows */
    uint64_t total;      /* number of records in the trace */
    int64_t *a;          /* [(w * n + t) * n + s]: in window w, least time from a record of clock s
                          * to a later record of clock t */
    int64_t *high, *low; /* [w * n + t]: greatest and least time of the records of clock t in window
                          * w; -2 and +2 WINDOWS_NONE if there are none */
};

/* Returns how many windows suit n clocks: at most WINDOWS_MAX, each with 8 records per clock or
 * more. */
size_t windows_fit(size_t n, uint64_t records);

/* Divide `total` records into `count` windows, for n clocks. Memory: 8 n^2 + 16 n bytes for each
 * window. */
csy_status windows_init(struct windows *windows, size_t n, size_t count, uint64_t total,
                        csy_error *error);
void windows_fini(struct windows *windows);

static inline size_t windows_at(const struct windows *windows, uint64_t position)
{
    return (size_t)((uint128)position * windows->count / windows->total);
}

/* Returns a sink (order/sink.h) that adds records to their windows. It expects all pairs (LINE_ALL,
 * order/line.h) of two records in one window. The member `thread` of a record must be the number of
 * a clock. Time: O(1) for each record and each pair. */
struct sink windows_sink(struct windows *windows);

/* Returns the position of the first record of window w, or `total` if w is `count`. */
uint64_t windows_begin(const struct windows *windows, size_t w);

/* The constraints of several windows. A vertex stands for a clock; joint_add can give clocks of
 * different windows the same vertex. */
struct joint {
    size_t n;
    int64_t *a;          /* [t * n + s]: least time from a record of vertex s to a later record of
                          * vertex t */
    int64_t *high, *low; /* greatest and least time of each vertex's records */
};

csy_status joint_init(struct joint *joint, size_t n, csy_error *error);
void joint_fini(struct joint *joint);
void joint_clear(struct joint *joint);

/* Add the constraints of window w. Add windows in their order. Clock t gets the vertex map[t], or
 * is left out if map[t] is WINDOWS_ABSENT. shift[t] is added to its times. If `map` is NULL, clock
 * t gets the vertex t; if `shift` is NULL, nothing is added. Time: O(n^2). */
void joint_add(struct joint *joint, const struct windows *windows, size_t w, const int64_t *shift,
               const uint32_t *map);

struct joint_cycle {
    size_t length;
    uint32_t vertices[WINDOWS_CLOCKS_MAX + 1];
};

/* Returns the least 2 delta (twice the timestamp error) without contradictions between the
 * constraints. *cycle becomes a cycle of constraints that proves it; its length is 0 if 2 delta is
 * 0. `cycle` may be NULL. */
csy_fraction joint_twice(const struct joint *joint, struct joint_cycle *cycle);

/* Compute limits of the offset g[t] of each vertex t relative to the vertex `anchor`: lower[t] <=
 * g[t] - g[anchor] <= upper[t]. `added` ticks are added to each constraint, and must remove all
 * contradictions. A value of -4 or +4 WINDOWS_NONE means that there is no limit. */
void joint_bounds(const struct joint *joint, int64_t added, size_t anchor, int64_t *lower,
                  int64_t *upper);

#endif
