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
    const uint8_t *at;   /* the next record */
    const int64_t *time; /* its global time */
};

/* The next record, if it is a call.  Where the one after it begins its size says, not what is known
 * of its head: that would be there too late. */
static inline bool take_call(struct taking *from, const struct met_head *known,
                             int64_t offset_ticks, struct actor_call *out)
{
    size_t size = load16(from->at);
    uint32_t routine;
    if (!known->calls || !met_called(from->met, from->senses, known, from->at, &routine))
        return false;
    out->routine = routine;
    out->enters = known->enters;
    out->global_ticks = *from->time++;
    out->local_ticks = (int64_t)placement_local(offset_ticks, out->global_ticks);
    from->at += size;
    return true;
}

/* As many as are of who wrote the next one, which is there before them and after, into that much
 * room. */
static struct call_run take_run(struct reader *reader, struct taking *from, uint64_t position,
                                struct actor_call *out, size_t room)
{
    const struct met_head *known = met_head_of(from->met, from->senses, load64(from->at));
    uint32_t id = load32(from->at + 8);
    uint64_t key = known->writer | id;
    const struct met_writer *writer = met_writer_by(from->met, known, id);
    if (!known->calls || writer->key != key)
        return (struct call_run){0};
    struct actor *actor = &reader->actors->items[writer->actor];
    if (position >= actor->until)
        return (struct call_run){0};
    uint32_t clock = fast_thread_by(reader->plain.threads, known->spe, id);
    int64_t offset_ticks = reader->sync->views[clock].offset_ticks;
    size_t n = 0, left = (size_t)(actor->until - position), most = left < room ? left : room;
    while (take_call(from, known, offset_ticks, &out[n]) && ++n < most) {
        known = met_head_of(from->met, from->senses, load64(from->at));
        if ((known->writer | load32(from->at + 8)) != key)
            break;
    }
    actor->records += n;
    actor->clock = clock;
    return (struct call_run){out, n, writer->actor, clock};
}

csy_status reader_calls(struct reader *reader, struct reader_runs *out, csy_error *error)
{
    struct events_next_plain *plain = &reader->plain;
    bool more = reader_wants_plain(reader) && reader->next == reader->n;
    size_t n = 0;
    csy_status status = more ? reader_fill(reader, &more, error) : CSY_OK;
    out->n = out->ncalls = 0;
    if (status || !more)
        return status;
    struct taking from = {&reader->met, reader->senses, plain->at, plain->times + reader->taken};
    size_t left = plain->n - reader->taken, most = left < READER_CALLS ? left : READER_CALLS;
    while (more && n < most) {
        struct call_run run =
            take_run(reader, &from, plain->position + reader->taken + n, &out->calls[n], most - n);
        out->items[out->n] = run;
        more = run.n > 0;
        out->n += more;
        n += run.n;
    }
    plain->at = from.at;
    reader->taken += n;
    out->ncalls = n;
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
