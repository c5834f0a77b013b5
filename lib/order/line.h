/* The order of one buffer: each record precedes all later ones.
 *
 * This module makes pairs of an earlier and a later record, and passes them on to an engine. Faster
 * engines (graph/sweep.h, graph/exact.h, fast/kind.h) need no pairs, because their loops contain
 * the same order. check/proof.h also has its own code for this order, so that a proof shares no
 * code with the result that it proves. */
#ifndef ORDER_LINE_H
#define ORDER_LINE_H

#include "order/sink.h"

#define LINE_NONE UINT32_MAX

/* The kinds of pairs of events that can be made. */
enum line_pairs {
    /* Each event and the next event. If timestamps are exact, all other constraints follow from
     * these. */
    LINE_NEIGHBOURS,
    /* To each event, from the event with the greatest time so far of each other thread. All other
     * constraints of the order follow from these. If an event has a smaller time than an earlier
     * event of its own thread, these two also make a pair. Time: at most O(threads) for each
     * event. */
    LINE_ALL,
    /* Only pairs with a constraint that holds with equality, without any slack, at the given
     * offsets of the threads. Only the first such event of each thread makes pairs. Time: O(1) for
     * each event, unless many times are equal. */
    LINE_TIGHT
};

/* Used for LINE_ALL: the event of a thread that has the greatest time so far. `newer` and `older`
 * link the threads in the order of their last events. */
struct line_thread {
    struct point greatest;
    uint32_t newer, older;
    bool begun;
};

/* Used for LINE_TIGHT. Leaders are the events with the greatest time plus offset so far, at most
 * one of each thread. While this greatest value stays the same, the reign is said to be the same;
 * reigns have numbers. `led` is the last reign when the thread had a leader. In the reign `met`,
 * the first met_nleaders leaders have made pairs with the thread. */
struct line_meeting {
    uint64_t led;
    uint64_t met;
    size_t met_nleaders;
};

struct line {
    struct sink sink;
    enum line_pairs pairs;
    int64_t added_ticks; /* added to each constraint; used for LINE_TIGHT */
    size_t born;
    /* The last event. `thread` is LINE_NONE before the first event. Members other than `thread` and
     * `x` are set only for LINE_NEIGHBOURS. */
    struct point last;
    /* thread that has ended; the sink is told after the next event. LINE_NONE if there is none. */
    uint32_t late;

    struct line_thread *threads;
    size_t threads_capacity;
    uint32_t newest;

    struct line_meeting *meetings;
    size_t meetings_capacity;
    struct point *leaders;
    size_t nleaders, leaders_capacity;
    int64_t greatest;
    uint64_t reign;
};

/* Begin to pass pairs of events to `sink` (order/sink.h). added_ticks is used for LINE_TIGHT
 * only. */
void line_init(struct line *line, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);
void line_fini(struct line *line);

/* Call this if the sink got some events in another way. The last of them was at time x, of a thread
 * that is known already. */
static inline void line_skip(struct line *line, uint32_t thread, int64_t x)
{
    line->last.thread = thread;
    line->last.x = x;
}

/* Pass on the next event of the buffer to a sink that has a function `birth` or `pair`. line_event
 * calls this if necessary. */
csy_status line_pairs(struct line *line, const struct point *event, csy_error *error);

/* Pass on the next event of the buffer to the sink. */
static inline csy_status line_event(struct line *line, const struct point *event, csy_error *error)
{
    if (line->sink.birth || line->sink.pair)
        return line_pairs(line, event, error);
    line_skip(line, event->thread, event->x);
    return line->sink.event && !sink_is_over(&line->sink)
               ? line->sink.event(line->sink.engine, event, error)
               : CSY_OK;
}

/* Call this after the last event of a thread. The sink's function `ended` is called now, or after
 * the next event. */
csy_status line_ended(struct line *line, uint32_t thread, csy_error *error);

/* Forget all events, but keep the threads. Not for LINE_TIGHT. O(threads). */
void line_restart(struct line *line);

#endif
