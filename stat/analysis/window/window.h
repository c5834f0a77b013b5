/* The parts of a trace that the user requests: a window, its bins, or sections; and the parts of
 * times in a window.
 *
 * An end of a window is a moment of one clock. On another clock it is in a range, which follows
 * from the bound of the two clocks. So each clock has three windows: the estimated window; the
 * least window, which is certainly inside of the requested one; and the greatest window, which
 * certainly contains it. At all possible offsets, the part of a time in the requested window is at
 * least the part in the least window, and at most the part in the greatest.
 *
 * There are three kinds of sections: an interval with the given name; the time from NAME_ENTRY to
 * NAME_EXIT of an actor (also _ENTER, _BEGIN, _LEAVE, _END); or the time from an event with the
 * given name to the actor's next such event. */
#ifndef ANALYSIS_WINDOW_WINDOW_H
#define ANALYSIS_WINDOW_WINDOW_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"

struct time_parts {
    /* sorted by begin; none: the whole trace */
    struct block *items;
    size_t count, capacity;
};

/* Find the requested window, its bins, or the sections. CSY_USAGE if there are none, or more than
 * CSY_BLOCKS_MAX. Sections, and ends at records, need a pass over the events. */
csy_status time_parts_find(struct time_parts *parts, const struct instants *instants,
                           const csy_concurrency *asked, csy_error *error);
void time_parts_fini(struct time_parts *parts);

/* Make the blocks of n sections that csy_sync_sections found, in one pass over the events. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* The ends of a window on one clock, in global time by its estimated offset. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN and INT64_MAX: no end */
};

struct clip {
    /* there is a window; otherwise the other members are unused */
    bool asked;
    bool known; /* there are bounds */
    bool star;  /* only bounds to the reference are used */
    /* greatest error of the distance of two timestamps */
    int64_t added_ticks;
    struct event_places *places;     /* places of events, if clocks drift; or NULL */
    struct event_places *own_places; /* `places` if the clip frees it, or NULL */
    /* at all offsets, the window is between the first and the last record */
    bool within;
    struct block block;
    /* ends of the window or, where it has none, of the trace */
    struct moment begin, end;
    struct clip_ends *ends[CLIPS]; /* for each clock */
    csy_range length;
    /* forms for the least and greatest window; the caller has the estimate's */
    struct forms parts[CLIPS];
};

/* Initialize a clip from the window that the user wrote; NULL: none. CSY_USAGE as for
 * time_parts_find. If an end is beyond its clock's records, this takes a pass over the events. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, csy_error *error);
void clip_fini(struct clip *clip);

/* Like clip_init, for the block of a section. */
csy_status clip_init_section(struct clip *clip, struct instants *instants,
                             const struct moves *moves, const struct block *block,
                             csy_error *error);

/* Like clip_init, for an analysis without instants: scans the trace for them. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* The moment at a global time between two moments of one clock. Local time is interpolated, because
 * a drifting clock has another rate than global time. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* The moment of a clock where a time is cut, from the cut's global time. If clocks drift, this is
 * the next reading after the cut (step 1) or before it (step -1), unless the cut is an end of the
 * window on this clock: several readings can have one global time, and the cut may be between two
 * readings. */
struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step);

/* Find the part of the time from begin to end in a window. Returns false if there is none. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* True if a time begins before the end of a window and ends after its begin. A least window that
 * ends before it begins overlaps nothing. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* True if a moment is in a window: not before its begin, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    const struct clip_ends *ends = &clip->ends[as][at->clock];
    return at->global_ticks >= ends->from && at->global_ticks < ends->until;
}

/* The kind of ranges that depend on several clocks. */
csy_range_kind clip_kind(const struct clip *clip);

/* The range of a figure, from its values in the three windows. The figure must not get smaller as
 * the window grows. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* Like clip_range, for numbers. Without a window, the result is the estimate. */
csy_range clip_number(const struct clip *clip, int64_t estimate, int64_t least, int64_t most);

/* Add the part of a time in each of the three windows to a form. `estimate` is the caller's forms
 * for the estimated window; clip->parts has the others. Returns false if out of memory. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* Widen the ranges of the first n forms, computed for the estimated window, to allow for the
 * unknown ends. `moves` may be NULL, as for forms_ranges. */
csy_status clip_ranges(struct clip *clip, size_t n, const struct moves *moves, csy_sync *sync,
                       csy_range *ranges, csy_error *error);

/* Narrow the ranges of n times that are not negative and add up to the length of the window times
 * `windows`. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* The length of the window times `windows`, minus n times. An estimate beyond 64 bits is
 * INT64_MAX. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
