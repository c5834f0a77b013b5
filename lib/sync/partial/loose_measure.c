/* The effects of global times on a loose trace. */
#include "sync/partial/loose_measure.h"

#include "base/array.h"
#include "base/error.h"
#include "order/loose.h"
#include "sync/outcome.h"
#include "sync/placement.h"
#include "sync/progress.h"

#include <stdlib.h>

/* An event that is an inversion. */
struct inverted {
    uint64_t position;
    int64_t by_ticks;
};

struct measuring {
    struct csy_sync *sync;
    struct inverted *items;
    size_t count, capacity;
};

static int128 global_of(const struct csy_sync *sync, const struct loose_end *end)
{
    return placement_of(sync, end->clock,
                        (int64_t)(end->x - sync->survey.rough.offset[end->clock]));
}

static csy_status take(void *user, const struct loose_edge *edge, csy_error *error)
{
    struct measuring *m = user;
    if (edge->limit)
        return CSY_OK;
    int128 passage = global_of(m->sync, &edge->to) - global_of(m->sync, &edge->from);
    if (edge->kind == EDGE_MESSAGE)
        match_note_passage(&m->sync->partial->ours, passage);
    if (passage >= edge->latency_ticks)
        return CSY_OK;
    if (!ARRAY_RESERVE(m->items, m->capacity, m->count + 1))
        return error_memory(error);
    m->items[m->count++] =
        (struct inverted){edge->to.position, nearest_int64(edge->latency_ticks - passage)};
    return CSY_OK;
}

static int compare(const void *a, const void *b)
{
    const struct inverted *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->by_ticks < y->by_ticks) - (x->by_ticks > y->by_ticks);
}

static csy_status read_events(struct measuring *m, struct loose *loose, struct timeline *timeline,
                              const struct progress *progress, csy_error *error)
{
    const struct csy_sync *sync = m->sync;
    struct event event;
    uint64_t place;
    bool more = true;
    csy_status status = CSY_OK;
    while (!status) {
        status = timeline_next(timeline, &event, &more, error);
        if (status || !more)
            break;
        if (event.thread >= sync->survey.threads.count)
            return trace_refuse_changed(sync->trace, error);
        status = loose_event(loose, &event,
                             rebase_x(&sync->survey.rough, event.thread, event.local_ticks), error);
        progress_note(progress, sync->trace, event.position);
    }
    return status ? status : loose_finish(loose, &place, error);
}

csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error)
{
    struct measuring m = {.sync = sync};
    const struct loose_rules rules = {.trace = sync->trace,
                                      .rough = &sync->survey.rough,
                                      .latency_ticks = sync->latency_ticks,
                                      .latency_max_ticks = INT64_MAX,
                                      .take = take,
                                      .user = &m};
    struct loose *loose = NULL;
    struct timeline timeline;
    sync->partial->ours = (csy_backward){.known = true};
    csy_status status =
        timeline_init(&timeline, sync->trace, &sync->survey.rules, &sync->survey.lore, error);
    if (!status)
        status = loose_new(&rules, &loose, error);
    if (!status)
        status = read_events(&m, loose, &timeline, progress, error);
    loose_free(loose);
    timeline_fini(&timeline);
    if (m.count > 1)
        qsort(m.items, m.count, sizeof *m.items, compare);
    for (size_t i = 0; i < m.count && !status; i++)
        if (i == 0 || m.items[i].position != m.items[i - 1].position)
            outcome_note_inversion(&sync->imprecision, m.items[i].by_ticks);
    free(m.items);
    return status;
}
