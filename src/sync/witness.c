/* A cycle of threads -> the records that make it. */
#include "sync/witness.h"

#include "base/error.h"

#include <stdlib.h>

/* The record of edges[i].s that an edge may begin at: the one with the greatest stamp so far, or under
 * PAIRS_IMMEDIATE the record just before. */
struct candidate {
    bool known, found;
    uint64_t record, place;
    int64_t time, x;
};

struct search {
    const struct csy_sync *sync;
    enum constraint_pairs pairs;
    csy_witness *witness;
    csy_witness_edge *edges;
    struct candidate *from;
    size_t nfound;
};

static void end_edge(struct search *search, size_t i, const struct event *event, int64_t x)
{
    csy_witness_edge *edge = &search->edges[i];
    struct candidate *from = &search->from[i];
    if (from->found || !from->known || x - from->x != edge->weight_ticks)
        return;
    from->found = true;
    search->nfound++;
    edge->record_s = from->record;
    edge->place_s = from->place;
    edge->time_s = from->time;
    edge->record_t = event->position;
    edge->place_t = event->place;
    edge->time_t = event->local_ticks;
}

static void begin_edge(struct search *search, size_t i, const struct event *event, int64_t x)
{
    struct candidate *from = &search->from[i];
    bool immediate = search->pairs == PAIRS_IMMEDIATE;
    bool mine = search->edges[i].s == event->thread;
    if (immediate && !mine)
        from->known = false;
    if (!mine || from->found || (!immediate && from->known && x <= from->x))
        return;
    from->known = true;
    from->record = event->position;
    from->place = event->place;
    from->time = event->local_ticks;
    from->x = x;
}

static void take_event(struct search *search, const struct event *event)
{
    int64_t x = (int64_t)(event->local_ticks + search->sync->rough[event->thread]);
    for (size_t i = 0; i < search->witness->length; i++) {
        if (search->edges[i].t == event->thread)
            end_edge(search, i, event, x);
        begin_edge(search, i, event, x);
    }
}

static csy_status find_records(struct search *search, struct csy_trace *trace, csy_error *error)
{
    struct timeline timeline;
    struct event event;
    bool more = true;
    csy_status status = timeline_init(&timeline, trace, &search->sync->windows, error);
    while (!status && more && search->nfound < search->witness->length) {
        status = timeline_next(&timeline, &event, &more, error);
        if (!status && more && event.thread < search->sync->threads.count)
            take_event(search, &event);
    }
    timeline_fini(&timeline);
    if (!status && search->nfound < search->witness->length)
        status = error_set(error, CSY_IO, "%s: the trace has changed while it was read",
                           trace->name);
    return status;
}

/* The weights of the edges, which so far are between rough offsets, become those of the records. */
static void sum_up(struct search *search)
{
    csy_witness *witness = search->witness;
    int128 sum = 0;
    for (size_t i = 0; i < witness->length; i++) {
        csy_witness_edge *edge = &search->edges[i];
        sum += edge->weight_ticks;
        edge->weight_ticks = edge->time_t - edge->time_s;
    }
    witness->edges = search->edges;
    witness->weight_ticks = (int64_t)sum;
    fraction_make(-sum, (int128)2 * (int128)witness->length, &witness->least_delta);
}

csy_status witness_locate(struct csy_trace *trace, struct csy_sync *sync,
                          const struct constraints *c, const struct cycle *cycle, csy_error *error)
{
    csy_witness witness = {.length = cycle->length};
    struct search search = {sync, c->pairs, &witness, calloc(cycle->length, sizeof *search.edges),
                            calloc(cycle->length, sizeof *search.from), 0};
    csy_status status = CSY_OK;
    if (!search.edges || !search.from)
        status = error_memory(error);
    for (size_t i = 0; !status && i < cycle->length; i++) {
        size_t s = cycle->threads[i], t = cycle->threads[(i + 1) % cycle->length];
        search.edges[i] =
            (csy_witness_edge){.s = s, .t = t, .weight_ticks = constraints_weight(c, s, t)};
    }
    if (!status)
        status = find_records(&search, trace, error);
    if (!status) {
        sum_up(&search);
        sync->witness = witness;
        sync->witness_edges = search.edges;
        search.edges = NULL;
    }
    free(search.edges);
    free(search.from);
    return status;
}
