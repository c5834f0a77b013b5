/* Glance: the scan of a trace whose records are calls. */
#include "instants/glance.h"

#include "base/array.h"
#include "base/error.h"
#include "instants/tail.h"
#include "instants/writers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of a trace a part of so many is seen at a time, from either end. */
enum { PARTS = 64 };

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
    uint64_t position, until, end; /* of the next record, after those wanted, and after the last */
    struct writer *writers;        /* or NULL: they are not known */
    size_t nwriters;
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
    while (position < g->until && p <= last) {
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

/* As many as are such, up to a position. */
static csy_status take_all(struct glances *g, struct bytes *bytes, uint64_t until)
{
    size_t need = RECORD_SPE_BYTES, have = 0;
    csy_status status = CSY_OK;
    g->until = until;
    while (!status && need > 0 && g->position < until) {
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

/* Whether what it exits last of all that it entered before it was seen at the end is something
 * that it entered at the start: what was entered before the trace began is exited late. */
static bool exits_entered(const struct glanced *item, const struct tail_slot *slot)
{
    bool found = slot->least == 0 || slot->routine == met_unnamed(NO_TEXT);
    for (size_t i = 0; !found && i < item->capacity; i++)
        found = item->stack[i] == slot->routine;
    return found;
}

static const struct tail_slot *find_last_of(const struct glances *g, const struct tail *tail,
                                            size_t index)
{
    const struct actor *actor = &g->reader->actors->items[index];
    return actor->kind == ACTOR_PPE || actor->kind == ACTOR_SPE
               ? tail_find(tail, met_writer_key(actor->kind == ACTOR_SPE, actor->id))
               : NULL;
}

/* How many of those that record at the start do so at the end. */
static size_t count_both(const struct glances *g, const struct tail *tail)
{
    size_t n = 0;
    for (size_t i = 0; i < g->count; i++)
        n += find_last_of(g, tail, i) != NULL;
    return n;
}

/* Whether those that record at both ends exit last what they have entered. */
static bool exit_entered(const struct glances *g, const struct tail *tail)
{
    bool good = true;
    for (size_t i = 0; good && i < g->count; i++) {
        const struct tail_slot *slot = find_last_of(g, tail, i);
        good = !slot || exits_entered(&g->items[i], slot);
    }
    return good;
}

/* The last record of all, of whose records it is not known how many there are. */
static csy_status take_lasts(struct glances *g, const struct tail *tail)
{
    for (size_t i = 0; i < g->nwriters; i++) {
        const struct writer *writer = &g->writers[i];
        uint32_t actor;
        csy_status status =
            actors_find(g->reader->actors, writer->kind, writer->id, &actor, g->error);
        if (status || !add_actors(g))
            return status ? status : g->status;
        g->items[actor].last = writer->last;
        g->items[actor].records++;
    }
    for (size_t i = 0; !g->writers && i < g->count; i++) {
        const struct tail_slot *slot = find_last_of(g, tail, i);
        if (slot)
            g->items[i].last = slot->last;
        g->items[i].records++;
    }
    return CSY_OK;
}

/* What is seen of a trace from both ends. */
struct both_ends {
    struct bytes *bytes;
    uint64_t next, step; /* offset after the start, and bytes of a part */
    struct tail tail;
    bool good; /* more can be seen */
};

static csy_status extend_start(struct glances *g, struct both_ends *ends)
{
    uint64_t until = g->position + g->end / PARTS + 1, last = ends->tail.position;
    until = until < last ? until : last;
    bytes_seek(ends->bytes, ends->next);
    csy_status status = take_all(g, ends->bytes, until);
    ends->next = bytes_offset(ends->bytes);
    ends->good = g->position >= until;
    return status;
}

static csy_status extend_tail(const struct glances *g, struct both_ends *ends)
{
    uint64_t first = ends->tail.first, left = first - ends->next;
    return tail_extend(&ends->tail, left > ends->step ? first - ends->step : ends->next,
                       &ends->good, g->error);
}

/* Whether it was seen who records: they are known, or the same do at both ends, or all was seen. */
static bool has_seen(const struct glances *g, const struct tail *tail, bool all)
{
    size_t both = count_both(g, tail);
    if (g->writers)
        return g->position > 0 && tail->position < g->end;
    return g->position > 0 && both == tail->n && (both == g->count || all);
}

/* See the start and the end of the trace, as much of them as it takes to see who records, or all of
 * it.  *done is false where that does not show it; what comes after the start is to be seen
 * then. */
static csy_status guess(struct glances *g, const struct csy_trace *trace, bool *done)
{
    struct both_ends ends = {.bytes = trace->bytes};
    struct tail *tail = &ends.tail;
    struct stat file;
    csy_status status = CSY_OK;
    ends.next = bytes_offset(ends.bytes);
    ends.good = fstat(trace->record_fd < 0 ? trace->fd : trace->record_fd, &file) == 0 &&
                (uint64_t)file.st_size > ends.next;
    uint64_t size = ends.good ? (uint64_t)file.st_size - ends.next : 0;
    ends.step = (size / PARTS / 8 + 1) * 8;
    tail_init(tail, &g->reader->met, g->reader->senses, ends.bytes, ends.next + size, g->end);
    while (!status && ends.good && !*done) {
        uint64_t at_end = g->end - tail->position;
        bool all = g->position >= tail->position, seen = has_seen(g, tail, all);
        bool more = g->position == 0 || count_both(g, tail) < tail->n; /* at the start */
        if (seen && exit_entered(g, tail)) {
            status = take_lasts(g, tail);
            *done = !status;
        } else if (all || (seen && g->position + at_end > g->end / 2)) {
            ends.good = false;
        } else if (more || (seen && g->position < at_end)) {
            status = extend_start(g, &ends);
        } else {
            status = extend_tail(g, &ends);
        }
    }
    bytes_seek(ends.bytes, ends.next);
    return status;
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

/* What is to be seen. */
static csy_status see(struct glances *g, const struct csy_trace *trace, bool guesses, bool *guessed)
{
    csy_status status = guesses ? guess(g, trace, guessed) : CSY_OK;
    if (!status && !*guessed)
        status = take_all(g, trace->bytes, g->end);
    if (*guessed)
        g->position = g->end;
    return status;
}

csy_status glance(struct instants *in, struct reader *reader, bool guesses, bool *done,
                  uint64_t *at, csy_error *error)
{
    struct glances g = {.reader = reader, .end = in->sync->survey.records, .error = error};
    struct csy_trace *trace = in->sync->trace, *fork = NULL;
    bool guessed = false;
    *done = false;
    *at = 0;
    if (!may_glance(in, trace))
        return CSY_OK;
    csy_status status = add_actors(&g) ? trace_fork(trace, &fork, error) : g.status;
    if (!status && guesses)
        status = writers_of(&in->sync->survey, &g.writers, &g.nwriters, error);
    if (!status && fork != trace)
        status = see(&g, fork, guesses, &guessed);
    trace_join(trace, fork);
    *at = g.position;
    if (!status && g.position == g.end && find_last(&g, &in->last)) {
        status = finish(&g, in);
        in->guessed = guessed;
        *done = !status;
    }
    for (size_t i = 0; i < g.count; i++)
        free(g.items[i].stack);
    free(g.items);
    free(g.writers);
    return status;
}
