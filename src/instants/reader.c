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
    csy_status status =
        reader->batch ? csy_events_open(sync, &reader->events, error) : error_memory(error);
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

csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error)
{
    const csy_decoded *event;
    const struct sense *sense = &out->sense;
    csy_status status = CSY_OK;
    bool times = reader->senses->times_wanted && !reader->actors->scanned;
    do {
        if (reader->next == reader->n) {
            reader->next = 0;
            status =
                csy_events_read(reader->events, reader->batch, READER_BATCH, &reader->n, error);
        }
        *more = !status && reader->n > 0;
        if (!*more)
            return status;
        event = &reader->batch[reader->next++];
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
    *reader = (struct reader){0};
}
