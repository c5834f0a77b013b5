/* Tallies over all pairs of threads, out of death records. */
#include "bounds/pair_stats.h"

#include "base/array.h"
#include "base/error.h"
#include "base/slots.h"
#include "bounds/pair_savings.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX

/* Walks to and from hubs stay within +-HUB_MAX, so that nothing made of two of them overflows. */
#define HUB_MAX ((int64_t)1 << 60)

/* More columns than this many for each live thread, on average, count as quadratic. */
enum { MANY_COLUMNS = 32 };

/* What is known of a component from the threads met so far, by whether they are SPEs'. */
struct component {
    uint32_t hub;
    uint64_t n[2];
    int128 sum[2];   /* of radii */
    int64_t most[2]; /* the greatest radius among those without a column; -1: none */
};

struct node {
    int64_t to, from; /* WALK_INF until known */
    uint32_t component;
    uint32_t slot;     /* while it is wanted: its two rows; NOWHERE before it dies */
    uint32_t column;   /* or NOWHERE */
    uint32_t previous; /* the inverse of next */
};

/* The carrier is that of one component at a time: events of one come before those of the next. */
struct carrier {
    uint32_t component;
    int64_t walk; /* to the hub, or from it */
};

struct pair_stats {
    const struct progress *progress; /* or NULL */
    const struct death_records *graph;
    const struct pair_tally_thread *threads;
    struct component *components;
    size_t ncomponents, components_capacity;
    struct node *nodes;
    struct pair_savings
        savings; /* rows 2 slot: out of, 2 slot + 1: into; the last one: the carrier's */
    struct death_uses uses;
    struct slots slots;
    struct saving_source *sources;
    size_t nsources;
    struct carrier carrier;
    struct tallies tallies;
    uint128 work; /* columns at all deaths */
};

static csy_status add_component(struct pair_stats *sp, uint32_t first, csy_error *error)
{
    if (!ARRAY_RESERVE(sp->components, sp->components_capacity, sp->ncomponents + 1))
        return error_memory(error);
    sp->components[sp->ncomponents++] = (struct component){.hub = first, .most = {-1, -1}};
    return CSY_OK;
}

/* Any order: those that reach one another. */
static csy_status search_components(struct pair_stats *sp, csy_error *error)
{
    size_t n = sp->graph->nthreads, count = 0;
    uint32_t *component = malloc((n + 1) * sizeof *component);
    csy_status status =
        component ? death_components(sp->graph, component, &count, error) : error_memory(error);
    for (size_t i = 0; i < count && !status; i++)
        status = add_component(sp, NOWHERE, error);
    for (uint32_t t = 0; t < n && !status; t++) {
        uint32_t *hub = &sp->components[component[t]].hub;
        if (*hub == NOWHERE || sp->threads[t].records > sp->threads[*hub].records)
            *hub = t;
        sp->nodes[t].component = component[t];
    }
    free(component);
    return status;
}

/* That of one buffer: cut it where no thread has records on both sides.  The hub is the thread that
 * has most records. */
static csy_status find_components(struct pair_stats *sp, csy_error *error)
{
    uint64_t last = 0;
    if (sp->graph->any_order)
        return search_components(sp, error);
    for (uint32_t t = 0; t < sp->graph->nthreads; t++) {
        const struct pair_tally_thread *thread = &sp->threads[t];
        csy_status status = CSY_OK;
        if (t == 0 || thread->first_record > last)
            status = add_component(sp, t, error);
        if (status)
            return status;
        struct component *component = &sp->components[sp->ncomponents - 1];
        if (thread->records > sp->threads[component->hub].records)
            component->hub = t;
        last = thread->last_record > last ? thread->last_record : last;
        sp->nodes[t].component = (uint32_t)(sp->ncomponents - 1);
    }
    return CSY_OK;
}

static void set_nodes(struct pair_stats *sp)
{
    for (size_t t = 0; t < sp->graph->nthreads; t++) {
        struct node *node = &sp->nodes[t];
        node->to = node->from = sp->components[node->component].hub == t ? 0 : WALK_INF;
        node->slot = node->column = node->previous = NOWHERE;
    }
    for (uint32_t t = 0; t < sp->graph->nthreads; t++)
        if (sp->threads[t].next != NO_THREAD)
            sp->nodes[sp->threads[t].next].previous = t;
}

/* The carrier's edges to those who spoke before death d. */
static void leave_carrier(struct pair_stats *sp, const struct death *d)
{
    for (uint32_t i = 0; i < d->live && sp->carrier.walk < WALK_FAR; i++) {
        struct node *b = &sp->nodes[d->ids[i]];
        if (b->component == sp->carrier.component)
            walk_lower(&b->from, walk_add(sp->carrier.walk, d->carrier[1 + i]));
    }
}

static void enter_carrier(struct pair_stats *sp, const struct death *d, const struct node *v)
{
    int64_t walk = walk_add(v->from, d->carrier[0]);
    if (walk >= WALK_FAR || (sp->carrier.walk < WALK_FAR && v->component < sp->carrier.component))
        return;
    if (v->component != sp->carrier.component)
        sp->carrier = (struct carrier){v->component, walk};
    walk_lower(&sp->carrier.walk, walk);
}

static csy_status refuse_range(csy_error *error)
{
    return error_set(error, CSY_INPUT,
                     "the differences between clocks are too large for 64-bit arithmetic");
}

/* What hubs that do not die last hand on, as in bounds/rows.h; nothing where they all do. */
static csy_status walk_forward(struct pair_stats *sp, csy_error *error)
{
    sp->carrier = (struct carrier){0, WALK_INF};
    for (size_t k = 0; k < sp->graph->count; k++) {
        const struct death *d = &sp->graph->deaths[k];
        const struct node *v = &sp->nodes[d->thread];
        if (d->carrier)
            leave_carrier(sp, d);
        if (v->to >= WALK_FAR && v->from >= WALK_FAR)
            continue;
        if (v->to < -HUB_MAX || v->from < -HUB_MAX)
            return refuse_range(error);
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            struct node *b = &sp->nodes[d->ids[i]];
            if (b->component != v->component)
                continue;
            walk_lower(&b->from, walk_add(v->from, d->row[i]));
            walk_lower(&b->to, walk_add(d->column[i], v->to));
        }
        if (d->carrier)
            enter_carrier(sp, d, v);
    }
    return CSY_OK;
}

static size_t row_out(const struct node *node)
{
    return 2 * (size_t)node->slot;
}

static size_t row_into(const struct node *node)
{
    return 2 * (size_t)node->slot + 1;
}

static size_t row_carrier(const struct pair_stats *sp)
{
    return sp->savings.nrows - 1;
}

static void add_source(struct pair_stats *sp, size_t row, int64_t cost)
{
    if (cost < sp->savings.most[row])
        sp->sources[sp->nsources++] = (struct saving_source){row, cost};
}

static void fill_row(struct pair_stats *sp, size_t row)
{
    pair_savings_fill(&sp->savings, row, sp->sources, sp->nsources);
    sp->nsources = 0;
}

static bool has_carrier(const struct pair_stats *sp, const struct death *d, const struct node *v)
{
    return d->carrier && sp->carrier.component == v->component && sp->carrier.walk < WALK_FAR;
}

/* The walks between v and its hub. */
static csy_status measure(struct pair_stats *sp, size_t k, csy_error *error)
{
    const struct death *d = &sp->graph->deaths[k];
    struct node *v = &sp->nodes[d->thread];
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        const struct node *b = &sp->nodes[d->ids[i]];
        if (b->component != v->component)
            continue;
        walk_lower(&v->to, walk_add(d->row[i], b->to));
        walk_lower(&v->from, walk_add(b->from, d->column[i]));
    }
    if (has_carrier(sp, d, v))
        walk_lower(&v->to, walk_add(d->carrier[0], sp->carrier.walk));
    bool fits = v->to >= -HUB_MAX && v->to <= HUB_MAX && v->from >= -HUB_MAX && v->from <= HUB_MAX;
    return fits ? CSY_OK : refuse_range(error);
}

/* Rows of those that no death before the k-th knows. */
static void free_rows(struct pair_stats *sp, size_t k)
{
    const struct death *d = &sp->graph->deaths[k];
    for (uint32_t i = 0; i < d->live; i++) {
        const struct node *b = &sp->nodes[d->ids[i]];
        if (sp->uses.first[d->ids[i]] != k)
            continue;
        pair_savings_clear(&sp->savings, row_out(b));
        pair_savings_clear(&sp->savings, row_into(b));
        slots_give_back(&sp->slots, b->slot);
    }
}

static void fill_rows(struct pair_stats *sp, const struct death *d, struct node *v)
{
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        const struct node *b = &sp->nodes[d->ids[i]];
        if (b->component == v->component && d->row[i] < WALK_FAR)
            add_source(sp, row_out(b), d->row[i] + b->to - v->to);
    }
    if (has_carrier(sp, d, v))
        add_source(sp, row_carrier(sp), d->carrier[0] + sp->carrier.walk - v->to);
    fill_row(sp, row_out(v));
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        const struct node *b = &sp->nodes[d->ids[i]];
        if (b->component == v->component && d->column[i] < WALK_FAR)
            add_source(sp, row_into(b), d->column[i] + b->from - v->from);
    }
    fill_row(sp, row_into(v));
}

static int64_t radius(const struct node *node)
{
    return node->to + node->from;
}

/* The pairs of v with all of its component that die later. */
static void take_all(struct pair_stats *sp, const struct node *v, bool spe)
{
    const struct component *component = &sp->components[v->component];
    const int64_t *out = pair_savings_row(&sp->savings, row_out(v));
    const int64_t *into = pair_savings_row(&sp->savings, row_into(v));
    int64_t r = radius(v), most[2] = {-1, -1};
    int128 saved[2] = {0, 0};
    for (size_t x = 0; x < sp->savings.ncolumns; x++) {
        const struct saving_column *column = &sp->savings.columns[x];
        if (column->component != v->component)
            continue;
        int64_t saving = out[x] + into[x], bound = r + column->radius - saving;
        saved[column->spe] += saving;
        most[column->spe] = bound > most[column->spe] ? bound : most[column->spe];
    }
    for (int kind = 0; kind < 2; kind++) {
        struct pair_tally *tally = kind && spe ? &sp->tallies.spe : &sp->tallies.other;
        int64_t others = component->most[kind] < 0 ? -1 : r + component->most[kind];
        tally->pairs += component->n[kind];
        tally->bounded += component->n[kind];
        tally->sum_ticks += (int128)component->n[kind] * r + component->sum[kind] - saved[kind];
        most[kind] = others > most[kind] ? others : most[kind];
        tally->most_ticks = most[kind] > tally->most_ticks ? most[kind] : tally->most_ticks;
    }
}

/* The error bound of v, whose rows are made, and one that died later. */
static int64_t error_bound(const struct pair_stats *sp, const struct node *v, const struct node *x)
{
    if (v->component != x->component)
        return -1;
    int64_t bound = radius(v) + radius(x);
    if (x->column != NOWHERE)
        bound -= pair_savings_row(&sp->savings, row_out(v))[x->column] +
                 pair_savings_row(&sp->savings, row_into(v))[x->column];
    return bound;
}

static void take_groups(struct pair_stats *sp, const struct death *d, const struct node *v)
{
    const struct pair_tally_thread *thread = &sp->threads[d->thread];
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        const struct pair_tally_thread *other = &sp->threads[d->ids[i]];
        if (pair_tally_live_together(other, thread))
            pair_tally_take(&sp->tallies.live, error_bound(sp, v, &sp->nodes[d->ids[i]]));
    }
    const uint32_t successive[] = {thread->next, v->previous};
    for (size_t i = 0; i < 2; i++)
        if (successive[i] != NO_THREAD && sp->nodes[successive[i]].slot != NOWHERE)
            pair_tally_take(&sp->tallies.successive, error_bound(sp, v, &sp->nodes[successive[i]]));
}

static void forget_column(struct pair_stats *sp, const struct saving_column *column)
{
    int64_t *most = &sp->components[column->component].most[column->spe];
    *most = column->radius > *most ? column->radius : *most;
    sp->nodes[column->thread].column = NOWHERE;
}

static void forget_columns(struct pair_stats *sp)
{
    struct pair_savings *savings = &sp->savings;
    pair_savings_mark(savings);
    for (size_t x = 0; x < savings->ncolumns; x++)
        if (savings->columns[x].idle)
            forget_column(sp, &savings->columns[x]);
    pair_savings_drop(savings);
    for (size_t x = 0; x < savings->ncolumns; x++)
        sp->nodes[savings->columns[x].thread].column = (uint32_t)x;
}

/* What those who are wanted save on their walks to v and back, as v's rows have it. */
static void set_column(struct pair_stats *sp, const struct death *d, struct node *v)
{
    struct pair_savings *savings = &sp->savings;
    int64_t carried = 0;
    v->column = (uint32_t)(savings->ncolumns - 1);
    pair_savings_set(savings, row_out(v), radius(v));
    pair_savings_set(savings, row_into(v), radius(v));
    for (size_t slot = 0; slot < sp->slots.used; slot++) {
        if (slots_is_free(&sp->slots, slot) || slot == v->slot)
            continue;
        const struct node *b = &sp->nodes[sp->slots.ids[slot]];
        if (b->component != v->component || b->column == NOWHERE)
            continue;
        pair_savings_set(savings, row_out(b), pair_savings_row(savings, row_into(v))[b->column]);
        pair_savings_set(savings, row_into(b), pair_savings_row(savings, row_out(v))[b->column]);
    }
    for (uint32_t i = 0; i + 1 < d->live && has_carrier(sp, d, v); i++) {
        const struct node *b = &sp->nodes[d->ids[i]];
        if (b->component != v->component || b->column == NOWHERE || d->column[i] >= WALK_FAR)
            continue;
        int64_t cost = d->column[i] + b->from - v->from;
        int64_t saving = pair_savings_row(savings, row_carrier(sp))[b->column] - cost;
        carried = saving > carried ? saving : carried;
    }
    pair_savings_set(savings, row_carrier(sp), carried);
}

/* From now on v is one of those who die later. */
static csy_status add_column(struct pair_stats *sp, const struct death *d, csy_error *error)
{
    uint32_t thread = d->thread;
    struct node *v = &sp->nodes[thread];
    struct component *component = &sp->components[v->component];
    bool spe = sp->threads[thread].spe;
    int64_t r = radius(v);
    const struct saving_column column = {thread, v->component, r, spe, false};
    component->n[spe]++;
    component->sum[spe] += r;
    if (r == 0) {
        forget_column(sp, &column);
        return CSY_OK;
    }
    csy_status status = pair_savings_add(&sp->savings, &column, error);
    if (status)
        return status;
    set_column(sp, d, v);
    if (pair_savings_ripe(&sp->savings))
        forget_columns(sp);
    return CSY_OK;
}

/* Events of an earlier component take the carrier over. */
static void take_over_carrier(struct pair_stats *sp, const struct death *d)
{
    for (uint32_t i = 0; i < d->live; i++) {
        uint32_t component = sp->nodes[d->ids[i]].component;
        if (d->carrier[1 + i] < WALK_FAR && component < sp->carrier.component)
            sp->carrier = (struct carrier){component, WALK_INF};
    }
}

/* The carrier before the events that led up to death d. */
static void pass_carrier(struct pair_stats *sp, const struct death *d)
{
    take_over_carrier(sp, d);
    int64_t walk = sp->carrier.walk;
    for (uint32_t i = 0; i < d->live; i++)
        if (sp->nodes[d->ids[i]].component == sp->carrier.component)
            walk_lower(&walk, walk_add(d->carrier[1 + i], sp->nodes[d->ids[i]].to));
    if (sp->carrier.walk < WALK_FAR)
        add_source(sp, row_carrier(sp), sp->carrier.walk - walk);
    for (uint32_t i = 0; i < d->live; i++) {
        const struct node *j = &sp->nodes[d->ids[i]];
        if (j->component == sp->carrier.component && d->carrier[1 + i] < WALK_FAR)
            add_source(sp, row_out(j), d->carrier[1 + i] + j->to - walk);
    }
    fill_row(sp, row_carrier(sp));
    sp->carrier.walk = walk;
}

static csy_status take_death(struct pair_stats *sp, size_t k, csy_error *error)
{
    const struct death *d = &sp->graph->deaths[k];
    struct node *v = &sp->nodes[d->thread];
    csy_status status = measure(sp, k, error);
    size_t slot;
    if (!status && !slots_take(&sp->slots, d->thread, &slot))
        status = error_memory(error);
    if (status)
        return status;
    v->slot = (uint32_t)slot;
    fill_rows(sp, d, v);
    take_all(sp, v, sp->threads[d->thread].spe);
    take_groups(sp, d, v);
    sp->work += sp->savings.ncolumns;
    status = add_column(sp, d, error);
    if (!status && d->carrier)
        pass_carrier(sp, d);
    free_rows(sp, k);
    return status;
}

static csy_status walk_backward(struct pair_stats *sp, csy_error *error)
{
    csy_status status = CSY_OK;
    sp->carrier = (struct carrier){NOWHERE, WALK_INF};
    for (size_t k = sp->graph->count; k-- > 0 && !status;) {
        status = take_death(sp, k, error);
        progress_tell(sp->progress, "statistics", CSY_UNIT_THREADS, sp->graph->count - k,
                      sp->graph->count);
    }
    return status;
}

static csy_status pair_stats_init(struct pair_stats *sp, size_t bytes_max, csy_error *error)
{
    csy_status status = death_uses_init(&sp->uses, sp->graph, error);
    if (!status)
        status = pair_savings_init(&sp->savings, 2 * sp->uses.most + 1, bytes_max, error);
    sp->nodes = calloc(sp->graph->nthreads, sizeof *sp->nodes);
    sp->sources = malloc((sp->graph->live_most + 1) * sizeof *sp->sources);
    if (!status && (!sp->nodes || !sp->sources))
        status = error_memory(error);
    sp->tallies = tallies_none();
    return status;
}

static void pair_stats_fini(struct pair_stats *sp)
{
    pair_savings_fini(&sp->savings);
    free(sp->components);
    free(sp->nodes);
    death_uses_fini(&sp->uses);
    slots_fini(&sp->slots);
    free(sp->sources);
}

csy_status pair_stats_gather(const struct death_records *graph,
                             const struct pair_tally_thread *threads, size_t bytes_max,
                             const struct progress *progress, struct tallies *out, csy_error *error)
{
    struct pair_stats sp = {.graph = graph, .threads = threads, .progress = progress};
    csy_status status = pair_stats_init(&sp, bytes_max, error);
    if (!status)
        status = find_components(&sp, error);
    if (!status) {
        set_nodes(&sp);
        status = walk_forward(&sp, error);
    }
    if (!status)
        status = walk_backward(&sp, error);
    if (!status) {
        *out = sp.tallies;
        out->quadratic = sp.work / MANY_COLUMNS / graph->live_most > graph->count;
    }
    pair_stats_fini(&sp);
    return status;
}
