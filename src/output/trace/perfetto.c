/*
 * Packets of a Perfetto trace, and the tracks that they lie on.
 *
 * What is known of a slice only at its end follows it; viewers sort packets by time, stably.
 */
#include "output/trace/perfetto.h"
#include "analysis/members.h"
#include "base/error.h"
#include "base/put.h"

#include <stdlib.h>
#include <string.h>

enum { NANOSECONDS = 9, SEQUENCE = 1 };

/* Field numbers, by message. */
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

/* What all on a track have in common; in its words. */
struct described {
    uint64_t uuid, parent;
    const char *name; /* NULL: it is called by its number, or has no slices */
    bool live;        /* it is of live intervals */
};

_Static_assert(sizeof(struct described) <= TRACK_WORDS_MAX, "tracks have room for it");

static struct described described_of(const struct track *track)
{
    struct described described;
    memcpy(&described, track->words, sizeof described);
    return described;
}

/* ------------------------------------------------------------------------------- packets */

/* A packet of what was made; its names that are new come first. */
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

csy_status perfetto_check(const struct perfetto *p, csy_error *error)
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

void perfetto_begin(struct perfetto *p, enum perfetto_category category)
{
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_CATEGORY_IIDS, category);
}

csy_status perfetto_instant(struct perfetto *p, const struct track *track, int64_t ticks,
                            csy_error *error)
{
    write_event(p, ns_of(p, ticks), TYPE_INSTANT, described_of(track).uuid);
    return perfetto_check(p, error);
}

csy_status perfetto_call(struct perfetto *p, const struct track *track, bool enter, int64_t ticks,
                         csy_error *error)
{
    write_event(p, ns_of(p, ticks), enter ? TYPE_BEGIN : TYPE_END, described_of(track).uuid);
    return perfetto_check(p, error);
}

/* ------------------------------------------------------------------- names and annotations */

void perfetto_intern(struct perfetto *p, unsigned kind, uint64_t number, const char *name,
                     size_t size)
{
    size_t mark = proto_begin(&p->interned, kind);
    proto_number(&p->interned, INTERNED_IID, number);
    proto_text(&p->interned, INTERNED_TEXT, name, size);
    proto_end(&p->interned, mark);
}

void perfetto_name(struct perfetto *p, uint64_t number)
{
    proto_number(&p->event, EVENT_NAME_IID, number);
}

void perfetto_name_text(struct perfetto *p, const char *name, size_t size)
{
    proto_text(&p->event, EVENT_NAME, name, size);
}

static void put_note(struct perfetto *p, unsigned in, unsigned note, unsigned field, uint64_t value)
{
    proto_pair(&p->event, in, &(struct proto_value){NOTE_NAME_IID, note},
               &(struct proto_value){field, value});
}

void perfetto_note_unsigned(struct perfetto *p, unsigned note, uint64_t value)
{
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_UINT, value);
}

void perfetto_note_number(struct perfetto *p, unsigned note, int64_t value)
{
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_INT, (uint64_t)value);
}

void perfetto_note_address(struct perfetto *p, unsigned note, uint64_t value)
{
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_POINTER, value);
}

void perfetto_note_text(struct perfetto *p, unsigned note, const char *text, size_t size)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_number(&p->event, NOTE_NAME_IID, note);
    proto_text(&p->event, NOTE_STRING, text, size);
    proto_end(&p->event, mark);
}

void perfetto_note_thread(struct perfetto *p, unsigned note, size_t thread)
{
    const char *name = p->sync->views[thread].name;
    if (!p->clocks[thread].interned)
        perfetto_intern(p, INTERNED_STRINGS, thread + 1, name, strlen(name));
    p->clocks[thread].interned = true;
    put_note(p, EVENT_DEBUG_ANNOTATIONS, note, NOTE_STRING_IID, thread + 1);
}

size_t perfetto_dict_begin(struct perfetto *p, unsigned note)
{
    size_t mark = proto_begin(&p->event, EVENT_DEBUG_ANNOTATIONS);
    proto_number(&p->event, NOTE_NAME_IID, note);
    return mark;
}

void perfetto_dict_unsigned(struct perfetto *p, unsigned note, uint64_t value)
{
    put_note(p, NOTE_DICT_ENTRIES, note, NOTE_UINT, value);
}

void perfetto_dict_address(struct perfetto *p, unsigned note, uint64_t value)
{
    put_note(p, NOTE_DICT_ENTRIES, note, NOTE_POINTER, value);
}

void perfetto_dict_number(struct perfetto *p, unsigned note, int64_t value)
{
    put_note(p, NOTE_DICT_ENTRIES, note, NOTE_INT, (uint64_t)value);
}

void perfetto_dict_real(struct perfetto *p, unsigned note, uint64_t bits)
{
    size_t mark = proto_begin(&p->event, NOTE_DICT_ENTRIES);
    proto_number(&p->event, NOTE_NAME_IID, note);
    proto_fixed(&p->event, NOTE_DOUBLE, bits);
    proto_end(&p->event, mark);
}

void perfetto_fact(struct perfetto *p, const char *key, const char *text)
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

void perfetto_fact_number(struct perfetto *p, const char *key, int64_t value)
{
    put_fact(p, key, NOTE_INT, (uint64_t)value);
}

void perfetto_fact_unsigned(struct perfetto *p, const char *key, uint64_t value)
{
    put_fact(p, key, NOTE_UINT, value);
}

/* -------------------------------------------------------------------------------- tracks */

/* Describe a track; the event in the making stays. */
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

void perfetto_describe_group(struct perfetto *p, unsigned group, const char *name)
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

/* What a track is called. */
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

csy_status perfetto_find_track(struct perfetto *p, unsigned set, const struct track *main,
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

csy_status perfetto_track(struct perfetto *p, unsigned group, uint64_t number, struct track **out,
                          csy_error *error)
{
    return perfetto_find_track(p, SET_MAIN, NULL, group, number, NULL, out, error);
}

unsigned perfetto_row_group(const struct perfetto *p, size_t clock)
{
    return members_share(&p->sync->views[clock]) ? PERFETTO_CLOCKS + (unsigned)clock
                                                 : PERFETTO_ROWS;
}

csy_status perfetto_thread_track(struct perfetto *p, size_t index, struct track **out,
                                 csy_error *error)
{
    if (!p->trace->source->contexts) {
        const csy_track *track = &p->sync->tracks[index];
        return perfetto_find_track(p, SET_MAIN, NULL, perfetto_row_group(p, track->thread), index,
                                   track->name, out, error);
    }
    const csy_thread *thread = &p->sync->views[index];
    if (thread->spe != CSY_NO_SPE)
        return perfetto_track(p, PERFETTO_SPE, thread->spe, out, error);
    return perfetto_track(p, PERFETTO_CONTEXT, (uint64_t)thread->context, out, error);
}

const char *perfetto_track_name(const struct track *track, char text[PERFETTO_NAME_MAX])
{
    return name_of(track->group, track->number, described_of(track).name, text);
}

/* Lay it, if its begin and end alone say how it nests. */
static csy_status lay(struct track *track, struct slice ns, bool *nests, csy_error *error)
{
    *nests = false;
    return track_begins_inside(track, ns) ? CSY_OK : track_lay(track, ns, nests, error);
}

csy_status perfetto_slice(struct perfetto *p, struct track *track, struct slice slice,
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

csy_status perfetto_count(struct perfetto *p, const struct track *counter, int64_t ticks,
                          int64_t value, csy_error *error)
{
    proto_clear(&p->event);
    proto_number(&p->event, EVENT_COUNTER_VALUE, (uint64_t)value);
    write_event(p, ns_of(p, ticks), TYPE_COUNTER, described_of(counter).uuid);
    return perfetto_check(p, error);
}

void perfetto_describe_facts(struct perfetto *p, const char *name)
{
    p->facts_uuid = ++p->nuuids;
    describe(p, p->facts_uuid, 0, name, NULL, NULL);
}

csy_status perfetto_facts(struct perfetto *p, const char *name, csy_error *error)
{
    perfetto_name_text(p, name, strlen(name));
    write_event(p, p->first_ns, TYPE_INSTANT, p->facts_uuid);
    return perfetto_check(p, error);
}
