/*
 * Clip: what of times is in a window of the trace.
 *
 * An end of a window is a moment of one clock.  When it was by another one the bound of the two
 * leaves open, so each clock has three windows: by the estimate, one that is in the window for
 * certain, and one that the window is in.  Of a time between two moments each says a part, and that
 * of the estimate is between the other two, whatever the offsets are.
 */
#ifndef ANALYSIS_WINDOW_CLIP_H
#define ANALYSIS_WINDOW_CLIP_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* By a clock, in global time by its estimated offset. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN, INT64_MAX: there is none */
};

struct clip {
    bool asked; /* else nothing else is meant */
    bool known; /* there are bounds */
    bool star;
    int64_t added_ticks; /* what two stamps are off together at most */
    bool within;         /* it is between the first record and the last, whatever the offsets are */
    struct block block;
    struct moment begin, end;      /* of the window, or of the trace */
    struct clip_ends *ends[CLIPS]; /* by clock */
    csy_range length;
    struct forms parts[CLIPS]; /* but of the estimate */
};

/* A window as it is written; NULL: none.  CSY_USAGE as of time_parts_find.  Instants must be open;
 * a pass over the records if an end is where its clock is not. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, csy_error *error);
void clip_fini(struct clip *clip);

/* The same of a section, whose ends are known. */
csy_status clip_init_section(struct clip *clip, struct instants *instants,
                             const struct moves *moves, const struct block *block,
                             csy_error *error);

/* The same for an analysis that has no instants. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* The moment between two of one clock that is at that global time: as much of its own time has
 * passed there, of that between the two, as of global time, of which a clock that drifts has
 * another amount. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* The part of a time, where there is some. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* Whether some of a time is in the window: it begins before the end and ends after the begin; of
 * what is in it for certain, that may not end before it begins. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* Whether a moment is in the window: from its begin on, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    const struct clip_ends *ends = &clip->ends[as][at->clock];
    return at->global_ticks >= ends->from && at->global_ticks < ends->until;
}

/* Of what is by several clocks. */
csy_range_kind clip_kind(const struct clip *clip);

/* What three figures come to that grow with the window. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* Add what of a time is in the window to a form: by the estimate, which the caller owns, and the
 * other two.  false: no memory. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* The ranges of the first n forms, from those of the estimate. */
csy_status clip_ranges(struct clip *clip, size_t n, const struct moves *moves, csy_range *ranges,
                       csy_error *error);

/* The same by forms_bounds, also of the estimate. */
csy_status clip_bounds(struct clip *clip, struct forms *estimate, size_t n, csy_sync *sync,
                       csy_range *ranges, csy_error *error);

/* Narrow times that together are so many windows, each of which is at least 0. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* What is left of so many windows; an estimate that leaves 64 bits is INT64_MAX. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
