/* Records that are calls and nothing else. */
#include "instants/reader.h"

#include "base/error.h"

/* Who wrote a plain record; NULL where that one is to be looked up. */
static inline struct actor *find_writer(struct reader *reader, const uint8_t *p, uint64_t head)
{
    uint64_t key = met_writer_key(met_is_spe(head), load32(p + 8));
    const struct met_writer *writer = met_writer_of(&reader->met, key);
    return writer->key == key ? &reader->actors->items[writer->actor] : NULL;
}

/* The next plain record, if it is such a one. */
static inline bool take_call(struct reader *reader, const uint8_t *p, uint64_t head, size_t index,
                             struct actor_call *out)
{
    const struct events_next_plain *plain = &reader->plain;
    const struct met_kind *kind = met_kind_of(&reader->met, reader->senses, head);
    if (!kind || !met_called(&reader->met, reader->senses, kind, p, head, &out->routine))
        return false;
    struct actor *actor = find_writer(reader, p, head);
    if (!actor || actor->records == 0 || actor->switched ||
        actor->lasts[actor->stay] == plain->position + index)
        return false;
    out->enters = kind->enters;
    uint32_t thread = fast_thread_of(plain->threads, p);
    out->actor = (uint32_t)(actor - reader->actors->items);
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
        uint64_t head = load64(p);
        if (!take_call(reader, p, head, index, &out[n]))
            break;
        p += head >> 48;
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
static inline bool pass_call(struct reader *reader, const uint8_t *p, uint64_t head, size_t index,
                             struct passed *out, bool *good)
{
    const struct events_next_plain *plain = &reader->plain;
    const struct met_kind *kind = met_kind_of(&reader->met, reader->senses, head);
    uint32_t routine, thread = fast_thread_of(plain->threads, p);
    if (!kind || !met_called(&reader->met, reader->senses, kind, p, head, &routine))
        return false;
    struct actor *actor = find_writer(reader, p, head);
    if (!actor || !actor_pass(actor, plain->position + index, thread))
        return false;
    int64_t global = plain->times[index];
    *good = kind->enters ? calls_enter(&actor->calls, routine, global)
                         : calls_exit(&actor->calls, routine, global);
    out->enters |= kind->enters;
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
        uint64_t head = load64(p);
        if (!pass_call(reader, p, head, index, &now, &good))
            break;
        p += head >> 48;
    }
    reader->plain.at = p;
    reader->taken = index;
    *passed = now;
    return good ? CSY_OK : error_memory(error);
}
