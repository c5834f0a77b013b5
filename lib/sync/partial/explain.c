/* Finds the records that determine a bound between two threads s and t (csy_sync_explain). See
 * doc/algorithms.md, Chains.
 *
 *    bounds of s --bounds/tight.h, in one pass--> constraints that hold with equality
 *      --> chains of constraints from s to t and from t to s */
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "bounds/tight.h"
#include "sync/events.h"
#include "sync/partial/partial_steps.h"

#include <stdlib.h>

struct explanation {
    struct bound_row row; /* bounds between thread s and all threads */
    struct tight from, to;
    struct line lines[2]; /* makes pairs for each direction, if all pairs are constraints */
};

/* Pass an event to both lines, because each direction selects its own pairs. */
static csy_status take_event(void *engine, const struct point *event, csy_error *error)
{
    struct explanation *e = engine;
    csy_status status = line_event(&e->lines[0], event, error);
    return status ? status : line_event(&e->lines[1], event, error);
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    struct explanation *e = engine;
    csy_status status = e->lines[0].sink.pair(&e->from, from, to, error);
    return status ? status : e->lines[1].sink.pair(&e->to, from, to, error);
}

static csy_status make_chain(const struct csy_sync *sync, struct tight *tight, size_t s, size_t t,
                             int64_t end_ticks, csy_chain *chain, csy_error *error)
{
    *chain = (csy_chain){.s = s, .t = t, .end_ticks = end_ticks};
    if (end_ticks == INT64_MAX)
        return CSY_OK;
    struct edge *edges = NULL;
    csy_status status =
        sync->partial ? partial_walk(sync, (uint32_t)s, (uint32_t)t, &edges, &chain->length, error)
                      : tight_walk(tight, (uint32_t)s, (uint32_t)t, &edges, &chain->length, error);
    csy_chain_edge *made = status ? NULL : calloc(chain->length + 1, sizeof *made);
    csy_witness_edge **named =
        made && sync->partial ? calloc(chain->length + 1, sizeof(csy_witness_edge *)) : NULL;
    for (size_t i = 0; made && i < chain->length; i++) {
        made[i].constraint = solution_edge(&edges[i]);
        int128 from = placement_of(sync, made[i].constraint.s, made[i].constraint.time_s);
        int128 to = placement_of(sync, made[i].constraint.t, made[i].constraint.time_t);
        made[i].slack_ticks =
            (int64_t)(to + sync->imprecision.added_ticks - made[i].constraint.latency_ticks - from);
        const csy_witness_edge *c = &made[i].constraint;
        made[i].global_s = (int64_t)placement_of(sync, c->s, c->time_s);
        made[i].global_t = (int64_t)placement_of(sync, c->t, c->time_t);
        if (named)
            named[i] = &made[i].constraint;
    }
    if (named)
        status = partial_name_edges(sync, edges, named, chain->length, error);
    free(named);
    free(edges);
    chain->edges = made;
    if (!status && (!made || (sync->partial && !named)))
        status = error_memory(error);
    if (!status && chain->length == 0)
        status = trace_refuse_changed(sync->trace, error);
    return status;
}

/* A record of an explanation, and where to store its global time. */
struct mention {
    uint64_t record;
    int64_t *global;
};

static size_t mention_edges(const csy_chain *chain, struct mention *out)
{
    csy_chain_edge *edges = unconst(chain->edges);
    for (size_t i = 0; i < chain->length; i++) {
        out[2 * i] = (struct mention){edges[i].constraint.record_s, &edges[i].global_s};
        out[2 * i + 1] = (struct mention){edges[i].constraint.record_t, &edges[i].global_t};
    }
    return 2 * chain->length;
}

static csy_status raise_times(csy_trace *trace, const struct csy_sync *sync,
                              const csy_explanation *made, csy_error *error)
{
    size_t n = 2 * (made->upper.length + made->lower.length);
    struct mention *mentions = malloc((n + 1) * sizeof *mentions);
    if (!mentions)
        return error_memory(error);
    size_t upper = mention_edges(&made->upper, mentions);
    mention_edges(&made->lower, mentions + upper);
    SORT(mentions, n, compare_numbers);
    /* Read global times from the trace, because monotonic times depend on all earlier records. */
    csy_events *events = NULL;
    csy_event event;
    bool more = true;
    csy_status status = events_open(trace, sync, &events, error);
    for (size_t i = 0; !status && more && i < n;) {
        status = csy_events_next(events, &event, &more, error);
        for (; !status && more && i < n && mentions[i].record == event.record; i++)
            *mentions[i].global = event.global_ticks;
    }
    csy_events_free(events);
    free(mentions);
    return status;
}

csy_status csy_sync_explain(csy_sync *sync, size_t s, size_t t, csy_explanation **out,
                            csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct explanation e = {.row = {NULL, NULL, 0, 0}};
    csy_explanation *made = NULL;
    csy_status status = solution_check_pair(sync, s, t, error);
    if (!status && s == t)
        status = error_set(error, CSY_USAGE, "%s: a bound is between two different threads",
                           sync->trace->name);
    if (!status && !(made = calloc(1, sizeof *made)))
        status = error_memory(error);
    if (!status)
        status = solution_row(sync, s, &e.row, error);
    if (!status && !sync->partial) {
        const csy_imprecision *imprecision = &sync->imprecision;
        int64_t added = imprecision->added_ticks;
        bool all_pairs = added > 0 && imprecision->relax != CSY_RELAX_PAPER;
        struct taker taker = {.sink = {.engine = &e}, .pairs = LINE_NEIGHBOURS};
        if (all_pairs)
            taker.sink.event = take_event;
        else
            taker.sink.pair = take_pair;
        struct progress progress = trace->progress;
        progress.stage = "explaining";
        tight_init(&e.from, TIGHT_FROM, &e.row, sync->survey.threads.count, added);
        tight_init(&e.to, TIGHT_TO, &e.row, sync->survey.threads.count, added);
        struct sink from = tight_sink(&e.from), to = tight_sink(&e.to);
        line_init(&e.lines[0], &from, LINE_TIGHT, added);
        line_init(&e.lines[1], &to, LINE_TIGHT, added);
        status = pass_again(trace, &sync->survey, NO_THREAD, &taker, &progress, error);
    }
    if (!status) {
        int64_t lower, upper;
        status = solution_ends(sync, s, t, bound_from(&e.row, t), bound_to(&e.row, t), &lower,
                               &upper, error);
        if (!status)
            status = make_chain(sync, &e.from, s, t, upper, &made->upper, error);
        status = status ? status
                        : make_chain(sync, &e.to, t, s, lower == INT64_MIN ? INT64_MAX : -lower,
                                     &made->lower, error);
    }
    if (!status && sync->monotonic)
        status = raise_times(trace, sync, made, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    line_fini(&e.lines[0]);
    line_fini(&e.lines[1]);
    tight_fini(&e.from);
    tight_fini(&e.to);
    if (status)
        csy_explanation_free(made);
    else
        *out = made;
    return status;
}

static void free_chain(const csy_chain *chain)
{
    for (size_t i = 0; chain->edges && i < chain->length; i++)
        free(unconst(chain->edges[i].constraint.steps));
    free(unconst(chain->edges));
}

void csy_explanation_free(csy_explanation *explanation)
{
    if (!explanation)
        return;
    free_chain(&explanation->upper);
    free_chain(&explanation->lower);
    free(explanation);
}
