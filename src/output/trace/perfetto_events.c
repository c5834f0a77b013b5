/* What records of a .pex and rows of a CSV say, as Perfetto's TrackEvents. */
#include "base/error.h"
#include "base/put.h"
#include "output/trace/perfetto.h"
#include "trace/pex/record.h"

#include <stdlib.h>
#include <string.h>

enum {
    IDS = 1 << 16,
    FIELDS = 4096,   /* names of fields that are remembered, a power of two, */
    NAMES = 1024,    /* and of rows, */
    NAME_BYTES = 48, /* if they are no longer */
    NUMBER_BYTES = 16,
    FLOW_IDS = 47, /* of a TrackEvent */
    TERMINATING_FLOW_IDS = 48
};

/* Numbers that names have in the trace, from 1 on as they come.  What is forgotten gets another one
 * when it comes again. */
struct perfetto_names {
    uint64_t nevents, nnotes;
    uint32_t events[2][IDS]; /* by core and id; 0: none yet */
    struct {
        uint32_t key; /* id and field, plus 1 */
        uint64_t number;
    } fields[FIELDS];
    struct {
        uint64_t number; /* 0: none yet */
        uint8_t size;
        char text[NAME_BYTES];
    } rows[NAMES];
};

csy_status perfetto_names_new(struct perfetto_names **out, csy_error *error)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return error_memory(error);
    (*out)->nnotes = NOTES_END;
    return CSY_OK;
}

void perfetto_names_free(struct perfetto_names *names)
{
    free(names);
}

static void name_event(struct perfetto *p, const struct record *record)
{
    uint32_t *number = &p->names->events[record->spe][record->id];
    char text[NUMBER_BYTES];
    if (*number == 0) {
        const char *name = metadata_event_name(&p->trace->metadata, record->id, record->spe);
        *number = (uint32_t)++p->names->nevents;
        if (!name) {
            *number_put_hex(put_text(text, "0x"), record->id, 4) = 0;
            name = text;
        }
        perfetto_intern(p, INTERNED_EVENT, *number, name, strlen(name));
    }
    perfetto_name(p, *number);
}

static unsigned field_note(struct perfetto *p, uint16_t id, unsigned field)
{
    uint32_t key = ((uint32_t)id << 13 | (field & 0x1fff)) + 1;
    size_t place = (key * UINT32_C(0x9e3779b1)) >> 20;
    char text[NUMBER_BYTES];
    if (p->names->fields[place].key != key) {
        const struct metadata *metadata = &p->trace->metadata;
        const struct record_type *type = metadata_type(metadata, id);
        const char *name = type ? metadata_field_name(metadata, type, field) : NULL;
        if (!name) {
            *put_unsigned(text, "value", field) = 0;
            name = text;
        }
        p->names->fields[place].key = key;
        p->names->fields[place].number = p->names->nnotes++;
        perfetto_intern(p, INTERNED_NOTE, p->names->fields[place].number, name, strlen(name));
    }
    return (unsigned)p->names->fields[place].number;
}

static void note_value(struct perfetto *p, unsigned note, enum value_kind kind, uint64_t bits)
{
    if (kind == VALUE_REAL)
        perfetto_dict_real(p, note, bits);
    else if (kind == VALUE_SIGNED)
        perfetto_dict_number(p, note, (int64_t)bits);
    else if (kind == VALUE_ADDRESS)
        perfetto_dict_address(p, note, bits);
    else
        perfetto_dict_unsigned(p, note, bits);
}

static void note_payload(struct perfetto *p, const struct record *record)
{
    const struct metadata *metadata = &p->trace->metadata;
    const struct record_type *typed = metadata_typed(metadata, record->id);
    const uint8_t *values = record_payload(record, false);
    size_t mark = perfetto_dict_begin(p, NOTE_PAYLOAD);
    for (unsigned i = 0; i < record->npayload; i++)
        note_value(p, field_note(p, record->id, i), metadata_value_kind(metadata, typed, i),
                   load64(values + 8 * (size_t)i));
    proto_end(&p->event, mark);
}

/* As --json-args has it; begin: of an interval. */
static void note_record(struct perfetto *p, const struct record *record, const csy_event *event,
                        const int64_t *begin)
{
    if (p->output->json_args == CSY_JSON_NONE)
        return;
    perfetto_note_unsigned(p, NOTE_RECORD, event->record);
    perfetto_note_number(p, NOTE_TICKS, event->global_ticks);
    if (p->output->json_args == CSY_JSON_ALL) {
        perfetto_note_thread(p, NOTE_THREAD, event->thread);
        perfetto_note_number(p, NOTE_LOCAL, event->local_ticks);
        perfetto_note_unsigned(p, NOTE_STAMP, record->stamp);
        if (begin)
            perfetto_note_number(p, NOTE_BEGIN_TICKS, *begin);
        perfetto_note_unsigned(p, NOTE_BEGIN_STAMP, record->begin);
        perfetto_note_unsigned(p, NOTE_TID, record->thread);
        perfetto_note_address(p, NOTE_ID, record->id);
        perfetto_note_address(p, NOTE_PC, load32(record->bytes + 12));
    }
    if (record->npayload > 0)
        note_payload(p, record);
}

/* A switch shows on the SPE's own track, too. */
static csy_status draw_switch(struct perfetto *p, const struct record *record,
                              const csy_event *event, csy_error *error)
{
    struct track *track;
    const uint8_t *payload = record_payload(record, false);
    if (!record_is_switch(record) || load64(payload + 8) == CSY_NO_SPE)
        return CSY_OK;
    csy_status status = perfetto_track(p, PERFETTO_SPE, load64(payload + 8), &track, error);
    if (status)
        return status;
    perfetto_begin(p, CATEGORY_SWITCH);
    name_event(p, record);
    if (p->output->json_args != CSY_JSON_NONE) {
        perfetto_note_unsigned(p, NOTE_RECORD, event->record);
        perfetto_note_unsigned(p, NOTE_CONTEXT, load64(payload));
    }
    return perfetto_instant(p, track, event->global_ticks, error);
}

/* Above 0. */
static uint64_t flow_id(struct event_flow flow)
{
    return ((uint64_t)flow.channel + 1) << 32 | flow.number;
}

/* What Perfetto calls flows: messages that begin or end at the event. */
static void put_flows(struct perfetto *p, const struct event *source)
{
    const struct event_flows *flows = source->flows;
    for (unsigned i = 0; flows && i < flows->nsent; i++)
        proto_fixed(&p->event, FLOW_IDS, flow_id(flows->sent[i]));
    for (unsigned i = 0; flows && i < flows->nreceived; i++)
        proto_fixed(&p->event, TERMINATING_FLOW_IDS, flow_id(flows->received[i]));
}

csy_status perfetto_draw_record(void *user, const struct event *source, const csy_event *event,
                                csy_error *error)
{
    struct perfetto *p = user;
    const struct record *record = source->record;
    struct track *track;
    struct slice slice = {event->global_ticks, event->global_ticks};
    csy_status status = record->spe
                            ? perfetto_thread_track(p, event->thread, &track, error)
                            : perfetto_track(p, PERFETTO_PPE, record->thread, &track, error);
    if (status)
        return status;
    perfetto_begin(p, record->spe ? CATEGORY_SPE : CATEGORY_PPE);
    name_event(p, record);
    put_flows(p, source);
    if (record->interval) {
        int64_t begin = placement_record_begin(p->sync, record, event->thread, event->global_ticks,
                                               event->local_ticks);
        slice = slice_from(begin, event->global_ticks, p->base_ticks);
        note_record(p, record, event, &begin);
        status = perfetto_slice(p, track, slice, error);
    } else {
        note_record(p, record, event, NULL);
        status = perfetto_instant(p, track, event->global_ticks, error);
    }
    if (!status)
        status = draw_switch(p, record, event, error);
    return status ? status : lives_draw(&p->lives, event, slice.begin, error);
}

/* ----------------------------------------------------------------------------------- rows */

static void name_row(struct perfetto *p, const char *name, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;
    if (size == 0 || size > NAME_BYTES) {
        perfetto_name_text(p, size ? name : "row", size ? size : strlen("row"));
        return;
    }
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3;
    size_t place = (hash ^ hash >> 32) % NAMES;
    if (p->names->rows[place].number == 0 || p->names->rows[place].size != size ||
        memcmp(p->names->rows[place].text, name, size) != 0) {
        p->names->rows[place].number = ++p->names->nevents;
        p->names->rows[place].size = (uint8_t)size;
        memcpy(p->names->rows[place].text, name, size);
        perfetto_intern(p, INTERNED_EVENT, p->names->rows[place].number, name, size);
    }
    perfetto_name(p, p->names->rows[place].number);
}

static void note_row(struct perfetto *p, const struct event *source, const csy_event *event,
                     const int64_t *begin)
{
    if (p->output->json_args == CSY_JSON_NONE)
        return;
    perfetto_note_unsigned(p, NOTE_RECORD, event->record);
    perfetto_note_number(p, NOTE_TICKS, event->global_ticks);
    if (p->output->json_args != CSY_JSON_ALL)
        return;
    perfetto_note_number(p, NOTE_LOCAL, event->local_ticks);
    if (begin) {
        perfetto_note_number(p, NOTE_BEGIN_TICKS, *begin);
        perfetto_note_number(p, NOTE_BEGIN_LOCAL, source->stamp.begin_ticks);
    }
    if (source->row)
        perfetto_note_text(p, NOTE_ROW, source->row->bytes, source->row->size);
    if (source->routine.size > 0 && source->call == EVENT_NO_CALL)
        perfetto_note_text(p, NOTE_ROUTINE, source->routine.bytes, source->routine.size);
    if (p->trace->source->valued && source->size > 0)
        perfetto_note_text(p, NOTE_VALUES, (const char *)source->bytes, source->size);
}

csy_status perfetto_draw_row(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct perfetto *p = user;
    struct track *track;
    int64_t begin = event->global_ticks;
    struct slice slice = {begin, begin};
    bool call = source->call != EVENT_NO_CALL && source->routine.size > 0;
    csy_status status = perfetto_thread_track(p, event->track, &track, error);
    if (!status && source->stamp.interval)
        status = placement_stamp_begin(p->sync, source, event->global_ticks, &begin, error);
    if (status)
        return status;
    perfetto_begin(p, CATEGORY_ROW);
    if (call)
        name_row(p, source->routine.bytes, source->routine.size);
    else
        name_row(p, source->name, source->name_size);
    put_flows(p, source);
    note_row(p, source, event, source->stamp.interval ? &begin : NULL);
    if (source->stamp.interval) {
        slice = slice_from(begin, event->global_ticks, p->base_ticks);
        status = perfetto_slice(p, track, slice, error);
    } else if (call) {
        status = perfetto_call(p, track, source->call == EVENT_ENTERS, event->global_ticks, error);
    } else {
        status = perfetto_instant(p, track, event->global_ticks, error);
    }
    return status ? status : lives_draw(&p->lives, event, slice.begin, error);
}
