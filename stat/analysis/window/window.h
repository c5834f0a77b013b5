/*
 * The parts of a trace that are asked for: a window, its bins, or sections; and the parts of times
 * that are in them.
 *
 * An end of a window is a moment of one clock.  On another clock it is anywhere in a range, as far
 * as the bound of the two clocks leaves it open.  So each clock has three windows: by the estimate;
 * the least, which is in the window for certain; and the most, which the window is in.  The part of
 * a time that is in the estimated window is between its parts in the other two, whatever the
 * offsets are.
 *
 * A section is an interval with the given name; the time from NAME_ENTRY to NAME_EXIT (also _ENTER,
 * _BEGIN, _LEAVE, _END) of an actor; or the time from an event with that name to the next one of
 * its actor.
 */
#ifndef ANALYSIS_WINDOW_WINDOW_H
#define ANALYSIS_WINDOW_WINDOW_H

#include "analysis/ranges/forms.h"
#include "analysis/ranges/levels.h"

struct time_parts {
    struct block *items; /* by their begins; none: the whole trace */
    size_t count, capacity;
};

/* Find the window, its bins, or the sections of a question.  CSY_USAGE if there are none, or more
 * than CSY_BLOCKS_MAX.  Sections, and ends at records, take a pass over the events. */
csy_status time_parts_find(struct time_parts *parts, const struct instants *instants,
                           const csy_concurrency *asked, csy_error *error);
void time_parts_fini(struct time_parts *parts);

/* The blocks of n sections that csy_sync_sections has found, in one pass over the events. */
csy_status time_parts_of_sections(struct block *out, const struct instants *instants,
                                  const csy_section *sections, size_t n, csy_error *error);

enum clip_as { CLIP_ESTIMATE, CLIP_LEAST, CLIP_MOST, CLIPS };

/* The ends on a clock, in global time by its estimated offset. */
struct clip_ends {
    int64_t from, until; /* INT64_MIN, INT64_MAX: there is none */
};

struct clip {
    bool asked;                  /* false: there is no window, and the other members mean nothing */
    bool known;                  /* there are bounds */
    bool star;                   /* only the bounds to the reference count */
    int64_t added_ticks;         /* what imprecision adds to two timestamps */
    struct event_places *places; /* of events of clocks that drift, or NULL */
    struct event_places *own_places; /* the same, if the clip has to free it */
    bool within; /* between the first record and the last, whatever the offsets are */
    struct block block;
    struct moment begin, end;      /* of the window, or of the trace */
    struct clip_ends *ends[CLIPS]; /* by clock */
    csy_range length;
    struct forms parts[CLIPS]; /* but of the estimate */
};

/* Read a window as the user writes it, or none if it is NULL.  CSY_USAGE as for time_parts_find.
 * An end outside the records of its clock takes a pass over the events. */
csy_status clip_init(struct clip *clip, struct instants *instants, const struct moves *moves,
                     const char *window, csy_error *error);
void clip_fini(struct clip *clip);

/* The same for the block of a section. */
csy_status clip_init_section(struct clip *clip, struct instants *instants,
                             const struct moves *moves, const struct block *block,
                             csy_error *error);

/* The same for an analysis that has no instants: scan the trace for them. */
csy_status clip_open(struct clip *clip, csy_sync *sync, const csy_meaning *meaning,
                     const char *window, csy_error *error);

/* The moment between two moments of a clock that is at a global time.  The local time is
 * interpolated, because a clock that drifts does not run as fast as global time. */
struct moment moment_between(const struct moment *begin, const struct moment *end,
                             int64_t global_ticks);

/* The moment of a clock at another global time, where a time is cut.  If clocks drift, it is the
 * next reading to the side of `step`, 1 or -1, unless an end of the window is there: several
 * readings can have one global time, and it may be between two readings. */
struct moment clip_cut(const struct clip *clip, const struct moment *moment, int64_t global_ticks,
                       int step);

/* The part of a time that is in a window; false if there is none. */
bool clip_time(const struct clip *clip, enum clip_as as, const struct moment *begin,
               const struct moment *end, struct moment *from, struct moment *until);

/* True if some of a time is in a window: it begins before the end of the window and ends after its
 * begin.  The least window has nothing if it ends before it begins. */
bool clip_meets(const struct clip *clip, enum clip_as as, const struct moment *begin,
                const struct moment *end);

/* True if a moment is in a window: at its begin or later, and before its end. */
static inline bool clip_has(const struct clip *clip, enum clip_as as, const struct moment *at)
{
    const struct clip_ends *ends = &clip->ends[as][at->clock];
    return at->global_ticks >= ends->from && at->global_ticks < ends->until;
}

/* The kind of figures that rest on several clocks. */
csy_range_kind clip_kind(const struct clip *clip);

/* The figure of a window, from the figures of the three windows; it must grow with the window. */
csy_range clip_range(const struct clip *clip, const csy_range parts[CLIPS]);

/* The same for numbers; without a window the estimate. */
csy_range clip_number(const struct clip *clip, int64_t estimate, int64_t least, int64_t most);

/* Add the part of a time that is in each window to a form: of `estimate`, which the caller owns,
 * and of the two others in clip->parts.  Returns false if memory runs out. */
bool clip_add(struct clip *clip, struct forms *estimate, size_t form, const struct moment *begin,
              const struct moment *end);

/* Widen the ranges of the first n forms, which are ranges of the estimated window. */
csy_status clip_ranges(struct clip *clip, size_t n, const struct moves *moves, csy_range *ranges,
                       csy_error *error);

/* The same by forms_bounds, which also finds the ranges of the estimate. */
csy_status clip_bounds(struct clip *clip, struct forms *estimate, size_t n, csy_sync *sync,
                       csy_range *ranges, csy_error *error);

/* Narrow n times, each at least 0, that add up to the length of the window times `windows`. */
void clip_narrow(const struct clip *clip, csy_range *times, size_t n, size_t windows);

/* The length of the window times `windows`, minus n times.  The estimate is INT64_MAX if it leaves
 * 64 bits. */
csy_range clip_rest(const struct clip *clip, const csy_range *times, size_t n, size_t windows);

#endif
