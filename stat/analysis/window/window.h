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

/* Convert the n sections that csy_sync_sections has found to parts of the trace. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* Begin and end of the window for the events of one clock, in estimated global time. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN and INT64_MAX mean no limit */
};

struct clip {
    bool asked;          /* false if the user has requested no window; the other members are then
                          * unused */
    bool known;          /* true if bounds between the clocks are known */
    bool star;           /* true if only bounds between each clock and the reference clock are
                          * used */
    int64_t added_ticks; /* greatest error of the time between two timestamps, in ticks */
    /* earliest and latest time of each event; NULL if clocks do not drift. Set by clip_open even if
     * `asked` is false. */
    struct event_places *places;
    struct event_places *own_places; /* `places` if the clip must free them, otherwise NULL */
    bool within; /* true if all of the window is between the first and the last record */
    struct block block;
    struct moment begin, end;      /* estimated ends of the window */
    struct clip_ends *ends[CLIPS]; /* [as][clock]: begin and end of the window on this clock */
    csy_range length;
    struct forms parts[CLIPS]; /* sums in the windows; [CLIP_ESTIMATE] is unused */
};

/* Set `clip` to a section or, if `section` is NULL, to the window that `window` describes, if any.
 * Returns CSY_USAGE if the trace has no such window. The events may be read once. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, const struct block *section, csy_error *error);
void clip_fini(struct clip *clip);

/* Like clip_init for a window, but reads the trace itself to find actors and limits of the clocks.
 * If `window` is NULL, no window is requested, and the trace is not read. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* Returns the moment of the same clock at another global time; INT64_MIN, INT64_MAX: no limit. */
struct moment moment_at(const struct moment *moment, int64_t global_ticks);

/* Returns the first reading of a clock, near `near`, at or after the global time global_ticks. */
int64_t first_reading(const csy_sync *sync, const struct moment *near, int64_t global_ticks);

/* Returns the moment at a global time between `begin` and `end`, on the same clock. The local time
 * is interpolated. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* Returns the moment when the clock of `moment` shows global_ticks, the global time of an end of
 * the window. If clocks drift, several local times may have the same global time. The result is
 * then the local time after all of them if `step` is 1, or before all of them if it is -1. */
struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step);

/* Set *from and *until to the part of a duration that is in the requested part of the trace (the
 * window). Returns false if there is none. If the user requested no window, everything is in it. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* Returns true if a duration overlaps the window. `as` selects the estimated, the least, or the
 * greatest possible window (see the head of this file). The least window may end before it begins;
 * nothing overlaps it then. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* Returns true if a moment is in the window: at or after its begin, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    return !clip->asked || (at->global_ticks >= clip->ends[as][at->clock].from &&
                            at->global_ticks < clip->ends[as][at->clock].until);
}

csy_range_kind clip_kind(const struct clip *clip);

/* Returns the range of a quantity that is greater if the window is greater, such as a duration.
 * parts[as] is its range if the window is the estimated, the least, or the greatest possible
 * one. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* Returns a number with a range: its estimate, and its values in the least and in the greatest
 * window (see the head of this file). If no window was requested, the result is only the estimate,
 * and `clip` may be NULL. */
csy_value clip_number(const struct clip *clip, int128 estimate, int128 least, int128 most);

static inline csy_value clip_count(const struct clip *clip, const uint64_t counts[CLIPS])
{
    return clip_number(clip, counts[CLIP_ESTIMATE], counts[CLIP_LEAST], counts[CLIP_MOST]);
}

/* Add the part of a duration that is in the window to sum number `form`: for the estimated window
 * in `estimate`, for the least and the greatest one in clip->parts. Returns false if out of
 * memory. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* Widen ranges[i], the range of sum number i in the estimated window. Its lower end becomes the
 * lower end of the sum in the least window, and its upper end the upper end of the sum in the
 * greatest window. `parts` has these sums. `moves` may be NULL. */
csy_status clip_ranges(const struct clip *clip, struct forms parts[CLIPS], size_t n,
                       const struct moves *moves, csy_sync *sync, csy_range *ranges,
                       csy_error *error);

/* Narrow the ranges of n durations. They are not negative, and their sum is `windows` times the
 * length of the window. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* Returns `windows` times the length of the window, minus the sum of n durations. An end of the
 * range that exceeds 64 bits becomes INT64_MAX. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
