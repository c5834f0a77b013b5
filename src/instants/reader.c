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

/* Whom it creates, or starts where nothing says who creates that one. */
static csy_status see_child(struct reader *reader, const csy_decoded *event, struct seen *out,
                            csy_error *error)
{
    csy_status status = CSY_OK;
    bool known;
    out->child = NO_ACTOR;
    if (!reader->senses->children_wanted ||
        (out->sense.role != ROLE_CREATE && out->sense.role != ROLE_START))
        return CSY_OK;
    if (!reader->partners.sync)
        status = partners_init(&reader->partners, reader->sync, error);
    if (!status)
        status = partners_find(&reader->partners, reader->senses, reader->actors, event,
                               &out->sense, FIELD_TASK, &out->child, &known, error);
    if (status || !known)
        return status;
    struct actor *child = &reader->actors->items[out->child];
    bool creates = out->sense.role == ROLE_CREATE;
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
    } while (!status && sense->role == ROLE_NONE);
    uint32_t routine = NO_TEXT;
    bool calls = sense->role == ROLE_ENTER || sense->role == ROLE_EXIT || sense->role == ROLE_CALL;
    if (!status && calls)
        status = senses_routine(reader->senses, event, sense, &routine, error);
    if (!status)
        status = actors_see(reader->actors, event, routine, out, error);
    if (!status)
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
