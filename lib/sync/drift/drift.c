/* Solves traces with drifting clocks. */
#include "sync/drift/drift.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/age_matrix.h"
#include "graph/reduce.h"
#include "graph/steady.h"
#include "order/visit.h"
#include "sync/options.h"
#include "sync/outcome.h"
#include "sync/partial/islands.h"
#include "sync/partial/partial_steps.h"
#include "sync/partial/walked.h"
#include "sync/placement.h"

#include <stdlib.h>

/* --- One buffer: a location with changing clocks --- */

static csy_status take_point(void *engine, const struct point *event, csy_error *error)
{
    uint32_t begin, end;
    const struct point_record record = {.position = event->position,
                                        .place = event->place,
                                        .clock = event->thread,
                                        .location = 0,
                                        .buffer = NO_BUFFER,
                                        .x = event->x};
    return points_record(engine, &record, &begin, &end, error);
}

static csy_status start_points(void *user, struct taker *taker, csy_error *error)
{
    struct points *points = user;
    (void)error;
    points_fini(points);
    *taker = (struct taker){.sink = {.engine = points, .event = take_point}};
    return CSY_OK;
}

static csy_status order_points(struct drift *drift, csy_error *error)
{
    struct visit_cycle cycle = {0}; /* the order of one buffer has no cycle */
    csy_status status = points_finish(&drift->points, error);
    if (!status)
        status = visit_order(&drift->points, &drift->order, &cycle, error);
    visit_cycle_fini(&cycle);
    return status;
}

_Static_assert(AGE_UNIT == RATE_UNIT, "nodes and knots have ages in the same unit");

struct solver {
    struct csy_sync *sync;
    struct drift *drift;
    const csy_options *options;
    const struct points *points;
    const uint32_t *order;
    int128 *age;
    struct witness_edges witness;
    int64_t added; /* 2 delta (twice the timestamp error) in searches for the least drift */
    int64_t placed_added;
    bool trial; /* true for a drift_trial, which must not change sync->witness */
    struct steady steady;
};

/* --- Delta --- */

static int64_t window_of(int64_t added_ticks, int64_t rate_ppb)
{
    int64_t window = knots_window(added_ticks, rate_ppb);
    return window < WALK_MAX ? window : WALK_MAX;
}

static bool is_flat(const struct csy_sync *sync)
{
    return sync->partial && sync->partial->flat;
}

static csy_status take_flat(struct solver *s, const struct reduce_window *how, csy_error *error)
{
    struct partial *partial = s->sync->partial;
    struct pairs *made = &partial->pairs;
    struct pair_table table;
    size_t n = made->nclocks;
    if (!made->items || how->ticks > partial->window)
        return CSY_INFEASIBLE;
    csy_status status = pair_table_init(&table, s->points, how->rate_ppb, error);
    for (size_t i = 0; i < made->count && !status; i++)
        status = pair_table_add(&table, &made->items[i], error);
    pairs_fini(made);
    if (!status)
        status = pair_table_collect(&table, n, n, &s->drift->pairs, error);
    pair_table_fini(&table);
    return status;
}

static csy_status make_network(struct solver *s, int64_t window, csy_error *error)
{
    struct drift *drift = s->drift;
    const struct survey *survey = &s->sync->survey;
    size_t n = survey->threads.count, all = n + s->points->nhubs;
    uint32_t rate = (uint32_t)s->options->drift_ppb, *rates = calloc(all + 1, sizeof *rates);
    uint64_t *prefer = malloc((n + 1) * sizeof *prefer);
    csy_status status = rates && prefer ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < n && !status; t++) {
        rates[t] = t == s->sync->reference ? 0 : rate;
        prefer[t] = survey->threads.items[t].records;
    }
    ageing_fini(&drift->ageing);
    pairs_fini(&drift->pairs);
    /* If a trace with collective operations is read again, groups do not become vertices (hubs). */
    const struct walked *walked = s->sync->partial ? s->sync->partial->walked : NULL;
    bool again = walked && walked->found.nmembers > 0;
    const struct reduce_window how = {window, rates, again || n <= REDUCE_PASSES_HUBS};
    if (!status && walked)
        status = walked_pairs(s->sync, &how, &drift->points, &drift->pairs, error);
    else if (!status && is_flat(s->sync))
        status = take_flat(s, &how, error);
    else if (!status)
        status = reduce_points(s->points, s->order, n, &how, &drift->pairs, error);
    const struct ageing_rule rule = {(uint32_t)s->sync->reference, rate, prefer};
    if (!status)
        status = ageing_init(&drift->ageing, s->points, &drift->pairs, &rule, error);
    FREE_ALL(rates, prefer);
    return status;
}

static csy_status set_witness(struct solver *s, const struct ageing_cycle *cycle, csy_error *error)
{
    csy_status status = witness_set(s->sync, s->points, &s->drift->pairs, cycle->pairs,
                                    cycle->length, &s->witness, error);
    if (!status && !fraction_make(cycle->asks_ticks, 2, &s->sync->witness.least_delta))
        status = error_set(error, CSY_INPUT, "delta does not fit 64 bits");
    return status;
}

/* STEADY_SOLVES_MOST: greatest number of rates that steady_find tries, each with a few passes over
 * all pairs. TRIAL_VISITS_MOST limits the time that an explanation of a contradiction takes. It is
 * counted in nodes, so that results do not depend on the machine. */
enum { STEADY_SOLVES_MOST = 100, TRIAL_VISITS_MOST = 1 << 23 };

static bool rates_are_steady(const csy_options *options)
{
    return options->wander_ppb != CSY_NO_DRIFT && options->wander_ppb < options->drift_ppb;
}

static csy_status find_steady(struct solver *s, struct steady *out, csy_error *error)
{
    struct ageing *ageing = &s->drift->ageing;
    struct ageing_cycle cycle = {0};
    const struct steady_rule rule = {(uint32_t)s->sync->reference, s->options->wander_ppb,
                                     ageing->added_ticks, STEADY_SOLVES_MOST,
                                     s->trial ? TRIAL_VISITS_MOST : UINT64_MAX};
    csy_status status = steady_find(ageing, &rule, out, error);
    if (out->spent)
        return status;
    if (!status && out->least_ticks <= rule.least_ticks)
        out->added_ticks = rule.least_ticks;
    if (!status)
        status = ageing_find(ageing, out->added_ticks, true, &cycle, error);
    free(cycle.pairs);
    return status;
}

static csy_status find_delta(struct solver *s, int64_t least, csy_error *error)
{
    struct ageing *ageing = &s->drift->ageing;
    int64_t window = window_of(least, s->options->drift_ppb);
    csy_status status = CSY_OK;
    bool enough = false;
    while (!status && !enough) {
        struct ageing_cycle cycle = {0};
        steady_fini(&s->steady);
        status = make_network(s, window, error);
        if (!status)
            status = ageing_find(ageing, least, is_flat(s->sync), &cycle, error);
        if (!status && cycle.length > 0 && is_flat(s->sync))
            /* makes the caller read the single events, which can explain the contradiction */
            status = CSY_INFEASIBLE;
        if (!status && cycle.length > 0 && !s->trial)
            status = set_witness(s, &cycle, error);
        free(cycle.pairs);
        least = ageing->added_ticks;
        if (!status && rates_are_steady(s->options)) {
            status = find_steady(s, &s->steady, error);
            least = s->steady.least_ticks;
        }
        int64_t need = window_of(ageing->added_ticks, s->options->drift_ppb);
        enough = need <= window || s->steady.spent;
        window = enough ? window : need;
    }
    return status;
}

/* Limit global minus local times so that the rate of each clock stays within wander_ppb of a
 * constant rate. *fits is false if delta is too small for this. If `raise` is true, delta is then
 * raised in steps of half a tick, because find_delta proves only a lower limit of delta. */
static csy_status fit_wander(struct solver *s, bool raise, bool *fits, csy_error *error)
{
    enum { RAISES_MOST = 64 };
    struct ageing *ageing = &s->drift->ageing;
    csy_status status = CSY_OK;
    *fits = false;
    for (unsigned n = 0; n <= (raise ? RAISES_MOST : 0) && !*fits && !status; n++) {
        uint32_t clock = NO_NODE;
        if (n > 0)
            status = find_delta(s, ageing->added_ticks + 1, error);
        if (!status)
            status = ageing_bound(ageing, error);
        if (!status)
            status = ageing_wander(ageing, (uint32_t)s->options->wander_ppb, &clock, error);
        *fits = clock == NO_NODE;
    }
    return status ? status : witness_name(s->sync, &s->witness, error);
}

/* Report that the given delta is too small for rates within wander_ppb of a constant rate. */
static csy_status refuse_wander(struct solver *s, csy_error *error)
{
    csy_fraction delta = {0, 1};
    bool fits;
    csy_status status = find_delta(s, s->drift->ageing.added_ticks, error);
    if (!status)
        status = fit_wander(s, true, &fits, error);
    if (!status && !fraction_make(s->drift->ageing.added_ticks, 2, &delta))
        status = error_set(error, CSY_INPUT, "delta does not fit 64 bits");
    return status ? status : outcome_refuse_wander(s->sync, s->options, delta, error);
}

static csy_status choose_delta(struct solver *s, csy_error *error)
{
    int64_t given = 0, least = solution_least_twice(s->sync);
    if (s->options->relax == CSY_RELAX_EXACT) {
        const struct partial *partial = s->sync->partial;
        least = partial && partial->least_added > least ? partial->least_added : least;
        csy_status status = find_delta(s, least, error);
        return status ? status : witness_name(s->sync, &s->witness, error);
    }
    if (s->options->relax == CSY_RELAX_GIVEN &&
        (!fraction_twice_ceil(s->options->delta, &given) || given >= WALK_MAX))
        return error_set(error, CSY_USAGE, "delta is too large for 64-bit arithmetic");
    /* Test whether the given delta suffices; if none was given, test delta 0. */
    int64_t added = given > least ? given : least;
    struct ageing *ageing = &s->drift->ageing;
    struct ageing_cycle cycle = {0};
    struct steady steady = {0};
    csy_status status = make_network(s, window_of(added, s->options->drift_ppb), error);
    if (!status)
        status = ageing_find(ageing, added, true, &cycle, error);
    bool contradicts = cycle.length > 0, wanders = false;
    if (!status && contradicts)
        status = set_witness(s, &cycle, error);
    free(cycle.pairs);
    if (!status && rates_are_steady(s->options) && !contradicts) {
        status = find_steady(s, &steady, error);
        wanders = steady.least_ticks > added;
        steady_fini(&steady);
        cycle.pairs = NULL;
        if (!status && !wanders)
            status = ageing_find(ageing, added, true, &cycle, error);
        free(cycle.pairs);
    }
    if (!status && (wanders || (contradicts && rates_are_steady(s->options))))
        return refuse_wander(s, error);
    if (!status && contradicts)
        status = witness_name(s->sync, &s->witness, error);
    if (!status && contradicts)
        status = outcome_refuse(s->sync, s->options, error);
    return status;
}

/* Raise *ppb until constraints do not contradict each other, and set *enough. The network is made
 * only once, for twice the drift, because it then has all constraints for lower drifts, too. */
static csy_status ask_for_more(struct solver *s, int64_t *ppb, bool *enough, csy_error *error)
{
    enum { ASKED_MOST = 32 };
    const int64_t first = *ppb, made = first < RATE_UNIT / 2 ? 2 * first : RATE_UNIT - 1;
    bool more = true;
    *ppb = made; /* ppb points to options->drift_ppb, which make_network reads */
    csy_status status = make_network(s, window_of(s->added, made), error);
    *ppb = first;
    for (size_t i = 0; i < ASKED_MOST && more && *ppb <= made && !status; i++) {
        int64_t before = *ppb;
        ageing_set_rate(&s->drift->ageing, (uint32_t)s->sync->reference, (uint32_t)before);
        struct ageing_cycle cycle = {0};
        struct edge *edges = NULL;
        size_t count = 0;
        status = ageing_find(&s->drift->ageing, s->added, true, &cycle, error);
        *enough = cycle.length == 0;
        if (!status && !*enough)
            status = pairs_edges(s->sync, s->points, &s->drift->pairs, cycle.pairs, cycle.length,
                                 &edges, &count, error);
        if (!status && !*enough)
            *ppb = solution_drift_of(s->sync, edges, count, s->added);
        FREE_ALL(edges, cycle.pairs);
        more = *ppb > before;
    }
    return status;
}

static int64_t least_at(const csy_witness *witness, int64_t added)
{
    int128 lacks = -(int128)witness->weight_ticks, left = lacks - (int128)added * witness->length;
    if (witness->least_drift_ppb == 0 || added == 0)
        return witness->least_drift_ppb;
    int128 least = left > 0 ? (witness->least_drift_ppb - 1) * left / lacks : 0;
    return least > 1 ? (int64_t)least : 1;
}

/* --- Trials of other premises, after a trace was solved --- */

struct drift_trial {
    struct solver solver;
    struct drift drift;
    csy_options options;
};

csy_status drift_trial_new(struct csy_sync *sync, struct drift_trial **out, csy_error *error)
{
    const struct partial *partial = sync->partial;
    *out = NULL;
    if (sync->survey.records > DRIFT_TRIAL_RECORDS_MAX ||
        (partial && (partial->flat || (partial->streamed && !partial->walked))))
        return CSY_OK;
    struct drift_trial *trial = calloc(1, sizeof *trial);
    if (!trial)
        return error_memory(error);
    struct drift *drift = &trial->drift;
    csy_status status = CSY_OK;
    if (!partial) {
        struct taker taker = {.sink = {.engine = &drift->points, .event = take_point}};
        status = pass_again(sync->trace, &sync->survey, (uint32_t)sync->reference, &taker,
                            &sync->trace->progress, error);
        status = status ? status : order_points(drift, error);
    }
    trial->options.relax = CSY_RELAX_EXACT;
    trial->options.wander_ppb = CSY_NO_DRIFT;
    trial->solver =
        (struct solver){.sync = sync,
                        .drift = drift,
                        .options = &trial->options,
                        .points = partial && !partial->walked ? &partial->points : &drift->points,
                        .order = partial ? partial->order : drift->order,
                        .trial = true};
    if (status)
        drift_trial_free(trial);
    else
        *out = trial;
    return status;
}

void drift_trial_free(struct drift_trial *trial)
{
    if (!trial)
        return;
    drift_reset(&trial->drift);
    steady_fini(&trial->solver.steady);
    free(trial);
}

csy_status drift_trial_least(struct drift_trial *trial, int64_t rate_ppb, int64_t wander_ppb,
                             int64_t least_ticks, int64_t *added_ticks, const int64_t **rates_ppb,
                             csy_error *error)
{
    trial->options.drift_ppb = rate_ppb;
    trial->options.wander_ppb = wander_ppb;
    csy_status status = find_delta(&trial->solver, least_ticks, error);
    *added_ticks = trial->solver.steady.spent ? -1 : trial->drift.ageing.added_ticks;
    *rates_ppb = trial->solver.steady.rate_ppb;
    return status;
}

bool drift_trial_is_bounded(const struct drift_trial *trial)
{
    const struct csy_sync *sync = trial->solver.sync;
    return !sync->partial || !sync->partial->walked || sync->drift ||
           sync->survey.records <= DRIFT_TRIAL_KEPT_MAX;
}

const struct points *drift_trial_points(const struct drift_trial *trial, const uint32_t **order)
{
    const struct partial *partial = trial->solver.sync->partial;
    *order = trial->solver.order;
    return partial && partial->walked ? NULL : trial->solver.points;
}

csy_status drift_trial_enough(struct drift_trial *trial, int64_t added_ticks, int64_t most_ppb,
                              int64_t *ppb, csy_error *error)
{
    enum { TRIES = 32 };
    struct solver *s = &trial->solver;
    const struct csy_sync *sync = s->sync;
    const struct partial *partial = sync->partial;
    int64_t *asked = &trial->options.drift_ppb;
    bool enough = false, walked = partial && partial->walked &&
                                  (partial->walked->found.nmembers > 0 ||
                                   sync->survey.threads.count <= AGE_MATRIX_CLOCKS_MOST);
    csy_status status = CSY_OK;
    *ppb = 0;
    if (sync->witness.least_drift_ppb == 0 || least_at(&sync->witness, added_ticks) > most_ppb)
        return CSY_OK;
    s->added = added_ticks;
    trial->options.wander_ppb = CSY_NO_DRIFT;
    *asked = least_at(&sync->witness, added_ticks);
    for (size_t i = 0; i<TRIES && * asked> 0 && *asked <= most_ppb && !enough && !status; i++) {
        int64_t before = *asked;
        if (walked) {
            size_t n = s->sync->survey.threads.count;
            uint32_t *rates = calloc(n + 1, sizeof *rates);
            const struct reduce_window window = {window_of(s->added, *asked), rates, false};
            struct age_matrix *ages = NULL;
            const struct age_rule rule = {n, (uint32_t)s->sync->reference, (uint32_t)*asked,
                                          s->added};
            status = rates ? age_matrix_new(&rule, &ages, error) : error_memory(error);
            for (size_t t = 0; t < n && !status; t++)
                rates[t] = t == s->sync->reference ? 0 : rule.rate_ppb;
            if (!status)
                status = walked_rates(s->sync, &window, ages, &walked, error);
            if (!status && walked) {
                int64_t asks = age_matrix_asks(ages);
                enough = asks == 0;
                *asked = enough ? *asked : asks < RATE_UNIT ? asks : 0;
            }
            age_matrix_free(ages);
            free(rates);
        }
        if (!walked && !status)
            status = ask_for_more(s, asked, &enough, error);
        if (!enough && *asked <= before)
            break;
    }
    *ppb = enough && *asked <= most_ppb && !status ? *asked : 0;
    return status;
}

/* --- Ages --- */

static void place_ages(struct solver *s)
{
    const struct ageing *ageing = &s->drift->ageing;
    const csy_fraction alpha = s->sync->alpha;
    for (uint32_t v = 0; v < ageing->nnodes; v++)
        s->age[v] = ageing->least[v] +
                    knots_part(ageing_greatest(ageing, v) - ageing->least[v], alpha.num, alpha.den);
}

static csy_status choose_ages(struct solver *s, csy_error *error)
{
    struct ageing *ageing = &s->drift->ageing;
    bool wanders = s->options->wander_ppb != CSY_NO_DRIFT, placed = false;
    csy_status status = CSY_OK;
    s->age = malloc((ageing->nnodes + 1) * sizeof *s->age);
    if (!s->age)
        return error_memory(error);
    if (ageing->added_ticks > 0) {
        /* Prefer global times for exact timestamps (delta 0), if these exist, because then no
         * event precedes its predecessors. Afterwards, restore the limits for the real delta. */
        int128 *least = ageing->least;
        int64_t added = ageing->added_ticks;
        ageing->least = s->age;
        status = ageing_test(ageing, 0, &placed, error);
        if (placed)
            status = ageing_bound(ageing, error);
        if (placed && !status)
            place_ages(s);
        ageing->least = least;
        ageing->added_ticks = added;
    }
    if (!status && (!wanders || ageing->added_ticks > 0))
        status = ageing_bound(ageing, error);
    if (!placed && !status)
        place_ages(s);
    s->placed_added = placed ? 0 : ageing->added_ticks;
    s->sync->ordered = placed;
    return status;
}

static int128 weight_of(const void *user, size_t i)
{
    const struct solver *s = user;
    const struct ageing *ageing = &s->drift->ageing;
    const struct clock_pair *pair = &ageing->pairs->items[i];
    size_t n = ageing->pairs->nclocks;
    if (pair->s < n && pair->t < n && ageing->component[pair->s] == ageing->component[pair->t])
        return 0;
    return ageing_loss(ageing, pair->weight, pair_counts(ageing->pairs, pair)) -
           (pair->s < n ? s->age[ageing->from[i]] : 0) + (pair->t < n ? s->age[ageing->to[i]] : 0);
}

static csy_status shift_components(struct solver *s, int128 *shift, csy_error *error)
{
    struct drift *drift = s->drift;
    const struct survey *survey = &s->sync->survey;
    const int64_t added_ticks = drift->ageing.added_ticks;
    struct search_graph graph;
    const bool loose = s->sync->trace->loose;
    size_t n = survey->threads.count, tau = s->sync->reference, count;
    const int64_t first = survey->threads.items[tau].min_ticks;
    struct island_clock *clocks = malloc((n + 1) * sizeof *clocks);
    csy_status status = clocks ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < n && !status; t++) {
        const struct thread *thread = &survey->threads.items[t];
        int64_t local = thread->min_ticks;
        int128 least = ((int128)local + survey->rough.offset[t]) * AGE_UNIT +
                       knots_age(&drift->clocks[t], local);
        int128 own = survey->rough.offset[tau] * AGE_UNIT + knots_age(&drift->clocks[tau], first) -
                     (survey->rough.offset[t] * AGE_UNIT + knots_age(&drift->clocks[t], local));
        clocks[t] = (struct island_clock){thread->first_record, thread->records, least, own};
    }
    const struct islands_rule rule = {
        tau, s->sync->alpha, clocks, weight_of, s, threads_keep_times(&survey->threads, loose)};
    drift->ageing.added_ticks = s->placed_added;
    if (!status) {
        status = search_init(&graph, &drift->pairs, NULL, error);
        if (!status)
            status = islands_place(&graph, &rule, NULL, shift, &count, error);
        search_fini(&graph);
    }
    drift->ageing.added_ticks = added_ticks;
    free(clocks);
    return status;
}

/* --- Clocks --- */

static csy_status make_knots(struct solver *s, size_t t, csy_error *error)
{
    const struct drift *drift = s->drift;
    const struct ageing *ageing = &drift->ageing;
    const struct survey *survey = &s->sync->survey;
    const struct ageing_rate *rate = &ageing->rates[t];
    size_t first = ageing->first_of[t], n = ageing->first_of[t + 1] - first;
    struct knot *items = malloc((n + 1) * sizeof *items);
    if (!items)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        uint32_t node = ageing->sorted[first + i];
        items[i] =
            (struct knot){(int64_t)(ageing->reading[node] - survey->rough.offset[t]), s->age[node]};
    }
    if (n == 0)
        items[n++] = (struct knot){survey->threads.items[t].first_ticks, 0};
    knots_make(items, n, (int64_t)floor_div((int128)rate->least + rate->greatest, 2),
               &drift->clocks[t]);
    return CSY_OK;
}

static void move_knots(struct knots *knots, int128 by)
{
    for (size_t i = 0; i < knots->count; i++)
        knots->items[i].age += by;
}

static csy_status place_clocks(struct solver *s, csy_error *error)
{
    struct drift *drift = s->drift;
    const struct survey *survey = &s->sync->survey;
    size_t n = survey->threads.count;
    csy_status status = CSY_OK;
    drift->clocks = calloc(n + 1, sizeof *drift->clocks);
    drift->shift = calloc(n + 1, sizeof *drift->shift);
    drift->view.nclocks = n;
    if (!drift->clocks || !drift->shift)
        return error_memory(error);
    for (size_t t = 0; t < n && !status; t++)
        status = make_knots(s, t, error);
    if (!status)
        status = shift_components(s, drift->shift, error);
    for (size_t t = 0; t < n && !status; t++) {
        drift->shift[t] += survey->rough.offset[t] * AGE_UNIT;
        move_knots(&drift->clocks[t], drift->shift[t]);
    }
    /* Let the PPE's first record keep its local time; without a PPE, begin at global time 0. */
    uint32_t ppe = survey->threads.ppe;
    int128 origin = 0;
    for (size_t t = 0; t < n && !status && ppe == NO_THREAD; t++) {
        int128 least = knots_global(&drift->clocks[t], survey->threads.items[t].min_ticks);
        origin = t == 0 || least < origin ? least : origin;
    }
    if (!status && ppe != NO_THREAD)
        origin = knots_global(&drift->clocks[ppe], survey->threads.items[ppe].first_ticks) -
                 survey->threads.items[ppe].first_ticks;
    origin *= AGE_UNIT;
    for (size_t t = 0; t < n && !status; t++) {
        drift->shift[t] -= origin;
        move_knots(&drift->clocks[t], -origin);
        const struct thread *thread = &survey->threads.items[t];
        const struct knots *knots = &drift->clocks[t];
        int128 offset = floor_div(knots_age(knots, thread->first_ticks), AGE_UNIT);
        if (!fits_int64(offset) || offset == CSY_NO_OFFSET ||
            !fits_int64(knots_global(knots, thread->min_ticks)) ||
            !fits_int64(knots_global(knots, thread->max_ticks)))
            return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                             s->sync->trace->name);
        s->sync->views[t].offset_ticks = (int64_t)offset;
    }
    return status;
}

bool drift_bounds(const struct csy_sync *sync, size_t thread, int64_t local_ticks, int128 *least,
                  int128 *greatest)
{
    const struct drift *drift = sync->drift;
    const struct ageing *ageing = &drift->ageing;
    if (ageing->component[thread] != ageing->component[sync->reference])
        return false;
    ageing_at(ageing, (uint32_t)thread,
              rebase_x(&sync->survey.rough, (uint32_t)thread, local_ticks), least, greatest);
    *least += drift->shift[thread];
    *greatest += drift->shift[thread];
    return true;
}

void drift_sides(const struct csy_sync *sync, const struct ageing *all, size_t thread,
                 int64_t local_ticks, bool *after, bool *before, int128 *least, int128 *greatest)
{
    const struct drift *drift = sync->drift;
    const int128 *rough = sync->survey.rough.offset;
    size_t first = all->first_of[thread], tau = sync->reference;
    bool any = first < all->first_of[thread + 1];
    /* `all` has ages relative to the reference tau, so its shift is added */
    int128 shift = drift->shift[tau] + (rough[thread] - rough[tau]) * AGE_UNIT;
    *after = any && all->least[all->sorted[first]] != AGE_NONE;
    *before = any && all->negated[all->sorted[first]] != AGE_NONE;
    *least = *greatest = 0;
    if (any)
        ageing_at(all, (uint32_t)thread,
                  rebase_x(&sync->survey.rough, (uint32_t)thread, local_ticks), least, greatest);
    *least += shift;
    *greatest += shift;
}

/* --- Public views of clocks --- */

static bool fine_fits(int128 value, csy_fine *out)
{
    *out = drift_fine(value);
    return fits_int64(floor_div(value, AGE_UNIT));
}

static bool set_moment(const struct csy_sync *sync, size_t t, int64_t local_ticks,
                       csy_drift_moment *out)
{
    int128 least = 0, greatest = 0;
    drift_bounds(sync, t, local_ticks, &least, &greatest);
    *out = (csy_drift_moment){.local_ticks = local_ticks};
    return fine_fits(knots_age(&sync->drift->clocks[t], local_ticks), &out->offset) &&
           fine_fits(least, &out->earliest) && fine_fits(greatest, &out->latest);
}

/* Set the limits of a clock's mean rate, from the limits of its first and its last record's age. */
static void set_mean_rate(const struct csy_sync *sync, size_t t, csy_drift_clock *view)
{
    int128 least[2], greatest[2];
    const struct thread *thread = &sync->survey.threads.items[t];
    int128 by = (int128)thread->last_ticks - thread->first_ticks;
    view->least_mean_ppb = view->least_ppb;
    view->greatest_mean_ppb = view->greatest_ppb;
    if (by <= 0 || !drift_bounds(sync, t, thread->first_ticks, &least[0], &greatest[0]) ||
        !drift_bounds(sync, t, thread->last_ticks, &least[1], &greatest[1]))
        return;
    int128 slow = floor_div(least[1] - greatest[0], by),
           fast = ceil_div(greatest[1] - least[0], by);
    if (slow > view->least_ppb)
        view->least_mean_ppb = (int64_t)slow;
    if (fast < view->greatest_ppb)
        view->greatest_mean_ppb = (int64_t)fast;
}

static csy_status describe(struct csy_sync *sync, csy_error *error)
{
    struct drift *drift = sync->drift;
    const struct survey *survey = &sync->survey;
    size_t n = survey->threads.count;
    bool fits = true;
    drift->views = calloc(n + 1, sizeof *drift->views);
    drift->view.clocks = drift->views;
    if (!drift->views)
        return error_memory(error);
    for (size_t t = 0; t < n; t++) {
        csy_drift_clock *view = &drift->views[t];
        const struct thread *thread = &survey->threads.items[t];
        csy_thread *offset = &sync->views[t];
        view->bounded = drift->ageing.component[t] == drift->ageing.component[sync->reference];
        view->least_ppb = drift->ageing.rates[t].least;
        view->greatest_ppb = drift->ageing.rates[t].greatest;
        view->knots = drift->clocks[t].count;
        fits = set_moment(sync, t, thread->first_ticks, &view->first) &&
               set_moment(sync, t, thread->last_ticks, &view->last) && fits;
        set_mean_rate(sync, t, view);
        offset->earliest_ticks = view->bounded ? view->first.earliest.ticks : INT64_MIN;
        offset->latest_ticks = view->bounded
                                   ? view->first.latest.ticks + (view->first.latest.billionths > 0)
                                   : INT64_MAX;
        sync->summary.unbounded_threads += !view->bounded;
    }
    if (!fits)
        return error_set(error, CSY_INPUT,
                         "%s: the difference between two clocks does not fit 64 bits",
                         sync->trace->name);
    const struct ageing *ageing = &drift->ageing;
    uint64_t *members = calloc(ageing->ncomponents + 1, sizeof *members);
    if (!members)
        return error_memory(error);
    sync->summary.pairs = (uint64_t)n * (n - 1) / 2;
    for (size_t t = 0; t < n; t++)
        sync->summary.bounded += members[ageing->component[t]]++;
    free(members);
    struct ageing all = {0};
    drift->one_sided = calloc(n + 1, sizeof *drift->one_sided);
    csy_status status = drift->one_sided ? CSY_OK : error_memory(error);
    if (!status && sync->summary.unbounded_threads > 0)
        status = ageing_bound_from(&drift->ageing, (uint32_t)sync->reference, &all, error);
    for (size_t t = 0; t < n && !status && all.least; t++) {
        struct one_sided *sides = &drift->one_sided[t];
        const csy_drift_clock *view = &drift->views[t];
        for (size_t last = 0; last < 2 && !view->bounded; last++)
            drift_sides(sync, &all, t, last ? view->last.local_ticks : view->first.local_ticks,
                        &sides->after, &sides->before, &sides->least[last], &sides->greatest[last]);
    }
    FREE_ALL(all.least, all.negated);
    return status;
}

static csy_status drift_solve(struct csy_sync *sync, const csy_options *options,
                              const struct points *points, const uint32_t *order, csy_error *error)
{
    struct solver s = {
        .sync = sync, .drift = sync->drift, .options = options, .points = points, .order = order};
    sync->drift->view.rate_ppb = options->drift_ppb;
    sync->drift->view.wander_ppb = options->wander_ppb;
    sync->drift->all_pairs = options->statistics == CSY_STATISTICS_ALL;
    bool fits = true;
    csy_status status = choose_delta(&s, error);
    if (!status && options->wander_ppb != CSY_NO_DRIFT)
        status = fit_wander(&s, options->relax == CSY_RELAX_EXACT, &fits, error);
    if (!status && !fits)
        status = refuse_wander(&s, error);
    bool again = sync->partial && sync->partial->walked;
    if (again || (!sync->partial && options->wander_ppb == CSY_NO_DRIFT))
        points_fini(&sync->drift->points);
    if (!status)
        status = outcome_set_imprecision(sync, options->relax,
                                         (csy_fraction){sync->drift->ageing.added_ticks, 1}, error);
    if (!status)
        status = choose_ages(&s, error);
    if (!status)
        status = place_clocks(&s, error);
    if (!status)
        status = set_records_place(sync, error);
    if (!status)
        status = describe(sync, error);
    if (!status)
        sync->bounds.n = sync->survey.threads.count;
    FREE_ALL(s.age, s.witness.items);
    steady_fini(&s.steady);
    return status;
}

csy_status drift_solve_line(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, csy_error *error)
{
    struct drift *drift = sync->drift;
    struct first_pass first = {.reference = options->reference,
                               .start = start_points,
                               .user = &drift->points,
                               .progress = progress};
    csy_status status = pass_survey(sync->trace, &sync->survey, &first, error);
    if (!status)
        status = solution_name_threads(sync, error);
    if (!status)
        status = solution_choose_reference(sync, options->reference, error);
    if (!status)
        status = order_points(drift, error);
    if (!status)
        status = drift_solve(sync, options, &drift->points, drift->order, error);
    points_fini(&drift->points);
    free(drift->order);
    drift->order = NULL;
    return status;
}

csy_status drift_solve_partial(struct csy_sync *sync, const csy_options *options, csy_error *error)
{
    const struct partial *partial = sync->partial;
    const struct points *points = partial->walked ? &sync->drift->points : &partial->points;
    csy_status status = drift_solve(sync, options, points, partial->order, error);
    points_fini(&sync->drift->points);
    return status;
}
