/* See events.h. */
#include "trace/otf2/events.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/otf2/calls.h"
#include "trace/otf2/local.h"
#include "trace/otf2/requests.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096, REGION_NAMES = 64 };

/* A cache entry: the last region that was looked up, for region ids with this remainder. */
struct region_name {
    uint32_t region;
    csy_text text;
};

struct open_region {
    uint32_t region;
    int64_t time_ticks;
    uint64_t place;
};

struct otf2_events {
    struct otf2_taker taker;
    const struct otf2_archive *archive;
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *calls;
    bool salvage;
    size_t next_location;
    const struct otf2_location *location; /* the location of the events in the queue */
    OTF2_EvtReader *file;                 /* NULL: the file was read to its end */
    struct otf2_checked checked;          /* check of the file */
    uint64_t taken;                       /* number of events taken from the file */
    char *path;                           /* name of the file */
    struct otf2_event *queue;
    size_t count, capacity, next;
    /* State of the location: */
    uint64_t place; /* place of the next record */
    int64_t last_ticks;
    struct open_region *regions;
    size_t nregions, regions_capacity;
    struct requests receives, collectives; /* requests that were posted and not completed */
    bool began;                            /* a collective operation began at begin_ticks */
    int64_t begin_ticks;
    bool called; /* a region was entered at called_ticks, and since then only sends were recorded */
    int64_t called_ticks;
    int64_t posted_ticks; /* last post of a request; INT64_MIN: none */
    bool lost;            /* a requested collective operation was never completed */
    int64_t lost_ticks;
    /* State of the whole archive: */
    struct otf2_counts counts;
    uint64_t events;
    csy_cut cut;
    bool is_cut, no_memory, beyond;
    struct region_name names[REGION_NAMES];
};

/* --- Records -------------------------------------------------------------------------------- */

/* Add an event without a role, at the time of the last record. Returns NULL if memory runs out. */
static struct otf2_event *add(struct otf2_events *e, csy_text name)
{
    e->no_memory |= !ARRAY_RESERVE(e->queue, e->capacity, e->count + 1);
    if (e->no_memory)
        return NULL;
    struct otf2_event *event = &e->queue[e->count++];
    *event = (struct otf2_event){
        .name = name, .place = e->place - 1, .time_ticks = e->last_ticks, .role = OTF2_NOTHING};
    return event;
}

static csy_text text_of(const char *text)
{
    return (csy_text){text, strlen(text)};
}

static csy_text region_name(struct otf2_events *e, uint32_t region)
{
    struct region_name *known = &e->names[region % REGION_NAMES];
    if (!known->text.bytes || known->region != region)
        *known = (struct region_name){region, otf2_region_name(e->archive, region)};
    return known->text;
}

static void note_lost(struct otf2_events *e, int64_t since_ticks)
{
    e->lost_ticks = e->lost && e->lost_ticks < since_ticks ? e->lost_ticks : since_ticks;
    e->lost = true;
}

/* Note a posted request. If it is posted again before it was completed, it never was completed. */
static void post(struct otf2_events *e, struct requests *requests, uint64_t id, bool receive)
{
    int64_t before;
    bool was = requests_take(requests, id, &before);
    if (was && !receive)
        note_lost(e, before);
    e->no_memory |= !requests_put(requests, id, e->last_ticks);
}

static csy_text name_of(struct otf2_events *e, const struct otf2_record *record)
{
    return record->kind == OTF2_RECORD_LEAVE ? region_name(e, record->region)
           : record->name                    ? text_of(record->name)
                                             : otf2_operation_name((OTF2_CollectiveOp)record->tag);
}

static bool enter(struct otf2_events *e, uint32_t region)
{
    e->called_ticks = e->last_ticks;
    e->no_memory |= !ARRAY_RESERVE(e->regions, e->regions_capacity, e->nregions + 1);
    if (!e->no_memory)
        e->regions[e->nregions++] = (struct open_region){region, e->last_ticks, e->place - 1};
    return !e->no_memory;
}

/* Handle the next record. Returns false to stop reading. */
static bool take(void *user, const struct otf2_record *record)
{
    struct otf2_events *e = user;
    bool called = e->called;
    int64_t before;
    e->beyond = record->time > INT64_MAX;
    if (e->beyond)
        return false;
    e->last_ticks = (int64_t)record->time;
    e->called = record->kind == OTF2_RECORD_ENTER || (called && record->kind == OTF2_RECORD_SEND);
    e->place++;
    if (record->kind == OTF2_RECORD_ENTER)
        return enter(e, record->region);
    if (record->kind == OTF2_RECORD_COLLECTIVE_BEGIN) {
        e->began = true;
        e->begin_ticks = e->last_ticks;
        return true;
    }
    struct otf2_event *event = add(e, name_of(e, record));
    if (!event)
        return false;
    event->comm = record->comm;
    event->peer = record->peer;
    event->tag = record->tag;
    event->bytes = record->bytes;
    event->sent = record->sent;
    event->received = record->received;
    switch (record->kind) {
    case OTF2_RECORD_LEAVE:
        event->interval = e->nregions > 0; /* otherwise its ENTER is missing */
        if (event->interval)
            event->begin_ticks = e->regions[--e->nregions].time_ticks;
        break;
    case OTF2_RECORD_SEND:
    case OTF2_RECORD_ISEND:
        event->role = OTF2_SEND;
        e->counts.sends++;
        break;
    case OTF2_RECORD_RECEIVE_REQUEST:
        post(e, &e->receives, record->request, true);
        e->posted_ticks = e->last_ticks;
        e->counts.posts++;
        break;
    case OTF2_RECORD_CANCELLED:
        requests_take(&e->receives, record->request, &before);
        break;
    case OTF2_RECORD_RECEIVE:
        /* A blocking receive is posted after all earlier requests: when its region was entered, if
         * this is later than these requests, and otherwise at its own time. */
        event->posted = true;
        event->posted_ticks =
            called && e->called_ticks > e->posted_ticks ? e->called_ticks : event->time_ticks;
        event->role = OTF2_RECV;
        e->counts.receives++;
        break;
    case OTF2_RECORD_IRECEIVE:
        event->posted = requests_take(&e->receives, record->request, &event->posted_ticks);
        event->role = OTF2_RECV;
        e->counts.receives++;
        break;
    case OTF2_RECORD_COLLECTIVE_REQUEST:
        post(e, &e->collectives, record->request, false);
        break;
    case OTF2_RECORD_COLLECTIVE_END:
        event->interval = e->began;
        event->begin_ticks = e->begin_ticks;
        e->began = false;
        event->role = OTF2_COLLECTIVE;
        e->counts.collectives++;
        break;
    case OTF2_RECORD_COLLECTIVE_COMPLETE:
        event->interval = requests_take(&e->collectives, record->request, &event->begin_ticks);
        event->role = OTF2_COLLECTIVE;
        e->counts.collectives++;
        break;
    default:
        break;
    }
    return !e->no_memory;
}

/* --- Locations ------------------------------------------------------------------------------ */

static void close_file(struct otf2_events *e)
{
    if (e->file)
        OTF2_Reader_CloseEvtReader(e->reader, e->file);
    e->file = NULL;
}

/* Returns advice to use --salvage, unless it is used. */
static const char *advice(const struct otf2_events *e)
{
    return e->salvage ? "" : " (see --salvage)";
}

static csy_status refuse(struct otf2_events *e, OTF2_ErrorCode code, csy_error *error)
{
    char text[OTF2_SAID_MAX];
    if (e->no_memory)
        return error_memory(error);
    if (e->beyond)
        return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": its stamp is 2^63 ticks or more",
                         e->path, e->place);
    const struct otf2_records *records = &e->checked.records;
    if (e->taken >= otf2_whole_events(&e->checked) && records->cut)
        return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": the file was cut off%s", e->path,
                         e->place, advice(e));
    if (e->taken >= otf2_whole_events(&e->checked))
        return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": offset %" PRIu64 ": %s%s",
                         e->path, e->place, records->offset, records->fault, advice(e));
    return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": %s%s", e->path, e->place,
                     otf2_said(code, text), advice(e));
}

/* Report a fault or, with --salvage, end the location at the fault. */
static csy_status end_at_fault(struct otf2_events *e, csy_status status, csy_error *error)
{
    if (status != CSY_INPUT || !e->salvage || e->beyond)
        return status;
    if (!e->is_cut && error) {
        memcpy(e->cut.text, error->text, sizeof error->text);
        e->cut.records = e->events + e->count - e->next;
    }
    e->is_cut = true;
    close_file(e);
    return CSY_OK;
}

static csy_status name_file(struct otf2_events *e, const char *suffix, csy_error *error)
{
    free(e->path);
    if (asprintf(&e->path, "%s/%" PRIu64 "%s", e->archive->folder, e->location->id, suffix) >= 0)
        return CSY_OK;
    e->path = NULL;
    return error_memory(error);
}

static csy_status open_file(struct otf2_events *e, csy_error *error)
{
    const char *suffix;
    csy_status status = name_file(e, ".evt", error);
    if (status)
        return status;
    if (access(e->path, R_OK) != 0)
        return error_set(error, CSY_INPUT, "%s: the events of %.*s cannot be read: %s%s", e->path,
                         (int)e->location->thread.size, e->location->thread.bytes, strerror(errno),
                         advice(e));
    otf2_forget_said();
    OTF2_ErrorCode code =
        otf2_open_events(e->archive, e->reader, &e->archive->locations[e->next_location - 1],
                         &e->checked, &e->file, &suffix);
    e->no_memory |= code == OTF2_ERROR_MEM_ALLOC_FAILED;
    if (code != OTF2_SUCCESS && !e->no_memory && strcmp(suffix, ".def") == 0) {
        char text[OTF2_SAID_MAX];
        status = name_file(e, ".def", error);
        return status ? status
                      : error_set(error, CSY_INPUT, "%s: its definitions cannot be read: %s%s",
                                  e->path, otf2_said(code, text), advice(e));
    }
    if (code == OTF2_SUCCESS && !e->no_memory)
        code = OTF2_Reader_RegisterEvtCallbacks(e->reader, e->file, e->calls, e);
    return code == OTF2_SUCCESS && !e->no_memory ? CSY_OK : refuse(e, code, error);
}

/* Open the next reader, which includes the location, after the previous one was used up. */
static csy_status next_reader(struct otf2_events *e, csy_error *error)
{
    size_t number = e->next_location - 1;
    if (number % OTF2_LOCATIONS_A_READER > 0)
        return CSY_OK;
    if (e->reader)
        OTF2_Reader_Close(e->reader);
    e->reader = NULL;
    return otf2_open_locations(e->archive, number, 1, &e->reader, error);
}

static csy_status begin_location(struct otf2_events *e, csy_error *error)
{
    e->location = &e->archive->locations[e->next_location++];
    e->place = e->taken = 0;
    e->nregions = 0;
    e->began = e->called = e->lost = false;
    e->posted_ticks = INT64_MIN;
    requests_clear(&e->receives);
    requests_clear(&e->collectives);
    csy_status status = next_reader(e, error);
    if (status)
        return status;
    status = open_file(e, error);
    return status ? end_at_fault(e, status, error) : CSY_OK;
}

static csy_status end_file(struct otf2_events *e, csy_error *error)
{
    close_file(e);
    if (otf2_is_unchanged(e->path, &e->checked))
        return CSY_OK;
    return error_set(error, CSY_INPUT, "%s: the file has changed since it was checked", e->path);
}

csy_status otf2_events_next(struct otf2_events *e, const struct otf2_event **out, csy_error *error)
{
    csy_status status = CSY_OK;
    *out = NULL;
    while (!status && e->count - e->next <= (e->file ? 1 : 0)) {
        if (e->file) {
            /* Read more records of the location. The last event stays in the queue until a later
             * event shows that it is not the last one of all. */
            uint64_t n = 0;
            if (e->next > 0)
                memmove(e->queue, e->queue + e->next, (e->count - e->next) * sizeof *e->queue);
            e->count -= e->next;
            e->next = 0;
            otf2_forget_said();
            uint64_t left = otf2_whole_events(&e->checked) - e->taken,
                     most = left < CHUNK ? left : CHUNK;
            OTF2_ErrorCode code =
                left > 0 ? OTF2_Reader_ReadLocalEvents(e->reader, e->file, most, &n) : OTF2_SUCCESS;
            status = CSY_OK;
            e->taken += n;
            if (code != OTF2_SUCCESS || left == 0)
                status = refuse(e, code, error);
            if (status)
                status = end_at_fault(e, status, error);
            else if (n < most)
                status = end_file(e, error);
            if (!status && !e->file) {
                int64_t first;
                if (requests_first(&e->collectives, &first))
                    note_lost(e, first);
                while (e->nregions > 0 && !e->no_memory) {
                    const struct open_region *region = &e->regions[--e->nregions];
                    struct otf2_event *event = add(e, otf2_region_name(e->archive, region->region));
                    if (event) {
                        event->place = region->place;
                        event->interval = true;
                        event->begin_ticks = region->time_ticks;
                    }
                }
            }
            status = status || !e->no_memory ? status : error_memory(error);
        } else if (e->next_location < e->archive->nlocations)
            status = begin_location(e, error);
        else
            return CSY_OK;
    }
    if (status)
        return status;
    e->events++;
    *out = &e->queue[e->next++];
    return CSY_OK;
}

bool otf2_events_lost(const struct otf2_events *e, int64_t *since_ticks)
{
    *since_ticks = e->lost_ticks;
    return e->lost && !e->file && e->next == e->count;
}

const struct otf2_location *otf2_events_location(const struct otf2_events *e)
{
    return e->location;
}

const char *otf2_events_file(const struct otf2_events *e)
{
    return e->path;
}

size_t otf2_events_done(const struct otf2_events *e)
{
    return e->next_location - (e->file ? 1 : 0);
}

struct otf2_counts otf2_events_counts(const struct otf2_events *e)
{
    return e->counts;
}

const csy_cut *otf2_events_cut(const struct otf2_events *e)
{
    return e->is_cut ? &e->cut : NULL;
}

csy_status otf2_events_new(const struct otf2_archive *archive, bool salvage,
                           struct otf2_events **out, csy_error *error)
{
    struct otf2_events *e = calloc(1, sizeof *e);
    if (!e)
        return error_memory(error);
    *e = (struct otf2_events){.taker = {take}, .archive = archive, .salvage = salvage};
    *out = e;
    e->calls = otf2_calls_new();
    return e->calls ? CSY_OK : error_memory(error);
}

void otf2_events_free(struct otf2_events *e)
{
    if (!e)
        return;
    close_file(e);
    if (e->calls)
        OTF2_EvtReaderCallbacks_Delete(e->calls);
    if (e->reader)
        OTF2_Reader_Close(e->reader);
    requests_fini(&e->receives);
    requests_fini(&e->collectives);
    free(e->regions);
    free(e->queue);
    free(e->path);
    free(e);
}
