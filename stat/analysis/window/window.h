/* Finds the parts of a trace that the user requests (a window, its bins, or sections), and the
 * parts of times in a window.
 *
 * An end of a window is a moment of one clock. On another clock, this end lies in a range, which
 * follows from the bound between both clocks. So each clock has three windows: the estimated
 * window; the least window, which is certainly inside of the requested one; and the greatest
 * window, which certainly contains the requested one. At all possible offsets, the part of a time
 * in the requested window is at least the part in the least window, and at most the part in the
 * greatest window.
 *
 * There are three kinds of sections: an interval with the given name; the time from NAME_ENTRY to
 * NAME_EXIT of an actor (also _ENTER, _BEGIN, _LEAVE, _END); or the time from an event with the
 * given name to the actor's next such event. */
#ifndef ANALYSIS_WINDOW_WINDOW_H
#define ANALYSIS_WINDOW_WINDOW_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"

struct time_parts {
    /* parts of the trace, sorted by begin; none: the whole trace */
    struct block *items;
    size_t count, capacity;
};

/* Find the requested window, its bins, or the sections. Returns CSY_USAGE if there are none, or
 * more than CSY_BLOCKS_MAX. To find sections, and ends at records, the events are read once. */
csy_status time_parts_find(struct time_parts *parts, const struct instants *instants,
                           const csy_concurrency *asked, csy_error *error);
void time_parts_fini(struct time_parts *parts);

/* Make the blocks of n sections from csy_sync_sections. This takes one pass over the events. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* The ends of a window on one clock, in global time at the clock's estimated offset. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN and INT64_MAX mean that there is no end */
};

struct clip {
    /* a window was requested; otherwise the other members are unused */
    bool asked;
    bool known; /* bounds between the clocks are known */
    bool star;  /* only bounds to the reference are used */
    /* greatest error of the time between two timestamps */
    int64_t added_ticks;
    struct event_places *places; /* places of events if clocks drift, otherwise NULL */
    /* equals `places` if the clip must free them, otherwise NULL */
    struct event_places *own_places;
    /* at all offsets, the window is between the first and the last record */
    bool within;
    struct block block;
    /* ends of the window; where the window has no end, ends of the trace */
    struct moment begin, end;
    struct clip_ends *ends[CLIPS]; /* for each clock: ends of the three windows */
    csy_range length;
    /* forms for the least and the greatest window; the caller has those for the estimated window */
    struct forms parts[CLIPS];
};

/* Initialize a clip from the text of the user's window; NULL means no window. Returns CSY_USAGE as
 * time_parts_find does. If an end is beyond the records of its clock, the events are read once. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, csy_error *error);
void clip_fini(struct clip *clip);

/* Works like clip_init, but takes the block of a section. */
csy_status clip_init_section(struct clip *clip, struct instants *instants,
                             const struct moves *moves, const struct block *block,
                             csy_error *error);

/* Works like clip_init, but opens the instants of the trace, and keeps the places of events. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* Move a moment to another global time. An end without a limit has the greatest or least possible
 * number, which no clock reaches, so the time between two such ends is 0. */
struct moment moment_at(const struct moment *moment, int64_t global_ticks);

/* Find the first reading of a drifting clock that is not before a global time. The search begins at
 * the local time of `near`, a moment of this clock. */
int64_t first_reading(const csy_sync *sync, const struct moment *near, int64_t global_ticks);

/* Find the moment at a global time between two moments of one clock. Local time is interpolated,
 * because a drifting clock has another rate than global time. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* Find the moment of a clock at the global time where a time is cut. If clocks drift, this moment
 * is the next reading after the cut (step 1) or before the cut (step -1). The reason is that
 * several readings can have one global time. At an end of the window on this clock, the end itself
 * is the moment, even between two readings. */
struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step);

/* Find the part of the time from `begin` to `end` in a window. Returns false if there is none. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* Returns true if a time begins before the end of a window and ends after the window's begin. A
 * least window that ends before it begins overlaps nothing. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* Returns true if a moment is in a window: not before the window's begin, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    const struct clip_ends *ends = &clip->ends[as][at->clock];
    return at->global_ticks >= ends->from && at->global_ticks < ends->until;
}

/* The kind of ranges that depend on several clocks. */
csy_range_kind clip_kind(const struct clip *clip);

/* Find the range of a figure from three windows. The figure must not shrink as the window grows. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* Works like clip_range, but takes numbers of at most 63 bits, and makes a value of a sheet.
 * Without a window, when `clip` may be NULL, the result is the estimate. */
csy_value clip_number(const struct clip *clip, int128 estimate, int128 least, int128 most);

/* Add the part of a time in each of the three windows to a form. `estimate` has the forms for the
 * estimated window, and clip->parts for the others. Returns false if out of memory. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* Widen the ranges of the first n forms to allow for the unknown ends of the window. The ranges
 * were computed for the estimated window. `moves` may be NULL, as for forms_ranges. */
csy_status clip_ranges(struct clip *clip, size_t n, const struct moves *moves, csy_sync *sync,
                       csy_range *ranges, csy_error *error);

/* Narrow the ranges of n nonnegative times that add up to `windows` times the window's length. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* Subtract n times from `windows` times the window's length; INT64_MAX if beyond 64 bits. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
