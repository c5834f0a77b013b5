/* The order of one buffer: each record precedes all later ones.
 *
 * Only this module turns that rule into pairs. The sweeps (graph/sweep.h, graph/exact.h), which
 * have a vertex for the line, and the fast path (fast/run.h) contain the rule in their loops.
 * check/proof.h implements it again, so that a proof shares no code with the result it proves. */
#ifndef ORDER_LINE_H
#define ORDER_LINE_H

#include "order/sink.h"

#define LINE_NONE UINT32_MAX

/* The kinds of pairs to make. All other pairs follow from these, with at least their weights. */
enum line_pairs {
    /* Pairs of each event and the next, even in one thread: for delta 0, and for the graph of the
     * paper. */
    LINE_NEIGHBOURS,
    /* All pairs of events. Of each earlier thread, only the first event with the greatest x is
     * used; within a thread, only events that step back. Time: at most O(threads). */
    LINE_ALL,
    /* Tight pairs (without slack by potentials), each from the first such event of a thread. Time:
     * O(1) without ties. */
    LINE_TIGHT
};

/* For LINE_ALL: the first event with the greatest x of the thread, and links of a list in which the
 * thread with the latest event is the newest. */
struct line_thread {
    struct point greatest;
    uint32_t newer, older;
    bool begun;
};

/* For LINE_TIGHT: the leaders are the events that potentials place latest so far. A reign is the
 * time until an event is placed later. */
struct line_meeting {
    uint64_t led;        /* number of the last reign in which the thread was a leader */
    uint64_t met;        /* number of the last reign with pairs from leaders to the thread */
    size_t met_nleaders; /* number of leaders that had such pairs in this reign */
};

struct line {
    struct sink sink;
    enum line_pairs pairs;
    int64_t added_ticks; /* for LINE_TIGHT: added to each constraint */
    size_t born;
    /* The last event, with the thread LINE_NONE at first. Only LINE_NEIGHBOURS sets more than
     * `thread` and `x`. */
    struct point last;
    uint32_t late; /* thread to end after the next event, or LINE_NONE */

    struct line_thread *threads;
    size_t threads_capacity;
    uint32_t newest;

    struct line_meeting *meetings;
    size_t meetings_capacity;
    struct point *leaders;
    size_t nleaders, leaders_capacity;
    int64_t greatest; /* time at which the potentials place the leaders */
    uint64_t reign;   /* number of the present reign */
};

/* Begin a line. The parameter added_ticks is used for LINE_TIGHT only. */
void line_init(struct line *line, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);
void line_fini(struct line *line);

/* Tell the line that its engine got all events up to this one in another way. The thread must have
 * begun. */
static inline void line_skip(struct line *line, uint32_t thread, int64_t x)
{
    line->last.thread = thread;
    line->last.x = x;
}

/* Pass on the next event of the buffer to an engine that receives births or pairs. */
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

/* Call this after the last event of a thread. If no event of another thread came later and
 * LINE_NEIGHBOURS is used, the engine is told after the next event. */
csy_status line_ended(struct line *line, uint32_t thread, csy_error *error);

/* Begin a new order of the same threads. No earlier event precedes the events to come. The function
 * does not support LINE_TIGHT. Time: O(threads). */
void line_restart(struct line *line);

#endif
