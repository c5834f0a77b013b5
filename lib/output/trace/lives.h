/* Which live intervals, and uncertainties of clocks, were drawn in an output for viewers, and when
 * to draw the others.
 *
 * A live interval is drawn after its last record. If threads of a CSV share a clock, it is drawn at
 * the end. The uncertainty of a clock is shown at its first drawn record, whenever it changes, and
 * after its last record. */
#ifndef OUTPUT_TRACE_LIVES_H
#define OUTPUT_TRACE_LIVES_H

#include "output/trace/tracks.h"
#include "trace/trace.h"

/* The state of a thread, or of a track of a CSV. */
struct life {
    uint64_t records;
    struct slice slice; /* from the first begin or record to the last record */
};

/* How a format draws. index is the index of a csy_thread, or of a csy_track for a CSV. clock is the
 * index of a csy_thread. */
struct lives_format {
    csy_status (*live)(void *user, size_t index, struct slice slice, csy_error *error);
    csy_status (*uncertainty)(void *user, size_t index, size_t clock, int64_t global_ticks,
                              int64_t uncertainty_ticks, csy_error *error);
};

struct lives {
    const struct csy_sync *sync;
    const struct lives_format *format;
    void *user;
    struct life *items;        /* for each thread, or each track of a CSV */
    struct clock_life *clocks; /* for each csy_thread */
};

csy_status lives_init(struct lives *lives, const struct csy_sync *sync,
                      const struct lives_format *format, void *user, csy_error *error);
void lives_fini(struct lives *lives);

/* Note that a record is drawn that begins at `begin`. */
csy_status lives_draw(struct lives *lives, const csy_event *event, int64_t begin, csy_error *error);

/* Note a record that is not drawn. */
csy_status lives_pass(struct lives *lives, const csy_event *event, csy_error *error);

/* Draw what is left, after the last record. */
csy_status lives_end(struct lives *lives, csy_error *error);

#endif
