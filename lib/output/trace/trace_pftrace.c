/* A synchronized trace as a Perfetto trace, with packets of TrackEvents. See cellsync-output(5),
 * Perfetto traces.
 *
 * There is one packet for each event, in the order of the records. Packets of a slice follow its
 * end. Packets of a live interval (first to last record of a thread) and of the uncertainty of its
 * clock follow the last record. Viewers sort packets by time, stably. Field numbers come from
 * Perfetto's protos/perfetto/trace. Tests decode packets with perfetto.proto. */
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "output/encode/caveats.h"
#include "output/encode/proto.h"
#include "output/encode/text.h"
#include "output/trace/trace_out.h"
#include "output/trace/tracks.h"
#include "trace/pex/record.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of tracks. From SET_ASIDE on, three kinds have the slices that would cross other slices.
 * Tracks of one kind differ in group or number. */
enum { SET_MAIN, SET_ASIDE, SET_LIVE = 4, SET_COUNTER, PERFETTO_SETS };

/* The names of annotations in the trace, in the order of their numbers. */
#define NOTES(NAME)                                                                                \
    NAME(RECORD, record), NAME(THREAD, thread), NAME(TICKS, ticks), NAME(LOCAL, local),            \
        NAME(STAMP, stamp), NAME(BEGIN_TICKS, begin_ticks), NAME(BEGIN_LOCAL, begin_local),        \
        NAME(BEGIN_STAMP, begin_stamp), NAME(TID, tid), NAME(ID, id), NAME(PC, pc),                \
        NAME(PAYLOAD, payload), NAME(ROW, row), NAME(VALUES, values), NAME(CONTEXT, context),      \
        NAME(SPE, spe), NAME(CLOCK, clock), NAME(DECR_FIRST, decr_first),                          \
        NAME(FIRST_RECORD, first_record), NAME(RECORDS, records),                                  \
        NAME(OFFSET_TICKS, offset_ticks), NAME(EARLIEST_TICKS, earliest_ticks),                    \
        NAME(LATEST_TICKS, latest_ticks), NAME(ROUTINE, routine),                                  \
        NAME(GLOBAL_EARLIEST, global_earliest), NAME(GLOBAL_LATEST, global_latest),                \
        NAME(GLOBAL_BEGIN_EARLIEST, global_begin_earliest),                                        \
        NAME(GLOBAL_BEGIN_LATEST, global_begin_latest), NAME(GLOBAL_MARK, global_mark)
#define NOTE_ENUM(upper, lower) NOTE_##upper
#define NOTE_WORD(upper, lower) #lower
enum note { NOTE_NONE, NOTES(NOTE_ENUM), NOTES_END }; /* NOTES_END and greater: names of fields */

enum category { CATEGORY_PPE = 1, CATEGORY_SPE, CATEGORY_ROW, CATEGORY_SWITCH, CATEGORY_LIVE };

/* Facts about a clock that were already written. */
struct perfetto_clock {
    uint64_t group; /* uuid of the group of the clock's threads, or 0 if not written yet */
    bool interned;  /* true if the name of the clock was written */
};

struct perfetto {
    struct lives lives; /* first member: functions of tracks.h expect it */
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const csy_output *output;

    uint64_t nuuids; /* number of tracks described so far */
    struct tracks tracks[PERFETTO_SETS];
    struct perfetto_clock *clocks; /* one for each csy_thread */
    struct perfetto_names *names;
    struct proto packet, event, interned; /* Protocol Buffers messages under construction */
    bool begun;                           /* true if a packet was written */
    bool timed;                           /* true if a packet with a time was written */
    bool beyond;                          /* true if some time does not fit in a packet */
    int64_t first_ns;                     /* least time of a packet so far */
    uint64_t facts_uuid;
};

enum { PERFETTO_NAME_MAX = 48, NANOSECONDS = 9, SEQUENCE = 1 };

/* Numbers of fields in the messages of Perfetto, grouped by message. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE_ID = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
    PACKET_FIRST_ON_SEQUENCE = 87
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum {
    EVENT_CATEGORY_IIDS = 3,
    EVENT_DEBUG_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK_UUID = 11,
    EVENT_NAME = 23,
    EVENT_COUNTER_VALUE = 30
};
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum { TRACK_UUID = 1, TRACK_NAME, TRACK_PROCESS, TRACK_PARENT_UUID = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, COUNTER_UNIT_NAME = 6 };
enum {
    NOTE_NAME_IID = 1,
    NOTE_UINT = 3,
    NOTE_INT = 4,
    NOTE_DOUBLE = 5,
    NOTE_STRING = 6,
    NOTE_POINTER = 7,
    NOTE_NAME = 10,
    NOTE_DICT_ENTRIES = 11,
    NOTE_STRING_IID = 17
};
enum { INTERNED_CATEGORY = 1, INTERNED_EVENT, INTERNED_NOTE, INTERNED_STRINGS = 29 };
enum { INTERNED_IID = 1, INTERNED_TEXT = 2 };

/* Data that all slices of a track share, stored in track->words. */
struct described {
    uint64_t uuid, parent;
    const char *name; /* NULL if the name is the track's number, or if the track has no slices */
    bool live;
};

_Static_assert(sizeof(struct described) <= TRACK_WORDS_MAX, "tracks have room for it");
static struct described described_of(const struct track *track)
{
    struct described described;
    memcpy(&described, track->words, sizeof described);
    return described;
}

/* ------------------------------------------------------------------------------- packets */

/* Write a packet: new names (p->interned), message `made` as `field`, and the time *ns, if any. */
static void write_packet(struct perfetto *p, const int64_t *ns, unsigned field,
                         const struct proto *made)
{
    struct proto *packet = &p->packet;
    proto_clear(packet);
    size_t mark = proto_begin(packet, TRACE_PACKET);
    if (ns)
        proto_number(packet, PACKET_TIMESTAMP, (uint64_t)*ns);
    proto_number(packet, PACKET_SEQUENCE_ID, SEQUENCE);
    if (!p->begun)
        proto_number(packet, PACKET_FIRST_ON_SEQUENCE, 1);
    proto_number(packet, PACKET_SEQUENCE_FLAGS, p->begun ? FLAG_NEEDS_STATE : FLAG_CLEARED);
    if (p->interned.size > 0)
        proto_bytes(packet, PACKET_INTERNED_DATA, p->interned.bytes, p->interned.size);
    proto_bytes(packet, field, made->bytes, made->size);
    proto_end(packet, mark);
    outfile_write(p->lives.out, packet->bytes, packet->size);
    proto_clear(&p->interned);
    p->begun = true;
}

/* Returns CSY_MEMORY if memory ran out, and CSY_INPUT if a time does not fit in a packet. */
static csy_status check(const struct perfetto *p, csy_error *error)
{
    if (p->packet.failed || p->event.failed || p->interned.failed)
        return error_memory(error);
    if (p->beyond)
        return error_set(
            error, CSY_INPUT,
            "%s: times are 2^63 ns apart or more, which a Perfetto trace cannot represent",
            p->trace->name);
    return CSY_OK;
}

static int64_t ns_of(struct perfetto *p, int64_t ticks)
{
    int128 since = (int128)ticks - p->lives.base_ticks;
    int128 ns = decimal_round(since, (int128)p->trace->timebase_hz, NANOSECONDS);
    p->beyond |= ns < 0 || ns > INT64_MAX;
    return p->beyond ? 0 : (int64_t)ns;
}

static csy_status write_event(struct perfetto *p, int64_t ns, unsigned type, uint64_t uuid,
                              csy_error *error)
{
    proto_number(&p->event, EVENT_TYPE, type);
    proto_number(&p->event, EVENT_TRACK_UUID, uuid);
    write_packet(p, &ns, PACKET_TRACK_EVENT, &p->event);
    p->first_ns = !p->timed || ns < p->first_ns ? ns : p->first_ns;
    p->timed = true;
    return check(p, error);
}

/* Begin an event. The caller adds a name and annotations to p->event, and new names to p->interned,
 * and writes the event with write_event or write_slice. */
static void begin_event(struct perfetto *p, enum category category)
{
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_CATEGORY_IIDS, category);
}

/* ------------------------------------------------------------------- names and annotations */

/* Declare that `number` means `name` from now on. */
static void intern(struct perfetto *p, unsigned kind, uint64_t number, const char *name,
                   size_t size)
{
    size_t mark = proto_begin(&p->interned, kind);
    proto_number(&p->interned, INTERNED_IID, number);
    proto_text(&p->interned, INTERNED_TEXT, name, size);
    proto_end(&p->interned, mark);
}

/* Annotate the event with a number, in a field such as NOTE_UINT. */
static void note_number(struct perfetto *p, enum note note, unsigned field, uint64_t value)
{
    proto_pair(&p->event, EVENT_DEBUG_ANNOTATIONS, &(struct proto_value){NOTE_NAME_IID, note},
               &(struct proto_value){field, value});
}

static void note_ticks(struct perfetto *p, enum note note, int64_t ticks)
{
    note_number(p, note, NOTE_INT, (uint64_t)ticks);
}

static void note_text(struct perfetto *p, enum note note, const char *text, size_t size)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_number(&p->event, NOTE_NAME_IID, note);
    proto_text(&p->event, NOTE_STRING, text, size);
    proto_end(&p->event, mark);
}

static void note_thread(struct perfetto *p, enum note note, size_t thread)
{
    const char *name = p->sync->views[thread].name;
    if (!p->clocks[thread].interned)
        intern(p, INTERNED_STRINGS, thread + 1, name, strlen(name));
    p->clocks[thread].interned = true;
    note_number(p, note, NOTE_STRING_IID, thread + 1);
}

/* Annotate the event with a fact that holds for the whole trace. */
static void fact(struct perfetto *p, const char *key, const char *text)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_text(&p->event, NOTE_NAME, key, strlen(key));
    proto_text(&p->event, NOTE_STRING, text, strlen(text));
    proto_end(&p->event, mark);
}

static void fact_number(struct perfetto *p, const char *key, unsigned field, uint64_t value)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_text(&p->event, NOTE_NAME, key, strlen(key));
    proto_number(&p->event, field, value);
    proto_end(&p->event, mark);
}

/* -------------------------------------------------------------------------------- tracks */

/* Describe a track. An event under construction stays unchanged. */
static void describe(struct perfetto *p, uint64_t uuid, uint64_t parent, const char *name,
                     const char *unit, const unsigned *pid)
{
    struct proto track = {0};
    proto_number(&track, TRACK_UUID, uuid);
    if (parent)
        proto_number(&track, TRACK_PARENT_UUID, parent);
    if (!pid) {
        proto_text(&track, TRACK_NAME, name, strlen(name));
    } else {
        size_t mark = proto_begin(&track, TRACK_PROCESS);
        proto_number(&track, PROCESS_PID, *pid);
        proto_text(&track, PROCESS_NAME, name, strlen(name));
        proto_end(&track, mark);
    }
    if (unit) {
        size_t mark = proto_begin(&track, TRACK_COUNTER);
        proto_text(&track, COUNTER_UNIT_NAME, unit, strlen(unit));
        proto_end(&track, mark);
    }
    p->packet.failed |= track.failed;
    write_packet(p, NULL, PACKET_TRACK_DESCRIPTOR, &track);
    proto_fini(&track);
}

/* Returns the name of a track for viewers, which may be a text with the track's number. */
static const char *name_of(struct track_place place, char text[PERFETTO_NAME_MAX])
{
    if (place.name)
        return place.name;
    *number_put_unsigned(put_text(put_text(text, track_kinds[place.group]), " "), place.number) = 0;
    return text;
}

/* Find or make a track in one of the sets (SET_MAIN and so on). Its parent is the track `main` or,
 * if NULL, the group of place. place.name must outlive the track. */
static csy_status find_track(struct perfetto *p, unsigned set, const struct track *main,
                             struct track_place place, struct track **out, csy_error *error)
{
    bool made;
    char text[PERFETTO_NAME_MAX];
    unsigned group = place.group;
    csy_status status = tracks_find(&p->tracks[set], group, place.number, out, &made, error);
    if (status || !made)
        return status;
    uint64_t parent = main ? described_of(main).uuid : group;
    if (!main && group >= GROUP_CLOCKS) { /* the track belongs to the group of a clock */
        size_t clock = group - GROUP_CLOCKS;
        if (!p->clocks[clock].group) {
            p->clocks[clock].group = ++p->nuuids;
            describe(p, p->clocks[clock].group, 0, p->sync->views[clock].name, NULL, &group);
        }
        parent = p->clocks[clock].group;
    }
    struct described described = {++p->nuuids, parent, set == SET_COUNTER ? NULL : place.name,
                                  set == SET_LIVE};
    memcpy((*out)->words, &described, sizeof described);
    describe(p, described.uuid, parent, name_of(place, text), set == SET_COUNTER ? "ticks" : NULL,
             NULL);
    return CSY_OK;
}

/* Add a slice to a track. If viewers would not show it inside the right slice, do not add it, and
 * set *nests to false. */
static csy_status lay(struct track *track, struct slice ns, bool *nests, csy_error *error)
{
    *nests = false;
    return track_begins_inside(track, ns) ? CSY_OK : track_lay(track, ns, nests, error);
}

/* Write a slice. If it would cross another slice, write it to another track with the same name. */
static csy_status write_slice(struct perfetto *p, struct track *track, struct slice slice,
                              csy_error *error)
{
    struct slice ns = {ns_of(p, slice.begin), ns_of(p, slice.end)};
    struct described described = described_of(track);
    const struct track_place place = {track->group, track->number, described.name};
    char text[PERFETTO_NAME_MAX];
    bool nests;
    csy_status status = lay(track, ns, &nests, error);
    for (unsigned set = SET_ASIDE; !status && !nests && !described.live && set < SET_LIVE; set++) {
        struct track *aside;
        status = find_track(p, set, NULL, place, &aside, error);
        status = status ? status : lay(aside, ns, &nests, error);
        if (nests)
            described = described_of(aside);
    }
    if (status)
        return status;
    if (!nests) {
        described.uuid = ++p->nuuids;
        describe(p, described.uuid, described.parent, name_of(place, text), NULL, NULL);
    }
    status = write_event(p, ns.begin, TYPE_BEGIN, described.uuid, error);
    proto_clear(&p->event);
    return status ? status : write_event(p, ns.end, TYPE_END, described.uuid, error);
}

enum {
    IDS = 1 << 16,
    FIELDS = 4096,   /* number of cached names of fields; a power of two */
    NAMES = 1024,    /* number of cached names of rows */
    NAME_BYTES = 48, /* maximum size of a cached name of a row */
    FLOW_IDS = 47,   /* maximum number of flow ids in a TrackEvent */
    TERMINATING_FLOW_IDS = 48
};

/* Names get numbers from 1. A name gets a new number after it was dropped from its cache. */
struct field_name {
    uint32_t key; /* id of the event and index of the field, plus 1 */
    uint64_t number;
};

struct row_name {
    uint64_t number; /* number of the name, or 0 for an empty entry */
    uint8_t size;
    char text[NAME_BYTES];
};

struct perfetto_names {
    uint64_t nevents, nnotes;
    uint32_t events[2][IDS]; /* by core and event id: number of the event's name, or 0 */
    struct field_name fields[FIELDS];
    struct row_name rows[NAMES];
};

static void name_event(struct perfetto *p, const struct record *record)
{
    uint32_t *number = &p->names->events[record->spe][record->id];
    char text[TYPE_TEXT_MAX];
    if (*number == 0) {
        const char *name = types_event_text(p->trace->types, record->id, record->spe, text);
        *number = (uint32_t)++p->names->nevents;
        intern(p, INTERNED_EVENT, *number, name, strlen(name));
    }
    proto_number(&p->event, EVENT_NAME_IID, *number);
}

static void note_payload(struct perfetto *p, const struct record *record)
{
    const struct event_types *types = p->trace->types;
    const struct record_type *typed = types_typed(types, record->id);
    const uint8_t *values = record_payload(record, false);
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_number(&p->event, NOTE_NAME_IID, NOTE_PAYLOAD);
    for (unsigned i = 0; i < record->npayload; i++) {
        uint32_t key = ((uint32_t)record->id << 13 | (i & 0x1fff)) + 1;
        struct field_name *field = &p->names->fields[(key * UINT32_C(0x9e3779b1)) >> 20];
        char text[TYPE_TEXT_MAX];
        if (field->key != key) {
            const char *name = types_field_text(types, record->id, i, text);
            field->key = key;
            field->number = p->names->nnotes++;
            intern(p, INTERNED_NOTE, field->number, name, strlen(name));
        }
        enum value_kind kind = types_value_kind(types, typed, i);
        uint64_t bits = load64(values + 8 * (size_t)i);
        if (kind == VALUE_REAL) {
            size_t entry = proto_begin(&p->event, NOTE_DICT_ENTRIES);
            proto_number(&p->event, NOTE_NAME_IID, field->number);
            proto_fixed(&p->event, NOTE_DOUBLE, bits);
            proto_end(&p->event, entry);
        } else {
            unsigned type = kind == VALUE_SIGNED    ? NOTE_INT
                            : kind == VALUE_ADDRESS ? NOTE_POINTER
                                                    : NOTE_UINT;
            proto_pair(&p->event, NOTE_DICT_ENTRIES,
                       &(struct proto_value){NOTE_NAME_IID, field->number},
                       &(struct proto_value){type, bits});
        }
    }
    proto_end(&p->event, mark);
}

/* Annotate the event with a limit in ticks, unless the limit is infinite. */
static void note_limit(struct perfetto *p, enum note note, int64_t ticks)
{
    if (ticks != INT64_MIN && ticks != INT64_MAX)
        note_ticks(p, note, ticks);
}

/* Annotate an event as --json-args selects. `begin` is the begin of an interval, or NULL. */
static void note_event(struct perfetto *p, const struct event *source, const csy_event *event,
                       const int64_t *begin)
{
    const struct record *record = source->record;
    bool all = p->output->json_args == CSY_JSON_ALL;
    if (p->output->json_args == CSY_JSON_NONE)
        return;
    note_number(p, NOTE_RECORD, NOTE_UINT, event->record);
    note_ticks(p, NOTE_TICKS, event->global_ticks);
    if (p->output->ranges) {
        struct times_range ranges[2];
        bool begins = times_event_ranges(p->sync, source, event, ranges);
        note_limit(p, NOTE_GLOBAL_EARLIEST, ranges[0].earliest_ticks);
        note_limit(p, NOTE_GLOBAL_LATEST, ranges[0].latest_ticks);
        if (begins) {
            note_limit(p, NOTE_GLOBAL_BEGIN_EARLIEST, ranges[1].earliest_ticks);
            note_limit(p, NOTE_GLOBAL_BEGIN_LATEST, ranges[1].latest_ticks);
        }
        if (times_is_set(p->sync, event))
            note_text(p, NOTE_GLOBAL_MARK, CSV_MARK_STEP, strlen(CSV_MARK_STEP));
    }
    if (all && record)
        note_thread(p, NOTE_THREAD, event->thread);
    if (all)
        note_ticks(p, NOTE_LOCAL, event->local_ticks);
    if (all && record)
        note_number(p, NOTE_STAMP, NOTE_UINT, record->stamp);
    if (all && begin)
        note_ticks(p, NOTE_BEGIN_TICKS, *begin);
    if (all && record) {
        note_number(p, NOTE_BEGIN_STAMP, NOTE_UINT, record->begin);
        note_number(p, NOTE_TID, NOTE_UINT, record->thread);
        note_number(p, NOTE_ID, NOTE_POINTER, record->id);
        note_number(p, NOTE_PC, NOTE_POINTER, load32(record->bytes + 12));
    }
    if (record && record->npayload > 0)
        note_payload(p, record);
    if (!all || record)
        return;
    if (begin)
        note_ticks(p, NOTE_BEGIN_LOCAL, source->stamp.begin_ticks);
    if (source->row)
        note_text(p, NOTE_ROW, source->row->bytes, source->row->size);
    if (source->routine.size > 0 && source->call == EVENT_NO_CALL)
        note_text(p, NOTE_ROUTINE, source->routine.bytes, source->routine.size);
    if (p->trace->source->valued && source->size > 0)
        note_text(p, NOTE_VALUES, (const char *)source->bytes, source->size);
}

/* Returns the id of a message, which is never 0. */
static uint64_t flow_id(struct event_flow flow)
{
    return ((uint64_t)flow.channel + 1) << 32 | flow.number;
}

/* ----------------------------------------------------------------------------------- rows */

static void name_row(struct perfetto *p, const char *name, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325;
    if (size == 0 || size > NAME_BYTES) {
        proto_text(&p->event, EVENT_NAME, size ? name : "row", size ? size : strlen("row"));
        return;
    }
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3;
    struct row_name *row = &p->names->rows[(hash ^ hash >> 32) % NAMES];
    if (row->number == 0 || row->size != size || memcmp(row->text, name, size) != 0) {
        row->number = ++p->names->nevents;
        row->size = (uint8_t)size;
        memcpy(row->text, name, size);
        intern(p, INTERNED_EVENT, row->number, name, size);
    }
    proto_number(&p->event, EVENT_NAME_IID, row->number);
}

static csy_status draw_event(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct perfetto *p = user;
    const struct record *record = source->record;
    struct track *track;
    bool interval, call = !record && source->call != EVENT_NO_CALL && source->routine.size > 0;
    int64_t begin, time = event->global_ticks;
    struct slice slice = {time, time};
    struct track_place place = record && !record->spe
                                   ? (struct track_place){GROUP_PPE, record->thread, NULL}
                                   : track_place_of(p->sync, record ? event->thread : event->track);
    csy_status status = find_track(p, SET_MAIN, NULL, place, &track, error);
    if (!status)
        status = placement_event_begin(p->sync, source, event, &interval, &begin, error);
    if (status)
        return status;
    begin_event(p, !record ? CATEGORY_ROW : record->spe ? CATEGORY_SPE : CATEGORY_PPE);
    if (record)
        name_event(p, record);
    else if (call)
        name_row(p, source->routine.bytes, source->routine.size);
    else
        name_row(p, source->name, source->name_size);
    /* Perfetto draws a message from a send to the receive with the same flow id. */
    const struct event_flows *flows = source->flows;
    for (unsigned i = 0; flows && i < flows->nsent; i++)
        proto_fixed(&p->event, FLOW_IDS, flow_id(flows->sent[i]));
    for (unsigned i = 0; flows && i < flows->nreceived; i++)
        proto_fixed(&p->event, TERMINATING_FLOW_IDS, flow_id(flows->received[i]));
    note_event(p, source, event, interval ? &begin : NULL);
    if (interval) {
        slice = slice_from(begin, time, p->lives.base_ticks);
        status = write_slice(p, track, slice, error);
    } else {
        unsigned type = !call ? TYPE_INSTANT : source->call == EVENT_ENTERS ? TYPE_BEGIN : TYPE_END;
        status = write_event(p, ns_of(p, time), type, described_of(track).uuid, error);
    }
    const uint8_t *payload = record ? record_payload(record, false) : NULL;
    if (!status && record && record_is_switch(record) && load64(payload + 8) != CSY_NO_SPE) {
        /* Draw the context switch also on the track of its SPE. */
        place = (struct track_place){GROUP_SPE, load64(payload + 8), NULL};
        status = find_track(p, SET_MAIN, NULL, place, &track, error);
        if (status)
            return status;
        begin_event(p, CATEGORY_SWITCH);
        name_event(p, record);
        if (p->output->json_args != CSY_JSON_NONE) {
            note_number(p, NOTE_RECORD, NOTE_UINT, event->record);
            note_number(p, NOTE_CONTEXT, NOTE_UINT, load64(payload));
        }
        status = write_event(p, ns_of(p, time), TYPE_INSTANT, described_of(track).uuid, error);
    }
    return status ? status : lives_draw(&p->lives, event, slice.begin, error);
}

/* -------------------------------------------------------------------------- live intervals */

static csy_status write_live(void *user, size_t index, struct slice slice, csy_error *error)
{
    struct perfetto *p = user;
    bool named = p->sync->tracks;
    size_t clock = named ? p->sync->tracks[index].thread : index;
    const csy_thread *thread = &p->sync->views[clock];
    const char *name = named ? p->sync->tracks[index].name : thread->name;
    struct track *track, *live;
    struct track_place place = track_place_of(p->sync, index);
    csy_status status = find_track(p, SET_MAIN, NULL, place, &track, error);
    place.name = "live";
    status = status ? status : find_track(p, SET_LIVE, track, place, &live, error);
    if (status)
        return status;
    begin_event(p, CATEGORY_LIVE);
    proto_text(&p->event, EVENT_NAME, name, strlen(name));
    note_number(p, NOTE_FIRST_RECORD, NOTE_UINT, thread->first_record);
    note_number(p, NOTE_RECORDS, NOTE_UINT, thread->records);
    if (thread->offset_ticks != CSY_NO_OFFSET)
        note_ticks(p, NOTE_OFFSET_TICKS, thread->offset_ticks);
    note_limit(p, NOTE_EARLIEST_TICKS, thread->earliest_ticks);
    note_limit(p, NOTE_LATEST_TICKS, thread->latest_ticks);
    if (named && members_share(thread))
        note_thread(p, NOTE_CLOCK, clock);
    if (thread->context != CSY_NO_CONTEXT) {
        note_ticks(p, NOTE_CONTEXT, thread->context);
        note_number(p, NOTE_DECR_FIRST, NOTE_UINT, thread->decr_first);
    }
    if (thread->spe != CSY_NO_SPE)
        note_number(p, NOTE_SPE, NOTE_UINT, thread->spe);
    return write_slice(p, live, slice, error);
}

/* Write the maximum error of the time between an event of a clock and an event of the reference. */
static csy_status write_uncertainty(void *user, size_t index, size_t clock, int64_t global_ticks,
                                    int64_t uncertainty_ticks, csy_error *error)
{
    struct perfetto *p = user;
    struct track *track, *counter;
    bool named = p->sync->tracks;
    struct track_place place = track_place_of(p->sync, index);
    csy_status status = find_track(p, SET_MAIN, NULL, place, &track, error);
    if (status)
        return status;
    char text[PERFETTO_NAME_MAX], *name = NULL;
    const char *what = named ? p->sync->views[clock].name : name_of(place, text);
    if (asprintf(&name, "uncertainty of %s", what) < 0)
        return error_memory(error);
    if (named)
        place = (struct track_place){track_clock_group(p->sync, clock), clock, NULL};
    place.name = name;
    status = find_track(p, SET_COUNTER, named ? NULL : track, place, &counter, error);
    free(name);
    if (status)
        return status;
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_COUNTER_VALUE, (uint64_t)uncertainty_ticks);
    return write_event(p, ns_of(p, global_ticks), TYPE_COUNTER, described_of(counter).uuid, error);
}

/* -------------------------------------------------------------------------- begin and end */

static const char facts_name[] = "cellsync";

static csy_status begin_trace(void *user, csy_error *error)
{
    static const char *const notes[] = {"", NOTES(NOTE_WORD)};
    static const char *const categories[] = {"", "ppe", "spe", "row", "switch", "live"};
    struct perfetto *p = user;
    p->nuuids = GROUP_CLOCKS;
    p->names->nnotes = NOTES_END;
    size_t last = p->output->ranges        ? NOTES_END - 1
                  : p->trace->has_routines ? NOTE_ROUTINE
                                           : NOTE_ROUTINE - 1;
    for (size_t i = 1; i <= last; i++)
        intern(p, INTERNED_NOTE, i, notes[i], strlen(notes[i]));
    for (size_t i = CATEGORY_PPE; i <= CATEGORY_LIVE; i++)
        intern(p, INTERNED_CATEGORY, i, categories[i], strlen(categories[i]));
    p->facts_uuid = ++p->nuuids;
    describe(p, p->facts_uuid, 0, facts_name, NULL, NULL);
    unsigned first = p->sync->tracks ? GROUP_ROWS : GROUP_PPE;
    for (unsigned group = first; group == first || group < GROUP_ROWS; group++)
        describe(p, group, 0, track_groups[group], NULL, &group);
    csy_status status = check(p, error);
    if (status || p->sync->tracks)
        return status;
    /* If a PPE thread has several names, use the first one. */
    struct track *track;
    for (size_t i = 0; i < p->trace->nlisted && !status; i++) {
        const struct listed_thread *listed = &p->trace->listed[i];
        const struct track_place place = {GROUP_PPE, listed->tid,
                                          types_text(p->trace->types, listed->name)};
        status = find_track(p, SET_MAIN, NULL, place, &track, error);
    }
    return status ? status : check(p, error);
}

static csy_status end_trace(void *user, csy_error *error)
{
    struct perfetto *p = user;
    const struct csy_sync *sync = p->sync;
    char text[FRACTION_TEXT_MAX];
    csy_status status = lives_end(&p->lives, error);
    if (status)
        return status;
    /* Write how global times were found, as annotations of an event at the least time of a packet.
     * The event has its own track, which begin_trace described. */
    proto_clear(&p->event);
    fact(p, "version", csy_version());
    fact(p, "trace", p->trace->name);
    fact(p, "machine", csy_trace_machine(p->trace));
    fact_number(p, "timebase_hz", NOTE_UINT, p->trace->timebase_hz);
    fact_number(p, "records", NOTE_UINT, sync->survey.records);
    fact_number(p, "base_ticks", NOTE_INT, (uint64_t)p->lives.base_ticks);
    fact(p, "method", text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH) {
        fact(p, "reference", sync->views[sync->reference].name);
        fact(p, "alpha", fraction_text(sync->alpha, text));
        fact(p, "center", text_center_words[sync->center]);
        fact(p, "relax", text_relax_words[sync->imprecision.relax]);
        fact(p, "delta_ticks", fraction_text(sync->imprecision.delta, text));
        fact_number(p, "added_ticks", NOTE_INT, (uint64_t)sync->imprecision.added_ticks);
        fact_number(p, "conditional", NOTE_UINT, sync->imprecision.conditional);
    }
    fact_number(p, "assumed", NOTE_UINT, sync->survey.clock_report.assumed);
    for (struct caveats told = caveats_of(sync, NULL); caveats_next(&told);)
        fact(p, told.condition ? "condition" : "warning", told.text);
    if (!p->lives.selection.all)
        fact_number(p, "part", NOTE_UINT, 1);
    proto_text(&p->event, EVENT_NAME, facts_name, strlen(facts_name));
    return write_event(p, p->first_ns, TYPE_INSTANT, p->facts_uuid, error);
}

csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error)
{
    static const struct lives_format drawn = {write_live, write_uncertainty};
    static const struct writer_format format = {.begin = begin_trace,
                                                .event = draw_event,
                                                .messages = true,
                                                .pass = lives_pass,
                                                .end = end_trace,
                                                .has_file = true};
    struct perfetto p = {.lives = {.out = out, .sync = sync, .format = &drawn},
                         .trace = trace,
                         .sync = sync,
                         .output = output};
    p.clocks = calloc(sync->survey.threads.count, sizeof *p.clocks);
    p.names = calloc(1, sizeof *p.names);
    csy_status status = p.clocks && p.names ? CSY_OK : error_memory(error);
    status = status ? status : lives_walk(&p.lives, trace, output, &format, error);
    for (size_t i = 0; i < PERFETTO_SETS; i++)
        tracks_fini(&p.tracks[i]);
    proto_fini(&p.packet);
    proto_fini(&p.event);
    proto_fini(&p.interned);
    FREE_ALL(p.names, p.clocks);
    return status;
}
