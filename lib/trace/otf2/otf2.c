/* Reads OTF2 archives as a source of events (trace/source.h). An OTF2 event becomes one event. The
 * ENTER and the LEAVE of a region become one event with a begin time, in the order of the LEAVE. A
 * region without LEAVE ends with the last record of its location. The begin and the end of a
 * collective operation also become one event with a begin time. */
#include "base/array.h"
#include "base/crc.h"
#include "base/error.h"
#include "base/put.h"
#include "base/texts.h"
#include "trace/otf2/archive.h"
#include "trace/otf2/requests.h"
#include "trace/streams.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096, REGION_NAMES = 512 };

enum otf2_role { OTF2_NOTHING, OTF2_SEND, OTF2_RECV, OTF2_COLLECTIVE };

struct otf2_event {
    csy_text name;
    uint64_t place; /* number of the event in the file, from 0 */
    int64_t time_ticks, begin_ticks;
    bool interval;
    enum otf2_role role;
    uint32_t comm;
    uint32_t peer; /* partner of a message, or root of a collective operation */
    uint32_t tag;  /* tag of a message, or OTF2_CollectiveOp of a collective operation */
    bool posted;   /* true if posted_ticks is known */
    int64_t posted_ticks;
    uint64_t bytes;          /* size of a message */
    uint64_t sent, received; /* bytes that a collective operation sent and received */
};

struct otf2_counts {
    uint64_t sends, receives, posts, collectives;
};

/* An entry of the cache of region names, at index `region` % REGION_NAMES. */
struct region_name {
    uint32_t region;
    csy_text text;
};

struct open_region {
    uint32_t region;
    int64_t time_ticks;
    uint64_t place;
};

struct location_events {
    const struct otf2_archive *archive;
    OTF2_Reader *reader;
    bool salvage;
    size_t next_location;
    const struct otf2_location *location; /* location of the events in the queue */
    bool open;                            /* true until the end of the event file */
    struct otf2_events file;
    char *path; /* path of the event file */
    struct otf2_event *queue;
    size_t count, capacity, next;
    /* State of the current location: */
    uint64_t place; /* number of records read so far */
    int64_t last_ticks;
    struct open_region *regions;
    size_t nregions, regions_capacity;
    struct requests receives, collectives; /* requests that are not completed */
    bool began;                            /* true if a collective operation began at begin_ticks,
                                            * and has not ended */
    int64_t begin_ticks;
    bool called; /* true if only sends were recorded since a region began */
    int64_t called_ticks;
    int64_t posted_ticks; /* time of the last posted receive request, or INT64_MIN */
    bool lost;            /* true if a collective operation was requested, but not completed */
    int64_t lost_ticks;
    /* State of the whole archive: */
    struct otf2_counts counts;
    uint64_t events;
    csy_cut cut;
    bool is_cut, no_memory, beyond;
    struct region_name names[REGION_NAMES];
};

/* --- Records -------------------------------------------------------------------------------- */

/* Append an event with the time of the last record. Returns NULL if memory runs out. */
static struct otf2_event *add(struct location_events *e, csy_text name)
{
    e->no_memory |= !ARRAY_RESERVE(e->queue, e->capacity, e->count + 1);
    if (e->no_memory)
        return NULL;
    struct otf2_event *event = &e->queue[e->count++];
    *event = (struct otf2_event){
        .name = name, .place = e->place - 1, .time_ticks = e->last_ticks, .role = OTF2_NOTHING};
    return event;
}

static csy_text region_name(struct location_events *e, uint32_t region)
{
    struct region_name *known = &e->names[region % REGION_NAMES];
    if (!known->text.bytes || known->region != region)
        *known = (struct region_name){region, otf2_region_name(e->archive, region)};
    return known->text;
}

static void note_lost(struct location_events *e, int64_t since_ticks)
{
    e->lost_ticks = e->lost && e->lost_ticks < since_ticks ? e->lost_ticks : since_ticks;
    e->lost = true;
}

/* Note a posted request. If its id is in use, the earlier request was never completed. */
static void post(struct location_events *e, struct requests *requests, uint64_t id, bool receive)
{
    int64_t before;
    if (requests_take(requests, id, &before) && !receive)
        note_lost(e, before);
    e->no_memory |= !requests_put(requests, id, e->last_ticks);
}

static void set_message(struct otf2_event *event, const struct otf2_record *record,
                        enum otf2_role role)
{
    event->role = role;
    event->comm = (uint32_t)record->message.comm;
    event->peer = (uint32_t)record->message.peer;
    event->tag = (uint32_t)record->message.tag;
    event->bytes = record->message.bytes;
}

static void set_operation(struct otf2_event *event, const struct otf2_record *record)
{
    event->role = OTF2_COLLECTIVE;
    event->comm = (uint32_t)record->operation.comm;
    event->peer = (uint32_t)record->operation.root;
    event->tag = (uint32_t)record->operation.code;
    event->sent = record->operation.sent;
    event->received = record->operation.received;
}

/* Handle the next record. Returns false to stop reading. */
static bool take(struct location_events *e, const struct otf2_record *record)
{
    bool called = e->called;
    int64_t before;
    e->beyond = record->time > INT64_MAX;
    if (e->beyond)
        return false;
    e->last_ticks = (int64_t)record->time;
    e->called = record->kind == OTF2_RECORD_ENTER || (called && record->kind == OTF2_RECORD_SEND);
    e->place++;
    if (record->kind == OTF2_RECORD_ENTER) {
        e->called_ticks = e->last_ticks;
        e->no_memory |= !ARRAY_PUSH(
            e->regions, e->nregions, e->regions_capacity,
            (struct open_region){(uint32_t)record->region, e->last_ticks, e->place - 1});
        return !e->no_memory;
    }
    if (record->kind == OTF2_RECORD_COLLECTIVE_BEGIN) {
        e->began = true;
        e->begin_ticks = e->last_ticks;
        return true;
    }
    const char *known = otf2_event_name(record->kind);
    struct otf2_event *event =
        add(e, record->kind == OTF2_RECORD_LEAVE ? region_name(e, (uint32_t)record->region)
               : known                           ? (csy_text){known, strlen(known)}
                       : otf2_operation_name((uint32_t)record->operation.code));
    if (!event)
        return false;
    switch (record->kind) {
    case OTF2_RECORD_LEAVE:
        event->interval = e->nregions > 0; /* false if the ENTER is missing */
        if (event->interval)
            event->begin_ticks = e->regions[--e->nregions].time_ticks;
        break;
    case OTF2_RECORD_SEND:
    case OTF2_RECORD_ISEND:
        set_message(event, record, OTF2_SEND);
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
        /* A blocking receive was posted when its region was entered. If the time of the entry is
         * unknown, or a request was posted since the entry, use the time of the receive. */
        event->posted = true;
        event->posted_ticks =
            called && e->called_ticks > e->posted_ticks ? e->called_ticks : event->time_ticks;
        set_message(event, record, OTF2_RECV);
        e->counts.receives++;
        break;
    case OTF2_RECORD_IRECEIVE:
        event->posted = requests_take(&e->receives, record->message.request, &event->posted_ticks);
        set_message(event, record, OTF2_RECV);
        e->counts.receives++;
        break;
    case OTF2_RECORD_COLLECTIVE_REQUEST:
        post(e, &e->collectives, record->request, false);
        break;
    case OTF2_RECORD_COLLECTIVE_END:
        event->interval = e->began;
        event->begin_ticks = e->begin_ticks;
        e->began = false;
        set_operation(event, record);
        e->counts.collectives++;
        break;
    case OTF2_RECORD_COLLECTIVE_COMPLETE:
        event->interval =
            requests_take(&e->collectives, record->operation.request, &event->begin_ticks);
        set_operation(event, record);
        e->counts.collectives++;
        break;
    default:
        break;
    }
    return !e->no_memory;
}

/* --- Locations ------------------------------------------------------------------------------ */

static void close_file(struct location_events *e)
{
    otf2_close_events(&e->file);
    e->open = false;
}

/* Returns the advice to pass --salvage, or "" if --salvage was passed. */
static const char *advice(const struct location_events *e)
{
    return e->salvage ? "" : " (see --salvage)";
}

static csy_status refuse(struct location_events *e, OTF2_ErrorCode code, csy_error *error)
{
    char text[OTF2_SAID_MAX];
    if (e->no_memory)
        return error_memory(error);
    if (e->beyond)
        return error_set(error, CSY_INPUT,
                         "%s: event %" PRIu64 ": the timestamp is 2^63 ticks or more", e->path,
                         e->place);
    const struct otf2_records *records = &e->file.checked.records;
    if (records->fault && records->cut)
        return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": the file was cut off%s", e->path,
                         e->place, advice(e));
    if (records->fault)
        return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": offset %" PRIu64 ": %s%s",
                         e->path, e->place, records->offset, records->fault, advice(e));
    return error_set(error, CSY_INPUT, "%s: event %" PRIu64 ": %s%s", e->path, e->place,
                     otf2_said(code, text), advice(e));
}

/* With --salvage, ends the location at the fault and returns CSY_OK, otherwise returns `status`. */
static csy_status end_at_fault(struct location_events *e, csy_status status, csy_error *error)
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

static csy_status name_file(struct location_events *e, const char *suffix, csy_error *error)
{
    free(e->path);
    if (asprintf(&e->path, "%s/%" PRIu64 "%s", e->archive->folder, e->location->id, suffix) >= 0)
        return CSY_OK;
    e->path = NULL;
    return error_memory(error);
}

static csy_status open_file(struct location_events *e, csy_error *error)
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
    OTF2_ErrorCode code = otf2_open_events(
        e->archive, e->reader, &e->archive->locations[e->next_location - 1], &e->file, &suffix);
    e->no_memory |= code == OTF2_ERROR_MEM_ALLOC_FAILED;
    if (code != OTF2_SUCCESS && !e->no_memory && strcmp(suffix, ".def") == 0) {
        char text[OTF2_SAID_MAX];
        status = name_file(e, ".def", error);
        return status ? status
                      : error_set(error, CSY_INPUT,
                                  "%s: the definitions of the archive cannot be read: %s%s",
                                  e->path, otf2_said(code, text), advice(e));
    }
    e->open = code == OTF2_SUCCESS;
    return code == OTF2_SUCCESS && !e->no_memory ? CSY_OK : refuse(e, code, error);
}

/* Begin the next location. Open a new reader after every OTF2_LOCATIONS_A_READER locations. */
static csy_status begin_location(struct location_events *e, csy_error *error)
{
    e->location = &e->archive->locations[e->next_location++];
    e->place = 0;
    e->nregions = 0;
    e->began = e->called = e->lost = false;
    e->posted_ticks = INT64_MIN;
    requests_fini(&e->receives);
    requests_fini(&e->collectives);
    size_t number = e->next_location - 1;
    if (number % OTF2_LOCATIONS_A_READER == 0) {
        if (e->reader)
            OTF2_Reader_Close(e->reader);
        e->reader = NULL;
        csy_status status = otf2_open_locations(e->archive, number, 1, &e->reader, error);
        if (status)
            return status;
    }
    csy_status status = open_file(e, error);
    return status ? end_at_fault(e, status, error) : CSY_OK;
}

static csy_status events_next(struct location_events *e, const struct otf2_event **out,
                              csy_error *error)
{
    csy_status status = CSY_OK;
    *out = NULL;
    while (!status && e->count - e->next <= (e->open ? 1 : 0)) {
        if (e->open) {
            /* Read more records of the location. Keep the last event in the queue until another
             * event follows: set_event adds lost operations to a location's last event. */
            uint64_t n = 0;
            if (e->next > 0)
                memmove(e->queue, e->queue + e->next, (e->count - e->next) * sizeof *e->queue);
            e->count -= e->next;
            e->next = 0;
            struct otf2_record record;
            while (n < CHUNK && otf2_next_event(&e->file, &record) && take(e, &record))
                n++;
            bool fault = e->file.checked.records.fault && n == 0;
            if (fault || e->beyond || e->no_memory)
                status = refuse(e, OTF2_ERROR_INVALID_DATA, error);
            if (status)
                status = end_at_fault(e, status, error);
            else if (n < CHUNK && !e->file.checked.records.fault) {
                close_file(e);
                if (!otf2_is_unchanged(e->path, &e->file.checked))
                    status = error_set(error, CSY_INPUT,
                                       "%s: the file has changed since it was checked", e->path);
            }
            if (!status && !e->open) {
                for (size_t i = 0; i < e->collectives.count; i++)
                    note_lost(e, e->collectives.items[i].ticks);
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
            if (!status && e->no_memory)
                status = error_memory(error);
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

static void events_free(struct location_events *e)
{
    if (!e)
        return;
    close_file(e);
    if (e->reader)
        OTF2_Reader_Close(e->reader);
    requests_fini(&e->receives);
    requests_fini(&e->collectives);
    FREE_ALL(e->regions, e->queue, e->path, e);
}

/* --- The state of a trace ------------------------------------------------------------------ */

enum { KEY_MAX = 192, VALUES_MAX = 256 };

/* The state of a trace while its archive is read. */
struct reading {
    struct otf2_archive *archive; /* shared by all copies (forks) of the trace */
    struct location_events *events;
    const struct otf2_event *last;
    const struct otf2_location *location; /* location of the last event */
    struct otf2_place at;                 /* communicator of the last message or operation */
    bool said;                            /* true if the last event has set members of `roles` */
    struct event_roles roles;
    char key[KEY_MAX];
    char values[VALUES_MAX]; /* values of the last event */
};

const struct otf2_archive *otf2_archive_of(const struct csy_trace *trace)
{
    return ((const struct reading *)trace->state)->archive;
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_USAGE,
                     "%s: an OTF2 archive consists of several files; give the name of its anchor "
                     "file, NAME.otf2",
                     trace->name);
}

/* Returns the value of a property, which the caller frees, or NULL if it is missing. */
static char *property(OTF2_Reader *reader, const char *name)
{
    char *value = NULL;
    if (OTF2_Reader_GetProperty(reader, name, &value) != OTF2_SUCCESS)
        value = NULL;
    otf2_forget_said();
    return value;
}

static csy_status open_archive(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    OTF2_Reader *reader;
    struct reading *reading = trace->state = calloc(1, sizeof *reading);
    if (!reading)
        return error_memory(error);
    if (strcmp(trace->name, "-") == 0 || trace->files[0].fd < 0 || start > 0)
        return look(trace, error);
    csy_status status = otf2_open(trace->name, &reader, error);
    if (status)
        return status;
    if (OTF2_Reader_GetBoolProperty(reader, "OTF2::MPI_COMMUNICATION_COMPLETE", &trace->complete) !=
        OTF2_SUCCESS)
        trace->complete = false;
    /* Combine two properties to a line that describes the synchronization, as in a CSV. */
    char *line = property(reader, OTF2_PROPERTY_FACTS), *crc = property(reader, OTF2_PROPERTY_CRC);
    char *facts = NULL;
    if (line && crc && asprintf(&facts, "%s original_crc32=%s\n", line, crc) < 0) {
        facts = NULL;
        status = error_memory(error);
    }
    FREE_ALL(line, crc);
    csy_clock_per per = trace->clock_per;
    if (per == CSY_CLOCK_PER_AUTO && facts)
        per = strstr(facts, " clock_per=node ")       ? CSY_CLOCK_PER_NODE
              : strstr(facts, " clock_per=location ") ? CSY_CLOCK_PER_LOCATION
                                                      : per;
    if (!status)
        status = otf2_archive_read(reader, trace->name, per, &reading->archive, error);
    OTF2_Reader_Close(reader);
    if (status) {
        free(facts);
        return status;
    }
    reading->archive->facts = facts;
    size_t n = reading->archive->nintercomms;
    if (n > 0)
        trace_warn(trace, "%zu communicator%s between groups: messages through %s give no order", n,
                   n == 1 ? "" : "s", n == 1 ? "it" : "them");
    trace->timebase_hz = reading->archive->resolution_hz;
    trace->hosts = reading->archive->nhosts;
    trace->converted = reading->archive->nconverted;
    trace->partial = trace->has_begins = trace->independent = true;
    trace->sends = SENDS_COUNTED;
    return CSY_OK;
}

static csy_status rewind_archive(struct csy_trace *trace, csy_error *error)
{
    struct reading *reading = trace->state;
    (void)error;
    events_free(reading->events);
    reading->events = NULL;
    reading->location = NULL;
    return CSY_OK;
}

/* --- What an event says of the order -------------------------------------------------------- */

static char *put_rank(char *at, uint32_t rank)
{
    return rank == OTF2_NO_RANK ? put_text(at, "?") : number_put_unsigned(at, rank);
}

/* Make the name of a message channel, COMM/SENDER>RECEIVER/TAG. */
static csy_text name_channel(struct reading *reading, const struct otf2_comm *comm, uint32_t sender,
                             uint32_t receiver, uint32_t tag)
{
    char *at = put_bytes(reading->key, comm->label.bytes, comm->label.size);
    at = put_rank(put_text(at, "/"), sender);
    at = put_rank(put_text(at, ">"), receiver);
    at = number_put_unsigned(put_text(at, "/"), tag);
    return (csy_text){reading->key, (size_t)(at - reading->key)};
}

/* --- Events --------------------------------------------------------------------------------- */

static void set_event(struct reading *reading, const struct otf2_location *location,
                      const struct otf2_event *e, struct event *event)
{
    bool same = location == reading->location;
    reading->at.comm = same ? reading->at.comm : NULL;
    reading->location = location;
    event->place = e->place;
    event->bytes = (const uint8_t *)reading->values;
    event->raw = (csy_text){0};
    event->size = 0;
    event->stamp = (struct named_stamp){.thread = location->thread.bytes,
                                        .thread_size = location->thread.size,
                                        .clock = location->clock.bytes,
                                        .clock_size = location->clock.size,
                                        .node = location->node,
                                        .same = same,
                                        .time_ticks = e->time_ticks,
                                        .interval = e->interval,
                                        .begin_ticks = e->begin_ticks};
    event->name = e->name.bytes;
    event->name_size = e->name.size;
    event->record = NULL;
    event->row = NULL;
    struct event_roles *roles = &reading->roles;
    const struct otf2_comm *comm = NULL;
    if (e->role != OTF2_NOTHING)
        comm = otf2_find_comm(reading->archive, location, e->comm, &reading->at);
    if (reading->said)
        *roles = (struct event_roles){.lost = false};
    const struct location_events *events = reading->events;
    /* The last event of a location states whether an operation was requested but never
     * completed. */
    roles->lost = events && events->lost && !events->open && events->next == events->count;
    roles->lost_ticks = events ? events->lost_ticks : 0;
    reading->said = comm || roles->lost;
    if (comm) {
        uint32_t self = reading->at.self;
        if (e->role == OTF2_SEND) {
            roles->send = name_channel(reading, comm, self, e->peer, e->tag);
        } else if (e->role == OTF2_RECV) {
            roles->recv = name_channel(reading, comm, e->peer, self, e->tag);
            roles->posting = e->posted ? POSTING_GIVEN : POSTING_UNKNOWN;
            roles->posted_ticks = e->posted_ticks;
        } else if (self != OTF2_NO_RANK && otf2_operation_kind(e->tag, &roles->collective.kind)) {
            struct event_collective *is = &roles->collective;
            roles->members = comm->label;
            roles->late = true;
            is->enters = is->leaves = true;
            is->gives_nothing = e->sent == 0;
            is->gets_nothing = e->received == 0;
            is->self = self;
            is->has_root = e->peer < comm->size;
            is->root = e->peer;
        }
    }
    event->roles = &reading->roles;
}

static char *put_field(char *at, const struct reading *reading, const char *name, uint64_t value)
{
    at = put_text(at, at > reading->values ? " " : "");
    return put_unsigned(put_text(at, name), "=", value);
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct reading *reading = trace->state;
    const struct otf2_event *e = NULL;
    csy_status status = CSY_OK;
    *more = false;
    if (!reading->events) {
        struct location_events *events = reading->events = calloc(1, sizeof *events);
        if (!events)
            return error_memory(error);
        *events = (struct location_events){
            .archive = reading->archive, .salvage = trace->salvage, .file = {.fd = -1}};
    }
    status = status ? status : events_next(reading->events, &e, error);
    if (status)
        return status;
    if (!e) {
        struct otf2_counts n = reading->events->counts;
        bool messages = n.sends > 0 && n.receives > 0;
        if (messages || n.collectives > 0 || reading->archive->nclocks < 2)
            return CSY_OK;
        return error_set(error, CSY_INPUT,
                         "%s: the archive has no messages between its %zu clocks and no collective "
                         "operations, so the clocks cannot be compared; found %" PRIu64
                         " sends, %" PRIu64 " completed receives, and %" PRIu64
                         " posted receives%s",
                         trace->name, reading->archive->nclocks, n.sends, n.receives, n.posts,
                         n.posts > 0 ? " (EZTrace 2.0 does not record the completion of MPI_Irecv; "
                                       "celltrace and Score-P do)"
                                     : "");
    }
    set_event(reading, reading->events->location, e, event);
    reading->last = e;
    *more = true;
    return CSY_OK;
}

/* Write the values of the last event as NAME=VALUE. Ranks are given as ranks in MPI_COMM_WORLD. */
static csy_status describe(struct csy_trace *trace, struct event *event, csy_error *error)
{
    struct reading *reading = trace->state;
    const struct otf2_event *e = reading->last;
    const struct otf2_comm *comm = reading->at.comm;
    uint32_t rank = comm && e->peer < comm->size ? comm->world_ranks[e->peer] : OTF2_NO_RANK;
    bool message = e->role != OTF2_COLLECTIVE;
    char *at = reading->values;
    (void)error;
    if (rank != OTF2_NO_RANK && e->role != OTF2_NOTHING)
        at = put_field(at, reading, message ? "partner" : "root", rank);
    if (e->role != OTF2_NOTHING) {
        at = put_field(at, reading, message ? "tag" : "sent", message ? e->tag : e->sent);
        at = put_field(at, reading, message ? "bytes" : "received",
                       message ? e->bytes : e->received);
        at = put_field(at, reading, "communicator", e->comm);
    }
    event->size = (size_t)(at - reading->values);
    return CSY_OK;
}

static void close_archive(struct csy_trace *trace)
{
    struct reading *reading = trace->state;
    if (!reading)
        return;
    events_free(reading->events);
    otf2_archive_free(reading->archive);
    free(reading);
}

static csy_status fork_archive(const struct csy_trace *trace, struct csy_trace *fork,
                               csy_error *error)
{
    const struct reading *of = trace->state;
    struct reading *reading = fork->state = calloc(1, sizeof *reading);
    if (!reading)
        return error_memory(error);
    reading->archive = of->archive;
    return CSY_OK;
}

static void join_archive(struct csy_trace *fork)
{
    struct reading *reading = fork->state;
    if (reading)
        events_free(reading->events);
    free(reading);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->events && reading->events->is_cut ? &reading->events->cut : NULL;
}

static const char *place_file(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->events ? reading->events->path : trace->name;
}

static bool tracer(const struct csy_trace *trace, size_t index, struct tracer_thread *out)
{
    const struct otf2_archive *archive = otf2_archive_of(trace);
    if (index >= archive->nlocations)
        return false;
    struct otf2_location *location = &archive->locations[index];
    const struct otf2_offsets *offsets = atomic_load(&location->offsets);
    *out = (struct tracer_thread){location->thread, location->clock,
                                  offsets ? offsets->items : NULL, offsets ? offsets->count : 0};
    return true;
}

static bool is_synchronized(const struct csy_trace *trace)
{
    return otf2_archive_of(trace)->facts != NULL;
}

static struct csv_facts facts_of(const struct csy_trace *trace, uint64_t *origin_ticks)
{
    const struct otf2_archive *archive = otf2_archive_of(trace);
    *origin_ticks = archive->offset_ticks;
    return (struct csv_facts){archive->facts, archive->facts ? strlen(archive->facts) : 0};
}

static csy_status sum(const struct csy_trace *trace, uint32_t *crc32, csy_error *error)
{
    const struct otf2_archive *archive = otf2_archive_of(trace);
    enum { ROOM = 256 * 1024 };
    uint8_t *bytes = malloc(ROOM);
    csy_status status = bytes ? CSY_OK : error_memory(error);
    *crc32 = 0;
    for (size_t i = 0; i < archive->nlocations && !status; i++) {
        char *name;
        if (asprintf(&name, "%s/%" PRIu64 ".evt", archive->folder, archive->locations[i].id) < 0)
            name = NULL;
        int fd = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
        ssize_t n = fd >= 0 ? read(fd, bytes, ROOM) : -1;
        while (n > 0) {
            *crc32 = crc_add(*crc32, bytes, (size_t)n);
            n = read(fd, bytes, ROOM);
        }
        if (n < 0)
            status = name ? error_io(error, name, NULL) : error_memory(error);
        if (fd >= 0)
            close(fd);
        free(name);
    }
    free(bytes);
    return status;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *reading = trace->state;
    const struct location_events *events = reading->events;
    *done = events ? events->next_location - events->open : 0;
    *total = reading->archive->nlocations;
}

void otf2_set_item(struct csy_trace *trace, size_t number, const struct stream_item *item,
                   struct event *event)
{
    struct reading *reading = trace->state;
    const struct otf2_location *location = &reading->archive->locations[number];
    struct otf2_event e = {.role = OTF2_NOTHING};
    if (item)
        e = (struct otf2_event){.role = item->role == STREAM_SEND   ? OTF2_SEND
                                        : item->role == STREAM_RECV ? OTF2_RECV
                                                                    : OTF2_COLLECTIVE,
                                .place = item->place,
                                .comm = item->key[0],
                                .peer = item->key[item->role == STREAM_SEND ? 2 : 1],
                                .tag = item->key[item->role == STREAM_MEMBER ? 2 : 3],
                                .time_ticks = item->time_ticks,
                                .posted = true,
                                .posted_ticks = item->other_ticks,
                                .interval = item->interval,
                                .begin_ticks = item->other_ticks,
                                .sent = item->gives,
                                .received = item->gets};
    set_event(reading, location, &e, event);
}

const struct source source_otf2 = {
    .format = CSY_FORMAT_OTF2,
    .written_as = CSY_FORMAT_OTF2,
    .title = "an OTF2 archive",
    .place = "event",
    .archive = true,
    .valued = true,
    .calls = true,
    .probe = otf2_probe,
    .look = look,
    .open = open_archive,
    .rewind = rewind_archive,
    .next = next_event,
    .describe = describe,
    .close = close_archive,
    .fork = fork_archive,
    .join = join_archive,
    .cut = cut,
    .is_synchronized = is_synchronized,
    .facts = facts_of,
    .sum = sum,
    .tracer = tracer,
    .place_file = place_file,
    .streams = &otf2_streams,
    .progress = progress,
};
