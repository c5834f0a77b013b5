/*
 * A picture of a synchronized trace in the making: Chrome trace events.
 * cellsync-formats(5), Trace events.
 *
 * picture_records.c draws records of contexts, picture_rows.c events of named threads.
 */
#ifndef OUTPUT_TRACE_PICTURE_H
#define OUTPUT_TRACE_PICTURE_H

#include "output/trace/lives.h"
#include "output/trace/times.h"
#include "output/trace/trace_out.h"
#include "output/trace/tracks.h"
#include "output/trace/writer.h"

/* Groups of tracks, and as such their "processes". */
enum group {
    GROUP_PPE = 1,
    GROUP_SPE,
    GROUP_CONTEXT,
    GROUP_ROWS,
    GROUP_CLOCKS /* and on, one a clock that several threads share */
};

struct picture {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const csy_output *output;
    struct selection selection;
    struct outfile *out;
    int64_t base_ticks; /* viewers drop times below 0 */
    unsigned decimals;  /* of microseconds */
    struct tracks tracks;
    struct lives lives;
    bool
        *named; /* by csy_thread: several threads of a CSV share it, and their group has its name */
    struct picture_names *names; /* of picture_records.c */
    const char *separator;
};

/* Name a group of tracks. */
void picture_name_group(struct picture *p, unsigned group, const char *name);

/* The track, named where it is new: by name, or by its number where that is NULL. */
csy_status picture_find_track(struct picture *p, unsigned group, uint64_t number, const char *name,
                              struct track **out, csy_error *error);

/* The track on which the live interval, or the CSV's track, lies. */
csy_status picture_thread_track(struct picture *p, size_t index, struct track **out,
                                csy_error *error);

/* Put an instant, or the begin or end of a routine's slice, up to its name, and the arguments of an
 * event where not all are wanted up to the payload: at most PICTURE_PIECE_MAX characters each.
 * They return the end. */
enum { PICTURE_PIECE_MAX = 256 };
char *picture_put_call(char *at, struct picture *p, bool enter, const struct track *track,
                       int64_t ticks);
char *picture_put_instant(char *at, struct picture *p, const char *category,
                          const struct track *track, int64_t ticks);
char *picture_put_few(const struct picture *p, char *at, const csy_event *event);

/* Begin a slice: complete where it nests, else the first of a pair that has a row of its own. */
csy_status picture_begin_slice(struct picture *p, struct track *track, const char *category,
                               struct slice slice, bool *nests, csy_error *error);

/* What makes the two events of a pair one: a letter for its kind, and a number. */
void picture_write_id(struct picture *p, char kind, uint64_t number);

/* The second of a pair, up to its id. */
void picture_begin_end(struct picture *p, const struct track *track, const char *category,
                       int64_t end);

/* Arrows of the event's messages, from begin to their receives, to which they lead at end. */
void picture_draw_flows(struct picture *p, const struct event *source, const struct track *track,
                        int64_t begin, int64_t end);

/* The group of a CSV's clock, named where it is new; index: of its csy_thread. */
unsigned picture_row_group(struct picture *p, size_t index);

/* The track of a CSV's thread, in the group of its clock. */
csy_status picture_row_track(struct picture *p, size_t index, struct track **out, csy_error *error);

/* What picture_draw_record remembers of names; free it. */
csy_status picture_names_new(struct picture_names **out, csy_error *error);

/* Of a struct picture. */
csy_status picture_draw_record(void *user, const struct event *source, const csy_event *event,
                               csy_error *error);
csy_status picture_draw_row(void *user, const struct event *source, const csy_event *event,
                            csy_error *error);

#endif
