/* Counts messages received before they were sent, and sends or receives without a partner. */
#include "base/error.h"
#include "base/texts.h"
#include "sync/drift/drift.h"
#include "sync/partial/walked.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Find the clock corrections that the tracer recorded for each location. *out becomes NULL if the
 * trace has none; the caller frees it. */
static csy_status find_corrections(const struct csy_sync *sync, struct tracer_thread **out,
                                   csy_error *error)
{
    const struct csy_trace *trace = sync->trace;
    const struct match *match = sync->partial->match;
    struct tracer_thread thread;
    struct texts names = {0};
    uint32_t number;
    bool added, good = true, any = false;
    size_t n = sync->partial->points.nlocations;
    *out = calloc(n + 1, sizeof **out);
    for (uint32_t l = 0; l < n && good; l++) {
        csy_text name = match_location(match, l);
        good = texts_find(&names, name.bytes, name.size, &number, &added);
    }
    good &= *out != NULL;
    for (size_t i = 0; good && trace->source->tracer(trace, i, &thread); i++) {
        any |= thread.count > 0;
        if (texts_look(&names, thread.thread.bytes, thread.thread.size, &number))
            (*out)[number] = thread;
    }
    texts_fini(&names);
    if (any && good)
        return CSY_OK;
    free(*out);
    *out = NULL;
    return good ? CSY_OK : error_memory(error);
}

static int128 lesser(int128 a, int128 b)
{
    return a < b ? a : b;
}

static int64_t local_of(const struct csy_sync *sync, const struct instant *point)
{
    return (int64_t)(point->lo - sync->survey.rough.offset[point->clock]);
}

static void note_message(const struct csy_sync *sync, const struct tracer_thread *corrections,
                         const struct order_edge *edge, csy_violations *found)
{
    const struct instant *items = sync->partial->points.items;
    const struct instant *p = &items[edge->from], *q = &items[edge->to];
    int64_t sent = local_of(sync, p), received = local_of(sync, q);
    int128 corrected[2];
    if (found->raw.known)
        match_note_passage(&found->raw, (int128)received - sent);
    if (found->ours.known)
        match_note_passage(&found->ours, placement_of(sync, q->clock, received) -
                                             placement_of(sync, p->clock, sent));
    if (found->tracer.known && tracer_correct(&corrections[p->location], sent, &corrected[0]) &&
        tracer_correct(&corrections[q->location], received, &corrected[1]))
        match_note_passage(&found->tracer, corrected[1] - corrected[0]);
}

/* Find the limits of an event's global time, in units of 1/AGE_UNIT tick. If the clock is unbounded
 * on a side, *least or *greatest keeps its value. */
static void find_global(const struct csy_sync *sync, const struct instant *point, int128 *least,
                        int128 *greatest)
{
    const csy_fraction delta = sync->imprecision.delta;
    const csy_thread *view = &sync->views[point->clock];
    const int128 local = (int128)local_of(sync, point) * AGE_UNIT;
    int128 tick = AGE_UNIT + (sync->drift ? sync->drift->view.rate_ppb : 0);
    int128 off = delta.num > 0 ? ceil_div(delta.num * tick, delta.den) : 0, ages[2];
    if (!sync->drift) {
        if (view->earliest_ticks != INT64_MIN)
            *least = local + (int128)view->earliest_ticks * AGE_UNIT - off;
        if (view->latest_ticks != INT64_MAX)
            *greatest = local + (int128)view->latest_ticks * AGE_UNIT + off;
    } else if (drift_bounds(sync, point->clock, local_of(sync, point), &ages[0], &ages[1])) {
        *least = local + ages[0] - off;
        *greatest = local + ages[1] + off;
    }
}

/* Find the least delay of messages from each clock to each other clock. Only messages that can
 * limit the bounds of offsets are in memory. Any other message with the same latency took at least
 * as long as one of these, whatever the offsets are. */
static csy_status find_delays(struct csy_sync *sync, csy_error *error)
{
    const struct partial *partial = sync->partial;
    const struct directions *directions = &partial->directions;
    size_t n = directions->ends.count;
    sync->delays = calloc(n + 1, sizeof *sync->delays);
    if (!sync->delays)
        return error_memory(error);
    sync->ndelays = n;
    for (size_t i = 0; i < n; i++) {
        struct direction_ends ends;
        memcpy(&ends, directions->ends.bytes + directions->ends.items[i].at, sizeof ends);
        sync->delays[i] = (struct delay){ends.from,  ends.to,    directions->messages[i],
                                         DELAY_NONE, DELAY_NONE, DELAY_NONE};
    }
    const struct instant *items = partial->points.items;
    for (size_t e = 0; e < partial->points.nedges; e++) {
        const struct order_edge *edge = &partial->points.edges[e];
        const struct instant *p = &items[edge->from], *q = &items[edge->to];
        const struct direction_ends ends = {p->clock, q->clock};
        int128 sent[2] = {-DELAY_NONE, DELAY_NONE}, received[2] = {-DELAY_NONE, DELAY_NONE};
        uint32_t index;
        if (edge->kind != EDGE_MESSAGE ||
            !texts_look(&directions->ends, (const char *)&ends, sizeof ends, &index))
            continue;
        struct delay *delay = &sync->delays[index];
        find_global(sync, p, &sent[0], &sent[1]);
        find_global(sync, q, &received[0], &received[1]);
        int128 shown = placement_of(sync, q->clock, local_of(sync, q)) -
                       placement_of(sync, p->clock, local_of(sync, p));
        int128 least = received[0] - sent[1], latency = (int128)edge->latency_ticks * AGE_UNIT;
        least = least < latency ? latency : least;
        delay->estimate = lesser(delay->estimate, shown * AGE_UNIT);
        delay->least = lesser(delay->least, least);
        delay->greatest = lesser(delay->greatest, received[1] - sent[0]);
    }
    /* Rounding may put the estimate of a delay outside of the range from `least` to `greatest`. */
    for (size_t i = 0; i < n; i++) {
        struct delay *delay = &sync->delays[i];
        delay->estimate = lesser(delay->estimate, delay->greatest);
        delay->estimate = delay->estimate < delay->least ? delay->least : delay->estimate;
    }
    return CSY_OK;
}

csy_status csy_sync_violations(csy_sync *sync, const csy_violations **out, csy_error *error)
{
    const struct partial *partial = sync->partial;
    struct tracer_thread *corrections = NULL;
    csy_status status = solution_check_feasible(sync, error);
    *out = sync->violations;
    if (status || sync->violations || !partial ||
        sync->matched->messages + sync->matched->posts == 0)
        return status;
    csy_violations *found = calloc(1, sizeof *found);
    status = found ? CSY_OK : error_memory(error);
    if (!status && sync->trace->source->tracer)
        status = find_corrections(sync, &corrections, error);
    if (!status && partial->loose && sync->method == CSY_METHOD_BHH &&
        (!partial->streamed || !partial->directions.mixed))
        status = find_delays(sync, error);
    if (status) {
        free(corrections);
        free(found);
        return status;
    }
    found->messages = sync->matched->messages + sync->matched->posts;
    found->raw.known = sync->tracks && !partial->streamed;
    found->tracer.known = corrections && !partial->streamed;
    found->ours.known = placement_moves_threads(sync);
    for (size_t e = 0; e < partial->points.nedges; e++)
        if (partial->points.edges[e].kind == EDGE_MESSAGE ||
            partial->points.edges[e].kind == EDGE_APART)
            note_message(sync, corrections, &partial->points.edges[e], found);
    /* Not all messages are in memory. The counts made while the trace was read include all of
     * them. */
    if (partial->streamed) {
        const struct match_thinned *thinned = match_thinned(partial->match);
        found->raw = thinned->raw;
        found->tracer = thinned->tracer;
        found->ours = partial->ours;
    }
    free(corrections);
    sync->violations = found;
    *out = found;
    return CSY_OK;
}

const char *csy_sync_messages_warning(const csy_sync *sync, char text[CSY_WARNING_TEXT_MAX])
{
    const csy_matched *matched = sync->matched;
    uint64_t left_sends = 0, left_receives = 0, lone_sends = 0, lone_receives = 0;
    for (size_t i = 0; matched && i < matched->nunused; i++) {
        const csy_unused *unused = &matched->unused[i];
        bool alone = unused->why == CSY_LEFT_UNMATCHED || unused->why == CSY_LEFT_MORE_RECEIVES;
        uint64_t sends = unused->end == CSY_END_SEND ? unused->count : 0;
        uint64_t receives = unused->end == CSY_END_RECV ? unused->count : 0;
        left_sends += sends;
        left_receives += receives;
        lone_sends += alone ? sends : 0;
        lone_receives += alone ? receives : 0;
    }
    if (lone_sends + lone_receives == 0)
        return NULL;
    if (sync->trace->complete)
        snprintf(
            text, CSY_WARNING_TEXT_MAX,
            "%" PRIu64 " send%s and %" PRIu64
            " receive%s have no counterpart, although the trace declares its messages complete",
            lone_sends, lone_sends == 1 ? "" : "s", lone_receives, lone_receives == 1 ? "" : "s");
    else if (sync->trace->source->tracer)
        snprintf(text, CSY_WARNING_TEXT_MAX,
                 "%" PRIu64 " of %" PRIu64 " sends and %" PRIu64 " of %" PRIu64
                 " receives have no counterpart, so they give no order%s",
                 lone_sends, matched->messages + left_sends, lone_receives,
                 matched->messages + left_receives,
                 lone_sends > 0
                     ? "; EZTrace, for example, does not record the completion of MPI_Irecv"
                     : "");
    else
        return NULL;
    return text;
}
