/* A synchronized trace as a Perfetto trace, with packets of TrackEvents. See cellsync-output(5),
 * Perfetto traces.
 *
 * There is one packet for each event, in the order of the records. Packets of a slice follow its
 * end. Packets of a live interval and of its uncertainty follow the last record. Viewers sort
 * packets by time, stably. Field numbers are those of Perfetto's protos/perfetto/trace. The tests
 * decode packets with perfetto.proto, which names the used fields. */
#include "base/error.h"
#include "base/put.h"
#include "output/encode/caveats.h"
#include "output/encode/proto.h"
#include "output/encode/text.h"
#include "output/trace/lives.h"
#include "output/trace/members.h"
#include "output/trace/times.h"
#include "output/trace/trace_out.h"
#include "output/trace/tracks.h"
#include "output/trace/writer.h"
#include "trace/pex/record.h"

#include <stdlib.h>
#include <string.h>

/* Groups of tracks, which are processes in Chrome trace events. */
enum perfetto_group {
    PERFETTO_PPE = 1,
    PERFETTO_SPE,
    PERFETTO_CONTEXT,
    PERFETTO_ROWS,
    PERFETTO_CLOCKS /* and above: one for each clock that threads share */
};

/* Sets of tracks with the same group and number: events of a thread, events that do not nest, live
 * intervals, and the uncertainty of the clock. */
enum { SET_MAIN, SET_ASIDE, SET_LIVE = 4, SET_COUNTER, PERFETTO_SETS };

/* Names of annotations; the values are their numbers in the trace. */
enum perfetto_note {
    NOTE_RECORD = 1,
    NOTE_THREAD,
    NOTE_TICKS,
    NOTE_LOCAL,
    NOTE_STAMP,
    NOTE_BEGIN_TICKS,
    NOTE_BEGIN_LOCAL,
    NOTE_BEGIN_STAMP,
    NOTE_TID,
    NOTE_ID,
    NOTE_PC,
    NOTE_PAYLOAD,
    NOTE_ROW,
    NOTE_VALUES,
    NOTE_CONTEXT,
    NOTE_SPE,
    NOTE_CLOCK,
    NOTE_DECR_FIRST,
    NOTE_FIRST_RECORD,
    NOTE_RECORDS,
    NOTE_OFFSET_TICKS,
    NOTE_EARLIEST_TICKS,
    NOTE_LATEST_TICKS,
    NOTE_ROUTINE,
    NOTE_GLOBAL_EARLIEST,
    NOTE_GLOBAL_LATEST,
    NOTE_GLOBAL_BEGIN_EARLIEST,
    NOTE_GLOBAL_BEGIN_LATEST,
    NOTE_GLOBAL_MARK,
    NOTES_END /* names of fields follow */
};

enum perfetto_category {
    CATEGORY_PPE = 1,
    CATEGORY_SPE,
    CATEGORY_ROW,
    CATEGORY_SWITCH,
    CATEGORY_LIVE
};

/* What was written about a clock. */
struct perfetto_clock {
    uint64_t group; /* uuid of the group of its threads; 0: none yet */
    bool interned;  /* its name has a number */
};

struct perfetto {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const csy_output *output;
    struct selection selection;
    struct outfile *out;
    int64_t base_ticks; /* origin, since times have no sign */
    uint64_t nuuids;    /* number of tracks so far */
    struct tracks tracks[PERFETTO_SETS];
    struct lives lives;
    struct perfetto_clock *clocks; /* for each csy_thread */
    struct perfetto_names *names;
    struct proto packet, event, interned; /* messages under construction */
    bool begun;                           /* a packet was written */
    bool timed;                           /* a packet with a time was written */
    int64_t first_ns;                     /* least time written */
    uint64_t facts_uuid;
    bool beyond; /* some time does not fit in a packet */
};

enum { PERFETTO_NAME_MAX = 48 };
enum { INTERNED_CATEGORY = 1, INTERNED_EVENT, INTERNED_NOTE, INTERNED_STRINGS = 29 };

enum { NANOSECONDS = 9, SEQUENCE = 1 };

/* Field numbers, grouped by message. */
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
enum { INTERNED_IID = 1, INTERNED_TEXT = 2 };

/* What all slices of a track share; stored in the track's words. */
struct described {
    uint64_t uuid, parent;
    const char *name; /* NULL: the track is named by its number, or has no slices */
    bool live;        /* a track of live intervals */
};

_Static_assert(sizeof(struct described) <= TRACK_WORDS_MAX, "tracks have room for it");

static struct described described_of(const struct track *track)
{
    struct described described;
    memcpy(&described, track->words, sizeof described);
    return described;
}

/* ------------------------------------------------------------------------------- packets */

/* Write a packet, preceded by new names. */
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
    outfile_write(p->out, packet->bytes, packet->size);
    proto_clear(&p->interned);
    p->begun = true;
}

/* Returns CSY_MEMORY if a message failed, and CSY_INPUT if a time does not fit in a packet. */
static csy_status perfetto_check(const struct perfetto *p, csy_error *error)
{
    if (p->packet.failed || p->event.failed || p->interned.failed)
        return error_memory(error);
    if (p->beyond)
        return error_set(error, CSY_INPUT,
                         "%s: times are 2^63 ns apart or more: a Perfetto trace cannot say them",
                         p->trace->name);
    return CSY_OK;
}

static int64_t ns_of(struct perfetto *p, int64_t ticks)
{
    int128 since = (int128)ticks - p->base_ticks;
    int128 ns = decimal_round(since, (int128)p->trace->timebase_hz, NANOSECONDS);
    p->beyond |= ns < 0 || ns > INT64_MAX;
    return p->beyond ? 0 : (int64_t)ns;
}

static void write_event(struct perfetto *p, int64_t ns, unsigned type, uint64_t uuid)
{
    proto_number(&p->event, EVENT_TYPE, type);
    proto_number(&p->event, EVENT_TRACK_UUID, uuid);
    write_packet(p, &ns, PACKET_TRACK_EVENT, &p->event);
    p->first_ns = !p->timed || ns < p->first_ns ? ns : p->first_ns;
    p->timed = true;
}

/* Begin an event. Then add its name and annotations to p->event, and new names to p->interned;
 * finally perfetto_instant or perfetto_slice writes the event. Ticks are in global time. */
static void perfetto_begin(struct perfetto *p, enum perfetto_category category)
{
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_CATEGORY_IIDS, category);
}

static csy_status perfetto_instant(struct perfetto *p, const struct track *track, int64_t ticks,
                                   csy_error *error)
{
    write_event(p, ns_of(p, ticks), TYPE_INSTANT, described_of(track).uuid);
    return perfetto_check(p, error);
}

/* ------------------------------------------------------------------- names and annotations */

/* Declare that `number` stands for a name in this trace. */
static void perfetto_intern(struct perfetto *p, unsigned kind, uint64_t number, const char *name,
                            size_t size)
{
    size_t mark = proto_begin(&p->interned, kind);
    proto_number(&p->interned, INTERNED_IID, number);
    proto_text(&p->interned, INTERNED_TEXT, name, size);
    proto_end(&p->interned, mark);
}

/* Set the name of the event, by number or as text. */
static void perfetto_name(struct perfetto *p, uint64_t number)
{
    proto_number(&p->event, EVENT_NAME_IID, number);
}

static void perfetto_name_text(struct perfetto *p, const char *name, size_t size)
{
    proto_text(&p->event, EVENT_NAME, name, size);
}

static void put_note(struct perfetto *p, unsigned in, unsigned note, unsigned field, uint64_t value)
{
    proto_pair(&p->event, in, &(struct proto_value){NOTE_NAME_IID, note},
               &(struct proto_value){field, value});
}

/* Annotate the event. note is an enum perfetto_note, or the number of a name. */
static void perfetto_note_unsigned(struct perfetto *p, unsigned note, uint64_t value)
{
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_UINT, value);
}

static void perfetto_note_number(struct perfetto *p, unsigned note, int64_t value)
{
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_INT, (uint64_t)value);
}

static void perfetto_note_address(struct perfetto *p, unsigned note, uint64_t value)
{
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_POINTER, value);
}

static void perfetto_note_text(struct perfetto *p, unsigned note, const char *text, size_t size)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_number(&p->event, NOTE_NAME_IID, note);
    proto_text(&p->event, NOTE_STRING, text, size);
    proto_end(&p->event, mark);
}

static void perfetto_note_thread(struct perfetto *p, unsigned note, size_t thread)
{
    const char *name = p->sync->views[thread].name;
    if (!p->clocks[thread].interned)
        perfetto_intern(p, INTERNED_STRINGS, thread + 1, name, strlen(name));
    p->clocks[thread].interned = true;
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_STRING_IID, thread + 1);
}

static void perfetto_fact(struct perfetto *p, const char *key, const char *text)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_text(&p->event, NOTE_NAME, key, strlen(key));
    proto_text(&p->event, NOTE_STRING, text, strlen(text));
    proto_end(&p->event, mark);
}

static void put_fact(struct perfetto *p, const char *key, unsigned field, uint64_t value)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_text(&p->event, NOTE_NAME, key, strlen(key));
    proto_number(&p->event, field, value);
    proto_end(&p->event, mark);
}

static void perfetto_fact_number(struct perfetto *p, const char *key, int64_t value)
{
    put_fact(p, key, NOTE_INT, (uint64_t)value);
}

static void perfetto_fact_unsigned(struct perfetto *p, const char *key, uint64_t value)
{
    put_fact(p, key, NOTE_UINT, value);
}

/* -------------------------------------------------------------------------------- tracks */

/* Describe a track. An event under construction is kept. */
static void describe(struct perfetto *p, uint64_t uuid, uint64_t parent, const char *name,
                     const char *unit, const unsigned *pid)
{
    struct proto track = {0};
    proto_number(&track, TRACK_UUID, uuid);
    if (parent)
        proto_number(&track, TRACK_PARENT_UUID, parent);
    if (!pid)
        proto_text(&track, TRACK_NAME, name, strlen(name));
    if (pid) {
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

static void perfetto_describe_group(struct perfetto *p, unsigned group, const char *name)
{
    describe(p, group, 0, name, NULL, &group);
}

static uint64_t group_uuid(struct perfetto *p, unsigned group)
{
    if (group < PERFETTO_CLOCKS)
        return group;
    size_t index = group - PERFETTO_CLOCKS;
    if (!p->clocks[index].group) {
        p->clocks[index].group = ++p->nuuids;
        describe(p, p->clocks[index].group, 0, p->sync->views[index].name, NULL, &group);
    }
    return p->clocks[index].group;
}

/* The displayed name of a track. */
static const char *name_of(unsigned group, uint64_t number, const char *name,
                           char text[PERFETTO_NAME_MAX])
{
    const char *what = group == PERFETTO_PPE   ? "PPE thread "
                       : group == PERFETTO_SPE ? "SPE "
                                               : "context ";
    if (name)
        return name;
    *number_put_unsigned(put_text(text, what), number) = 0;
    return text;
}

/* Find or make a track of one of the sets. Its parent is `main`, or its group if main is NULL. A
 * new track is called `name`, which must outlive it, or by its number if name is NULL. */
static csy_status perfetto_find_track(struct perfetto *p, unsigned set, const struct track *main,
                                      unsigned group, uint64_t number, const char *name,
                                      struct track **out, csy_error *error)
{
    bool made;
    char text[PERFETTO_NAME_MAX];
    csy_status status = tracks_find(&p->tracks[set], group, number, out, &made, error);
    if (status || !made)
        return status;
    bool below = set == SET_LIVE || set == SET_COUNTER;
    uint64_t parent = below && main ? described_of(main).uuid : group_uuid(p, group);
    struct described described = {++p->nuuids, parent, set == SET_COUNTER ? NULL : name,
                                  set == SET_LIVE};
    memcpy((*out)->words, &described, sizeof described);
    describe(p, described.uuid, parent, name_of(group, number, name, text),
             set == SET_COUNTER ? "ticks" : NULL, NULL);
    return CSY_OK;
}

static csy_status perfetto_track(struct perfetto *p, unsigned group, uint64_t number,
                                 struct track **out, csy_error *error)
{
    return perfetto_find_track(p, SET_MAIN, NULL, group, number, NULL, out, error);
}

static unsigned perfetto_row_group(const struct perfetto *p, size_t clock)
{
    return members_share(&p->sync->views[clock]) ? PERFETTO_CLOCKS + (unsigned)clock
                                                 : PERFETTO_ROWS;
}

/* Find or make the track of a live interval or of a csy_track, or the one with this group and
 * number. */
static csy_status perfetto_thread_track(struct perfetto *p, size_t index, struct track **out,
                                        csy_error *error)
{
    if (p->sync->tracks) {
        const csy_track *track = &p->sync->tracks[index];
        return perfetto_find_track(p, SET_MAIN, NULL, perfetto_row_group(p, track->thread), index,
                                   track->name, out, error);
    }
    const csy_thread *thread = &p->sync->views[index];
    if (thread->spe != CSY_NO_SPE)
        return perfetto_track(p, PERFETTO_SPE, thread->spe, out, error);
    return perfetto_track(p, PERFETTO_CONTEXT, (uint64_t)thread->context, out, error);
}

/* The name of a track, possibly stored in text. */
static const char *perfetto_track_name(const struct track *track, char text[PERFETTO_NAME_MAX])
{
    return name_of(track->group, track->number, described_of(track).name, text);
}

/* Add a slice to a track. It nests only if begin and end alone determine how. */
static csy_status lay(struct track *track, struct slice ns, bool *nests, csy_error *error)
{
    *nests = false;
    return track_begins_inside(track, ns) ? CSY_OK : track_lay(track, ns, nests, error);
}

/* Write a slice. If it would not nest, it goes to a separate track with the same name. */
static csy_status perfetto_slice(struct perfetto *p, struct track *track, struct slice slice,
                                 csy_error *error)
{
    struct slice ns = {ns_of(p, slice.begin), ns_of(p, slice.end)};
    struct described described = described_of(track);
    char text[PERFETTO_NAME_MAX];
    bool nests;
    csy_status status = lay(track, ns, &nests, error);
    for (unsigned set = SET_ASIDE; !status && !nests && !described.live && set < SET_LIVE; set++) {
        struct track *aside;
        status = perfetto_find_track(p, set, NULL, track->group, track->number, described.name,
                                     &aside, error);
        if (!status)
            status = lay(aside, ns, &nests, error);
        if (nests)
            described = described_of(aside);
    }
    if (status)
        return status;
    if (!nests) {
        described.uuid = ++p->nuuids;
        describe(p, described.uuid, described.parent, perfetto_track_name(track, text), NULL, NULL);
    }
    write_event(p, ns.begin, TYPE_BEGIN, described.uuid);
    proto_clear(&p->event);
    write_event(p, ns.end, TYPE_END, described.uuid);
    return perfetto_check(p, error);
}

enum {
    IDS = 1 << 16,
    FIELDS = 4096,   /* cached names of fields; a power of two */
    NAMES = 1024,    /* cached names of rows */
    NAME_BYTES = 48, /* longest cached name of a row */
    FLOW_IDS = 47,   /* maximum in a TrackEvent */
    TERMINATING_FLOW_IDS = 48
};

/* The numbers of names, from 1 in the order of appearance. A name that has left the cache gets
 * another number when it appears again. */
struct perfetto_names {
    uint64_t nevents, nnotes;
    uint32_t events[2][IDS]; /* for each core and id; 0: none yet */
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

static void name_event(struct perfetto *p, const struct record *record)
{
    uint32_t *number = &p->names->events[record->spe][record->id];
    char text[TYPE_TEXT_MAX];
    if (*number == 0) {
        const char *name = types_event_text(p->trace->types, record->id, record->spe, text);
        *number = (uint32_t)++p->names->nevents;
        perfetto_intern(p, INTERNED_EVENT, *number, name, strlen(name));
    }
    perfetto_name(p, *number);
}

static unsigned field_note(struct perfetto *p, uint16_t id, unsigned field)
{
    uint32_t key = ((uint32_t)id << 13 | (field & 0x1fff)) + 1;
    size_t place = (key * UINT32_C(0x9e3779b1)) >> 20;
    char text[TYPE_TEXT_MAX];
    if (p->names->fields[place].key != key) {
        const char *name = types_field_text(p->trace->types, id, field, text);
        p->names->fields[place].key = key;
        p->names->fields[place].number = p->names->nnotes++;
        perfetto_intern(p, INTERNED_NOTE, p->names->fields[place].number, name, strlen(name));
    }
    return (unsigned)p->names->fields[place].number;
}

static void note_payload(struct perfetto *p, const struct record *record)
{
    const struct event_types *types = p->trace->types;
    const struct record_type *typed = types_typed(types, record->id);
    const uint8_t *values = record_payload(record, false);
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_number(&p->event, NOTE_NAME_IID, NOTE_PAYLOAD);
    for (unsigned i = 0; i < record->npayload; i++) {
        unsigned note = field_note(p, record->id, i);
        enum value_kind kind = types_value_kind(types, typed, i);
        uint64_t bits = load64(values + 8 * (size_t)i);
        if (kind == VALUE_REAL) {
            size_t entry = proto_begin(&p->event, NOTE_DICT_ENTRIES);
            proto_number(&p->event, NOTE_NAME_IID, note);
            proto_fixed(&p->event, NOTE_DOUBLE, bits);
            proto_end(&p->event, entry);
        } else {
            put_note(p, NOTE_DICT_ENTRIES, note,
                     kind == VALUE_SIGNED    ? NOTE_INT
                     : kind == VALUE_ADDRESS ? NOTE_POINTER
                                             : NOTE_UINT,
                     bits);
        }
    }
    proto_end(&p->event, mark);
}

/* Annotate an event with its global time and, if they are selected, the ranges of its times. */
static void note_ticks(struct perfetto *p, const struct event *source, const csy_event *event)
{
    static const unsigned notes[][2] = {{NOTE_GLOBAL_EARLIEST, NOTE_GLOBAL_LATEST},
                                        {NOTE_GLOBAL_BEGIN_EARLIEST, NOTE_GLOBAL_BEGIN_LATEST}};
    struct times_range ranges[2];
    perfetto_note_number(p, NOTE_TICKS, event->global_ticks);
    if (!p->output->ranges)
        return;
    unsigned n = times_event_ranges(p->sync, source, event, ranges) ? 2 : 1;
    for (unsigned i = 0; i < n; i++) {
        if (ranges[i].has_earliest)
            perfetto_note_number(p, notes[i][0], ranges[i].earliest_ticks);
        if (ranges[i].has_latest)
            perfetto_note_number(p, notes[i][1], ranges[i].latest_ticks);
    }
    if (times_is_set(p->sync, event))
        perfetto_note_text(p, NOTE_GLOBAL_MARK, CSV_MARK_STEP, strlen(CSV_MARK_STEP));
}

/* Annotate what --json-args selects. begin: of an interval, or NULL. */
static void note_record(struct perfetto *p, const struct event *source, const csy_event *event,
                        const int64_t *begin)
{
    const struct record *record = source->record;
    if (p->output->json_args == CSY_JSON_NONE)
        return;
    perfetto_note_unsigned(p, NOTE_RECORD, event->record);
    note_ticks(p, source, event);
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

/* Draw a switch on the SPE's track, too. */
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

/* The id of a message, which is never 0. */
static uint64_t flow_id(struct event_flow flow)
{
    return ((uint64_t)flow.channel + 1) << 32 | flow.number;
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
    note_ticks(p, source, event);
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

/* Draw an event. user is a struct perfetto. */
static csy_status perfetto_draw(void *user, const struct event *source, const csy_event *event,
                                csy_error *error)
{
    struct perfetto *p = user;
    const struct record *record = source->record;
    struct track *track;
    bool interval, call = !record && source->call != EVENT_NO_CALL && source->routine.size > 0;
    int64_t begin, time = event->global_ticks;
    struct slice slice = {time, time};
    csy_status status =
        record && !record->spe
            ? perfetto_track(p, PERFETTO_PPE, record->thread, &track, error)
            : perfetto_thread_track(p, record ? event->thread : event->track, &track, error);
    if (!status)
        status = placement_event_begin(p->sync, source, event, &interval, &begin, error);
    if (status)
        return status;
    perfetto_begin(p, !record ? CATEGORY_ROW : record->spe ? CATEGORY_SPE : CATEGORY_PPE);
    if (record)
        name_event(p, record);
    else if (call)
        name_row(p, source->routine.bytes, source->routine.size);
    else
        name_row(p, source->name, source->name_size);
    /* Perfetto draws a message from the send to the receive that has the same flow id. */
    const struct event_flows *flows = source->flows;
    for (unsigned i = 0; flows && i < flows->nsent; i++)
        proto_fixed(&p->event, FLOW_IDS, flow_id(flows->sent[i]));
    for (unsigned i = 0; flows && i < flows->nreceived; i++)
        proto_fixed(&p->event, TERMINATING_FLOW_IDS, flow_id(flows->received[i]));
    if (record)
        note_record(p, source, event, interval ? &begin : NULL);
    else
        note_row(p, source, event, interval ? &begin : NULL);
    if (interval) {
        slice = slice_from(begin, time, p->base_ticks);
        status = perfetto_slice(p, track, slice, error);
    } else if (call) {
        write_event(p, ns_of(p, time), source->call == EVENT_ENTERS ? TYPE_BEGIN : TYPE_END,
                    described_of(track).uuid);
        status = perfetto_check(p, error);
    } else {
        status = perfetto_instant(p, track, time, error);
    }
    if (!status && record)
        status = draw_switch(p, record, event, error);
    return status ? status : lives_draw(&p->lives, event, slice.begin, error);
}

/* -------------------------------------------------------------------------- live intervals */

/* Annotate an event with ticks, unless they are infinite. */
static void note_limit(struct perfetto *p, unsigned note, int64_t ticks)
{
    if (ticks != INT64_MIN && ticks != INT64_MAX)
        perfetto_note_number(p, note, ticks);
}

static csy_status write_live(void *user, size_t index, struct slice slice, csy_error *error)
{
    struct perfetto *p = user;
    bool named = p->sync->tracks;
    size_t clock = named ? p->sync->tracks[index].thread : index;
    const csy_thread *thread = &p->sync->views[clock];
    const char *name = named ? p->sync->tracks[index].name : thread->name;
    struct track *track, *live;
    csy_status status = perfetto_thread_track(p, index, &track, error);
    if (!status)
        status = perfetto_find_track(p, SET_LIVE, track, track->group, track->number, "live", &live,
                                     error);
    if (status)
        return status;
    perfetto_begin(p, CATEGORY_LIVE);
    perfetto_name_text(p, name, strlen(name));
    perfetto_note_unsigned(p, NOTE_FIRST_RECORD, thread->first_record);
    perfetto_note_unsigned(p, NOTE_RECORDS, thread->records);
    if (thread->offset_ticks != CSY_NO_OFFSET)
        perfetto_note_number(p, NOTE_OFFSET_TICKS, thread->offset_ticks);
    note_limit(p, NOTE_EARLIEST_TICKS, thread->earliest_ticks);
    note_limit(p, NOTE_LATEST_TICKS, thread->latest_ticks);
    if (named && members_share(thread))
        perfetto_note_thread(p, NOTE_CLOCK, clock);
    if (thread->context != CSY_NO_CONTEXT) {
        perfetto_note_number(p, NOTE_CONTEXT, thread->context);
        perfetto_note_unsigned(p, NOTE_DECR_FIRST, thread->decr_first);
    }
    if (thread->spe != CSY_NO_SPE)
        perfetto_note_unsigned(p, NOTE_SPE, thread->spe);
    return perfetto_slice(p, live, slice, error);
}

/* Write the maximum error of the time between an event of this clock and one of the reference. */
static csy_status write_uncertainty(void *user, size_t index, size_t clock, int64_t global_ticks,
                                    int64_t uncertainty_ticks, csy_error *error)
{
    static const char front[] = "uncertainty of ";
    struct perfetto *p = user;
    struct track *track, *counter;
    csy_status status = perfetto_thread_track(p, index, &track, error);
    if (status)
        return status;
    bool named = p->sync->tracks;
    char text[PERFETTO_NAME_MAX], *name = NULL;
    const char *what = named ? p->sync->views[clock].name : perfetto_track_name(track, text);
    if (asprintf(&name, "%s%s", front, what) < 0)
        return error_memory(error);
    status = perfetto_find_track(p, SET_COUNTER, named ? NULL : track,
                                 named ? perfetto_row_group(p, clock) : track->group,
                                 named ? clock : track->number, name, &counter, error);
    free(name);
    if (status)
        return status;
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_COUNTER_VALUE, (uint64_t)uncertainty_ticks);
    write_event(p, ns_of(p, global_ticks), TYPE_COUNTER, described_of(counter).uuid);
    return perfetto_check(p, error);
}

static csy_status pass_record(void *user, const csy_event *event, csy_error *error)
{
    struct perfetto *p = user;
    return lives_pass(&p->lives, event, error);
}

/* -------------------------------------------------------------------------- begin and end */

static void intern_fixed(struct perfetto *p)
{
    static const char *const notes[] = {[NOTE_RECORD] = "record",
                                        [NOTE_THREAD] = "thread",
                                        [NOTE_TICKS] = "ticks",
                                        [NOTE_LOCAL] = "local",
                                        [NOTE_STAMP] = "stamp",
                                        [NOTE_BEGIN_TICKS] = "begin_ticks",
                                        [NOTE_BEGIN_LOCAL] = "begin_local",
                                        [NOTE_BEGIN_STAMP] = "begin_stamp",
                                        [NOTE_TID] = "tid",
                                        [NOTE_ID] = "id",
                                        [NOTE_PC] = "pc",
                                        [NOTE_PAYLOAD] = "payload",
                                        [NOTE_ROW] = "row",
                                        [NOTE_VALUES] = "values",
                                        [NOTE_CONTEXT] = "context",
                                        [NOTE_SPE] = "spe",
                                        [NOTE_CLOCK] = "clock",
                                        [NOTE_DECR_FIRST] = "decr_first",
                                        [NOTE_FIRST_RECORD] = "first_record",
                                        [NOTE_RECORDS] = "records",
                                        [NOTE_OFFSET_TICKS] = "offset_ticks",
                                        [NOTE_EARLIEST_TICKS] = "earliest_ticks",
                                        [NOTE_LATEST_TICKS] = "latest_ticks",
                                        [NOTE_ROUTINE] = "routine",
                                        [NOTE_GLOBAL_EARLIEST] = "global_earliest",
                                        [NOTE_GLOBAL_LATEST] = "global_latest",
                                        [NOTE_GLOBAL_BEGIN_EARLIEST] = "global_begin_earliest",
                                        [NOTE_GLOBAL_BEGIN_LATEST] = "global_begin_latest",
                                        [NOTE_GLOBAL_MARK] = "global_mark"};
    static const char *const categories[] = {[CATEGORY_PPE] = "ppe",
                                             [CATEGORY_SPE] = "spe",
                                             [CATEGORY_ROW] = "row",
                                             [CATEGORY_SWITCH] = "switch",
                                             [CATEGORY_LIVE] = "live"};
    size_t last = p->output->ranges        ? NOTES_END - 1
                  : p->trace->has_routines ? NOTE_ROUTINE
                                           : NOTE_ROUTINE - 1;
    for (size_t i = 1; i <= last; i++)
        perfetto_intern(p, INTERNED_NOTE, i, notes[i], strlen(notes[i]));
    for (size_t i = 1; i < sizeof categories / sizeof *categories; i++)
        perfetto_intern(p, INTERNED_CATEGORY, i, categories[i], strlen(categories[i]));
}

static const char facts_name[] = "cellsync";

static csy_status begin_trace(void *user, csy_error *error)
{
    struct perfetto *p = user;
    p->nuuids = PERFETTO_CLOCKS;
    p->names->nnotes = NOTES_END;
    intern_fixed(p);
    p->facts_uuid = ++p->nuuids;
    describe(p, p->facts_uuid, 0, facts_name, NULL, NULL);
    csy_status status = perfetto_check(p, error);
    if (status)
        return status;
    if (p->sync->tracks) {
        perfetto_describe_group(p, PERFETTO_ROWS, "threads");
        return perfetto_check(p, error);
    }
    perfetto_describe_group(p, PERFETTO_PPE, "PPE");
    perfetto_describe_group(p, PERFETTO_SPE, "SPE");
    perfetto_describe_group(p, PERFETTO_CONTEXT, "contexts, SPE unknown");
    /* If a PPE thread has several names, the first one is used. */
    struct track *track;
    for (size_t i = 0; i < p->trace->nlisted && !status; i++) {
        const struct listed_thread *listed = &p->trace->listed[i];
        status = perfetto_find_track(p, SET_MAIN, NULL, PERFETTO_PPE, listed->tid,
                                     types_text(p->trace->types, listed->name), &track, error);
    }
    return status ? status : perfetto_check(p, error);
}

static csy_status end_trace(void *user, csy_error *error)
{
    struct perfetto *p = user;
    const struct csy_sync *sync = p->sync;
    char text[FRACTION_TEXT_MAX];
    csy_status status = lives_end(&p->lives, error);
    if (status)
        return status;
    /* Write how global times were found, as annotations of an instant on a separate track, which
     * begin_trace described. The instant has the least time written. */
    proto_clear(&p->event);
    perfetto_fact(p, "version", csy_version());
    perfetto_fact(p, "trace", p->trace->name);
    perfetto_fact(p, "machine", csy_trace_machine(p->trace));
    perfetto_fact_unsigned(p, "timebase_hz", p->trace->timebase_hz);
    perfetto_fact_unsigned(p, "records", sync->survey.records);
    perfetto_fact_number(p, "base_ticks", p->base_ticks);
    perfetto_fact(p, "method", text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH) {
        perfetto_fact(p, "reference", sync->views[sync->reference].name);
        perfetto_fact(p, "alpha", fraction_text(sync->alpha, text));
        perfetto_fact(p, "center", text_center(sync->center));
        perfetto_fact(p, "relax", text_relax(sync->imprecision.relax));
        perfetto_fact(p, "delta_ticks", fraction_text(sync->imprecision.delta, text));
        perfetto_fact_number(p, "added_ticks", sync->imprecision.added_ticks);
        perfetto_fact_unsigned(p, "conditional", sync->imprecision.conditional);
    }
    perfetto_fact_unsigned(p, "assumed", sync->survey.clock_report.assumed);
    for (struct caveats told = caveats_of(sync, NULL); caveats_next(&told);)
        perfetto_fact(p, told.condition ? "condition" : "warning", told.text);
    if (!p->selection.all)
        perfetto_fact_unsigned(p, "part", 1);
    perfetto_name_text(p, facts_name, strlen(facts_name));
    write_event(p, p->first_ns, TYPE_INSTANT, p->facts_uuid);
    return perfetto_check(p, error);
}

static bool has_failed(const void *user)
{
    return outfile_failed(((const struct perfetto *)user)->out);
}

static void set_relay(void *user, const struct relay *relay)
{
    outfile_relay(((const struct perfetto *)user)->out, relay);
}

csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error)
{
    static const struct lives_format drawn = {write_live, write_uncertainty};
    static const struct writer_format format = {
        .begin = begin_trace,
        .event = perfetto_draw,
        .messages = true,
        .pass = pass_record,
        .end = end_trace,
        .relay = set_relay,
        .failed = has_failed,
    };
    struct perfetto p = {.trace = trace, .sync = sync, .output = output, .out = out};
    csy_status status = lives_init(&p.lives, sync, &drawn, &p, error);
    p.clocks = calloc(sync->survey.threads.count, sizeof *p.clocks);
    p.names = calloc(1, sizeof *p.names);
    if (!status && (!p.clocks || !p.names))
        status = error_memory(error);
    if (!status)
        status = selection_init(&p.selection, sync, output, error);
    if (!status)
        status = times_base_of_begins(trace, sync, &p.base_ticks, error);
    if (!status)
        status = writer_walk(&(struct writer){trace, sync, &p.selection, &format, &p}, error);
    selection_fini(&p.selection);
    for (size_t i = 0; i < PERFETTO_SETS; i++)
        tracks_fini(&p.tracks[i]);
    proto_fini(&p.packet);
    proto_fini(&p.event);
    proto_fini(&p.interned);
    free(p.names);
    lives_fini(&p.lives);
    free(p.clocks);
    return status;
}
