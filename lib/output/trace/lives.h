/* Live intervals and the uncertainty of their clocks, in outputs for viewers: which of them were
 * drawn, and when to draw the others.
 *
 * A live interval is drawn after its last record. For threads of a CSV that share a clock, it is
 * drawn at the end. The uncertainty of a clock is shown at its first drawn record, whenever it
 * changes, and after its last record. */
#ifndef OUTPUT_TRACE_LIVES_H
#define OUTPUT_TRACE_LIVES_H

#include "output/trace/tracks.h"
#include "trace/trace.h"

/* The state of a thread, or of a CSV's track. */
struct life {
    uint64_t records;
    struct slice slice; /* from the first begin or record to the last record */
};

/* How a format draws. index is that of the csy_thread, or for a CSV of the csy_track; clock is that
 * of the csy_thread. */
struct lives_format {
    csy_status (*live)(void *user, size_t index, struct slice slice, csy_error *error);
    csy_status (*uncertainty)(void *user, size_t index, size_t clock, int64_t global_ticks,
                              int64_t uncertainty_ticks, csy_error *error);
};

struct lives {
    const struct csy_sync *sync;
    const struct lives_format *format;
    void *user;
    struct life *items;        /* by thread; for a CSV by track */
    struct clock_life *clocks; /* by csy_thread */
};

csy_status lives_init(struct lives *lives, const struct csy_sync *sync,
                      const struct lives_format *format, void *user, csy_error *error);
void lives_fini(struct lives *lives);

/* Draw a record that begins at `begin`. */
csy_status lives_draw(struct lives *lives, const csy_event *event, int64_t begin, csy_error *error);

/* Pass a record that is not drawn. */
csy_status lives_pass(struct lives *lives, const csy_event *event, csy_error *error);

/* Call after the last record. */
csy_status lives_end(struct lives *lives, csy_error *error);

#endif
