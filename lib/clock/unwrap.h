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
 * 2. If several candidates remain: limits that the caller computes from all records so far.
 *
 * If one candidate remains, it is the elapsed time. If none remains, the decrementer was written.
 * If several remain, the least one is used, and the gap counts as assumed; with `strict`, the live
 * interval is split there, as for a written decrementer.
 *
 * When b is read, the first PPE time after b is unknown, so the result is provisional. For the
 * window between two PPE records, the unwrapper stores only which times of the second one would
 * make a result wrong (constant space). If the second PPE record has such a time, the window is
 * added to the facts for later passes (unwrap_lore), and the trace must be read again. This is
 * rare: it requires a decrementer that was written, a PPE clock that steps back, or a whole wrap
 * without PPE records. */
#ifndef CLOCK_UNWRAP_H
#define CLOCK_UNWRAP_H

#include "base/number.h"

#define UNWRAP_WRAP ((int64_t)1 << 32)
#define UNWRAP_IMPRECISION_MAX (UNWRAP_WRAP / 4)

/* Returns the default of the permitted imprecision B, which is 10 ms, in ticks. */
int64_t unwrap_imprecision(uint64_t timebase_hz);

/* A window (the time between two PPE records) whose end a pass must know when it begins. */
struct ppe_window {
    uint64_t opened_at; /* position of the PPE record that opens the window */
    bool has_end;       /* true if another PPE record closes the window */
    int64_t end_ticks;  /* time of the PPE record that closes the window */
};

enum gap_verdict { GAP_TAKEN, GAP_ASSUMED, GAP_SPLIT };

/* A gap between records a and b of a decrementer, for which PPE times permit several lengths. */
struct gap {
    uint64_t position; /* position of record b */
    enum gap_verdict verdict;
    int128 elapsed_ticks; /* time elapsed from a to b; not used if the verdict is GAP_SPLIT */
    uint32_t r;
    /* least and greatest time elapsed from a to b, or UNWRAP_NO_LIMIT */
    int128 least_ticks, most_ticks;
};

#define UNWRAP_NO_LIMIT ((int128)1 << 100)

/* What earlier passes over the trace found, sorted by position, for one or more unwrappers. */
struct unwrap_lore {
    struct ppe_window *windows;
    size_t nwindows, windows_capacity;
    struct gap *gaps;
    size_t ngaps, gaps_capacity;
};

void unwrap_lore_fini(struct unwrap_lore *lore);

/* Add facts in any order. Call unwrap_lore_sort after the last addition. */
csy_status unwrap_lore_add(struct unwrap_lore *lore, const struct unwrap_lore *more,
                           csy_error *error);
void unwrap_lore_sort(struct unwrap_lore *lore);

/* Limits of the time between two records, without the permitted imprecision B. */
struct elapsed_limits {
    int128 least_ticks, most_ticks; /* least and greatest time; the latter may be UNWRAP_NO_LIMIT */
};

/* A function that limits the time from the last record of a thread to its next record (rule 2), if
 * it sets *applies. *end_ticks is the first PPE time after the next record; NULL if unknown. */
typedef csy_status (*unwrap_closed)(void *user, uint32_t thread, const int64_t *end_ticks,
                                    struct elapsed_limits *out, bool *applies, csy_error *error);

/* The state of a thread's clock, which a decrementer shows. */
struct unwrap_clock {
    uint32_t thread; /* number chosen by the caller; NO_THREAD if no thread runs */
    uint32_t decr;   /* timestamp of the last record; local_ticks is its local time */
    int64_t local_ticks;
    bool has_before, has_after;
    bool in_window;       /* true if no PPE record has followed the last record yet */
    int64_t before_ticks; /* time of the last PPE record before the last record */
    int64_t after_ticks;  /* time of the first PPE record after the last record */
};

struct unwrapper {
    int64_t imprecision_ticks; /* permitted imprecision B of PPE times */
    bool strict;
    const struct unwrap_lore *known; /* facts from earlier passes; NULL in the first pass */
    size_t next_window, next_gap;
    unwrap_closed closed; /* function for rule 2, or NULL if rule 2 is not used */
    void *closed_user;

    bool has_ppe;
    int64_t ppe_ticks;               /* time of the last PPE record */
    struct unwrap_clock **in_window; /* clocks with records in the current window */
    size_t nin_window, in_window_capacity;

    uint64_t opened_at; /* position of the PPE record that opened the current window */
    bool window_known, has_end;
    int64_t end_ticks;
    /* true if PPE times permit several elapsed times for a gap that ends in the current window */
    bool unbounded;
    uint64_t pending; /* number of times that the next PPE record may refute */
    int128 end_least; /* if the window ends before this time, a provisional result is wrong */
    /* if the window ends at this time or later, a provisional result may be a wrap too low */
    int128 end_assumed;

    struct unwrap_lore learnt;
    bool overthrown;    /* true if a provisional result was wrong */
    uint64_t for_rule2; /* number of windows stored only for rule 2 */
    int64_t wraps;
    uint64_t splits, assumed;
};

void unwrap_init(struct unwrapper *u, int64_t imprecision_ticks, bool strict,
                 const struct unwrap_lore *known);
void unwrap_fini(struct unwrapper *u);

csy_status unwrap_ppe(struct unwrapper *u, uint64_t position, int64_t ticks, csy_error *error);

/* Find the time from the last record of a clock to its next record, which has the timestamp decr.
 * If the decrementer was written between them, *split is true instead. */
csy_status unwrap_gap(struct unwrapper *u, const struct unwrap_clock *clock, uint64_t position,
                      uint32_t decr, bool *split, int64_t *elapsed_ticks, csy_error *error);

/* Note the last record of a clock: its decr and local_ticks. *clock must stay at its address. */
csy_status unwrap_remember(struct unwrapper *u, struct unwrap_clock *clock, csy_error *error);

/* Call this at the end, and before records whose order after the previous records is unknown. The
 * next records are then unwrapped without the PPE times before the call. */
csy_status unwrap_break(struct unwrapper *u, csy_error *error);

/* Finish after the last record. If *again is true, some results were wrong, or rule 2 can replace
 * assumptions: read the records again with `learnt`. Otherwise `learnt` has all facts with which
 * another pass computes the same times. */
csy_status unwrap_finish(struct unwrapper *u, bool *again, csy_error *error);

#endif
