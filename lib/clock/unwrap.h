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

/* Returns the default of the permitted imprecision B that the head of this file explains: 10 ms, in
 * ticks. */
int64_t unwrap_imprecision(uint64_t timebase_hz);

/* A window is the time between two successive PPE records. The time of the second record limits the
 * results in the window, but is not known yet when the window is read. A later pass over the trace
 * finds it here. */
struct ppe_window {
    uint64_t opened_at; /* position in the trace of the first PPE record */
    bool has_end;       /* false if the first PPE record is the last one of the trace */
    int64_t end_ticks;  /* timestamp of the second PPE record */
};

enum gap_verdict { GAP_TAKEN, GAP_ASSUMED, GAP_SPLIT };

/* The time between two successive records a and b of a decrementer, if PPE times do not determine
 * it: it may include more or fewer wraps. */
struct gap {
    uint64_t position; /* position of record b in the trace */
    enum gap_verdict verdict;
    int128 elapsed_ticks; /* time elapsed from a to b; not valid if the verdict is GAP_SPLIT */
    uint32_t r;
    /* least and greatest time elapsed from a to b, or UNWRAP_NO_LIMIT */
    int128 least_ticks, most_ticks;
};

#define UNWRAP_NO_LIMIT ((int128)1 << 100)

/* Facts that earlier passes over the trace found out for later passes: times of PPE records, and
 * times elapsed in gaps. Both arrays are sorted by position. Several unwrappers may share them. */
struct unwrap_lore {
    struct ppe_window *windows;
    size_t nwindows, windows_capacity;
    struct gap *gaps;
    size_t ngaps, gaps_capacity;
};

void unwrap_lore_fini(struct unwrap_lore *lore);

/* Append the facts of *more. After the last call, call unwrap_lore_sort. */
csy_status unwrap_lore_add(struct unwrap_lore *lore, const struct unwrap_lore *more,
                           csy_error *error);
void unwrap_lore_sort(struct unwrap_lore *lore);

/* L and U, as explained at the head of this file: limits of the time elapsed between two
 * records. */
struct elapsed_limits {
    int128 least_ticks, most_ticks; /* UNWRAP_NO_LIMIT in most_ticks means no upper limit */
};

/* A function of the caller that limits the time from the last record of a thread to its next record
 * (rule 2 at the head of this file). *applies is false if no limit is known. *end_ticks is the
 * first PPE time after the next record; end_ticks is NULL if that time is unknown. */
typedef csy_status (*unwrap_closed)(void *user, uint32_t thread, const int64_t *end_ticks,
                                    struct elapsed_limits *out, bool *applies, csy_error *error);

/* The state of a thread's clock, which a decrementer shows. */
struct unwrap_clock {
    uint32_t thread; /* number chosen by the caller; NO_THREAD if no thread runs */
    uint32_t decr;   /* timestamp of the last record; local_ticks is its local time */
    int64_t local_ticks;
    bool has_before, has_after;
    bool in_window;       /* true if the last record of this clock is after the last PPE record */
    int64_t before_ticks; /* time of the PPE record before the last record of the clock; valid if
                           * has_before is true */
    int64_t after_ticks;  /* time of the first PPE record after the last record */
};

struct unwrapper {
    int64_t imprecision_ticks; /* B, the permitted imprecision that is explained at the head of this
                                * file */
    bool strict;
    const struct unwrap_lore *known; /* facts that earlier passes over the trace found out; NULL in
                                      * the first pass */
    size_t next_window, next_gap;
    unwrap_closed closed; /* computes the limits of rule 2, which the head of this file explains;
                           * NULL if rule 2 is not used */
    void *closed_user;

    bool has_ppe;
    int64_t ppe_ticks;               /* time of the last PPE record */
    struct unwrap_clock **in_window; /* clocks with records since the last PPE record */
    size_t nin_window, in_window_capacity;

    uint64_t opened_at;
    bool window_known, has_end;
    int64_t end_ticks;
    bool unbounded;
    uint64_t pending; /* number of results that the time of the next PPE record may prove wrong */
    int128 end_least; /* some result since the last PPE record is wrong if the next PPE record has a
                       * lower time than this */
    /* some result since the last PPE record may be too small, by one wrap of the decrementer, if
     * the next PPE record has this time or a greater one */
    int128 end_assumed;

    struct unwrap_lore learnt;
    bool overthrown; /* true if some result was wrong, so the trace must be read again */
    uint64_t for_rule2;
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

/* Call this when clock->decr and clock->local_ticks have become the values of a new last record.
 * The unwrapper keeps the pointer, so *clock must stay at its address. */
csy_status unwrap_remember(struct unwrapper *u, struct unwrap_clock *clock, csy_error *error);

/* Forget all PPE times, so that they do not limit the times of later records. Call this at the end,
 * and before records with an unknown order relative to the previous records. */
csy_status unwrap_break(struct unwrapper *u, csy_error *error);

/* Finish after the last record. *again becomes true if some results were wrong, or if another
 * pass can determine times that this pass only assumed. Then read all records again, with
 * `learnt` as the facts of an earlier pass. Otherwise, another pass would compute the same
 * times. */
csy_status unwrap_finish(struct unwrapper *u, bool *again, csy_error *error);

#endif
