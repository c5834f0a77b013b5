/*
 * Unwrapping: the time between two readings of a 32-bit decrementer, which counts down.
 * doc/algorithms.md, Unwrapping.
 *
 *   elapsed = r + m 2^32,  r = (decr_a - decr_b) mod 2^32,  m >= -1  (-1: a step back)
 *
 * The candidates are all values within [L - B, U + B], where B is the allowed imprecision:
 * 1. by the PPE timestamps next to the two records; a missing one gives no limit,
 *      U = (first PPE time after b) - (last before a)
 *      L = max(0, (last PPE time before b) - (first after a))
 * 2. if several are left, by the closed bounds of all records so far, which the caller has.
 * If one is left, it is right.  If none is, the decrementer was written.  If several are left, the
 * least is used and the gap counts as assumed; when strict, the gap divides like a written one.
 *
 * "The first PPE time after b" has not been read when b passes.  So the result is provisional, and
 * the window between two PPE records remembers only which ends would make its results wrong
 * (constant space).  If its end does, the window is noted in the lore, and the trace must be passed
 * again with this lore.  That is rare: it needs a written decrementer, a PPE clock that steps back,
 * or a PPE that is silent for a whole wrap.
 */
#ifndef CLOCK_UNWRAP_H
#define CLOCK_UNWRAP_H

#include "base/number.h"

#define UNWRAP_WRAP ((int64_t)1 << 32)
#define UNWRAP_IMPRECISION_MAX (UNWRAP_WRAP / 4)

/* B unless the user says otherwise: 10 ms in ticks. */
int64_t unwrap_imprecision(uint64_t timebase_hz);

/* A window between two PPE records whose end must be known at its begin. */
struct ppe_window {
    uint64_t opened_at; /* position of the PPE record that opens it */
    bool has_end;       /* else no PPE record closes it */
    int64_t end_ticks;  /* PPE time that closes it */
};

enum gap_verdict { GAP_TAKEN, GAP_ASSUMED, GAP_SPLIT };

/* A gap that PPE timestamps alone leave open. */
struct gap {
    uint64_t position; /* of record b */
    enum gap_verdict verdict;
    int128 elapsed_ticks; /* unless split */
    uint32_t r;
    int128 least_ticks, most_ticks; /* L - B and U + B; most UNWRAP_NO_LIMIT: none */
};

#define UNWRAP_NO_LIMIT ((int128)1 << 100)

/* Results of passes for later passes, by position.  An unwrapper may see only some of these
 * positions. */
struct unwrap_lore {
    struct ppe_window *windows;
    size_t nwindows, windows_capacity;
    struct gap *gaps;
    size_t ngaps, gaps_capacity;
};

void unwrap_lore_fini(struct unwrap_lore *lore);

/* Add what another one has, in any order; then sort it. */
csy_status unwrap_lore_add(struct unwrap_lore *lore, const struct unwrap_lore *more,
                           csy_error *error);
void unwrap_lore_sort(struct unwrap_lore *lore);

/* Limits of the time elapsed between two records, without B. */
struct elapsed_limits {
    int128 least_ticks, most_ticks; /* L, and U or UNWRAP_NO_LIMIT */
};

/* Rule 2: the limits of the time elapsed since the thread's last record.  end_ticks is the first
 * PPE time after b, or NULL.  *applies is false where the rule says nothing. */
typedef csy_status (*unwrap_closed)(void *user, uint32_t thread, const int64_t *end_ticks,
                                    struct elapsed_limits *out, bool *applies, csy_error *error);

/* One decrementer. */
struct unwrap_clock {
    uint32_t thread; /* as the caller numbers them; NO_THREAD while no thread runs */
    uint32_t decr;   /* of the last record, with its local time: */
    int64_t local_ticks;
    bool has_before, has_after;
    bool in_window;       /* no PPE record since */
    int64_t before_ticks; /* last PPE time before it */
    int64_t after_ticks;  /* first PPE time after it */
};

struct unwrapper {
    int64_t imprecision_ticks; /* B */
    bool strict;
    const struct unwrap_lore *known; /* or NULL: the first pass */
    size_t next_window, next_gap;
    unwrap_closed closed; /* or NULL: without rule 2 */
    void *closed_user;

    bool has_ppe;
    int64_t ppe_ticks;               /* the last PPE time */
    struct unwrap_clock **in_window; /* the clocks with records in this window */
    size_t nin_window, in_window_capacity;

    uint64_t opened_at; /* present window: the PPE record that opened it */
    bool window_known, has_end;
    int64_t end_ticks;
    bool unbounded;     /* it has a gap that only rule 2 can bound, by its end */
    uint64_t pending;   /* gaps taken in it provisionally */
    int128 end_least;   /* an end below this overthrows one of them */
    int128 end_assumed; /* an end from here on leaves one of them with several candidates */

    struct unwrap_lore learnt;
    bool overthrown;    /* a provisional choice was */
    uint64_t for_rule2; /* windows learnt only for its sake */
    int64_t wraps;
    uint64_t splits, assumed;
};

void unwrap_init(struct unwrapper *u, int64_t imprecision_ticks, bool strict,
                 const struct unwrap_lore *known);
void unwrap_fini(struct unwrapper *u);

/* A PPE record passes. */
csy_status unwrap_ppe(struct unwrapper *u, uint64_t position, int64_t ticks, csy_error *error);

/* The clock's next record reads decr: *elapsed since the one before, or *split. */
csy_status unwrap_gap(struct unwrapper *u, const struct unwrap_clock *clock, uint64_t position,
                      uint32_t decr, bool *split, int64_t *elapsed_ticks, csy_error *error);

/* The clock's record has been placed; its thread, decr and local_ticks are set.  The clock must not
 * move in memory. */
csy_status unwrap_remember(struct unwrapper *u, struct unwrap_clock *clock, csy_error *error);

/* Forget the order of earlier and later records: at the end, and at a new beginning.  Clocks that
 * go on have no PPE time before or after. */
csy_status unwrap_break(struct unwrapper *u, csy_error *error);

/* Call it after the last record.  *again: some results were provisional, or rule 2 may bound a gap
 * that rule 1 left unbounded; pass again with learnt.  Otherwise learnt has all windows and gaps
 * that a pass needs to get the same times. */
csy_status unwrap_finish(struct unwrapper *u, bool *again, csy_error *error);

#endif
