/*
 * csy_explain: why a bound is not closer.  cellsync-model(7), Chains.
 *
 *   row of s --graph/tight.h over one pass--> tight constraints --> the chains s..t and t..s
 */
#include "base/array.h"
#include "base/error.h"
#include "graph/tight.h"
#include "sync/solution.h"

#include <stdlib.h>

struct explaining {
    struct csy_sync *sync;
    struct bound_row row; /* of s */
    struct tight from, to;
};

static csy_status note_event(void *user, const struct event *event, csy_error *error)
{
    struct explaining *e = user;
    struct walk_point point = {event->position, event->place, event->thread, event->local_ticks,
                               rough_x(&e->sync->survey.rough, event->thread, event->local_ticks)};
    csy_status status = tight_event(&e->from, &point, error);
    return status ? status : tight_event(&e->to, &point, error);
}

static csy_status collect(csy_trace *trace, struct explaining *e, csy_error *error)
{
    const struct csy_sync *sync = e->sync;
    const csy_imprecision *imprecision = &sync->imprecision;
    size_t n = sync->survey.threads.count;
    int64_t added = imprecision->added_ticks;
    bool all_pairs = added > 0 && imprecision->relax != CSY_RELAX_PAPER;
    struct taker taker = {.observe = note_event, .observer = e};
    struct progress progress = trace->progress;
    progress.stage = "explaining";
    csy_status status = tight_init(&e->from, TIGHT_FROM, &e->row, n, added, all_pairs, error);
    if (!status)
        status = tight_init(&e->to, TIGHT_TO, &e->row, n, added, all_pairs, error);
    return status ? status : pass_again(trace, &sync->survey, NO_THREAD, &taker, &progress, error);
}

/* By how much the offsets keep the constraint. */
static int64_t slack_of(const struct csy_sync *sync, const csy_witness_edge *edge)
{
    int128 from = (int128)sync->views[edge->s].offset_ticks + edge->time_s;
    int128 to = (int128)sync->views[edge->t].offset_ticks + edge->time_t;
    return (int64_t)(to + sync->imprecision.added_ticks - from);
}

static csy_status make_chain(const struct csy_sync *sync, struct tight *tight, size_t s, size_t t,
                             int64_t end_ticks, csy_chain *chain, csy_error *error)
{
    *chain = (csy_chain){.s = s, .t = t, .end_ticks = end_ticks};
    if (end_ticks == INT64_MAX)
        return CSY_OK;
    struct walk_edge *edges = NULL;
    csy_status status = tight_walk(tight, (uint32_t)s, (uint32_t)t, &edges, &chain->length, error);
    csy_chain_edge *made = status ? NULL : calloc(chain->length + 1, sizeof *made);
    for (size_t i = 0; made && i < chain->length; i++) {
        made[i].constraint = solution_edge(&edges[i]);
        made[i].slack_ticks = slack_of(sync, &made[i].constraint);
    }
    free(edges);
    chain->edges = made;
    if (!status && !made)
        status = error_memory(error);
    if (!status && chain->length == 0)
        status = trace_refuse_changed(sync->trace, error);
    return status;
}

static csy_status make_chains(struct explaining *e, size_t s, size_t t, csy_explanation *out,
                              csy_error *error)
{
    int64_t lower, upper;
    csy_status status = solution_ends(e->sync, s, t, bound_from(&e->row, t), bound_to(&e->row, t),
                                      &lower, &upper, error);
    if (!status)
        status = make_chain(e->sync, &e->from, s, t, upper, &out->upper, error);
    return status ? status
                  : make_chain(e->sync, &e->to, t, s, lower == INT64_MIN ? INT64_MAX : -lower,
                               &out->lower, error);
}

static csy_status check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error)
{
    csy_status status = solution_check_pair(sync, s, t, error);
    if (!status && s == t)
        status = error_set(error, CSY_USAGE, "%s: a bound is between two different threads",
                           sync->trace->name);
    return status;
}

csy_status csy_explain(csy_trace *trace, csy_sync *sync, size_t s, size_t t, csy_explanation **out,
                       csy_error *error)
{
    struct explaining e = {.sync = sync};
    csy_explanation *made = NULL;
    csy_status status = check_pair(sync, s, t, error);
    if (!status && !(made = calloc(1, sizeof *made)))
        status = error_memory(error);
    if (!status)
        status = solution_row(sync, s, &e.row, error);
    if (!status)
        status = collect(trace, &e, error);
    if (!status)
        status = make_chains(&e, s, t, made, error);
    if (!status)
        status = trace_check_unchanged(trace, error);
    tight_fini(&e.from);
    tight_fini(&e.to);
    if (status)
        csy_explanation_free(made);
    else
        *out = made;
    return status;
}

void csy_explanation_free(csy_explanation *explanation)
{
    if (!explanation)
        return;
    free(unconst(explanation->upper.edges));
    free(unconst(explanation->lower.edges));
    free(explanation);
}
