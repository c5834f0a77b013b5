/* The records of a trace, as actors see them. */
#include "instants/reader.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct senses *senses,
                       struct actors *actors, csy_error *error)
{
    *reader = (struct reader){.sync = sync, .senses = senses, .actors = actors};
    reader->batch = malloc(READER_BATCH * sizeof *reader->batch);
    reader->writers = calloc(csy_sync_nthreads(sync) + 1, sizeof *reader->writers);
    csy_status status = reader->batch && reader->writers
                            ? csy_events_open(sync, &reader->events, error)
                            : error_memory(error);
    if (status)
        reader_close(reader);
    return status;
}

/* What it does, and with what; a number stands for an actor that has one. */
static csy_status see_leaf(const struct reader *reader, const csy_decoded *event, struct seen *out,
                           csy_error *error)
{
    char self[16];
    out->leaf = NO_TEXT;
    if (!reader->senses->leaves_wanted)
        return CSY_OK;
    snprintf(self, sizeof self, "%" PRIu32, reader->actors->items[out->actor].id);
    return senses_leaf(reader->senses, event, &out->sense, self, &out->leaf, &out->bytes, error);
}

/* Whom an event is about, but who has recorded it: a thread, or by that field. */
static csy_status find_other(struct reader *reader, const csy_decoded *event,
                             const struct sense *sense, enum field_role role, uint32_t *actor,
                             bool *known, csy_error *error)
{
    csy_status status = CSY_OK;
    if (!reader->partners.sync)
        status = partners_init(&reader->partners, reader->sync, error);
    if (status)
        return status;
    return event->about_size > 0
               ? partners_find_name(&reader->partners, reader->actors, event->about,
                                    event->about_size, actor, known, error)
               : partners_find(&reader->partners, reader->senses, reader->actors, event, sense,
                               role, actor, known, error);
}

/* What a thread has spent so far, as it or its writer says. */
static csy_status see_spent(struct reader *reader, const csy_decoded *event,
                            const struct sense *sense, csy_error *error)
{
    struct spent spent = {
        .at = {event->local_begin_ticks, event->global_begin_ticks, event->thread}};
    const struct senses *senses = reader->senses;
    csy_status status = CSY_OK;
    bool known = true;
    uint32_t actor;
    if (!senses_number(senses, sense, event, FIELD_USER_NS, &spent.user_ns) ||
        !senses_number(senses, sense, event, FIELD_SYSTEM_NS, &spent.system_ns))
        return CSY_OK;
    if (!senses_number(senses, sense, event, FIELD_RUNNABLE_NS, &spent.runnable_ns))
        spent.runnable_ns = 0;
    if (event->about_size > 0)
        status = find_other(reader, event, sense, FIELD_THREAD, &actor, &known, error);
    else
        status = actors_find_writer(reader->actors, event, &actor, error);
    if (!status && known)
        actor_spent(&reader->actors->items[actor], &spent);
    return status;
}

/* When threads begin. */
static csy_status see_begin(struct reader *reader, const csy_decoded *event,
                            const struct seen *seen, csy_error *error)
{
    enum role role = seen->sense.role;
    if (role != ROLE_START && role != ROLE_CREATE)
        return CSY_OK;
    bool by_thread = senses_field(reader->senses, &seen->sense, FIELD_THREAD)->where != AT_NOWHERE;
    bool known = false, other = event->about_size > 0 || by_thread;
    uint32_t actor;
    if (role == ROLE_START && !other && seen->task == NO_ACTOR)
        actor_begins(&reader->actors->items[seen->actor], &seen->end, false);
    if (role != ROLE_CREATE || !other)
        return CSY_OK;
    csy_status status =
        find_other(reader, event, &seen->sense, FIELD_THREAD, &actor, &known, error);
    if (!status && known)
        actor_begins(&reader->actors->items[actor], &seen->begin, true);
    return status;
}

/* Whom it creates, or starts where nothing says who creates that one. */
static csy_status see_child(struct reader *reader, const csy_decoded *event, struct seen *out,
                            csy_error *error)
{
    const struct field_at *task = senses_field(reader->senses, &out->sense, FIELD_TASK);
    bool creates = out->sense.role == ROLE_CREATE, known = false;
    if (!creates && out->sense.role != ROLE_START)
        return CSY_OK;
    csy_status status = find_other(reader, event, &out->sense,
                                   task->where == AT_NOWHERE ? FIELD_THREAD : FIELD_TASK,
                                   &out->child, &known, error);
    if (status || !known)
        return status;
    struct actor *child = &reader->actors->items[out->child];
    if (child->creator == NO_ACTOR || (creates && !child->created))
        child->creator = out->actor;
    child->created |= creates;
    if (child->created && !creates)
        out->child = NO_ACTOR;
    return CSY_OK;
}

/* The actor that wrote a plain record. */
static inline csy_status find_writer(struct reader *reader, const struct record *record,
                                     uint32_t thread, uint32_t *out, csy_error *error)
{
    struct writer *writer = &reader->writers[thread];
    enum actor_kind kind = record->spe ? ACTOR_SPE : ACTOR_PPE;
    uint64_t key = keys_pair((uint32_t)kind + 1, record->thread);
    csy_status status = CSY_OK;
    if (writer->key != key)
        status = actors_find(reader->actors, kind, record->thread, &writer->actor, error);
    if (!status)
        writer->key = key;
    *out = writer->actor;
    return status;
}

/* The routine of a plain record that calls; false where it was not met yet. */
static inline bool find_routine(const struct reader *reader, const struct sense *sense,
                                const struct record *record, uint32_t *out)
{
    const struct field_at *at = senses_field(reader->senses, sense, FIELD_ROUTINE);
    *out = sense->routine;
    if (at->where == AT_NOWHERE)
        return true;
    if (at->where != AT_VALUE || at->place >= record->npayload)
        return false;
    *out = routines_known(&reader->senses->routines,
                          load64(record_payload(record, false) + 8 * (size_t)at->place));
    return *out != NO_TEXT;
}

/* A plain record, as it is in the file, of a kind that was met and is of its writer alone; *taken
 * is false where it is no such one, or means nothing to actors: *more is then true. */
static csy_status take_plain(struct reader *reader, struct seen *out, bool *taken, bool *more,
                             csy_error *error)
{
    struct events_next_plain *plain = &reader->plain;
    const uint8_t *p = plain->at;
    const struct sense *sense = senses_known(reader->senses, p[2] == CORE_SPE, load16(p + 4));
    struct record record;
    uint32_t routine = NO_TEXT;
    *taken = *more = false;
    if (!sense || !sense->plain)
        return CSY_OK;
    record_load(&record, p, false);
    bool calls = sense->role == ROLE_ENTER || sense->role == ROLE_EXIT || sense->role == ROLE_CALL;
    if (calls && !find_routine(reader, sense, &record, &routine))
        return CSY_OK;
    uint32_t thread = fast_thread_of(plain->threads, p);
    int64_t global = plain->times[reader->taken], local, global_begin, local_begin;
    plain->at += record.size;
    uint64_t position = plain->position + reader->taken++;
    if (sense->role == ROLE_NONE) {
        *more = true;
        return CSY_OK;
    }
    local = (int64_t)placement_local(reader->sync->views[thread].offset_ticks, global);
    placement_begins(&record, false, local, global, &local_begin, &global_begin);
    bool begins = record.interval && global_begin <= global; /* else it is off */
    out->sense = *sense;
    out->end = (struct moment){local, global, thread};
    out->begin =
        (struct moment){begins ? local_begin : local, begins ? global_begin : global, thread};
    seen_begin(out, routine);
    out->child = NO_ACTOR;
    out->leaf = NO_TEXT;
    *taken = true;
    csy_status status = find_writer(reader, &record, thread, &out->actor, error);
    return status ? status
                  : actors_see_known(reader->actors, position, record.interval, out, error);
}

/* The next records that are plain, where all that is wanted of them is what they say of their
 * writers; then as many as are taken at once. */
static csy_status take_plains(struct reader *reader, struct seen *out, bool *taken,
                              csy_error *error)
{
    struct events_next_plain *plain = &reader->plain;
    const struct senses *senses = reader->senses;
    csy_status status = CSY_OK;
    bool more = true;
    *taken = false;
    if (senses->leaves_wanted || senses->children_wanted)
        return CSY_OK;
    while (!status && more && !*taken) {
        if (reader->taken == plain->n) {
            if (plain->n > 0)
                events_skip_plain(reader->events, plain->at, plain->n);
            reader->taken = 0;
            status = events_next_plain(reader->events, plain, error);
        }
        more = !status && plain->n > 0;
        if (more)
            status = take_plain(reader, out, taken, &more, error);
    }
    return status;
}

/* The next event, decoded; NULL after the last. */
static csy_status next_event(struct reader *reader, const csy_decoded **out, csy_error *error)
{
    csy_status status = CSY_OK;
    *out = NULL;
    if (reader->next == reader->n) {
        bool one = reader->taken < reader->plain.n; /* of these, after those that were taken */
        if (one)
            events_skip_plain(reader->events, reader->plain.at, reader->taken);
        reader->plain.n = reader->taken = reader->next = 0;
        status = csy_events_read(reader->events, reader->batch, one ? 1 : READER_BATCH, &reader->n,
                                 error);
    }
    if (!status && reader->n > 0)
        *out = &reader->batch[reader->next++];
    return status;
}

csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error)
{
    const csy_decoded *event;
    const struct sense *sense = &out->sense;
    csy_status status = CSY_OK;
    bool times = reader->senses->times_wanted && !reader->actors->scanned, taken = false;
    do {
        if (reader->next == reader->n)
            status = take_plains(reader, out, &taken, error);
        if (!status && !taken)
            status = next_event(reader, &event, error);
        *more = !status && (taken || event);
        if (!*more || taken)
            return status;
        status = senses_find(reader->senses, reader->events, event, &out->sense, error);
        if (!status && sense->timed && times)
            status = see_spent(reader, event, sense, error);
    } while (!status && sense->role == ROLE_NONE);
    uint32_t routine = NO_TEXT;
    bool calls = sense->role == ROLE_ENTER || sense->role == ROLE_EXIT || sense->role == ROLE_CALL;
    if (!status && calls)
        status = senses_routine(reader->senses, event, sense, &routine, error);
    if (!status)
        status = actors_see(reader->actors, event, routine, out, error);
    if (!status && times)
        status = see_begin(reader, event, out, error);
    out->child = NO_ACTOR;
    if (!status && reader->senses->children_wanted)
        status = see_child(reader, event, out, error);
    return status ? status : see_leaf(reader, event, out, error);
}

void reader_close(struct reader *reader)
{
    csy_events_free(reader->events);
    partners_fini(&reader->partners);
    free(reader->batch);
    free(reader->writers);
    *reader = (struct reader){0};
}
