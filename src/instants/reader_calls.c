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

/* The next plain record, if it is such a one. */
static inline bool take_call(struct reader *reader, const struct met_head *known, const uint8_t *p,
                             size_t index, struct actor_call *out)
{
    const struct events_next_plain *plain = &reader->plain;
    uint32_t id = load32(p + 8), thread = fast_thread_by(plain->threads, known->spe, id);
    uint64_t key = met_writer_key(known->spe, id);
    const struct met_writer *writer = met_writer_of(&reader->met, key);
    struct actor *actor = &reader->actors->items[writer->actor];
    if (!known->calls || !met_called(&reader->met, reader->senses, known, p, &out->routine) ||
        writer->key != key || plain->position + index >= actor->until)
        return false;
    out->enters = known->enters;
    out->actor = writer->actor;
    out->at.clock = thread;
    out->at.global_ticks = plain->times[index];
    out->at.local_ticks = reader_local(reader, thread, plain->times[index]);
    actor->records++;
    actor->clock = thread;
    return true;
}

/* Of those that were read. */
static size_t take_calls_read(struct reader *reader, struct actor_call *out, size_t room)
{
    const struct events_next_plain *plain = &reader->plain;
    const uint8_t *p = plain->at;
    size_t index = reader->taken, n = 0;
    for (; n < room && index < plain->n; n++, index++) {
        const struct met_head *known = met_head_of(&reader->met, reader->senses, load64(p));
        if (!take_call(reader, known, p, index, &out[n]))
            break;
        p += known->size;
    }
    reader->plain.at = p;
    reader->taken = index;
    return n;
}

csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t room, size_t *n,
                        csy_error *error)
{
    csy_status status = CSY_OK;
    bool more = reader_wants_plain(reader) && reader->next == reader->n;
    *n = 0;
    while (!status && more && *n < room) {
        status = reader_fill(reader, &more, error);
        size_t some = !status && more ? take_calls_read(reader, out + *n, room - *n) : 0;
        more = some > 0;
        *n += some;
    }
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
        if (!pass_call(reader, known, p, index, &now, &good))
            break;
        p += known->size;
    }
    reader->plain.at = p;
    reader->taken = index;
    *passed = now;
    return good ? CSY_OK : error_memory(error);
}
