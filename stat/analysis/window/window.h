/* Finds the parts of a trace that the user requests (a window, its bins, or sections), and parts of
 * times that are in a window.
 *
 * Each end of a window is a moment of one clock. The time of this moment on another clock is only
 * known within limits. So each clock has three windows: the estimated window; the least window,
 * which is certainly inside the requested window; and the greatest window, which certainly contains
 * the requested window. The part of a time in the requested window is between its part in the least
 * and its part in the greatest window.
 *
 * A section is one of the following:
 *
 *    an interval with the given name;
 *    the time from NAME_ENTRY to NAME_EXIT of an actor (also _ENTER, _BEGIN, _LEAVE, _END); or
 *    the time from an event with the given name to the actor's next event with this name. */
#ifndef ANALYSIS_WINDOW_WINDOW_H
#define ANALYSIS_WINDOW_WINDOW_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"

struct time_parts {
    struct block *items; /* parts of the trace, sorted by begin; empty for the whole trace */
    size_t count, capacity;
};

/* Find the requested window, its bins, or sections. Returns CSY_USAGE if there are none, or more
 * than CSY_BLOCKS_MAX. Events are read once for sections or for ends at records. */
csy_status time_parts_find(struct time_parts *parts, const struct instants *instants,
                           const csy_concurrency *asked, csy_error *error);
void time_parts_fini(struct time_parts *parts);

/* Convert n sections from csy_sync_sections to blocks, in one pass over the events. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* The window on one clock, in global time as estimated for this clock. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN and INT64_MAX mean no limit */
};

struct clip {
    bool asked;          /* true if a window was requested; otherwise other members are unused */
    bool known;          /* true if bounds between the clocks are known */
    bool star;           /* true if only bounds to the reference clock limit event times */
    int64_t added_ticks; /* greatest error of the time between two timestamps, in ticks */
    /* limits of event times if clocks drift, or NULL; clip_open sets it even if `asked` is false */
    struct event_places *places;
    struct event_places *own_places; /* `places` if the clip must free them, otherwise NULL */
    bool within; /* true if the window is certainly between the first and the last record */
    struct block block;
    struct moment begin, end;      /* ends of the window, or of the trace if it has none */
    struct clip_ends *ends[CLIPS]; /* for each kind of window and each clock: begin and end */
    csy_range length;
    struct forms parts[CLIPS]; /* for CLIP_LEAST and CLIP_MOST: sums of times inside the window */
};

/* Set `clip` to a section or, if `section` is NULL, to the window that `window` describes, if any.
 * Returns CSY_USAGE if the trace has no such window. The events may be read once. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, const struct block *section, csy_error *error);
void clip_fini(struct clip *clip);

/* Like clip_init, but opens the trace itself, unless `window` is NULL. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* Returns the moment of the same clock at another global time; INT64_MIN, INT64_MAX: no limit. */
struct moment moment_at(const struct moment *moment, int64_t global_ticks);

/* Returns the first reading of a clock, near `near`, whose global time is at least global_ticks. */
int64_t first_reading(const csy_sync *sync, const struct moment *near, int64_t global_ticks);

/* Returns the moment at a global time between two moments of one clock, interpolated. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* Returns the moment where an end of the window cuts a duration. If clocks drift, several readings
 * may have this global time: step 1 returns the reading after them, step -1 the one before them. */
struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step);

/* Set *from and *until to the part of a duration that is in the window. Returns false if there is
 * none. Here and below, everything is in the window if none was requested. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* Returns true if a time overlaps the window. A window that ends before it begins does not. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* Returns true if a moment is in the window: at or after its begin, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    return !clip->asked || (at->global_ticks >= clip->ends[as][at->clock].from &&
                            at->global_ticks < clip->ends[as][at->clock].until);
}

csy_range_kind clip_kind(const struct clip *clip);

/* Returns a range from one value per window (enum clip_as), greatest in the greatest window. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* Returns a value of a sheet, with a range from the values in each window (enum clip_as). If no
 * window was requested, it is the estimate, and `clip` may be NULL. */
csy_value clip_number(const struct clip *clip, int128 estimate, int128 least, int128 most);

static inline csy_value clip_count(const struct clip *clip, const uint64_t counts[CLIPS])
{
    return clip_number(clip, counts[CLIP_ESTIMATE], counts[CLIP_LEAST], counts[CLIP_MOST]);
}

/* Add the part of a duration in each window to a sum of times. Returns false if out of memory. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* Widen n ranges of the estimated window, because the window's ends are uncertain. `parts` has the
 * sums in the least and greatest window, such as clip->parts. `moves` may be NULL. */
csy_status clip_ranges(const struct clip *clip, struct forms parts[CLIPS], size_t n,
                       const struct moves *moves, csy_sync *sync, csy_range *ranges,
                       csy_error *error);

/* Narrow the ranges of n durations. None is negative, and their sum is `windows` * clip->length. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* Returns `windows` * clip->length minus the sum of n times; INT64_MAX beyond 64 bits. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
