/* Events of OTF2, one location after another. */
#include "trace/otf2/events.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/otf2/local.h"
#include "trace/otf2/requests.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096, REGION_NAMES = 64 };

/* One that was looked up last of those with this remainder. */
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
    const struct otf2_archive *archive;
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *calls;
    bool salvage;
    size_t next_location;
    const struct otf2_location *location; /* that of the events in the queue */
    OTF2_EvtReader *file;                 /* NULL: it was read to its end */
    struct otf2_checked checked;          /* its check */
    uint64_t taken;                       /* events of it */
    char *path;                           /* of the file */
    struct otf2_event *queue;
    size_t count, capacity, next;
    /* Of the location: */
    uint64_t place; /* of the next record */
    int64_t last_ticks;
    struct open_region *regions;
    size_t nregions, regions_capacity;
    struct requests receives, collectives; /* that were posted */
    bool began;                            /* a collective operation: */
    int64_t begin_ticks;
    bool called; /* a region was entered, and nothing but sends was recorded since: */
    int64_t called_ticks;
    int64_t posted_ticks; /* of the last request; INT64_MIN: there was none */
    bool lost;            /* a collective operation was requested and never completed */
    int64_t lost_ticks;
    /* Of all: */
    struct otf2_counts counts;
    uint64_t events;
    csy_cut cut;
    bool is_cut, no_memory, beyond;
    struct region_name names[REGION_NAMES];
};

/* --- Records -------------------------------------------------------------------------------- */

/* Note the time of the next record; false where reading must stop. */
static bool begin_record(struct otf2_events *e, OTF2_TimeStamp time)
{
    e->beyond = time > INT64_MAX;
    if (e->beyond)
        return false;
    e->last_ticks = (int64_t)time;
    e->called = false;
    e->place++;
    return true;
}

/* An event at that time, whose role is to be filled in; NULL on no memory. */
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

static OTF2_CallbackCode go_on(const struct otf2_events *e)
{
    return e->no_memory || e->beyond ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode other(void *user, OTF2_TimeStamp time, const char *name)
{
    struct otf2_events *e = user;
    if (begin_record(e, time))
        add(e, text_of(name));
    return go_on(e);
}

/* What every callback begins with. */
#define UNUSED __attribute__((unused))
#define RECORD                                                                                     \
    OTF2_LocationRef location UNUSED, OTF2_TimeStamp time, uint64_t position UNUSED, void *user,   \
        OTF2_AttributeList *attributes UNUSED

/* A function for each kind of record that says nothing of the order. */
#define DEFINE(event, name, ...)                                                                   \
    static OTF2_CallbackCode on_##event(__VA_ARGS__)                                               \
    {                                                                                              \
        return other(user, time, name);                                                            \
    }
#define OTHER0(event, name) DEFINE(event, name, RECORD)
#define OTHER1(event, name, A) DEFINE(event, name, RECORD, A a UNUSED)
#define OTHER2(event, name, A, B) DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED)
#define OTHER3(event, name, A, B, C) DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED)
#define OTHER4(event, name, A, B, C, D)                                                            \
    DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED)
#define OTHER5(event, name, A, B, C, D, E)                                                         \
    DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED)
#define OTHER6(event, name, A, B, C, D, E, F)                                                      \
    DEFINE(event, name, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED,        \
           F f UNUSED)
#include "trace/otf2/others.h"

static OTF2_CallbackCode on_enter(RECORD, OTF2_RegionRef region)
{
    struct otf2_events *e = user;
    if (!begin_record(e, time))
        return OTF2_CALLBACK_ERROR;
    e->no_memory |= !ARRAY_RESERVE(e->regions, e->regions_capacity, e->nregions + 1);
    if (!e->no_memory)
        e->regions[e->nregions++] = (struct open_region){region, e->last_ticks, e->place - 1};
    e->called = true;
    e->called_ticks = e->last_ticks;
    return go_on(e);
}

static csy_text region_name(struct otf2_events *e, uint32_t region)
{
    struct region_name *known = &e->names[region % REGION_NAMES];
    if (!known->text.bytes || known->region != region)
        *known = (struct region_name){region, otf2_region_name(e->archive, region)};
    return known->text;
}

/* A region that was not entered has no begin. */
static OTF2_CallbackCode on_leave(RECORD, OTF2_RegionRef region)
{
    struct otf2_events *e = user;
    if (!begin_record(e, time))
        return OTF2_CALLBACK_ERROR;
    struct otf2_event *event = add(e, region_name(e, region));
    if (event && e->nregions > 0) {
        event->interval = true;
        event->begin_ticks = e->regions[--e->nregions].time_ticks;
    }
    return go_on(e);
}

static void add_send(struct otf2_events *e, const char *name, uint32_t receiver, uint32_t comm,
                     uint32_t tag, uint64_t bytes)
{
    struct otf2_event *event = add(e, text_of(name));
    e->counts.sends++;
    if (!event)
        return;
    event->role = OTF2_SEND;
    event->comm = comm;
    event->peer = receiver;
    event->tag = tag;
    event->bytes = bytes;
}

static OTF2_CallbackCode on_send(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes)
{
    struct otf2_events *e = user;
    bool called = e->called;
    if (begin_record(e, time)) {
        add_send(e, "MPI_SEND", receiver, comm, tag, bytes);
        e->called = called;
    }
    return go_on(e);
}

static OTF2_CallbackCode on_isend(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t request UNUSED)
{
    struct otf2_events *e = user;
    if (begin_record(e, time))
        add_send(e, "MPI_ISEND", receiver, comm, tag, bytes);
    return go_on(e);
}

static void note_lost(struct otf2_events *e, int64_t since_ticks)
{
    e->lost_ticks = e->lost && e->lost_ticks < since_ticks ? e->lost_ticks : since_ticks;
    e->lost = true;
}

/* A request that is posted again before it was completed never was. */
static void post(struct otf2_events *e, struct requests *requests, uint64_t id, bool receive)
{
    int64_t before;
    bool was = requests_take(requests, id, &before);
    if (was && !receive)
        note_lost(e, before);
    e->no_memory |= !requests_put(requests, id, e->last_ticks);
}

static OTF2_CallbackCode on_irecv_request(RECORD, uint64_t request)
{
    struct otf2_events *e = user;
    if (!begin_record(e, time))
        return OTF2_CALLBACK_ERROR;
    post(e, &e->receives, request, true);
    e->posted_ticks = e->last_ticks;
    e->counts.posts++;
    add(e, text_of("MPI_IRECV_REQUEST"));
    return go_on(e);
}

static OTF2_CallbackCode on_cancelled(RECORD, uint64_t request)
{
    struct otf2_events *e = user;
    int64_t before;
    if (begin_record(e, time)) {
        requests_take(&e->receives, request, &before);
        add(e, text_of("MPI_REQUEST_CANCELLED"));
    }
    return go_on(e);
}

static struct otf2_event *add_receive(struct otf2_events *e, const char *name, uint32_t sender,
                                      uint32_t comm, uint32_t tag, uint64_t bytes)
{
    struct otf2_event *event = add(e, text_of(name));
    e->counts.receives++;
    if (event) {
        event->role = OTF2_RECV;
        event->comm = comm;
        event->peer = sender;
        event->tag = tag;
        event->bytes = bytes;
    }
    return event;
}

/* What waits from when it is called is posted after all before it: then, if it is known and later
 * than any request; else its own time will do. */
static OTF2_CallbackCode on_recv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes)
{
    struct otf2_events *e = user;
    bool called = e->called && e->called_ticks > e->posted_ticks;
    struct otf2_event *event =
        begin_record(e, time) ? add_receive(e, "MPI_RECV", sender, comm, tag, bytes) : NULL;
    if (event) {
        event->posted = true;
        event->posted_ticks = called ? e->called_ticks : event->time_ticks;
    }
    return go_on(e);
}

static OTF2_CallbackCode on_irecv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t request)
{
    struct otf2_events *e = user;
    struct otf2_event *event =
        begin_record(e, time) ? add_receive(e, "MPI_IRECV", sender, comm, tag, bytes) : NULL;
    if (event)
        event->posted = requests_take(&e->receives, request, &event->posted_ticks);
    return go_on(e);
}

static OTF2_CallbackCode on_collective_begin(RECORD)
{
    struct otf2_events *e = user;
    if (!begin_record(e, time))
        return OTF2_CALLBACK_ERROR;
    e->began = true;
    e->begin_ticks = e->last_ticks;
    return OTF2_CALLBACK_SUCCESS;
}

static struct otf2_event *add_collective(struct otf2_events *e, OTF2_CollectiveOp operation,
                                         uint32_t comm, uint32_t root)
{
    struct otf2_event *event = add(e, otf2_operation_name(operation));
    e->counts.collectives++;
    if (event) {
        event->role = OTF2_COLLECTIVE;
        event->comm = comm;
        event->peer = root;
        event->tag = operation;
    }
    return event;
}

static OTF2_CallbackCode on_collective_end(RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
    struct otf2_events *e = user;
    struct otf2_event *event =
        begin_record(e, time) ? add_collective(e, operation, comm, root) : NULL;
    if (event) {
        event->sent = sent;
        event->received = received;
        event->interval = e->began;
        event->begin_ticks = e->begin_ticks;
        e->began = false;
    }
    return go_on(e);
}

static OTF2_CallbackCode on_collective_request(RECORD, uint64_t request)
{
    struct otf2_events *e = user;
    if (!begin_record(e, time))
        return OTF2_CALLBACK_ERROR;
    post(e, &e->collectives, request, false);
    add(e, text_of("NON_BLOCKING_COLLECTIVE_REQUEST"));
    return go_on(e);
}

static OTF2_CallbackCode on_collective_complete(RECORD, OTF2_CollectiveOp operation,
                                                OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                                uint64_t received, uint64_t request)
{
    struct otf2_events *e = user;
    struct otf2_event *event =
        begin_record(e, time) ? add_collective(e, operation, comm, root) : NULL;
    if (event) {
        event->sent = sent;
        event->received = received;
        event->interval = requests_take(&e->collectives, request, &event->begin_ticks);
    }
    return go_on(e);
}

#include "trace/otf2/calls.h"

/* --- Locations ------------------------------------------------------------------------------ */

static void close_file(struct otf2_events *e)
{
    if (e->file)
        OTF2_Reader_CloseEvtReader(e->reader, e->file);
    e->file = NULL;
}

/* What may help, unless it is done already. */
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

/* What is wrong is said; where the trace is salvaged, the location ends here. */
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

/* The file that is read from now on. */
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

/* One that is for the location; the one before it has come to its end. */
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

/* All events of the file were read. */
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
            /* Read more records of the location.  The last event stays in the queue until it is
             * known not to be the last one of all. */
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
    *e = (struct otf2_events){.archive = archive, .salvage = salvage};
    *out = e;
    e->calls = OTF2_EvtReaderCallbacks_New();
    if (!e->calls)
        return error_memory(error);
    set_calls(e->calls);
    return CSY_OK;
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
