/* The records of a .pex as Chrome trace events. */
#include "base/error.h"
#include "base/put.h"
#include "output/encode/json.h"
#include "output/encode/kept.h"
#include "output/trace/picture.h"
#include "trace/pex/record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS = 256,     /* of which the names are kept */
    FIELDS = 4,       /* of each of them, as most records have */
    RECORD_MAX = 1152 /* of a record, but for names that are not kept, and the other fields */
};

/* What is written of all events with an id and a core: their name, and "field": of their fields. */
struct picture_names {
    struct {
        uint32_t key; /* id, core and that it is one */
        struct kept name, fields[FIELDS];
    } events[EVENTS];
};

csy_status picture_names_new(struct picture_names **out, csy_error *error)
{
    *out = calloc(1, sizeof **out);
    return *out ? CSY_OK : error_memory(error);
}

/* A string of JSON, if it needs no escapes, and what follows it. */
static void keep(struct kept *kept, const char *name, const char *end)
{
    *kept = (struct kept){0};
    if (json_is_plain(name, strlen(name)))
        kept_make(kept, "\"", name, end);
}

/* The name of an event, or of a field. */
static const char *event_name(const struct picture *p, const struct record *record, char text[8])
{
    const char *name = metadata_event_name(&p->trace->metadata, record->id, record->spe);
    if (name)
        return name;
    *number_put_hex(put_text(text, "0x"), record->id, 4) = 0;
    return text;
}

static const char *field_name(const struct picture *p, uint16_t id, unsigned field, char text[16])
{
    const struct metadata *metadata = &p->trace->metadata;
    const struct record_type *type = metadata_type(metadata, id);
    const char *name = type ? metadata_field_name(metadata, type, field) : NULL;
    if (name)
        return name;
    *put_unsigned(text, "value", field) = 0;
    return text;
}

static char *put_string(struct picture *p, char *at, const char *text)
{
    outfile_end(p->out, at);
    json_string(p->out, text);
    return outfile_text(p->out, RECORD_MAX);
}

static char *put_event_name(struct picture *p, char *at, const struct record *record)
{
    char text[8];
    uint32_t key = UINT32_C(1) << 31 | (uint32_t)record->spe << 16 | record->id;
    struct picture_names *names = p->names;
    size_t index = record_id_place(record->id, EVENTS);
    if (names->events[index].key != key) {
        char field[16];
        names->events[index].key = key;
        keep(&names->events[index].name, event_name(p, record, text), "\"");
        for (unsigned i = 0; i < FIELDS; i++)
            keep(&names->events[index].fields[i], field_name(p, record->id, i, field), "\":");
    }
    const struct kept *kept = &names->events[index].name;
    return kept->size > 0 ? kept_put(at, kept) : put_string(p, at, event_name(p, record, text));
}

/* What is no number in JSON is a string. */
static char *put_value(char *at, enum value_kind kind, uint64_t bits)
{
    bool number = value_is_decimal(kind, bits);
    if (!number)
        *at++ = '"';
    at = value_put(at, kind, bits);
    if (!number)
        *at++ = '"';
    return at;
}

/* After the event's name was put. */
static char *put_payload(struct picture *p, char *at, const struct record *record)
{
    const struct kept *fields = p->names->events[record_id_place(record->id, EVENTS)].fields;
    const uint8_t *values = record_payload(record, false);
    const struct metadata *metadata = &p->trace->metadata;
    const struct record_type *typed = metadata_typed(metadata, record->id);
    at = put_text(at, ",\"payload\":{");
    for (unsigned i = 0; i < record->npayload; i++) {
        char text[16];
        if (i > 0)
            *at++ = ',';
        if (i < FIELDS && fields[i].size > 0)
            at = kept_put(at, &fields[i]);
        else
            at = put_text(put_string(p, at, field_name(p, record->id, i, text)), ":");
        at = put_value(at, metadata_value_kind(metadata, typed, i), load64(values + 8 * (size_t)i));
    }
    return put_text(at, "}");
}

/* The name of a record's event and all that it holds, up to the event's end. */
static char *put_record(struct picture *p, char *at, const struct record *record,
                        const csy_event *event, const int64_t *begin)
{
    at = put_event_name(p, put_text(at, ",\"name\":"), record);
    if (p->output->json_args != CSY_JSON_ALL) {
        at = picture_put_few(p, at, event);
        if (p->output->json_args == CSY_JSON_SHORT && record->npayload > 0)
            at = put_payload(p, at, record);
        return put_text(at, p->output->json_args == CSY_JSON_NONE ? "}" : "}}");
    }
    at = put_unsigned(at, ",\"args\":{\"record\":", event->record);
    at = put_text(put_text(at, ",\"thread\":\""), p->sync->views[event->thread].name);
    at = put_number(at, "\",\"ticks\":", event->global_ticks);
    at = put_number(at, ",\"local\":", event->local_ticks);
    at = put_unsigned(at, ",\"stamp\":", record->stamp);
    if (begin)
        at = put_number(at, ",\"begin_ticks\":", *begin);
    at = put_unsigned(at, ",\"begin_stamp\":", record->begin);
    at = put_unsigned(at, ",\"tid\":", record->thread);
    at = number_put_hex(put_text(at, ",\"id\":\"0x"), record->id, 4);
    at = number_put_hex(put_text(at, "\",\"pc\":\"0x"), load32(record->bytes + 12), 8);
    return put_text(put_payload(p, put_text(at, "\""), record), "}}");
}

/* An interval event, from begin (or its end, where that is not before it; or the base) to its end.
 * *reach: how far its live interval must reach back for it. */
static csy_status write_interval(struct picture *p, struct track *track,
                                 const struct record *record, const csy_event *event, int64_t begin,
                                 int64_t *reach, csy_error *error)
{
    bool nests;
    const char *category = record->spe ? "spe" : "ppe";
    const struct slice slice = slice_from(begin, event->global_ticks, p->base_ticks);
    csy_status status = picture_begin_slice(p, track, category, slice, &nests, error);
    if (status)
        return status;
    if (!nests)
        picture_write_id(p, 'r', event->record);
    char *at = outfile_text(p->out, RECORD_MAX);
    outfile_end(p->out, put_record(p, at, record, event, &begin));
    if (!nests) {
        picture_begin_end(p, track, category, slice.end);
        picture_write_id(p, 'r', event->record);
        at = put_text(outfile_text(p->out, RECORD_MAX), ",\"name\":");
        outfile_end(p->out, put_text(put_event_name(p, at, record), "}"));
    }
    *reach = nests ? slice.begin : slice.end;
    return CSY_OK;
}

static void write_instant(struct picture *p, const struct track *track, const struct record *record,
                          const csy_event *event)
{
    char *at = outfile_text(p->out, RECORD_MAX);
    at = picture_put_instant(at, p, record->spe ? "spe" : "ppe", track, event->global_ticks);
    outfile_end(p->out, put_record(p, at, record, event, NULL));
}

/* A switch shows on the SPE's own track, too. */
static csy_status write_switch(struct picture *p, const struct record *record,
                               const csy_event *event, csy_error *error)
{
    struct track *track;
    const uint8_t *payload = record_payload(record, false);
    if (!record_is_switch(record) || load64(payload + 8) == CSY_NO_SPE)
        return CSY_OK;
    csy_status status = picture_find_track(p, GROUP_SPE, load64(payload + 8), NULL, &track, error);
    if (status)
        return status;
    char *at = outfile_text(p->out, RECORD_MAX);
    at = picture_put_instant(at, p, "switch", track, event->global_ticks);
    at = put_event_name(p, put_text(at, ",\"name\":"), record);
    if (p->output->json_args != CSY_JSON_NONE) {
        at = put_unsigned(at, ",\"args\":{\"record\":", event->record);
        at = put_text(put_unsigned(at, ",\"context\":", load64(payload)), "}");
    }
    outfile_end(p->out, put_text(at, "}"));
    return CSY_OK;
}

csy_status picture_draw_record(void *user, const struct event *source, const csy_event *event,
                               csy_error *error)
{
    struct picture *p = user;
    const struct record *record = source->record;
    struct track *track;
    int64_t reach = event->global_ticks;
    csy_status status = record->spe
                            ? picture_thread_track(p, event->thread, &track, error)
                            : picture_find_track(p, GROUP_PPE, record->thread, NULL, &track, error);
    if (!status && record->interval) {
        int64_t begin = placement_record_begin(p->sync, record, event->thread, event->global_ticks,
                                               event->local_ticks);
        status = write_interval(p, track, record, event, begin, &reach, error);
        if (!status)
            picture_draw_flows(p, source, track,
                               slice_from(begin, event->global_ticks, p->base_ticks).begin,
                               event->global_ticks);
    } else if (!status) {
        write_instant(p, track, record, event);
        picture_draw_flows(p, source, track, event->global_ticks, event->global_ticks);
    }
    if (!status)
        status = write_switch(p, record, event, error);
    return status ? status : lives_draw(&p->lives, event, reach, error);
}
