/* The order of one buffer: each record precedes all later ones.
 *
 * This module turns the rule into pairs of records. Faster methods (graph/sweep.h, graph/exact.h,
 * fast/kind.h) contain the rule in their loops. check/proof.h implements the rule again, so that a
 * proof shares no code with the result that it proves. */
#ifndef ORDER_LINE_H
#define ORDER_LINE_H

#include "order/sink.h"

#define LINE_NONE UINT32_MAX

/* The kinds of pairs of events that can be made. */
enum line_pairs {
    /* Each event and the next one: for exact timestamps, and for the graph of [BHH08]. */
    LINE_NEIGHBOURS,
    /* Pairs that imply all others: from the event with the greatest time of each other thread, and
     * within a thread if its time steps back. Time: at most O(threads) for each event. */
    LINE_ALL,
    /* Pairs whose constraints are equations for given offsets of threads. From each thread, only
     * the first such event counts. Time: O(1) per event, unless times are equal. */
    LINE_TIGHT
};

/* For LINE_ALL: a thread in a list sorted by last events, and its event with the greatest x. */
struct line_thread {
    struct point greatest;
    uint32_t newer, older;
    bool begun;
};

/* For LINE_TIGHT: a thread. Leaders are the events with the greatest time plus offset so far, one
 * of each thread. A reign is a period with the same greatest value; reigns are numbered. */
struct line_meeting {
    uint64_t led;        /* last reign in which an event of the thread was a leader */
    uint64_t met;        /* last reign in which the thread had pairs with leaders */
    size_t met_nleaders; /* number of leaders with a pair to the thread, in the reign `met` */
};

struct line {
    struct sink sink;
    enum line_pairs pairs;
    int64_t added_ticks; /* for LINE_TIGHT: ticks by which constraints are relaxed */
    size_t born;
    /* last event, with thread LINE_NONE at first; other members than `thread` and `x` are set for
     * LINE_NEIGHBOURS only */
    struct point last;
    /* ended thread of which sink.ended is called after the next event, or LINE_NONE */
    uint32_t late;

    struct line_thread *threads;
    size_t threads_capacity;
    uint32_t newest;

    struct line_meeting *meetings;
    size_t meetings_capacity;
    struct point *leaders;
    size_t nleaders, leaders_capacity;
    int64_t greatest; /* time plus offset of each leader */
    uint64_t reign;
};

/* Begin to make pairs of events for the sink. added_ticks is used for LINE_TIGHT only. */
void line_init(struct line *line, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);
void line_fini(struct line *line);

/* Set the last event, of a known thread at time x, after the engine got events in another way. */
static inline void line_skip(struct line *line, uint32_t thread, int64_t x)
{
    line->last.thread = thread;
    line->last.x = x;
}

/* Pass on the next event of the buffer to an engine with sink.birth or sink.pair (order/sink.h). */
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

/* Call this after a thread's last event. sink.ended may be called only after the next event. */
csy_status line_ended(struct line *line, uint32_t thread, csy_error *error);

/* Forget all events, but keep the threads. Not for LINE_TIGHT. O(threads). */
void line_restart(struct line *line);

#endif
