/*
 * Live intervals in a picture of a trace, and how far their clocks can be off: what was drawn of
 * them so far, and what is to be drawn when.
 *
 * A live interval is drawn after its last record; of threads of a CSV that share a clock, at the
 * end.  How far a clock can be off is shown at its first record that is drawn, where that has
 * changed, and after its last record.
 */
#ifndef OUTPUT_TRACE_LIVES_H
#define OUTPUT_TRACE_LIVES_H

#include "output/trace/tracks.h"
#include "trace/trace.h"

/* What was drawn of a thread, or of a CSV's track. */
struct life {
    uint64_t records;
    struct slice slice; /* from the first begin, or record, to the last record */
};

/* How a format draws; index: of the csy_thread, of a CSV of the csy_track.  clock: of the
 * csy_thread. */
struct lives_format {
    csy_status (*live)(void *user, size_t index, struct slice slice, csy_error *error);
    csy_status (*uncertainty)(void *user, size_t index, size_t clock, int64_t global_ticks,
                              int64_t uncertainty_ticks, csy_error *error);
};

struct lives {
    const struct csy_sync *sync;
    const struct lives_format *format;
    void *user;
    struct life *items;        /* one a thread; of a CSV one a track */
    struct clock_life *clocks; /* one a thread, as of csy_thread */
};

csy_status lives_init(struct lives *lives, const struct csy_sync *sync,
                      const struct lives_format *format, void *user, csy_error *error);
void lives_fini(struct lives *lives);

/* A record is drawn, which reaches back to begin. */
csy_status lives_draw(struct lives *lives, const csy_event *event, int64_t begin, csy_error *error);

/* One passes that is not. */
csy_status lives_pass(struct lives *lives, const csy_event *event, csy_error *error);

/* No record can follow. */
csy_status lives_end(struct lives *lives, csy_error *error);

#endif
