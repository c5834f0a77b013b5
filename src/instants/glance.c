/* Glance: the scan of a trace whose records are calls. */
#include "instants/glance.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

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
    return events_are_by_offsets(in->sync) && trace->source->carried == CARRIED_RECORDS &&
           trace->nrecord_files == 1 && !bytes_is_packed(trace->bytes) && !trace->metadata.global;
}

csy_status glance(struct instants *in, struct reader *reader, bool *done, uint64_t *at,
                  csy_error *error)
{
    struct glances g = {.reader = reader, .end = in->sync->survey.records, .error = error};
    struct csy_trace *trace = in->sync->trace, *fork = NULL;
    *done = false;
    *at = 0;
    if (!may_glance(in, trace))
        return CSY_OK;
    csy_status status = add_actors(&g) ? trace_fork(trace, &fork, error) : g.status;
    if (!status && fork != trace)
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
