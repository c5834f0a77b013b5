/* Reading a trace in partial order. */
#include "base/error.h"
#include "clock/knots.h"
#include "fast/fast.h"
#include "graph/components.h"
#include "graph/mincycle.h"
#include "order/replay.h"
#include "order/visit.h"
#include "sync/method.h"
#include "sync/options.h"
#include "sync/partial/flat_blocks.h"
#include "sync/partial/partial_cycle.h"
#include "sync/partial/partial_solving.h"
#include "sync/partial/replayed.h"
#include "sync/progress.h"

#include <stdlib.h>

/* More ends of messages and operations that are close to others are not kept where the trace can be
 * gone over again. */
enum { CLOSE_MOST = 1 << 14 };

/* --- The one pass --- */

static csy_status take_event(struct solving *s, const struct event *event, csy_error *error)
{
    struct rebase *rough = &s->sync->survey.rough;
    int64_t x;
    csy_status status = rebase_alone(rough, event->thread, event->local_ticks, &x, error);
    if (!status)
        status = s->thin ? thin_event(s->thin, event, x, error)
                         : match_event(s->partial->match, event, x, error);
    return status ? trace_at_place(s->trace, event->place, status, error) : CSY_OK;
}

static csy_status read_events(struct solving *s, struct timeline *timeline, csy_error *error)
{
    struct event event;
    struct fast_messages *fast = NULL;
    bool more = true;
    csy_status status = CSY_OK;
    if (s->thin)
        status = fast_messages_new(timeline, &s->sync->survey.rough, s->thin, s->partial->match,
                                   &fast, error);
    while (!status && !(s->thin && thin_failed(s->thin))) {
        if (fast)
            status = fast_messages_take(fast, error);
        if (!status)
            status = timeline_next(timeline, &event, &more, error);
        if (status || !more)
            break;
        status = take_event(s, &event, error);
        if (!status && fast)
            fast_messages_note(fast, &event);
        progress_note(s->progress, s->trace, event.position);
    }
    fast_messages_free(fast);
    return status;
}

static void forget_reading(struct solving *s)
{
    struct timeline_rules rules = s->sync->survey.rules;
    partial_fini(s->partial);
    survey_fini(&s->sync->survey);
    s->sync->survey = (struct survey){.rules = rules};
}

static csy_status start_reading(struct solving *s, csy_error *error)
{
    forget_reading(s);
    csy_status status = match_new(&s->partial->points, s->options->latency_ticks, s->trace,
                                  &s->partial->match, error);
    if (!status && s->stores_all)
        match_store_all(s->partial->match, true);
    s->partial->points.begins_follow = s->begins_follow;
    s->partial->points.close_ticks =
        knots_window(s->close_added, s->sync->drift ? s->options->drift_ppb : 0);
    s->partial->least_added = s->least_added;
    return status;
}

/* One reading with what is known (NULL: nothing); *again as timeline_finish has it. */
static csy_status survey_with(struct solving *s, const struct unwrap_lore *known, bool *again,
                              csy_error *error)
{
    struct timeline timeline;
    csy_status status = timeline_init(&timeline, s->trace, &s->sync->survey.rules, known, error);
    if (!status)
        status = read_events(s, &timeline, error);
    if (!status)
        status = survey_end(&s->sync->survey, &timeline, again, error);
    timeline_fini(&timeline);
    return status;
}

/* Where what was taken provisionally was overthrown, or gaps must not be assumed, the trace is read
 * again with what was learnt. */
static csy_status survey(struct solving *s, csy_error *error)
{
    struct survey *survey = &s->sync->survey;
    bool again = false;
    csy_status status = survey_with(s, NULL, &again, error);
    if (!status && !again && survey->clock_report.assumed == 0)
        survey->rules.strict = false; /* no pass is to split what this one has taken for certain */
    if (!status && (again || survey->rules.strict)) {
        struct unwrap_lore known = survey->lore;
        survey->lore = (struct unwrap_lore){0};
        status = start_reading(s, error);
        if (!status)
            status = survey_with(s, &known, &again, error);
        unwrap_lore_fini(&known);
    }
    return status;
}

/* --- Points in their order --- */

static csy_status finish_match(struct solving *s, uint64_t *place, csy_error *error)
{
    const struct points *points = &s->partial->points;
    csy_status status = match_finish(s->partial->match, place, error);
    s->told = points->told;
    s->least_told = points->least_told;
    s->least_above = points->least_above;
    return status;
}

/* *again: there is a cycle, but there may be none if begins follow nothing. */
static csy_status order_points(struct solving *s, bool *again, csy_error *error)
{
    struct visit_cycle cycle;
    uint64_t place = 0;
    csy_status status = finish_match(s, &place, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(s->trace, place, status, error) : status;
    status = visit_order(&s->partial->points, &s->partial->order, &cycle, error);
    *again = cycle.length > 0 && s->begins_follow;
    s->cyclic = cycle.length > 0 && s->told;
    if (!status && cycle.length > 0 && !*again)
        status = partial_refuse_cycle(s->sync, &cycle, error);
    visit_cycle_fini(&cycle);
    return status;
}

/* Read all points.  Stamps put a begin after an earlier record only if they are exact; if that
 * makes a cycle, they are not. */
static csy_status read_points(struct solving *s, csy_error *error)
{
    bool again = false;
    csy_status status = survey(s, error);
    if (!status)
        status = order_points(s, &again, error);
    if (status || !again)
        return status;
    s->begins_follow = false;
    status = start_reading(s, error);
    if (!status)
        status = survey(s, error);
    return status ? status : order_points(s, &again, error);
}

/* --- Reading, thinned where that is enough --- */

/* Whether no cycle of pairs has weight 0 and less, of which there are none: a cycle of edges would
 * be one. */
static csy_status check_cycles(struct solving *s, bool *good, csy_error *error)
{
    const struct pairs *pairs = &s->partial->pairs;
    size_t n = pairs->nvertices, count = 0, ntight = 0;
    int64_t *label = malloc((n + 1) * sizeof *label);
    size_t *start = calloc(n + 2, sizeof *start);
    uint32_t *to = malloc((pairs->count + 1) * sizeof *to);
    uint32_t *component = malloc((n + 1) * sizeof *component);
    csy_status status = label && start && to && component ? mincycle_labels(pairs, 0, label, error)
                                                          : error_memory(error);
    for (size_t v = 0; v < n && !status; v++) {
        for (size_t i = pairs->first[v]; i < pairs->first[v + 1]; i++) {
            const struct clock_pair *pair = &pairs->items[i];
            if (label[pair->s] + pair->weight == label[pair->t])
                to[ntight++] = pair->t;
        }
        start[v + 1] = ntight;
    }
    if (!status)
        status = components_find(n, start, to, component, &count, error);
    *good = count == n;
    free(label);
    free(start);
    free(to);
    free(component);
    return status;
}

/* Whether pairs contradict nothing.  in_order: no cycle of edges can be. */
static csy_status judge_pairs(struct solving *s, bool in_order, bool *good, csy_error *error)
{
    struct mincycle found = {0};
    csy_status status =
        mincycle_find(&s->partial->pairs, (csy_fraction){0, 1}, true, &found, error);
    *good = !found.infeasible;
    mincycle_fini(&found);
    return status || !*good || in_order ? status : check_cycles(s, good, error);
}

/* Whether what was kept contradicts nothing. */
static csy_status judge_kept(struct solving *s, bool in_order, bool *good, csy_error *error)
{
    struct partial *partial = s->partial;
    struct visit_cycle cycle;
    uint64_t place;
    csy_status status = finish_match(s, &place, error);
    if (!status)
        status = visit_order(&partial->points, &partial->order, &cycle, error);
    if (status)
        return status;
    *good = cycle.length == 0;
    visit_cycle_fini(&cycle);
    if (!*good)
        return CSY_OK;
    status = partial_make_pairs(s, error);
    return status ? status : judge_pairs(s, in_order, good, error);
}

/* Read the trace, of each channel the message that says most.  *good: no more is needed. */
static csy_status read_thinned(struct solving *s, bool *good, csy_error *error)
{
    csy_status status =
        thin_new(s->partial->match, s->options->latency_ticks, s->trace, &s->thin, error);
    *good = false;
    if (!status)
        status = survey(s, error);
    if (!status && !thin_failed(s->thin)) {
        status = thin_finish(s->thin, error);
        if (!status && !thin_failed(s->thin))
            status = judge_kept(s, thin_in_order(s->thin), good, error);
    }
    thin_free(s->thin);
    s->thin = NULL;
    return status;
}

/* What was found is to be gone over again, if it can be. */
static csy_status start_replay(struct solving *s, struct streams_found *found, bool *good,
                               csy_error *error)
{
    *good = found->plain && replay_can(s->trace);
    if (!*good)
        return CSY_OK;
    struct replayed *replayed = calloc(1, sizeof *replayed);
    if (!replayed)
        return error_memory(error);
    replayed->starts = found->starts;
    replayed->nlocations = found->nlocations;
    replayed->members = found->members;
    replayed->nmembers = found->nmembers;
    replayed->shared = s->shared;
    replayed->open = found->open;
    replayed->exact = s->close_added == 0;
    if (s->shared.count > 0) {
        s->told |= replayed->exact;
        s->least_told = replayed->exact ? 0 : s->least_told;
        s->least_above = !replayed->exact && s->least_above < 1 ? 1 : s->least_above;
    }
    found->starts = NULL;
    found->members = NULL;
    found->open = (struct shared_keys){.items = NULL};
    s->shared = (struct shared_keys){.items = NULL};
    s->partial->replayed = replayed;
    return CSY_OK;
}

/* What is kept is enough for the window, at any delta that goes with it; else messages are gone
 * over again for what they say. */
static csy_status judge_streams(struct solving *s, struct streams_found *found, bool *good,
                                csy_error *error)
{
    uint64_t place;
    csy_status status;
    *good = false;
    if (s->sync->drift || s->replay)
        status = finish_match(s, &place, error);
    else
        status = judge_kept(s, false, good, error);
    return status || *good ? status : start_replay(s, found, good, error);
}

/* Read its locations each by itself.  *close_most: as streams_rules has it; 0 afterwards, unless
 * that was too few, or a message of one clock contradicts it. */
static csy_status read_streams_with(struct solving *s, size_t *close_most, bool *good,
                                    csy_error *error)
{
    struct survey *survey = &s->sync->survey;
    struct timeline timeline;
    struct streams_found found = {.shared = s->shared};
    bool again;
    *good = false;
    csy_status status = partial_start_delta(s, error);
    if (!status)
        status = start_reading(s, error);
    if (status)
        return status;
    bool replay = s->sync->drift || s->replay;
    const struct streams_rules rules = {
        s->options->latency_ticks, replay ? 1 : s->window, replay,
        s->sync->drift ? REDUCE_PASSES_HUBS : partial_hubs_most(s->trace), *close_most};
    status = timeline_init(&timeline, s->trace, &survey->rules, NULL, error);
    if (!status)
        status =
            fast_streams_read(&timeline, &rules, &survey->rough, s->partial->match, &found, error);
    if (!status && found.good)
        status = survey_end(survey, &timeline, &again, error);
    timeline_fini(&timeline);
    s->shared = found.shared;
    if (!status && found.good)
        status = judge_streams(s, &found, good, error);
    *close_most = found.again ? *close_most : 0;
    free(found.starts);
    free(found.members);
    free(found.open.items);
    return status;
}

/* Where what is close is too much to be kept, as delta is wide, or it is known at once that
 * something contradicts its clock, the trace is gone over again, if it can be. */
static csy_status read_streams(struct solving *s, bool *good, csy_error *error)
{
    size_t close_most = replay_can(s->trace) ? CLOSE_MOST : 0;
    csy_status status = read_streams_with(s, &close_most, good, error);
    if (status || close_most == 0)
        return status;
    close_most = 0;
    s->replay = true;
    status = read_streams_with(s, &close_most, good, error);
    if (status || *good || s->partial->replayed)
        return status;
    s->replay = false;
    return read_streams_with(s, &close_most, good, error);
}

/* exact: nothing is added. */
static csy_status read_flat(struct solving *s, bool exact, bool *good, csy_error *error)
{
    csy_status status = flat_blocks_read(s->sync, s->options, s->progress, good, error);
    if (status || !*good || !s->partial->has_lives)
        return status;
    *good = exact;
    return exact ? judge_pairs(s, false, good, error) : CSY_OK;
}

csy_status partial_read(struct solving *s, csy_error *error)
{
    const csy_options *options = s->options;
    bool good = false, exact = !s->trace->independent &&
                               (options->relax != CSY_RELAX_GIVEN || options->delta.num == 0);
    csy_status status = CSY_OK;
    bool ours = options->method == CSY_METHOD_BHH, flat = ours && !s->sync->drift;
    /* What a record of a .pex says of order may be more than messages. */
    bool plain = flat && s->trace->source->carried != CARRIED_RECORDS;
    bool streams =
        ours && s->trace->source->streams && !s->no_streams && (flat || replay_can(s->trace));
    s->streamed = false;
    if (streams)
        status = read_streams(s, &s->streamed, error);
    if (!status && s->streamed) {
        s->partial->thinned = s->partial->streamed = true;
        s->sync->matched = match_report(s->partial->match);
    } else if (!status && streams) {
        forget_reading(s);
    }
    if (status || s->streamed)
        return status;
    if (flat && !s->trace->has_keys)
        status = read_flat(s, exact, &good, error);
    if (status || good)
        return status;
    s->stores_all = s->begins_follow = !method_of(options->method)->moves_threads;
    status = start_reading(s, error);
    s->twice = (csy_fraction){0, 1};
    if (!status && plain && exact && s->close_added == 0) {
        status = read_thinned(s, &good, error);
        if (!status && !good)
            status = start_reading(s, error);
    }
    s->partial->thinned = good;
    if (!status && !good)
        status = read_points(s, error);
    if (!status)
        s->sync->matched = match_report(s->partial->match);
    return status;
}
