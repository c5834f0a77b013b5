/* Random traces of which everything is known. */
#include "drawn.h"

#include <string.h>
#include <unistd.h>

enum { SLOTS_MAX = DRAWN_LIVE, SMALL = 12, MEDIUM = 60 };

#define NONE UINT32_MAX

/* A clock that may write: thread is its number, NONE before its first record. */
struct slot {
    uint32_t thread, context, ordinal, previous;
    uint32_t decr_zero; /* .pex: decrementer = decr_zero - stamp */
    int64_t base;       /* CSV: local time = base + stamp */
};

struct drawing {
    struct random *r;
    struct drawn *d;
    struct slot slots[SLOTS_MAX]; /* slot 0 is the PPE's */
    size_t nslots, goal;
    uint32_t contexts;
    int64_t now, step, ppe_base, base_least, base_greatest;
    int burst, ppe, change, cut;   /* chances per cent */
    size_t silent_from, silent_to; /* the PPE says nothing between these records */
};

/* ------------------------------------------------------------------------------- records */

static uint32_t new_thread(struct drawing *g, size_t index)
{
    struct slot *slot = &g->slots[index];
    struct drawn *d = g->d;
    uint32_t t = (uint32_t)d->nthreads++;
    ck_assert_uint_lt(t, DRAWN_THREADS);
    d->threads[t] =
        (struct drawn_thread){index == 0, slot->context, slot->ordinal, 0, d->n, d->n, 0, NONE};
    if (slot->previous != NONE)
        d->threads[slot->previous].next = t;
    return slot->thread = t;
}

/* The next record is that slot's, at this stamp on the perfect clock, and so much on its own. */
static void note(struct drawing *g, size_t index, int64_t stamp, int64_t local)
{
    struct drawn *d = g->d;
    uint32_t t = g->slots[index].thread;
    if (t == NONE) {
        t = new_thread(g, index);
        if (!d->csv && index > 0)
            g->slots[index].base = -stamp; /* local times of an interval begin at 0 */
    }
    if (!d->csv && index > 0)
        local = stamp + g->slots[index].base;
    d->threads[t].offset = (int128)stamp - local;
    d->threads[t].last = d->n;
    d->threads[t].records++;
    d->thread[d->n] = t;
    d->local[d->n++] = local;
}

static int64_t read_clock(struct drawing *g)
{
    g->now += random_between(g->r, 0, g->step);
    return g->now + random_between(g->r, -g->d->jitter_ticks, g->d->jitter_ticks);
}

static void write_csv(struct drawing *g, size_t index)
{
    char row[64];
    const struct slot *slot = &g->slots[index];
    int64_t stamp = read_clock(g), local = slot->base + stamp;
    note(g, index, stamp, local);
    if (index == 0)
        snprintf(row, sizeof row, "ppe,%lld\n", (long long)local);
    else
        snprintf(row, sizeof row, "t%u,%lld\n", slot->context, (long long)local);
    buffer_text(&g->d->file, row);
}

static void write_pex(struct drawing *g, size_t index)
{
    const struct slot *slot = &g->slots[index];
    int64_t stamp = read_clock(g);
    note(g, index, stamp, stamp + g->ppe_base);
    if (index == 0)
        add_ppe(&g->d->file, (uint64_t)(stamp + g->ppe_base));
    else
        add_spe(&g->d->file, slot->context, slot->decr_zero - (uint32_t)stamp);
}

static void write_switch(struct drawing *g, bool in, uint32_t context)
{
    int64_t stamp = read_clock(g);
    note(g, 0, stamp, stamp + g->ppe_base);
    add_switch(&g->d->file, in, (uint64_t)(stamp + g->ppe_base), context, context % 16);
}

/* --------------------------------------------------------------------------------- slots */

static bool has_room(const struct drawing *g)
{
    return g->d->nthreads + g->nslots + 1 < DRAWN_THREADS && g->d->n + 4 < g->goal;
}

static bool ppe_speaks(const struct drawing *g)
{
    return g->ppe > 0 && !(g->d->n >= g->silent_from && g->d->n < g->silent_to);
}

static void new_clock(struct drawing *g, struct slot *slot)
{
    slot->thread = slot->previous = NONE;
    slot->context = ++g->contexts;
    slot->ordinal = 1;
    slot->decr_zero = (uint32_t)random_bits(g->r);
    slot->base = random_between(g->r, g->base_least, g->base_greatest);
}

/* The next live interval of a context, switched out and in again. */
static void switch_again(struct drawing *g, struct slot *slot)
{
    write_switch(g, false, slot->context);
    slot->previous = slot->thread;
    slot->thread = NONE;
    slot->ordinal++;
    slot->decr_zero = (uint32_t)random_bits(g->r);
    write_switch(g, true, slot->context);
}

/* Somebody else has the slot from here on. */
static void replace(struct drawing *g, size_t index)
{
    struct slot *slot = &g->slots[index];
    if (index == 0 || slot->thread == NONE || !has_room(g))
        return;
    bool tells = !g->d->csv && ppe_speaks(g);
    if (tells && random_chance(g->r, 50)) {
        switch_again(g, slot);
        return;
    }
    if (tells && random_chance(g->r, 70))
        write_switch(g, false, slot->context);
    new_clock(g, slot);
    if (tells && random_chance(g->r, 70))
        write_switch(g, true, slot->context);
}

static size_t choose_slot(struct drawing *g, size_t latest)
{
    if (g->nslots == 1)
        return 0;
    if (g->d->n > 0 && random_chance(g->r, g->burst) && (latest > 0 || ppe_speaks(g)))
        return latest;
    if (ppe_speaks(g) && random_chance(g->r, g->ppe))
        return 0;
    return (size_t)random_between(g->r, 1, (int64_t)g->nslots - 1);
}

/* ------------------------------------------------------------------------------- manners */

static size_t draw_size(struct random *r, bool crowd)
{
    if (crowd)
        return DRAWN_RECORDS;
    if (random_chance(r, 4))
        return 1;
    if (random_chance(r, 25))
        return (size_t)random_between(r, 2, SMALL);
    return (size_t)random_between(r, SMALL, random_chance(r, 70) ? MEDIUM : DRAWN_RECORDS / 2);
}

static void draw_clocks(struct drawing *g)
{
    struct random *r = g->r;
    bool wide = random_chance(r, 50);
    int64_t reach = wide ? (int64_t)1 << 59 : 1000;
    g->base_least = -reach;
    g->base_greatest = reach;
    g->ppe_base = random_between(r, 0, random_chance(r, 50) ? 1000 : (int64_t)1 << 60);
    g->now = random_between(r, 0, 1000) + g->d->jitter_ticks;
    if (g->d->equal)
        g->base_least = g->base_greatest = g->ppe_base = 0;
    if (!g->d->extreme)
        return;
    int64_t room = 1 + (int64_t)g->goal * g->step + 2 * g->d->jitter_ticks + g->now;
    g->base_least = INT64_MAX - 2 * room;
    g->base_greatest = g->ppe_base = INT64_MAX - room;
    if (random_chance(r, 50)) {
        g->base_least = g->ppe_base = INT64_MIN + room;
        g->base_greatest = INT64_MIN + 2 * room;
    }
}

static void draw_manner(struct drawing *g)
{
    struct random *r = g->r;
    struct drawn *d = g->d;
    d->crowd = random_chance(r, 2);
    d->csv = d->crowd || random_chance(r, 50);
    d->extreme = d->csv && random_chance(r, 15);
    d->equal = d->csv && !d->extreme && d->jitter_ticks == 0 && random_chance(r, 8);
    g->goal = draw_size(r, d->crowd);
    g->nslots = (size_t)random_between(r, 1, random_chance(r, 30) ? 4 : SLOTS_MAX + 1);
    if (g->nslots > SLOTS_MAX || d->crowd)
        g->nslots = SLOTS_MAX;
    if (g->nslots > 8 && g->goal > SMALL && random_chance(r, 60))
        g->goal = DRAWN_RECORDS / 2; /* enough for many to be live together */
    g->step = d->equal || random_chance(r, 10) ? 0 : random_chance(r, 80) ? 20 : 3000;
    if (d->extreme && random_chance(r, 50))
        g->step = (int64_t)1 << random_between(r, 20, 40);
    g->burst = (int)random_between(r, 0, 60);
    g->ppe = random_chance(r, 15) && g->nslots > 1 ? 0 : (int)random_between(r, 1, 40);
    g->change = d->crowd ? 60 : (int)random_between(r, 0, random_chance(r, 50) ? 15 : 3);
    g->cut = random_chance(r, 25) ? 3 : 0;
    if (random_chance(r, 40)) {
        g->silent_from = (size_t)random_between(r, 0, (int64_t)g->goal);
        g->silent_to = (size_t)random_between(r, (int64_t)g->silent_from, (int64_t)g->goal);
    }
    draw_clocks(g);
}

static void begin(struct drawing *g)
{
    for (size_t i = 0; i < g->nslots; i++)
        new_clock(g, &g->slots[i]);
    g->slots[0].base = g->ppe_base;
    if (g->d->csv) {
        buffer_text(&g->d->file, "thread,time\n");
        return;
    }
    buffer_text(&g->d->file, "<pdt_trace version='1'><machine timebase_hz='14318000'/>"
                             "<trace_file/></pdt_trace>");
    buffer_add(&g->d->file, "", 1);
    add_header(&g->d->file, 0, UINT64_MAX);
}

static void count_live(struct drawn *d)
{
    for (size_t i = 0; i < d->n; i++) {
        size_t live = 0;
        for (size_t t = 0; t < d->nthreads; t++)
            live += d->threads[t].first <= i && i <= d->threads[t].last;
        d->live_most = live > d->live_most ? live : d->live_most;
    }
}

void drawn_trace(struct random *r, int64_t jitter_ticks, struct drawn *d)
{
    struct drawing g = {.r = r, .d = d};
    size_t latest = 0;
    d->n = d->nthreads = d->live_most = 0;
    d->jitter_ticks = jitter_ticks;
    d->file = (struct buffer){0};
    draw_manner(&g);
    begin(&g);
    while (d->n < g.goal) {
        bool all = random_chance(r, g.cut);
        for (size_t i = 1; i < g.nslots; i++)
            if (all || (i == latest && random_chance(r, g.change)))
                replace(&g, i);
        latest = choose_slot(&g, latest);
        (d->csv ? write_csv : write_pex)(&g, latest);
    }
    count_live(d);
}

/* -------------------------------------------------------------------------------- solving */

const char *drawn_name(const struct drawn *d, size_t thread, char text[DRAWN_NAME_MAX])
{
    const struct drawn_thread *t = &d->threads[thread];
    if (t->ppe)
        return "ppe";
    if (d->csv)
        snprintf(text, DRAWN_NAME_MAX, "t%u", t->context);
    else
        snprintf(text, DRAWN_NAME_MAX, "spe%u.%u", t->context, t->ordinal);
    return text;
}

csy_status drawn_solve(const struct drawn *d, const csy_options *options, csy_trace **trace,
                       csy_sync **sync, csy_error *error)
{
    char path[64];
    int descriptor = file_of(d->file.bytes, d->file.size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ck_ok(csy_trace_open(path, NULL, trace, error), *error);
    close(descriptor);
    csy_status status = csy_trace_synchronize(*trace, options, sync, error);
    if (status && status != CSY_INFEASIBLE)
        csy_trace_free(*trace);
    return status;
}
