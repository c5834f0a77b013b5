/*
 * The order of one buffer: every record comes before all that follow it.
 *
 * Here alone that rule becomes pairs.  Only the sweeps (graph/sweep.h, graph/exact.h), for which
 * the line is a vertex of its own, and the quick way (fast/run.h) have it in their loops;
 * check/proof.h has it once more, so that a proof shares nothing with what it proves.
 */
#ifndef ORDER_LINE_H
#define ORDER_LINE_H

#include "order/sink.h"

#define LINE_NONE UINT32_MAX

/* Which pairs.  All others follow from them, with weights that are no less. */
enum line_pairs {
    LINE_NEIGHBOURS, /* an event and the next one, also of one thread; without imprecision and in
                        the paper's graph */
    LINE_ALL,        /* every pair: of the earlier events of each thread the first with the greatest
                        x, and of one thread only those that step back.  O(threads that had events
                        since the later thread's last one) */
    LINE_TIGHT       /* of all pairs those that potentials, which keep every constraint, keep with
                        equality, from the first event of each thread that does.  O(1) but for
                        ties */
};

/* LINE_ALL: the first event with the thread's greatest x, and its place in the list of threads by
 * their latest event. */
struct line_thread {
    struct point greatest;
    uint32_t newer, older;
    bool begun;
};

/* LINE_TIGHT: events that are put farthest lead; a reign lasts until one is put farther. */
struct line_meeting {
    uint64_t led;        /* the last reign in which the thread was among the leaders */
    uint64_t met;        /* the last reign whose leaders it was tight after, */
    size_t met_nleaders; /* and how many of them */
};

struct line {
    struct sink sink;
    enum line_pairs pairs;
    int64_t added_ticks; /* LINE_TIGHT: on each constraint */
    size_t born;
    struct point last; /* the last event; thread LINE_NONE at the start; where neighbours are not
                          told, only that and x are set */
    uint32_t late;     /* a thread whose elimination waits for the next event, or LINE_NONE */

    struct line_thread *threads;
    size_t threads_capacity;
    uint32_t newest;

    struct line_meeting *meetings;
    size_t meetings_capacity;
    struct point *leaders;
    size_t nleaders, leaders_capacity;
    int64_t greatest; /* where they are put */
    uint64_t reign;   /* counts changes of that */
};

/* added_ticks matters to LINE_TIGHT alone. */
void line_init(struct line *line, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);
void line_fini(struct line *line);

/* The events up to this one, of a thread that has begun, have gone to the engine by another way. */
static inline void line_skip(struct line *line, uint32_t thread, int64_t x)
{
    line->last.thread = thread;
    line->last.x = x;
}

/* The next event in the order of the buffer, for an engine that is told of births or pairs. */
csy_status line_pairs(struct line *line, const struct point *event, csy_error *error);

/* The next event in the order of the buffer. */
static inline csy_status line_event(struct line *line, const struct point *event, csy_error *error)
{
    if (line->sink.birth || line->sink.pair)
        return line_pairs(line, event, error);
    line_skip(line, event->thread, event->x);
    return line->sink.event && !sink_is_over(&line->sink)
               ? line->sink.event(line->sink.engine, event, error)
               : CSY_OK;
}

/* The last event of the thread has passed.  Where neighbours are told and it was the last of all,
 * the engine hears of it when the next one has passed. */
csy_status line_ended(struct line *line, uint32_t thread, csy_error *error);

/* What follows is an order of its own, of the same threads: nothing so far comes before it.  Not
 * LINE_TIGHT.  O(threads). */
void line_restart(struct line *line);

#endif
