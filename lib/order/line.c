/* Passes the events of one buffer on to a sink, one by one or in pairs (order/line.h). */
#include "order/line.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void line_init(struct line *line, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks)
{
    *line = (struct line){.sink = *sink,
                          .pairs = pairs,
                          .added_ticks = added_ticks,
                          .last.thread = LINE_NONE,
                          .late = LINE_NONE,
                          .newest = LINE_NONE};
}

void line_fini(struct line *line)
{
    FREE_ALL(line->threads, line->meetings, line->leaders);
    *line = (struct line){0};
}

static csy_status give(const struct line *line, const struct point *from, const struct point *to,
                       csy_error *error)
{
    return line->sink.pair(line->sink.engine, from, to, error);
}

/* Used for LINE_ALL: make the pairs that end at `event`. If this thread's time did not go back,
 * pairs from threads without an event since the last event of this thread are not needed. */
static csy_status give_all(struct line *line, const struct point *event, csy_error *error)
{
    uint32_t t = event->thread;
    struct line_thread *thread = &line->threads[t];
    bool steps_back = thread->begun && event->x < thread->greatest.x;
    csy_status status = CSY_OK;
    for (uint32_t s = line->newest; s != LINE_NONE && !status; s = line->threads[s].older) {
        if (s == t && !steps_back)
            break;
        status = give(line, &line->threads[s].greatest, event, error);
    }
    if (line->newest != t) {
        if (thread->newer != LINE_NONE) {
            line->threads[thread->newer].older = thread->older;
            if (thread->older != LINE_NONE)
                line->threads[thread->older].newer = thread->newer;
        }
        thread->newer = LINE_NONE;
        thread->older = line->newest;
        if (line->newest != LINE_NONE)
            line->threads[line->newest].newer = t;
        line->newest = t;
    }
    if (!thread->begun || event->x > thread->greatest.x)
        thread->greatest = *event;
    thread->begun = true;
    return status;
}

/* Used for LINE_TIGHT: make the pairs that end at `event`. Then update the leaders, the events with
 * the greatest time plus offset so far. */
static csy_status give_tight(struct line *line, const struct point *event, csy_error *error)
{
    int64_t put;
    csy_status status = CSY_OK;
    if (!line->sink.put(line->sink.engine, event, &put))
        return CSY_OK;
    if (line->nleaders > 0 && line->greatest == put + line->added_ticks) {
        struct line_meeting *thread = &line->meetings[event->thread];
        for (size_t i = thread->met == line->reign ? thread->met_nleaders : 0;
             i < line->nleaders && !status; i++)
            status = give(line, &line->leaders[i], event, error);
        thread->met = line->reign;
        thread->met_nleaders = line->nleaders;
    }
    if (status)
        return status;
    if (line->nleaders == 0 || put > line->greatest) {
        line->reign++;
        line->nleaders = 0;
        line->greatest = put;
    }
    if (put < line->greatest || line->meetings[event->thread].led == line->reign)
        return CSY_OK;
    if (!ARRAY_PUSH(line->leaders, line->nleaders, line->leaders_capacity, *event))
        return error_memory(error);
    line->meetings[event->thread].led = line->reign;
    return CSY_OK;
}

csy_status line_pairs(struct line *line, const struct point *event, csy_error *error)
{
    const struct sink *sink = &line->sink;
    bool neighbours = line->pairs == LINE_NEIGHBOURS;
    csy_status status = CSY_OK;
    if (event->thread >= line->born) {
        size_t n = (size_t)event->thread + 1;
        bool good = true;
        if (line->pairs == LINE_ALL)
            good = ARRAY_EXTEND(line->threads, line->born, line->threads_capacity, n,
                                (struct line_thread){.newer = LINE_NONE, .older = LINE_NONE});
        else if (line->pairs == LINE_TIGHT)
            good = ARRAY_EXTEND(line->meetings, line->born, line->meetings_capacity, n,
                                (struct line_meeting){0});
        if (!good)
            return error_memory(error);
        line->born = n;
        if (sink->birth)
            status = sink->birth(sink->engine, event->thread, error);
    }
    if (!status && sink->pair && !sink_is_over(sink)) {
        if (!neighbours)
            status = line->pairs == LINE_ALL ? give_all(line, event, error)
                                             : give_tight(line, event, error);
        else if (line->last.thread != LINE_NONE)
            status = give(line, &line->last, event, error);
    }
    if (!status && sink->event && !sink_is_over(sink))
        status = sink->event(sink->engine, event, error);
    uint32_t late = line->late;
    if (neighbours)
        line->last = *event;
    else
        line_skip(line, event->thread, event->x);
    line->late = LINE_NONE;
    return status || late == LINE_NONE ? status : sink->ended(sink->engine, late, error);
}

csy_status line_ended(struct line *line, uint32_t thread, csy_error *error)
{
    const struct sink *sink = &line->sink;
    if (!sink->ended || sink_is_over(sink))
        return CSY_OK;
    if (!sink->pair || line->pairs != LINE_NEIGHBOURS || thread != line->last.thread)
        return sink->ended(sink->engine, thread, error);
    line->late = thread;
    return CSY_OK;
}

void line_restart(struct line *line)
{
    line->last.thread = line->newest = LINE_NONE;
    for (size_t t = 0; t < line->born && line->pairs == LINE_ALL; t++)
        line->threads[t] = (struct line_thread){.newer = LINE_NONE, .older = LINE_NONE};
}
