/* Records that are calls and nothing else. */
#include "instants/reader.h"

#include "base/error.h"

/* Who wrote a plain record; NULL where that one is to be looked up. */
static inline struct actor *find_writer(struct reader *reader, bool spe, uint32_t id)
{
    uint64_t key = met_writer_key(spe, id);
    const struct met_writer *writer = met_writer_of(&reader->met, key);
    return writer->key == key ? &reader->actors->items[writer->actor] : NULL;
}

/* A record of a head that calls, if its actor is there before it and after; all but when it is.
 * Whose it is cannot be foretold where actors run side by side: nothing branches on it. */
static inline struct actor *take_call(struct met *met, const struct senses *senses,
                                      struct actor *actors, const struct met_head *known, bool spe,
                                      const uint8_t *p, uint64_t position, struct actor_call *out)
{
    uint64_t key = met_writer_key(spe, load32(p + 8));
    const struct met_writer *writer = met_writer_of(met, key);
    struct actor *actor = &actors[writer->actor];
    if (writer->key != key || position >= actor->until ||
        !met_called(met, senses, known, p, &out->routine))
        return NULL;
    actor->records++;
    out->actor = writer->actor;
    out->enters = known->enters;
    return actor;
}

/* Where the next record begins its size says: what is known of its head would be there too late. */
static size_t take_plain(struct reader *reader, struct actor_call *out)
{
    struct events_next_plain *plain = &reader->plain;
    const struct senses *senses = reader->senses; /* in registers, as what follows */
    struct actor *actors = reader->actors->items;
    const csy_thread *views = reader->sync->views;
    const uint8_t *p = plain->at;
    const int64_t *times = plain->times + reader->taken;
    uint64_t position = plain->position + reader->taken;
    size_t left = plain->n - reader->taken, most = left < READER_CALLS ? left : READER_CALLS, n = 0;
    for (; n < most; n++) {
        const struct met_head *known = met_head_of(&reader->met, senses, load64(p));
        size_t size = load16(p);
        struct moment *at = &out[n].at;
        if (!known->calls)
            break;
        struct actor *actor =
            take_call(&reader->met, senses, actors, known, known->spe, p, position + n, &out[n]);
        if (!actor)
            break;
        at->clock = actor->clock = fast_thread_by(plain->threads, known->spe, load32(p + 8));
        at->global_ticks = times[n];
        at->local_ticks = (int64_t)placement_local(views[at->clock].offset_ticks, at->global_ticks);
        p += size;
    }
    plain->at = p;
    reader->taken += n;
    return n;
}

/* The same where there is no clock but the PPE's, of which its actors are. */
static size_t take_ppe(struct reader *reader, struct fast_ppe *ppe, struct actor_call *out)
{
    const struct senses *senses = reader->senses;
    struct actor *actors = reader->actors->items;
    struct fast_ppe now = *ppe;
    const uint8_t *stop = now.stop;
    struct actor_call *call = out;
    const ptrdiff_t most = (ptrdiff_t)READER_CALLS * RECORD_PPE_BYTES; /* no record is shorter */
    if (stop - now.at > most)
        stop = now.at + most;
    for (; now.at < stop; call++) {
        const uint8_t *p = now.at;
        const struct met_head *known = met_head_of(&reader->met, senses, load64(p));
        size_t size = load16(p);
        uint64_t stamp = load64(p + RECORD_PREFIX_BYTES);
        if (!known->short_ppe || stamp - now.stamp >= now.step ||
            !take_call(&reader->met, senses, actors, known, false, p, now.position, call))
            break;
        call->at = (struct moment){(int64_t)stamp,
                                   (int64_t)placement_global(now.offset_ticks, (int64_t)stamp),
                                   now.thread};
        now.stamp = stamp;
        now.at += size;
        now.position++;
    }
    *ppe = now;
    return (size_t)(call - out);
}

csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n, csy_error *error)
{
    bool more = reader_wants_plain(reader) && reader->next == reader->n;
    struct fast_ppe ppe = {0};
    csy_status status = CSY_OK;
    *n = 0;
    if (more && reader_skip_plain(reader))
        status = events_ppe_peek(reader->events, &ppe, error);
    const struct fast_ppe first = ppe;
    if (!status)
        *n = take_ppe(reader, &ppe, out);
    if (*n > 0)
        return events_ppe_take(reader->events, &first, &ppe, error);
    if (!status && more)
        status = reader_fill(reader, &more, error);
    if (!status && more)
        *n = take_plain(reader, out);
    return status;
}

/* The same while the trace is scanned. */
static inline bool pass_call(struct reader *reader, const struct met_head *known, const uint8_t *p,
                             size_t index, struct passed *out, bool *good)
{
    const struct events_next_plain *plain = &reader->plain;
    uint32_t routine, id = load32(p + 8), thread = fast_thread_by(plain->threads, known->spe, id);
    if (!known->calls || !met_called(&reader->met, reader->senses, known, p, &routine))
        return false;
    struct actor *actor = find_writer(reader, known->spe, id);
    if (!actor || !actor_pass(actor, plain->position + index, thread))
        return false;
    int64_t global = plain->times[index];
    *good = known->enters ? calls_enter(&actor->calls, routine, global)
                          : calls_exit(&actor->calls, routine, global);
    out->enters |= known->enters;
    passed_add(out, thread, global);
    return true;
}

csy_status reader_pass_calls(struct reader *reader, struct passed *passed, csy_error *error)
{
    const struct events_next_plain *plain = &reader->plain;
    struct passed now = *passed; /* in registers */
    const uint8_t *p = plain->at;
    size_t index = reader->taken;
    bool good = true;
    for (; good && index < plain->n; index++) {
        const struct met_head *known = met_head_of(&reader->met, reader->senses, load64(p));
        size_t size = load16(p);
        if (!pass_call(reader, known, p, index, &now, &good))
            break;
        p += size;
    }
    reader->plain.at = p;
    reader->taken = index;
    *passed = now;
    return good ? CSY_OK : error_memory(error);
}
