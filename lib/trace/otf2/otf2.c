/* The source for OTF2 archives. */
#include "base/crc.h"
#include "base/error.h"
#include "base/put.h"
#include "base/texts.h"
#include "trace/otf2/archive.h"
#include "trace/otf2/events.h"
#include "trace/otf2/probe.h"
#include "trace/otf2/streams.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Facts of a synchronized archive ------------------------------------------------------- */

/* Returns the value of a property, which the caller frees, or NULL without the property. */
static char *property(OTF2_Reader *reader, const char *name)
{
    char *value = NULL;
    if (OTF2_Reader_GetProperty(reader, name, &value) != OTF2_SUCCESS)
        value = NULL;
    otf2_forget_said();
    return value;
}

/* Make a line of facts from the properties of the archive, as a CSV has it. The caller frees *out,
 * which is NULL without properties. */
static csy_status otf2_read_facts(OTF2_Reader *reader, char **out, csy_error *error)
{
    char *facts = property(reader, OTF2_PROPERTY_FACTS), *crc = property(reader, OTF2_PROPERTY_CRC);
    csy_status status = CSY_OK;
    *out = NULL;
    if (facts && crc && asprintf(out, "%s original_crc32=%s\n", facts, crc) < 0) {
        *out = NULL;
        status = error_memory(error);
    }
    free(facts);
    free(crc);
    return status;
}

/* Returns which items had clocks in the synchronization, or `per` if the facts omit this. */
static csy_clock_per otf2_clock_per(const char *facts, csy_clock_per per)
{
    if (per != CSY_CLOCK_PER_AUTO || !facts)
        return per;
    return strstr(facts, " clock_per=node ")       ? CSY_CLOCK_PER_NODE
           : strstr(facts, " clock_per=location ") ? CSY_CLOCK_PER_LOCATION
                                                   : per;
}

static csy_status sum_file(const char *name, uint32_t *crc32, uint8_t *bytes, size_t room,
                           csy_error *error)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, room) : -1;
    while (n > 0) {
        *crc32 = crc_add(*crc32, bytes, (size_t)n);
        n = read(fd, bytes, room);
    }
    csy_status status = n < 0 ? error_io(error, name, NULL) : CSY_OK;
    if (fd >= 0)
        close(fd);
    return status;
}

enum { KEY_MAX = 192, VALUES_MAX = 256 };

/* --- The state of a trace ------------------------------------------------------------------ */

/* A position in an archive. */
struct reading {
    struct otf2_archive *archive; /* shared by the forks of a trace */
    struct otf2_events *events;
    const struct otf2_event *last;        /* last event read */
    const struct otf2_location *location; /* location of the last event */
    uint32_t comm_id;                     /* last communicator of a message or operation */
    const struct otf2_comm *comm;
    uint32_t self; /* rank of the location in it */
    bool said;     /* `roles` has to be cleared */
    struct event_roles roles;
    char key[KEY_MAX];
    char values[VALUES_MAX]; /* values of the last event */
};

const struct otf2_archive *otf2_archive_of(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->archive;
}

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_USAGE,
                     "%s: an OTF2 archive consists of several files; give the name of its anchor "
                     "file, NAME.otf2",
                     trace->name);
}

/* Restart at the first event, when the next event is read. */
static void start_over(struct reading *reading)
{
    otf2_events_free(reading->events);
    reading->events = NULL;
    reading->location = NULL;
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
    char *facts = NULL;
    if (OTF2_Reader_GetBoolProperty(reader, "OTF2::MPI_COMMUNICATION_COMPLETE", &trace->complete) !=
        OTF2_SUCCESS)
        trace->complete = false;
    status = otf2_read_facts(reader, &facts, error);
    if (!status)
        status = otf2_archive_read(reader, trace->name, otf2_clock_per(facts, trace->clock_per),
                                   &reading->archive, error);
    OTF2_Reader_Close(reader);
    if (status) {
        free(facts);
        return status;
    }
    reading->archive->facts = facts;
    size_t n = reading->archive->nintercomms;
    if (n > 0)
        snprintf(trace->warnings[trace->nwarnings++], sizeof *trace->warnings,
                 "%zu communicator%s between groups: messages through %s give no order", n,
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
    (void)error;
    start_over(trace->state);
    return CSY_OK;
}

/* --- What an event says of the order -------------------------------------------------------- */

static char *put_rank(char *at, uint32_t rank)
{
    return rank == OTF2_NO_RANK ? put_text(at, "?") : number_put_unsigned(at, rank);
}

/* Make the name of a channel: COMM/SENDER>RECEIVER/TAG. */
static csy_text name_channel(struct reading *reading, const struct otf2_comm *comm, uint32_t sender,
                             uint32_t receiver, uint32_t tag)
{
    char *at = put_bytes(reading->key, comm->label.bytes, comm->label.size);
    at = put_rank(put_text(at, "/"), sender);
    at = put_rank(put_text(at, ">"), receiver);
    at = number_put_unsigned(put_text(at, "/"), tag);
    return (csy_text){reading->key, (size_t)(at - reading->key)};
}

static void say_collective(struct reading *reading, const struct otf2_event *e,
                           const struct otf2_comm *comm, uint32_t self)
{
    struct event_roles *roles = &reading->roles;
    struct event_collective *is = &roles->collective;
    if (self == OTF2_NO_RANK || !otf2_operation_kind(e->tag, &is->kind))
        return;
    roles->members = comm->label;
    roles->late = true;
    is->enters = is->leaves = true;
    is->gives_nothing = e->sent == 0;
    is->gets_nothing = e->received == 0;
    is->self = self;
    is->has_root = e->peer < comm->size;
    is->root = e->peer;
}

/* Find the communicator of an event, which usually is the same as for the previous event. */
static const struct otf2_comm *find_comm(struct reading *reading, uint32_t id)
{
    if (!reading->comm || reading->comm_id != id) {
        reading->comm_id = id;
        reading->comm = otf2_comm(reading->archive, id);
        if (reading->comm)
            reading->self = otf2_rank(reading->comm, reading->location);
    }
    return reading->comm;
}

/* --- Events --------------------------------------------------------------------------------- */

static void set_event(struct reading *reading, const struct otf2_location *location,
                      const struct otf2_event *e, struct event *event)
{
    bool same = location == reading->location;
    reading->comm = same ? reading->comm : NULL;
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
    const struct otf2_comm *comm = e->role == OTF2_NOTHING ? NULL : find_comm(reading, e->comm);
    if (reading->said) /* few events have roles */
        *roles = (struct event_roles){.lost = false};
    roles->lost = reading->events && otf2_events_lost(reading->events, &roles->lost_ticks);
    reading->said = comm || roles->lost;
    if (comm) {
        uint32_t self = reading->self;
        if (e->role == OTF2_SEND) {
            roles->send = name_channel(reading, comm, self, e->peer, e->tag);
        } else if (e->role == OTF2_RECV) {
            roles->recv = name_channel(reading, comm, e->peer, self, e->tag);
            roles->posting = e->posted ? POSTING_GIVEN : POSTING_UNKNOWN;
            roles->posted_ticks = e->posted_ticks;
        } else {
            say_collective(reading, e, comm, self);
        }
    }
    event->roles = &reading->roles;
}

static char *put_field(char *at, const struct reading *reading, const char *name, uint64_t value)
{
    at = put_text(at, at > reading->values ? " " : "");
    return put_unsigned(put_text(at, name), "=", value);
}

/* Write the values of the last event as NAME=VALUE. Ranks are those in MPI_COMM_WORLD. */
static size_t put_values(struct reading *reading, const struct otf2_event *e)
{
    char *at = reading->values;
    const struct otf2_comm *comm = reading->comm;
    uint32_t rank = comm && e->peer < comm->size ? comm->world_ranks[e->peer] : OTF2_NO_RANK;
    bool message = e->role != OTF2_COLLECTIVE;
    if (e->role == OTF2_NOTHING)
        return 0;
    if (rank != OTF2_NO_RANK)
        at = put_field(at, reading, message ? "partner" : "root", rank);
    if (message) {
        at = put_field(put_field(at, reading, "tag", e->tag), reading, "bytes", e->bytes);
    } else {
        at = put_field(at, reading, "sent", e->sent);
        at = put_field(at, reading, "received", e->received);
    }
    at = put_field(at, reading, "communicator", e->comm);
    return (size_t)(at - reading->values);
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct reading *reading = trace->state;
    const struct otf2_event *e = NULL;
    csy_status status = CSY_OK;
    if (!reading->events)
        status = otf2_events_new(reading->archive, trace->salvage, &reading->events, error);
    if (!status)
        status = otf2_events_next(reading->events, &e, error);
    *more = !status && e;
    if (status)
        return status;
    if (!e) {
        struct otf2_counts n = otf2_events_counts(reading->events);
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
    set_event(reading, otf2_events_location(reading->events), e, event);
    reading->last = e;
    return CSY_OK;
}

static csy_status describe(struct csy_trace *trace, struct event *event, csy_error *error)
{
    struct reading *reading = trace->state;
    (void)error;
    event->size = put_values(reading, reading->last);
    return CSY_OK;
}

static void close_archive(struct csy_trace *trace)
{
    struct reading *reading = trace->state;
    if (!reading)
        return;
    otf2_events_free(reading->events);
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
        otf2_events_free(reading->events);
    free(reading);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->events ? otf2_events_cut(reading->events) : NULL;
}

static const char *place_file(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->events ? otf2_events_file(reading->events) : trace->name;
}

static bool tracer(const struct csy_trace *trace, size_t index, struct tracer_thread *out)
{
    const struct otf2_archive *archive = ((const struct reading *)trace->state)->archive;
    if (index >= archive->nlocations)
        return false;
    struct otf2_location *location = &archive->locations[index];
    const struct otf2_offsets *offsets = atomic_load(&location->offsets);
    *out = (struct tracer_thread){location->thread, location->clock, NULL, 0};
    if (offsets) {
        out->readings = offsets->items;
        out->count = offsets->count;
    }
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
        status = name ? sum_file(name, crc32, bytes, ROOM, error) : error_memory(error);
        free(name);
    }
    free(bytes);
    return status;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *reading = trace->state;
    *done = reading->events ? otf2_events_done(reading->events) : 0;
    *total = reading->archive->nlocations;
}

/* --- Locations by themselves ----------------------------------------------------------------- */

static size_t count_locations(struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->archive->nlocations;
}

static csy_status number_clocks(const struct csy_trace *trace, uint32_t *clocks, csy_error *error)
{
    const struct reading *reading = trace->state;
    struct texts texts = {0};
    bool added, good = true;
    for (size_t i = 0; i < reading->archive->nlocations && good; i++) {
        const struct otf2_location *location = &reading->archive->locations[i];
        csy_text name = location->clock.size > 0 ? location->clock : location->thread;
        good = texts_find(&texts, name.bytes, name.size, &clocks[i], &added);
    }
    texts_fini(&texts);
    return good ? CSY_OK : error_memory(error);
}

static csy_status start_streams(const struct csy_trace *trace, const struct streams_part *part,
                                struct streams **out, csy_error *error)
{
    const struct reading *reading = trace->state;
    return otf2_streams_start(reading->archive, part, out, error);
}

static void make_event(struct csy_trace *trace, size_t number, const struct stream_item *item,
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

static const struct stream_reading stream_reading = {.count = count_locations,
                                                     .clocks = number_clocks,
                                                     .start = start_streams,
                                                     .next = otf2_streams_next,
                                                     .failed = otf2_streams_failed,
                                                     .stop = otf2_streams_stop,
                                                     .event = make_event};

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
    .streams = &stream_reading,
    .progress = progress,
};
