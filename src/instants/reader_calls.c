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

/* What is asked of each record, in registers. */
struct taking {
    struct met *met;
    const struct senses *senses;
    const struct fast_threads *threads;
    const csy_thread *views;
    struct actor *actors;
};

/* The next plain record, if it is such a one. */
static inline bool take_call(const struct taking *from, const struct met_head *known,
                             const uint8_t *p, uint64_t position, int64_t global_ticks,
                             struct actor_call *out)
{
    uint32_t id = load32(p + 8), thread = fast_thread_by(from->threads, known->spe, id);
    const struct met_writer *writer = met_writer_by(from->met, known, id);
    struct actor *actor = &from->actors[writer->actor];
    if (!known->calls || !met_called(from->met, from->senses, known, p, &out->routine) ||
        writer->key != (known->writer | id) || position >= actor->until)
        return false;
    out->enters = known->enters;
    out->actor = writer->actor;
    out->at.clock = thread;
    out->at.global_ticks = global_ticks;
    out->at.local_ticks = (int64_t)placement_local(from->views[thread].offset_ticks, global_ticks);
    actor->records++;
    actor->clock = thread;
    return true;
}

/* Of those that were read.  Where the next one begins its size says, not what is known of its head:
 * that would be there too late. */
static size_t take_calls_read(struct reader *reader, struct actor_call *out, size_t room)
{
    const struct events_next_plain *plain = &reader->plain;
    const struct taking from = {&reader->met, reader->senses, plain->threads, reader->sync->views,
                                reader->actors->items};
    const uint8_t *p = plain->at;
    const int64_t *time = plain->times + reader->taken;
    uint64_t position = plain->position + reader->taken;
    size_t n = 0, left = plain->n - reader->taken, most = room < left ? room : left;
    for (; n < most; n++) {
        const struct met_head *known = met_head_of(from.met, from.senses, load64(p));
        size_t size = load16(p);
        if (!take_call(&from, known, p, position + n, time[n], &out[n]))
            break;
        p += size;
    }
    reader->plain.at = p;
    reader->taken += n;
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
