/* Instants: the first pass. */
#include "base/array.h"
#include "base/error.h"
#include "instants/reader.h"

#include <stdlib.h>
#include <string.h>

/*
 * Glance: the scan of a trace whose records are calls, without their times.
 *
 * Where records do nothing but enter and exit routines, and each exit is of the routine that was
 * entered last, a scan finds nothing but who writes and which records are the last ones.  That is
 * seen in the file, for a third of the time that placing records takes.
 */

/* How many records are to have been scanned, so that what they mean was met. */
enum { GLANCE_FIRST = 256 };

/* After the first records were scanned: all that a scan comes to, if they are all such; else what
 * was scanned stays as it is, and *at is the position of the first that is not.  A pass over the
 * file up to there. */
static csy_status glance(struct instants *instants, struct reader *reader, bool *done, uint64_t *at,
                         csy_error *error);

/* An actor: its last record, and the routines that it is in, as its records name them.  Half a line
 * of the processor's cache. */
struct glanced {
    uint64_t last, records;
    uint64_t *stack;
    uint32_t depth, capacity;
};

struct glances {
    struct reader *reader;
    struct glanced *items; /* by actor */
    size_t count, capacity;
    uint64_t position, end; /* of the next record, and after the last */
    csy_status status;
    csy_error *error;
};

static bool fail(struct glances *g, csy_status status)
{
    g->status = status;
    return false;
}

/* Room for actors that were met since. */
static bool add_actors(struct glances *g)
{
    size_t n = g->reader->actors->count;
    if (!ARRAY_RESERVE(g->items, g->capacity, n + 1))
        return fail(g, error_memory(g->error));
    memset(g->items + g->count, 0, (n - g->count) * sizeof *g->items);
    g->count = n;
    return true;
}

/* An actor that was not met where it was looked for. */
static bool find_writer(struct glances *g, uint64_t key, bool spe, uint32_t id,
                        struct met_writer *writer)
{
    csy_status status =
        actors_find(g->reader->actors, spe ? ACTOR_SPE : ACTOR_PPE, id, &writer->actor, g->error);
    if (status)
        return fail(g, status);
    writer->key = key;
    return add_actors(g);
}

/* Room for one more routine; false where there is to be none. */
static bool grow(struct glances *g, struct glanced *item)
{
    size_t capacity = item->capacity;
    if (item->depth == CALLS_DEPTH_MAX)
        return false;
    if (!ARRAY_RESERVE(item->stack, capacity, (size_t)item->depth + 1))
        return fail(g, error_memory(g->error));
    for (size_t i = item->depth; i < capacity; i++)
        item->stack[i] = met_unnamed(NO_TEXT);
    item->capacity = (uint32_t)capacity; /* at most twice the greatest depth */
    return true;
}

/* Whether it enters or exits cannot be foretold: nothing branches on it. */
static inline bool take_call(struct glances *g, struct glanced *item, bool enters, uint64_t routine)
{
    uint32_t at = item->depth - !enters;
    if (__builtin_expect(at >= item->capacity, 0) && (!enters || !grow(g, item)))
        return false; /* what it exits was not entered */
    bool same = item->stack[at] == routine, any = routine == met_unnamed(NO_TEXT);
    item->stack[at] = routine;
    item->depth = at + enters;
    return enters | same | any;
}

/* A record; false where it is none that can be passed over. */
static inline bool take_record(struct glances *g, const struct met_head *known, const uint8_t *p,
                               uint64_t position)
{
    uint32_t id = load32(p + 8);
    uint64_t key = known->writer | id, routine;
    struct met_writer *writer = met_writer_by(&g->reader->met, known, id);
    if (!known->calls && !known->silent)
        return false;
    if (__builtin_expect(writer->key != key, 0) && !find_writer(g, key, known->spe, id, writer))
        return false;
    struct glanced *item = &g->items[writer->actor];
    if (known->calls &&
        (!met_named(known, p, &routine) || !take_call(g, item, known->enters, routine)))
        return false;
    item->last = position;
    item->records++;
    return true;
}

/* Those at hand, as many as are such and whole.  Where the next one begins its size says, not what
 * is known of its head: that would be there too late. */
static size_t take_some(struct glances *g, const uint8_t *at, size_t have)
{
    const uint8_t *p = at, *last = at + have - RECORD_SPE_BYTES;
    uint64_t position = g->position;
    while (position < g->end && p <= last) {
        size_t size = load16(p);
        const struct met_head *known = met_head_of(&g->reader->met, g->reader->senses, load64(p));
        if (size > (size_t)(last - p) + RECORD_SPE_BYTES || !take_record(g, known, p, position))
            break;
        p += size;
        position++;
    }
    g->position = position;
    return (size_t)(p - at);
}

/* As many as are such. */
static csy_status take_all(struct glances *g, struct bytes *bytes)
{
    size_t need = RECORD_SPE_BYTES, have = 0;
    csy_status status = CSY_OK;
    while (!status && need > 0 && g->position < g->end) {
        const uint8_t *at;
        status = bytes_peek(bytes, need, &at, &have, g->error);
        if (status || have < need)
            break;
        size_t used = take_some(g, at, have), size = load16(at);
        need = used > 0 ? RECORD_SPE_BYTES : size > have ? size : 0; /* 0: it is not such */
        bytes_skip(bytes, used);
    }
    return status ? status : g->status;
}

/* The moment of the last record; false where none is told of. */
static bool find_last(const struct glances *g, struct moment *out)
{
    const csy_sync *sync = g->reader->sync;
    const struct threads *threads = &sync->survey.threads;
    for (uint32_t t = 0; t < threads->count; t++) {
        int64_t local = threads->items[t].last_ticks;
        if (threads->items[t].records == 0 || threads->items[t].last_record + 1 != g->end)
            continue;
        int64_t global = (int64_t)placement_global(sync->views[t].offset_ticks, local);
        *out = (struct moment){local, global, t};
        return true;
    }
    return false;
}

/* As if all had been scanned. */
static csy_status finish(const struct glances *g, struct instants *in)
{
    for (size_t i = 0; i < g->count; i++) {
        struct actor *actor = &in->actors.items[i];
        if (g->items[i].records == 0)
            continue;
        if (!ARRAY_RESERVE(actor->lasts, actor->stays_capacity, 1))
            return error_memory(g->error);
        actor->nstays = 1;
        actor->lasts[0] = g->items[i].last;
        actor->records = g->items[i].records;
        in->has_calls |= g->items[i].capacity > 0; /* some are entered */
    }
    in->glanced = true;
    in->records = g->end;
    return CSY_OK;
}

/* Whether an actor has done nothing yet but call. */
static bool is_caller(const struct actor *actor)
{
    return actor->nstays == 1 && actor->stay == 0 && !actor->switched && !actor->placed &&
           !actor->told && actor->timers.count == 0 && actor->calls.nmissed == 0 &&
           actor->calls.deeper == 0;
}

static bool may_glance(const struct instants *in, const struct csy_trace *trace)
{
    for (size_t i = 0; i < in->actors.count; i++)
        if (!is_caller(&in->actors.items[i]))
            return false;
    return events_are_by_offsets(in->sync) && !in->sync->read && trace->nrecord_files == 1 &&
           !bytes_is_packed(trace->bytes);
}

static csy_status glance(struct instants *in, struct reader *reader, bool *done, uint64_t *at,
                         csy_error *error)
{
    struct glances g = {.reader = reader, .end = in->sync->survey.records, .error = error};
    struct csy_trace *trace = in->sync->trace, *fork = NULL;
    *done = false;
    *at = 0;
    if (!may_glance(in, trace))
        return CSY_OK;
    csy_status status = add_actors(&g) ? trace_fork(trace, &fork, error) : g.status;
    if (!status && fork && fork != trace)
        status = take_all(&g, fork->bytes);
    trace_join(trace, fork);
    *at = g.position;
    if (!status && g.position == g.end && find_last(&g, &in->last)) {
        status = finish(&g, in);
        *done = !status;
    }
    for (size_t i = 0; i < g.count; i++)
        free(g.items[i].stack);
    free(g.items);
    return status;
}

/* --- The scan ------------------------------------------------------------------------------ */

/* The greatest global time of all records up to each of the last ones. */
struct recent {
    int64_t *items; /* by position modulo the look-ahead */
    int64_t greatest;
};

/* The least look-ahead that knows of the begin of a wait. */
static size_t find_reach(const struct instants *in, const struct recent *recent, uint64_t position,
                         const struct seen *seen)
{
    size_t reach = in->ahead;
    while (reach <= in->most_ahead && reach <= position &&
           wait_is_long(seen, position, reach,
                        recent->items[(position - reach) & (in->most_ahead - 1)]))
        reach *= 2;
    return reach;
}

/* Look ahead further, which knows of some that were long. */
static void look_further(struct instants *in)
{
    size_t longs = 0, clipped = 0;
    in->ahead *= 2;
    for (size_t i = 0; i < in->nlongs; i++)
        if (in->longs[i].reach > in->ahead)
            in->longs[longs++] = in->longs[i];
    for (size_t i = 0; i < in->nclipped; i++)
        if (in->clipped[i].reach > in->ahead)
            in->clipped[clipped++] = in->clipped[i];
    in->nlongs = longs;
    in->nclipped = clipped;
}

static csy_status scan_begin(struct instants *in, const struct recent *recent, uint64_t position,
                             const struct seen *seen, csy_error *error)
{
    size_t reach = find_reach(in, recent, position, seen);
    if (reach <= in->ahead)
        return CSY_OK;
    if (!ARRAY_RESERVE(in->longs, in->longs_capacity, in->nlongs + 1) ||
        !ARRAY_RESERVE(in->clipped, in->clipped_capacity, in->nclipped + 1))
        return error_memory(error);
    struct long_wait *wait =
        seen->ordered ? &in->clipped[in->nclipped++] : &in->longs[in->nlongs++];
    *wait = wait_of(seen, position);
    wait->reach = reach;
    while (in->nlongs + in->nclipped > INSTANTS_LONGS && in->ahead < in->most_ahead)
        look_further(in);
    return CSY_OK;
}

static csy_status scan_record(struct instants *in, struct recent *recent, uint64_t position,
                              const struct seen *seen, csy_error *error)
{
    csy_status status = CSY_OK;
    if (seen->waits || seen->called)
        status = scan_begin(in, recent, position, seen, error);
    if (position == 0 || seen->end.global_ticks > recent->greatest)
        recent->greatest = seen->end.global_ticks;
    recent->items[position & (in->most_ahead - 1)] = recent->greatest;
    if (position == 0)
        in->first = seen->end;
    if (position == 0 || !in->partial || seen->end.global_ticks > in->last.global_ticks)
        in->last = seen->end;
    in->has_intervals |= seen->waits || seen->called;
    in->has_begins |= (seen->waits || seen->called) && !seen->ordered;
    in->has_open_calls |= seen->called && !seen->ordered;
    in->has_calls |= seen->calls && seen->sense.role != ROLE_EXIT;
    return status;
}

/* As many records as need not be seen one by one, up to so many. */
static csy_status scan_calls(struct instants *in, struct recent *recent, struct reader *reader,
                             uint64_t until, csy_error *error)
{
    struct passed passed = {.records = in->records,
                            .until = until,
                            .greatest = recent->greatest,
                            .recent = recent->items,
                            .mask = in->most_ahead - 1,
                            .ahead = in->ahead};
    csy_status status = reader_pass(reader, &passed, error);
    if (passed.records > in->records)
        in->last = passed.last;
    in->has_calls |= passed.enters;
    in->has_intervals |= passed.waits;
    in->has_begins |= passed.waits;
    in->records = passed.records;
    recent->greatest = passed.greatest;
    return status;
}

/* See the rest at once, if it can be; else look again once twice as many were scanned as could be
 * seen. */
static csy_status look_ahead(struct instants *in, struct reader *reader, uint64_t *look, bool *done,
                             csy_error *error)
{
    uint64_t at = 0;
    csy_status status = in->has_intervals ? CSY_OK : glance(in, reader, done, &at, error);
    *look = in->has_intervals || at == 0 ? UINT64_MAX : 2 * (at > *look ? at : *look);
    return status;
}

static int compare_longs(const void *a, const void *b)
{
    const struct long_wait *x = a, *y = b;
    int64_t s = x->begin.global_ticks, t = y->begin.global_ticks;
    return s != t ? (s > t ? 1 : -1) : (x->end > y->end) - (x->end < y->end);
}

static int compare_clipped(const void *a, const void *b)
{
    const struct long_wait *x = a, *y = b;
    return x->after != y->after ? (x->after > y->after ? 1 : -1)
                                : (x->end < y->end) - (x->end > y->end);
}

static csy_status scan(struct instants *in, const csy_meaning *meaning, unsigned wanted,
                       csy_error *error)
{
    struct recent recent = {.items = calloc(in->most_ahead, sizeof *recent.items)};
    struct reader reader;
    struct seen seen;
    /* A glance sees times, too. */
    uint64_t look = in->partial || wanted & ~(unsigned)MORE_TIMES ? UINT64_MAX : GLANCE_FIRST;
    bool more = true, done = false;
    if (!recent.items)
        return error_memory(error);
    csy_status status = reader_open(&reader, in->sync, &in->senses, &in->actors, error);
    if (status) {
        free(recent.items);
        return status;
    }
    status = senses_init(&in->senses, in->sync->trace, meaning, reader.events, error);
    in->senses.leaves_wanted = wanted & MORE_LEAVES;
    in->senses.children_wanted = wanted & MORE_CHILDREN;
    in->senses.times_wanted = wanted & MORE_TIMES;
    while (!status && more && !done) {
        if (!in->partial && in->records > 0)
            status = scan_calls(in, &recent, &reader, look, error);
        if (!status && in->records >= look)
            status = look_ahead(in, &reader, &look, &done, error);
        if (!status && !done)
            status = reader_next(&reader, &seen, &more, error);
        if (!status && more && !done && in->partial)
            status = held_records_add(&in->held, &in->actors, &seen, error);
        else if (!status && more && !done)
            status = scan_record(in, &recent, in->records++, &seen, error);
    }
    reader_close(&reader);
    if (!status)
        status = held_records_sort(&in->held, in->actors.count, in->imprecision_ticks, error);
    for (size_t i = 0; !status && i < in->held.count; i++)
        status = scan_record(in, &recent, in->records++, held_record(&in->held, i), error);
    free(recent.items);
    return status;
}

csy_status instants_open_more(struct instants *in, csy_sync *sync, const csy_meaning *meaning,
                              size_t ahead, unsigned more, csy_error *error)
{
    *in = (struct instants){.sync = sync,
                            .ahead = ahead < INSTANTS_NEAR ? ahead : INSTANTS_NEAR,
                            .most_ahead = ahead,
                            .imprecision_ticks = sync->imprecision.added_ticks,
                            .partial = sync->partial || sync->trace->partial};
    in->actors.imprecision_ticks = in->imprecision_ticks;
    in->actors.partial = in->partial;
    csy_status status = scan(in, meaning, more, error);
    if (status) {
        instants_fini(in);
        return status;
    }
    if (in->nlongs > 1)
        qsort(in->longs, in->nlongs, sizeof *in->longs, compare_longs);
    if (in->nclipped > 1)
        qsort(in->clipped, in->nclipped, sizeof *in->clipped, compare_clipped);
    if (!in->has_intervals)
        in->ahead = 1; /* nothing is put before a record */
    actors_again(&in->actors);
    return CSY_OK;
}

csy_status instants_open(struct instants *in, csy_sync *sync, const csy_meaning *meaning,
                         size_t ahead, csy_error *error)
{
    return instants_open_more(in, sync, meaning, ahead, 0, error);
}

void instants_fini(struct instants *in)
{
    senses_fini(&in->senses);
    actors_fini(&in->actors);
    held_records_fini(&in->held);
    free(in->longs);
    free(in->clipped);
    *in = (struct instants){0};
}

csy_status instants_check_fit(const struct actors *met, csy_sync *sync, const csy_meaning *meaning,
                              const char *patterns, csy_error *error)
{
    struct instants in;
    if (!patterns || (met->count > 0 && actors_check_fit(met, sync, patterns, error) == CSY_OK))
        return CSY_OK;
    csy_status status = instants_open(&in, sync, meaning, INSTANTS_AHEAD, error);
    if (status)
        return status;
    status = actors_check_fit(&in.actors, sync, patterns, error);
    instants_fini(&in);
    return status;
}
