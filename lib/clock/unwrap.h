/* Unwrapping: computes the time elapsed between two readings of a 32-bit decrementer, which counts
 * down. See doc/algorithms.md, Unwrapping.
 *
 *   elapsed = r + m 2^32,  r = (decr_a - decr_b) mod 2^32,  m >= -1  (-1: a step back)
 *
 * Candidates are all such values within [L - B, U + B], where B is the permitted imprecision. L and
 * U follow from two rules:
 *
 * 1. The PPE timestamps next to the two records a and b. A missing timestamp gives no limit.
 *      U = (first PPE time after b) - (last PPE time before a)
 *      L = max(0, (last PPE time before b) - (first PPE time after a))
 * 2. If several candidates remain: the closed bounds of all records so far, which the caller
 * provides.
 *
 * If one candidate remains, it is the elapsed time. If none remains, the decrementer was written.
 * If several remain, the least one is used, and the gap counts as assumed; with `strict`, the live
 * interval is split there, as for a written decrementer.
 *
 * When b is read, the first PPE time after b is not known yet. So the result is provisional. For
 * the window between two PPE records, the unwrapper stores only which times of the second PPE
 * record would make a result wrong (constant space). If the second PPE record has such a time, the
 * window is added to the lore, and the trace must be read again with this lore. This is rare: it
 * needs a decrementer that was written, a PPE clock that steps back, or a PPE without records for a
 * whole wrap. */
#ifndef CLOCK_UNWRAP_H
#define CLOCK_UNWRAP_H

#include "base/number.h"

#define UNWRAP_WRAP ((int64_t)1 << 32)
#define UNWRAP_IMPRECISION_MAX (UNWRAP_WRAP / 4)

/* The default of B: 10 ms in ticks. */
int64_t unwrap_imprecision(uint64_t timebase_hz);

/* A window between two PPE records, with its end, for passes that must know the end when the window
 * begins. */
struct ppe_window {
    uint64_t opened_at; /* position of the PPE record that opens it */
    bool has_end;       /* false: no PPE record closes the window */
    int64_t end_ticks;  /* time of the PPE record that closes the window */
};

enum gap_verdict { GAP_TAKEN, GAP_ASSUMED, GAP_SPLIT };

/* A gap between two records, a and b, of a decrementer that PPE timestamps alone do not decide. */
struct gap {
    uint64_t position; /* of record b */
    enum gap_verdict verdict;
    int128 elapsed_ticks; /* unless split */
    uint32_t r;
    /* L - B and U + B; most_ticks is UNWRAP_NO_LIMIT if there is no limit */
    int128 least_ticks, most_ticks;
};

#define UNWRAP_NO_LIMIT ((int128)1 << 100)

/* Lore: what earlier passes found out for later passes, sorted by position. An unwrapper may
 * receive records at only some of these positions. */
struct unwrap_lore {
    struct ppe_window *windows;
    size_t nwindows, windows_capacity;
    struct gap *gaps;
    size_t ngaps, gaps_capacity;
};

void unwrap_lore_fini(struct unwrap_lore *lore);

/* Add the contents of another lore, in any order. Call unwrap_lore_sort after the last addition. */
csy_status unwrap_lore_add(struct unwrap_lore *lore, const struct unwrap_lore *more,
                           csy_error *error);
void unwrap_lore_sort(struct unwrap_lore *lore);

/* Limits of the time elapsed between two records, without B. */
struct elapsed_limits {
    int128 least_ticks, most_ticks; /* L, and U or UNWRAP_NO_LIMIT */
};

/* Rule 2: computes the limits of the time elapsed since the last record of the thread. end_ticks
 * points to the first PPE time after b, or is NULL. *applies is false if rule 2 gives no limits. */
typedef csy_status (*unwrap_closed)(void *user, uint32_t thread, const int64_t *end_ticks,
                                    struct elapsed_limits *out, bool *applies, csy_error *error);

/* The clock of one decrementer. */
struct unwrap_clock {
    uint32_t thread; /* the caller's number; NO_THREAD while no thread runs on the decrementer */
    uint32_t decr;   /* timestamp of the last record; local_ticks is its local time */
    int64_t local_ticks;
    bool has_before, has_after;
    bool in_window;       /* there was no PPE record after the last record */
    int64_t before_ticks; /* last PPE time before the last record */
    int64_t after_ticks;  /* first PPE time after the last record */
};

struct unwrapper {
    int64_t imprecision_ticks; /* B */
    bool strict;
    const struct unwrap_lore *known; /* from earlier passes; NULL: this is the first pass */
    size_t next_window, next_gap;
    unwrap_closed closed; /* NULL: rule 2 is not used */
    void *closed_user;

    bool has_ppe;
    int64_t ppe_ticks;               /* the last PPE time */
    struct unwrap_clock **in_window; /* clocks with records in the present window */
    size_t nin_window, in_window_capacity;

    uint64_t opened_at; /* position of the PPE record that opened the present window */
    bool window_known, has_end;
    int64_t end_ticks;
    /* the window has a gap that only rule 2 can limit, once the end of the window is known */
    bool unbounded;
    uint64_t pending; /* number of gaps in the window that were decided provisionally */
    int128 end_least; /* if the window ends before this, a provisional decision is wrong */
    /* if the window ends at this time or later, a provisional gap has several candidates */
    int128 end_assumed;

    struct unwrap_lore learnt;
    bool overthrown;    /* a provisional decision turned out to be wrong */
    uint64_t for_rule2; /* number of windows that were added to the lore only for rule 2 */
    int64_t wraps;
    uint64_t splits, assumed;
};

void unwrap_init(struct unwrapper *u, int64_t imprecision_ticks, bool strict,
                 const struct unwrap_lore *known);
void unwrap_fini(struct unwrapper *u);

/* Add a PPE record. */
csy_status unwrap_ppe(struct unwrapper *u, uint64_t position, int64_t ticks, csy_error *error);

/* Find the time between the last record of the clock and its next record, with timestamp decr:
 * *elapsed_ticks, unless *split is true. */
csy_status unwrap_gap(struct unwrapper *u, const struct unwrap_clock *clock, uint64_t position,
                      uint32_t decr, bool *split, int64_t *elapsed_ticks, csy_error *error);

/* Note the record just placed as the clock's last one. The caller has set the clock's thread, decr,
 * and local_ticks. The clock must not move in memory from now on. */
csy_status unwrap_remember(struct unwrapper *u, struct unwrap_clock *clock, csy_error *error);

/* Forget that earlier records precede later ones. Call it at the end of the records, and where an
 * independent order begins. Clocks that continue then have no PPE time before or after their last
 * record. */
csy_status unwrap_break(struct unwrapper *u, csy_error *error);

/* Call it after the last record. *again is true if some results were provisional and wrong, or if
 * rule 2 may limit a gap that rule 1 left unlimited; then read the records again with `learnt`.
 * Otherwise `learnt` contains all windows and gaps that another pass needs to compute the same
 * times. */
csy_status unwrap_finish(struct unwrapper *u, bool *again, csy_error *error);

#endif
