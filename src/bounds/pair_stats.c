/* Tallies over all pairs of threads, out of eliminations. */
#include "bounds/pair_stats.h"

#include "base/array.h"
#include "base/error.h"
#include "base/team.h"
#include "bounds/pair_walk.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX

enum {
    MANY_COLUMNS = 32, /* more than this many for each live thread, on average, are quadratic */
    CHUNK = 8192,
    CHUNKS_MIN = 2,     /* of a walk */
    CHUNK_WARM_UPS = 4, /* that part of a chunk comes before the walk of one that has to guess */
    WALKS_MAX = 16
};

/* Walks to and from landmarks stay within +-LANDMARK_MAX, so that nothing made of two of them
 * overflows. */
#define LANDMARK_MAX ((int64_t)1 << 60)

/* ---- Components and their landmarks */

static csy_status add_component(struct pair_plan *plan, uint32_t first, csy_error *error)
{
    if (!ARRAY_RESERVE(plan->landmarks, plan->landmarks_capacity, plan->ncomponents + 1))
        return error_memory(error);
    plan->landmarks[plan->ncomponents++] = first;
    return CSY_OK;
}

/* The landmark is the thread that has most records. */
static void note_landmark(struct pair_plan *plan, uint32_t t)
{
    uint32_t *landmark = &plan->landmarks[plan->component[t]];
    if (*landmark == NOWHERE || plan->threads[t].records > plan->threads[*landmark].records)
        *landmark = t;
}

/* In one buffer, components are cut where no thread has records on both sides; in any other order
 * they are those that reach one another. */
static csy_status find_components(struct pair_plan *plan, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t n = plan->graph->nthreads, count = 0;
    uint64_t last = 0;
    if (plan->graph->any_order) {
        status = elimination_components(plan->graph, plan->component, &count, error);
        for (size_t i = 0; i < count && !status; i++)
            status = add_component(plan, NOWHERE, error);
        for (uint32_t t = 0; t < n && !status; t++)
            note_landmark(plan, t);
        return status;
    }
    for (uint32_t t = 0; t < n && !status; t++) {
        const struct pair_tally_thread *thread = &plan->threads[t];
        if (t == 0 || thread->first_record > last)
            status = add_component(plan, t, error);
        if (status)
            break;
        last = thread->last_record > last ? thread->last_record : last;
        plan->component[t] = (uint32_t)(plan->ncomponents - 1);
        note_landmark(plan, t);
    }
    return status;
}

/* ---- Walks between landmarks and all others */

static void enter_carrier(const struct pair_plan *plan, struct pair_carrier *carrier,
                          const struct elimination *d)
{
    uint32_t component = plan->component[d->thread];
    int64_t walk = walk_add(plan->own_from[d->thread], d->carrier[0]);
    if (walk >= WALK_FAR || (carrier->walk < WALK_FAR && component < carrier->component))
        return;
    if (component != carrier->component)
        *carrier = (struct pair_carrier){component, walk};
    walk_lower(&carrier->walk, walk);
}

/* What landmarks that are not eliminated last hand on, as in bounds/rows.h; nothing where they all
 * are. */
static csy_status walk_forward(struct pair_plan *plan, csy_error *error)
{
    struct pair_carrier carrier = {0, WALK_INF};
    for (size_t k = 0; k < plan->graph->count; k++) {
        const struct elimination *d = &plan->graph->items[k];
        /* The carrier's edges to those who spoke before this elimination. */
        for (uint32_t i = 0; d->carrier && i < d->live && carrier.walk < WALK_FAR; i++)
            if (plan->component[d->ids[i]] == carrier.component)
                walk_lower(&plan->own_from[d->ids[i]], walk_add(carrier.walk, d->carrier[1 + i]));
        int64_t to = plan->own_to[d->thread], from = plan->own_from[d->thread];
        if (to >= WALK_FAR && from >= WALK_FAR)
            continue;
        if (to < -LANDMARK_MAX || from < -LANDMARK_MAX)
            return error_set(error, CSY_INPUT,
                             "the differences between clocks are too large for 64-bit arithmetic");
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            uint32_t b = d->ids[i];
            if (plan->component[b] != plan->component[d->thread])
                continue;
            walk_lower(&plan->own_from[b], walk_add(from, d->row[i]));
            walk_lower(&plan->own_to[b], walk_add(d->column[i], to));
        }
        if (d->carrier)
            enter_carrier(plan, &carrier, d);
    }
    return CSY_OK;
}

/* Known are those of one thread, which may be the only landmark. */
static csy_status find_landmark_walks(struct pair_plan *plan, const struct pair_known *known,
                                      csy_error *error)
{
    size_t n = plan->graph->nthreads;
    if (known && plan->ncomponents == 1 && plan->landmarks[0] == known->thread) {
        plan->to = known->to;
        plan->from = known->from;
        return CSY_OK;
    }
    plan->own_to = malloc((n + 1) * sizeof *plan->own_to);
    plan->own_from = malloc((n + 1) * sizeof *plan->own_from);
    if (!plan->own_to || !plan->own_from)
        return error_memory(error);
    for (size_t t = 0; t < n; t++)
        plan->own_to[t] = plan->own_from[t] =
            plan->landmarks[plan->component[t]] == t ? 0 : WALK_INF;
    plan->to = plan->own_to;
    plan->from = plan->own_from;
    return walk_forward(plan, error);
}

static csy_status plan_init(struct pair_plan *plan, const struct pair_known *known,
                            csy_error *error)
{
    size_t n = plan->graph->nthreads;
    csy_status status = elimination_uses_init(&plan->uses, plan->graph, error);
    plan->component = malloc((n + 1) * sizeof *plan->component);
    plan->previous = malloc((n + 1) * sizeof *plan->previous);
    if (!status && (!plan->component || !plan->previous))
        status = error_memory(error);
    if (!status)
        status = find_components(plan, error);
    if (status)
        return status;
    for (size_t t = 0; t < n; t++)
        plan->previous[t] = NO_THREAD;
    for (uint32_t t = 0; t < n; t++)
        if (plan->threads[t].next != NO_THREAD)
            plan->previous[plan->threads[t].next] = t;
    return find_landmark_walks(plan, known, error);
}

/* ---- Walks side by side */

/* One of them: over eliminations from `begin` down to `end`. */
struct part {
    struct pair_walk walk;
    size_t begin, end, times;  /* times: of pair_walk_run */
    struct pair_state guessed; /* what it knew at `begin`, where it had to guess */
    csy_status status;
    csy_error error;
};

struct gathering {
    const struct pair_plan *plan;
    struct part parts[WALKS_MAX];
    unsigned nparts, nworkers;
};

static csy_status walk_part(const struct pair_plan *plan, struct part *part)
{
    size_t count = plan->graph->count, warm_up = plan->chunk / CHUNK_WARM_UPS;
    struct pair_walk *walk = &part->walk;
    csy_status status = pair_walk_init(walk, plan, &part->error);
    if (!status && part->begin < count) {
        size_t early = count - part->begin < warm_up ? count : part->begin + warm_up;
        status = pair_walk_guess(walk, early, &part->error);
        if (!status)
            status = pair_walk_run(walk, part->begin, 0, &part->error);
        if (!status)
            status = pair_walk_keep(walk, &part->guessed, &part->error);
        pair_walk_restart(walk);
    }
    return status ? status : pair_walk_run(walk, part->end, part->times, &part->error);
}

static void work(void *user, struct team *team, unsigned self)
{
    struct gathering *g = user;
    unsigned size = team_size(team);
    for (unsigned i = self; i < g->nparts; i += size)
        g->parts[i].status = walk_part(g->plan, &g->parts[i]);
}

static void add_tally(struct pair_tally *to, const struct pair_tally *tally)
{
    to->pairs += tally->pairs;
    to->bounded += tally->bounded;
    to->sum_ticks += tally->sum_ticks;
    to->most_ticks = tally->most_ticks > to->most_ticks ? tally->most_ticks : to->most_ticks;
}

/* Add up the parts, in order; one that had guessed wrongly, or failed by what it guessed, is walked
 * again by the walk before it, which has come to where that begins. */
static csy_status add_up(struct gathering *g, struct tallies *out, uint128 *work_done,
                         csy_error *error)
{
    struct part *at = &g->parts[0];
    *work_done = 0;
    for (unsigned i = 0; i < g->nparts; i++) {
        struct part *part = &g->parts[i];
        if (i > 0 && !part->status && pair_walk_is_at(&at->walk, &part->guessed)) {
            at = part;
            out->walks++;
        } else if (i > 0) {
            pair_walk_restart(&at->walk);
            at->status = pair_walk_run(&at->walk, part->end, 0, &at->error);
        }
        if (at->status) {
            if (error)
                *error = at->error;
            return at->status;
        }
        *work_done += at->walk.work;
        add_tally(&out->spe, &at->walk.tallies.spe);
        add_tally(&out->other, &at->walk.tallies.other);
        add_tally(&out->live, &at->walk.tallies.live);
        add_tally(&out->successive, &at->walk.tallies.successive);
    }
    return CSY_OK;
}

/* Whole chunks of about as many eliminations each. */
static void divide(struct gathering *g, unsigned workers)
{
    size_t count = g->plan->graph->count, chunk = g->plan->chunk;
    size_t chunks = (count + chunk - 1) / chunk;
    bool apart = !g->plan->own_to && !g->plan->graph->has_carrier && !g->plan->graph->any_order;
    size_t n = apart ? chunks / CHUNKS_MIN : 1;
    n = n > workers ? workers : n > 0 ? n : 1;
    n = n > WALKS_MAX ? WALKS_MAX : n;
    g->nparts = (unsigned)n;
    for (size_t i = 0; i < n; i++) {
        struct part *part = &g->parts[i];
        part->begin = i == 0 ? count : g->parts[i - 1].end;
        part->end = (n - 1 - i) * chunks / n * chunk;
        part->times = i == 0 ? n : 0;
    }
}

csy_status pair_stats_gather(const struct eliminations *graph,
                             const struct pair_tally_thread *threads,
                             const struct pair_effort *effort, struct tallies *out,
                             csy_error *error)
{
    struct pair_plan plan = {.progress = effort->progress,
                             .graph = graph,
                             .threads = threads,
                             .savings_bytes_max = effort->bytes_max,
                             .savings_steps_max =
                                 effort->steps_max ? effort->steps_max : UINT64_MAX,
                             .chunk = effort->chunk ? effort->chunk : CHUNK};
    struct tallies tallies = tallies_none();
    uint128 work_done = 0;
    struct gathering *g = calloc(1, sizeof *g);
    csy_status status = g ? plan_init(&plan, effort->known, error) : error_memory(error);
    if (!status) {
        g->plan = &plan;
        divide(g, effort->workers);
        team_run(g->nparts, work, g);
        status = add_up(g, &tallies, &work_done, error);
    }
    for (unsigned i = 0; g && i < g->nparts; i++) {
        pair_walk_fini(&g->parts[i].walk);
        pair_state_fini(&g->parts[i].guessed);
    }
    free(g);
    if (!status) {
        *out = tallies;
        out->quadratic = work_done / MANY_COLUMNS / graph->live_most > graph->count;
    }
    free(plan.component);
    free(plan.landmarks);
    free(plan.previous);
    elimination_uses_fini(&plan.uses);
    free(plan.own_to);
    free(plan.own_from);
    return status;
}
