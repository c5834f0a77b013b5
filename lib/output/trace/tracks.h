/* Tracks of an output for viewers: rows of slices (intervals). Also decides when to draw live
 * intervals (first to last record of a thread) and the uncertainty of clocks.
 *
 * Viewers drop a slice that crosses another of its track: they overlap, but neither contains the
 * other. Slices arrive mostly in the order of their ends. To find crossings, a track remembers the
 * last TRACK_SLICES_MAX slices that are inside no other. */
#ifndef OUTPUT_TRACE_TRACKS_H
#define OUTPUT_TRACE_TRACKS_H

#include "output/trace/writer.h"

enum { TRACK_SLICES_MAX = 1024, TRACK_WORDS_MAX = 64, TRACKS_RECENT = 64 };

/* A slice of a track, in global ticks. `begin` can be any number if the traced program wrote it. */
struct slice {
    int64_t begin, end;
};

/* Returns the slice from `begin` to `end`, with `begin` limited to the range from `base` to
 * `end`. */
static inline struct slice slice_from(int64_t begin, int64_t end, int64_t base)
{
    begin = begin < end ? begin : end;
    return (struct slice){begin < base ? base : begin, end};
}

/* Groups of tracks, which viewers call processes. The values are their numbers. */
enum track_group {
    GROUP_PPE = 1,
    GROUP_SPE,
    GROUP_CONTEXT,
    GROUP_ROWS,
    GROUP_CLOCKS /* from here on, a group for each clock that several threads share */
};

/* For each group below GROUP_CLOCKS: its name, and the noun before the number of a track. */
extern const char *const track_groups[GROUP_CLOCKS], *const track_kinds[GROUP_CLOCKS];

/* Returns true if several threads of a CSV share the clock, or its one thread has another name. */
bool members_share(const csy_thread *clock);

/* Returns the group for the clock of a CSV, given the index of the clock's csy_thread. */
unsigned track_clock_group(const struct csy_sync *sync, size_t clock);

/* The track that shows a csy_thread or, for a CSV, a csy_track. If `name` is NULL, `number` is
 * shown as the name. */
struct track_place {
    unsigned group;
    uint64_t number;
    const char *name;
};
struct track_place track_place_of(const struct csy_sync *sync, size_t index);

struct track {
    unsigned group; /* a value of enum track_group; for the clock of a CSV: GROUP_CLOCKS or more */
    uint64_t number;
    struct slice *slices; /* in order, without slices that are inside another slice */
    size_t nslices, capacity;
    bool begun, forgot;
    int64_t last_end, forgotten_end;
    char words[TRACK_WORDS_MAX]; /* data that an output format stores for the track */
    size_t nwords;
};

/* All tracks of an output, found by group and number. */
struct tracks {
    void *tree;
    struct track *recent[TRACKS_RECENT]; /* cache: last tracks that were found; NULL if unused */
};

/* Find or make a track, owned by `tracks`. *made becomes true if it is new. O(log tracks). */
csy_status tracks_find(struct tracks *tracks, unsigned group, uint64_t number, struct track **out,
                       bool *made, csy_error *error);
void tracks_fini(struct tracks *tracks);

/* Add a slice to a track. Its begin must not be after its end. If it may overlap another slice only
 * in part, or if it ends before the last slice, it is not added and *nests becomes false. O(log
 * slices) on average. */
csy_status track_lay(struct track *track, struct slice slice, bool *nests, csy_error *error);

/* Returns true if an earlier slice of nonzero length has the same begin as `slice`. A viewer that
 * looks only at begins would put `slice` inside the earlier slice. */
bool track_begins_inside(const struct track *track, struct slice slice);

/* --- Live intervals ------------------------------------------------------------------------- */

/* A live interval (from the first to the last record of a thread) is drawn after its last record
 * or, if threads share a clock, at the end. The uncertainty of a clock is drawn at its first drawn
 * record, when it changes, and at its end. */

/* The live interval of a thread or, for a CSV, of a track. */
struct life {
    uint64_t records;
    struct slice slice; /* from the earliest begin or record to the last record */
};

/* Functions that draw in an output format. `clock` is the index of a csy_thread. `index` is the
 * index of a csy_thread or, for a CSV, of a csy_track. */
struct lives_format {
    csy_status (*live)(void *user, size_t index, struct slice slice, csy_error *error);
    csy_status (*uncertainty)(void *user, size_t index, size_t clock, int64_t global_ticks,
                              int64_t uncertainty_ticks, csy_error *error);
};

/* The struct of an output format begins with this struct. Its functions get it as `user`. */
struct lives {
    struct outfile *out; /* first member: writer_walk reads it */
    const struct csy_sync *sync;
    const struct lives_format *format;
    struct selection selection;
    int64_t base_ticks;        /* origin of times, because viewers drop negative times */
    struct life *items;        /* one for each thread or, for a CSV, each track */
    struct clock_life *clocks; /* one for each csy_thread */
};

/* Read all events of a trace, and draw them with the functions of `format`. These get `lives` as
 * their argument `user`. */
csy_status lives_walk(struct lives *lives, struct csy_trace *trace, const csy_output *output,
                      const struct writer_format *format, csy_error *error);

/* Call this for each event that is drawn. The event lasts from `begin` to its time. */
csy_status lives_draw(struct lives *lives, const csy_event *event, int64_t begin, csy_error *error);

/* Call this for each event that is not drawn. `user` is a struct lives. */
csy_status lives_pass(void *user, const csy_event *event, csy_error *error);

/* Draw the remaining live intervals after the last record. */
csy_status lives_end(struct lives *lives, csy_error *error);

#endif
