/* The order of one buffer: each record precedes all later ones.
 *
 * Only this module turns that rule into pairs. The sweeps (graph/sweep.h, graph/exact.h), which
 * have a vertex for the line, and the fast path (fast/run.h) contain the rule in their loops.
 * check/proof.h implements it again, so that a proof shares no code with the result it proves. */
#ifndef ORDER_LINE_H
#define ORDER_LINE_H

#include "order/sink.h"

#define LINE_NONE UINT32_MAX

/* Which pairs to make. All other pairs follow from these, with greater or equal weights. */
enum line_pairs {
    /* Each event and the next one, even of the same thread: for delta 0, and for the paper's
     * graph. */
    LINE_NEIGHBOURS,
    /* Every pair of events. Of each earlier thread, only the first event with the greatest x
     * counts; within a thread, only events that step back. O(threads with events since the later
     * thread's last event). */
    LINE_ALL,
    /* Pairs with equality for valid potentials, each from the first such event of its thread. O(1)
     * without ties. */
    LINE_TIGHT
};

/* LINE_ALL: the first event with the thread's greatest x, and the links of a list of threads sorted
 * by their latest events. */
struct line_thread {
    struct point greatest;
    uint32_t newer, older;
    bool begun;
};

/* LINE_TIGHT: the leaders are the events that potentials place latest so far. A reign lasts until
 * an event is placed later. */
struct line_meeting {
    uint64_t led;        /* last reign in which the thread was a leader */
    uint64_t met;        /* last reign with pairs from its leaders to the thread */
    size_t met_nleaders; /* how many leaders had such pairs */
};

struct line {
    struct sink sink;
    enum line_pairs pairs;
    int64_t added_ticks; /* LINE_TIGHT: added to each constraint */
    size_t born;
    /* The last event; its thread is LINE_NONE at the start. If the sink gets no neighbours, only
     * thread and x are set. */
    struct point last;
    uint32_t late; /* to be eliminated after the next event, or LINE_NONE */

    struct line_thread *threads;
    size_t threads_capacity;
    uint32_t newest;

    struct line_meeting *meetings;
    size_t meetings_capacity;
    struct point *leaders;
    size_t nleaders, leaders_capacity;
    int64_t greatest; /* where the potentials place the leaders */
    uint64_t reign;   /* number of the present reign */
};

/* Begin a line. added_ticks is for LINE_TIGHT only. */
void line_init(struct line *line, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);
void line_fini(struct line *line);

/* Note that the engine received the events up to this one in another way. The thread has begun
 * already. */
static inline void line_skip(struct line *line, uint32_t thread, int64_t x)
{
    line->last.thread = thread;
    line->last.x = x;
}

/* Pass on the next event of the buffer, for an engine that receives births or pairs. */
csy_status line_pairs(struct line *line, const struct point *event, csy_error *error);

/* Pass on the next event of the buffer to any engine. */
static inline csy_status line_event(struct line *line, const struct point *event, csy_error *error)
{
    if (line->sink.birth || line->sink.pair)
        return line_pairs(line, event, error);
    line_skip(line, event->thread, event->x);
    return line->sink.event && !sink_is_over(&line->sink)
               ? line->sink.event(line->sink.engine, event, error)
               : CSY_OK;
}

/* Call this after a thread's last event. If that was also the last event of all and neighbours are
 * passed on, the engine learns of it after the next event. */
csy_status line_ended(struct line *line, uint32_t thread, csy_error *error);

/* Begin a new order of the same threads, in which no earlier event precedes a later one. Not for
 * LINE_TIGHT. O(threads). */
void line_restart(struct line *line);

#endif
