/*
 * The fast lane: plain records of known live intervals, many at a time.
 *
 * Most records are plain: one of a live interval that has spoken lately, or of the PPE without a
 * switch, not far in time from its neighbours.  For these, parsing, unwrapping and what a pass is
 * for are one loop over the buffer (fast/plain.h), with one line of a table for each thread and no
 * work that can wait: the first pass constrains neighbours, the last one writes records with global
 * stamps.  Whatever is not plain stops the lane; its threads' clocks are brought up to date, and
 * the record goes the ordinary way (clock/timeline.h).
 *
 * Why that comes to the same times: both stamps of a gap and the PPE stamps next to them must lie
 * within B/4 of the greatest x so far, and PPE records within a quarter of a wrap of one another.
 * Then the time that the lane takes to have elapsed in a gap lies within [L - B, U + B], and no
 * other number of wraps does.  The end of the window that is still open is not known: the lane
 * lowers what the unwrapper will accept as one, so that another end sends the trace through a
 * second pass.
 */
#ifndef FAST_LANE_H
#define FAST_LANE_H

#include "clock/timeline.h"
#include "fast/plain.h"
#include "graph/sweep.h"
#include "order/rebase.h"

struct lane {
    struct timeline *timeline;
    struct rebase *rough;
    struct sweep *sweep;       /* or NULL */
    const csy_thread *offsets; /* or NULL */
    uint32_t previous;         /* thread and x of the last record, where there is neither */
    int64_t previous_x;
    uint64_t limit; /* position of no record taken */
    /* Of fast/segments.h: */
    uint64_t segments_from;   /* offset in the record file from which on they are tried */
    uint64_t patience_bytes;  /* how far that was put off last time */
    struct sweep_carry carry; /* of a sweep with a carrier */
    /* Of live intervals that begin and end on the way: */
    bool turns;              /* they may: see lane_take_turns */
    struct sweep_feed *feed; /* of the sweep, or NULL */
    const uint32_t *tau;     /* the thread that never ends */
    size_t crowd;
    uint64_t born, born_after; /* since the last of so many PPE records of the run */
    const uint8_t *bytes;      /* where the run's begin */
    csy_status status;
    csy_error *error;
    struct plain plain;
};

/* B of the timeline decides how far stamps may stand apart.  sweep (or NULL) takes the constraints;
 * offsets (or NULL), by thread, are what global times are made with. */
csy_status lane_new(struct timeline *timeline, struct rebase *rough, struct sweep *sweep,
                    const csy_thread *offsets, struct lane **out, csy_error *error);
void lane_free(struct lane *lane);

/* From now on take live intervals as they begin and end, too: the switches of contexts that are
 * known, and the first record after one.  feed is that of the sweep, if there is one; *tau never
 * ends; where `crowd` threads are live at once, no more begin. */
void lane_take_turns(struct lane *lane, struct sweep_feed *feed, const uint32_t *tau, size_t crowd);

/* An event has gone the ordinary way; x is its own. */
void lane_note(struct lane *lane, const struct event *event, int64_t x);

/* The greatest x so far. */
int64_t lane_greatest_x(const struct lane *lane);

/* What a run has taken. */
struct lane_taken {
    uint64_t records;     /* 0: the next one must go the ordinary way */
    const uint8_t *bytes; /* theirs, as they stand in the file, until the next read */
    size_t size, written;
    uint32_t previous; /* thread and x of the last one */
    int64_t previous_x;
};

/* Take as many plain records as the buffer holds: into the sweep if there is one, or, where out is
 * given, as records of a synchronized trace into that much room. */
csy_status lane_run(struct lane *lane, uint8_t *out, size_t room, struct lane_taken *taken,
                    csy_error *error);

/* For fast/segments.h.  Where a run would begin; false: the lane is closed for now.  *carries: the
 * sweep has a carrier, and run->carry is the caller's to set. */
bool lane_enter(const struct lane *lane, struct plain_run *run, bool *carries);

/* Records have been taken, in `from`, by a run that began at position `first` less `shift` and has
 * come to *run: bring clocks, threads, sweep and reader up to them. */
csy_status lane_settle(struct lane *lane, const struct plain *from, const struct plain_run *run,
                       uint64_t first, uint64_t shift, csy_error *error);

#endif
