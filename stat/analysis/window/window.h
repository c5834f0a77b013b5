/*
 * The parts of a trace that the user requests: a window, its bins, or sections. Also finds the part
 * of a time that lies in a window.
 *
 * An end of a window is a moment of one clock. On another clock, this moment can only be limited to
 * a range, which follows from the bound of the two clocks. Therefore each clock has three windows:
 * the estimated window; the least window, which is certainly inside of the requested window; and
 * the greatest window, which certainly contains the requested window. For all possible offsets, the
 * part of a time that lies in the requested window is at least its part in the least window, and at
 * most its part in the greatest window.
 *
 * There are three kinds of sections: an interval with the given name; the time from NAME_ENTRY to
 * NAME_EXIT of an actor (also _ENTER, _BEGIN, _LEAVE, _END); or the time from an event with the
 * given name to the next such event of the same actor.
 */
#ifndef ANALYSIS_WINDOW_WINDOW_H
#define ANALYSIS_WINDOW_WINDOW_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"

struct time_parts {
    /* sorted by their begins; if there are none, the part is the whole trace */
    struct block *items;
    size_t count, capacity;
};

/* Find the requested window, its bins, or the requested sections. CSY_USAGE if nothing was found,
 * or if there are more parts than CSY_BLOCKS_MAX. Sections, and ends that are stated as records,
 * need a pass over the events. */
csy_status time_parts_find(struct time_parts *parts, const struct instants *instants,
                           const csy_concurrency *asked, csy_error *error);
void time_parts_fini(struct time_parts *parts);

/* Make the blocks of n sections that csy_sync_sections found, in one pass over the events. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* The ends of a window on one clock, in global time by the estimated offset of the clock. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN and INT64_MAX: there is no such end */
};

struct clip {
    /* true if there is a window; if false, the other members are not used */
    bool asked;
    bool known; /* there are bounds */
    bool star;  /* only the bounds to the reference are used */
    /* the amount that imprecision adds to the distance of two timestamps */
    int64_t added_ticks;
    struct event_places *places;     /* the places of events if clocks drift, otherwise NULL */
    struct event_places *own_places; /* `places` if the clip must free it, otherwise NULL */
    /* the window is certainly between the first record and the last record, for all possible
     * offsets */
    bool within;
    struct block block;
    /* begin and end of the window, or of the trace if the window has no such end */
    struct moment begin, end;
    struct clip_ends *ends[CLIPS]; /* by clock */
    csy_range length;
    /* forms for the least and the greatest window; the estimate has its own forms */
    struct forms parts[CLIPS];
};

/* Initialize a clip from the text of a window as the user wrote it; NULL: there is no window.
 * CSY_USAGE as for time_parts_find. If an end is outside of the records of its clock, this takes a
 * pass over the events. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, csy_error *error);
void clip_fini(struct clip *clip);

/* As clip_init, for the block of a section. */
csy_status clip_init_section(struct clip *clip, struct instants *instants,
                             const struct moves *moves, const struct block *block,
                             csy_error *error);

/* As clip_init, for an analysis without instants: the trace is scanned to make them. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* The moment at a global time between two moments of one clock. Its local time is interpolated,
 * because the rate of a drifting clock differs from the rate of global time. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* The moment of a clock at which a time is cut, given the global time of the cut. If clocks drift,
 * the result is the next reading after the cut (step 1) or before it (step -1), unless the cut is
 * an end of the window on this clock. This is necessary because several readings can have the same
 * global time, and the cut may be between two readings. */
struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step);

/* Find the part of a time, from begin to end, that lies in a window. Returns false if there is
 * none. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* True if a time overlaps a window: it begins before the end of the window and ends after its
 * begin. The least window overlaps nothing if it ends before it begins. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* True if a moment is in a window: at its begin or later, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    const struct clip_ends *ends = &clip->ends[as][at->clock];
    return at->global_ticks >= ends->from && at->global_ticks < ends->until;
}

/* The kind of the ranges of figures that depend on several clocks. */
csy_range_kind clip_kind(const struct clip *clip);

/* The range of a figure of the window, from its values for the three windows. The figure must not
 * become smaller if the window becomes larger. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* The same for numbers. Without a window, the result is the estimate. */
csy_range clip_number(const struct clip *clip, int64_t estimate, int64_t least, int64_t most);

/* Add the part of a time that lies in each of the three windows to a form. `estimate` belongs to
 * the caller and has the forms of the estimated window; clip->parts has the forms of the other two.
 * Returns false if memory runs out. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* Widen the ranges of the first n forms. They were computed for the estimated window, and
 * afterwards also allow for the unknown ends of the window. */
csy_status clip_ranges(struct clip *clip, size_t n, const struct moves *moves, csy_range *ranges,
                       csy_error *error);

/* As clip_ranges, but also computes the ranges of the estimate, with forms_bounds. */
csy_status clip_bounds(struct clip *clip, struct forms *estimate, size_t n, csy_sync *sync,
                       csy_range *ranges, csy_error *error);

/* Narrow the ranges of n times. Each time is at least 0, and their sum is the length of the window
 * multiplied by `windows`. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* The length of the window multiplied by `windows`, minus the sum of n times. The estimate is
 * INT64_MAX if it exceeds 64 bits. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
