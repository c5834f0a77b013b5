/* The locations of an OTF2 archive, each read by itself. */
#include "trace/otf2/streams.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/otf2/local.h"
#include "trace/otf2/postings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 4096 };

/* A location that is being read. */
struct stream {
    struct streams *of;
    size_t number; /* of the location */
    struct otf2_location *location;
    OTF2_EvtReader *file;
    struct stream_totals totals;
    uint64_t records;
    int64_t last_ticks; /* of the last record */
    uint64_t depth;     /* of regions that were entered */
    bool began;         /* a collective operation: */
    int64_t begin_ticks;
    bool left; /* one ended: */
    int64_t left_ticks;
    struct requests operations; /* that were posted */
    struct postings receives;
    const struct otf2_comm *comm; /* of the last event that has one, or NULL: */
    uint32_t comm_id, self;       /* its id, and the rank of the location in it */
};

struct streams {
    const struct otf2_archive *archive;
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *calls;
    struct streams_part part;
    size_t next_location;
    size_t left; /* locations that the reader is for and that were not opened */
    struct stream **open;
    size_t nopen;
    struct stream_item *items; /* of a batch */
    size_t count, capacity;
    bool failed;
};

/* --- Records -------------------------------------------------------------------------------- */

static OTF2_CallbackCode fail(struct stream *s)
{
    s->of->failed = true;
    return OTF2_CALLBACK_ERROR;
}

/* The next record; false where it cannot be. */
static inline bool note_record(struct stream *s, OTF2_TimeStamp time)
{
    if (time > INT64_MAX || (int64_t)time < s->last_ticks)
        return false;
    s->last_ticks = (int64_t)time;
    s->records++;
    return true;
}

/* It is an event; its number. */
static inline uint64_t note_event(struct stream *s)
{
    if (s->totals.events == 0)
        s->totals.first_ticks = s->last_ticks;
    s->totals.last_ticks = s->last_ticks;
    postings_follow(&s->receives, s->last_ticks);
    return s->totals.events++;
}

static struct stream_item item_of(struct stream *s, enum stream_role role)
{
    struct stream_item item = {.before_ticks = s->totals.last_ticks, .role = (uint8_t)role};
    item.position = note_event(s);
    item.place = s->records - 1;
    item.time_ticks = s->last_ticks;
    return item;
}

static bool add(struct streams *streams, const struct stream_item *item)
{
    if (!ARRAY_RESERVE(streams->items, streams->capacity, streams->count + 1))
        return false;
    streams->items[streams->count++] = *item;
    return true;
}

/* The communicator of an event; NULL: it says nothing. */
static const struct otf2_comm *find_comm(struct stream *s, uint32_t id)
{
    if (!s->comm || s->comm_id != id) {
        s->comm_id = id;
        s->comm = otf2_comm(s->of->archive, id);
        if (s->comm)
            s->self = otf2_rank(s->comm, s->location);
    }
    return s->comm;
}

/* Whether the location received something, or ended an operation, less than a window ago; receives
 * hear of it. */
static bool is_close(struct stream *s)
{
    int64_t window = s->of->part.window_ticks;
    bool close = postings_mark(&s->receives, s->last_ticks, window);
    return close || (s->left && s->last_ticks - s->left_ticks < window);
}

/* Receives whose place in the order of posting is known. */
static bool hand_on(struct stream *s, bool ended)
{
    const struct stream_item *item;
    while ((item = postings_next(&s->receives, s->last_ticks, s->of->part.window_ticks, ended)))
        if (!add(s->of, item))
            return false;
    return true;
}

/* What every callback begins with. */
#define UNUSED __attribute__((unused))
#define RECORD                                                                                     \
    OTF2_LocationRef location UNUSED, OTF2_TimeStamp time, uint64_t position UNUSED, void *user,   \
        OTF2_AttributeList *attributes UNUSED

/* Whether it has the stamp of an operation that ended before it. */
static inline bool follows_member(const struct stream *s)
{
    return s->left && s->left_ticks == s->last_ticks;
}

/* An event that says nothing. */
static inline bool note_plain(struct stream *s)
{
    if (follows_member(s)) {
        const struct stream_item item = item_of(s, STREAM_PLAIN);
        return add(s->of, &item);
    }
    note_event(s);
    return true;
}

/* The same of one that says something, but may not be kept for that. */
static bool note_follower(struct stream *s, const struct stream_item *item)
{
    struct stream_item plain = *item;
    plain.role = STREAM_PLAIN;
    return !follows_member(s) || add(s->of, &plain);
}

static inline OTF2_CallbackCode other(struct stream *s, OTF2_TimeStamp time)
{
    return note_record(s, time) && note_plain(s) ? OTF2_CALLBACK_SUCCESS : fail(s);
}

/* A function for each kind of record that says nothing of the order. */
#define DEFINE(event, ...)                                                                         \
    static OTF2_CallbackCode on_##event(__VA_ARGS__)                                               \
    {                                                                                              \
        return other(user, time);                                                                  \
    }
#define OTHER0(event, name) DEFINE(event, RECORD)
#define OTHER1(event, name, A) DEFINE(event, RECORD, A a UNUSED)
#define OTHER2(event, name, A, B) DEFINE(event, RECORD, A a UNUSED, B b UNUSED)
#define OTHER3(event, name, A, B, C) DEFINE(event, RECORD, A a UNUSED, B b UNUSED, C c UNUSED)
#define OTHER4(event, name, A, B, C, D)                                                            \
    DEFINE(event, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED)
#define OTHER5(event, name, A, B, C, D, E)                                                         \
    DEFINE(event, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED)
#define OTHER6(event, name, A, B, C, D, E, F)                                                      \
    DEFINE(event, RECORD, A a UNUSED, B b UNUSED, C c UNUSED, D d UNUSED, E e UNUSED, F f UNUSED)
#include "trace/otf2/others.h"

static OTF2_CallbackCode on_enter(RECORD, OTF2_RegionRef region UNUSED)
{
    struct stream *s = user;
    if (!note_record(s, time))
        return fail(s);
    s->depth++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(RECORD, OTF2_RegionRef region UNUSED)
{
    struct stream *s = user;
    s->depth -= s->depth > 0;
    return other(s, time);
}

static OTF2_CallbackCode send(struct stream *s, OTF2_TimeStamp time, uint32_t receiver,
                              uint32_t comm, uint32_t tag)
{
    if (!note_record(s, time))
        return fail(s);
    struct stream_item item = item_of(s, STREAM_SEND);
    s->totals.sends++;
    if (!note_follower(s, &item))
        return fail(s);
    if (!find_comm(s, comm))
        return OTF2_CALLBACK_SUCCESS;
    item.key[0] = comm;
    item.key[1] = s->self;
    item.key[2] = receiver;
    item.key[3] = tag;
    item.close = is_close(s);
    return add(s->of, &item) ? OTF2_CALLBACK_SUCCESS : fail(s);
}

static OTF2_CallbackCode on_send(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes UNUSED)
{
    return send(user, time, receiver, comm, tag);
}

static OTF2_CallbackCode on_isend(RECORD, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes UNUSED, uint64_t request UNUSED)
{
    return send(user, time, receiver, comm, tag);
}

static OTF2_CallbackCode on_irecv_request(RECORD, uint64_t request)
{
    struct stream *s = user;
    bool good = note_record(s, time) && note_plain(s) &&
                postings_post(&s->receives, request, s->last_ticks);
    return good ? OTF2_CALLBACK_SUCCESS : fail(s);
}

static OTF2_CallbackCode on_cancelled(RECORD, uint64_t request)
{
    struct stream *s = user;
    if (!note_record(s, time) || !note_plain(s))
        return fail(s);
    postings_cancel(&s->receives, request);
    return OTF2_CALLBACK_SUCCESS;
}

static struct stream_item receive_of(struct stream *s, uint32_t sender, uint32_t comm, uint32_t tag)
{
    struct stream_item item = item_of(s, STREAM_RECV);
    s->totals.receives++;
    item.key[0] = comm;
    item.key[1] = sender;
    item.key[2] = s->self;
    item.key[3] = tag;
    return item;
}

static OTF2_CallbackCode on_recv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes UNUSED)
{
    struct stream *s = user;
    bool known = find_comm(s, comm);
    if (!note_record(s, time))
        return fail(s);
    struct stream_item item = receive_of(s, sender, comm, tag);
    if (!note_follower(s, &item) || (known && !postings_receive(&s->receives, &item)))
        return fail(s);
    return hand_on(s, false) ? OTF2_CALLBACK_SUCCESS : fail(s);
}

static OTF2_CallbackCode on_irecv(RECORD, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes UNUSED, uint64_t request)
{
    struct stream *s = user;
    bool known = find_comm(s, comm);
    if (!note_record(s, time))
        return fail(s);
    struct stream_item item = receive_of(s, sender, comm, tag);
    if (!note_follower(s, &item))
        return fail(s);
    if (!known)
        postings_cancel(&s->receives, request);
    else if (!postings_complete(&s->receives, request, &item))
        return fail(s);
    return hand_on(s, false) ? OTF2_CALLBACK_SUCCESS : fail(s);
}

/* --- Collective operations ------------------------------------------------------------------ */

static OTF2_CallbackCode on_collective_begin(RECORD)
{
    struct stream *s = user;
    if (!note_record(s, time))
        return fail(s);
    s->began = true;
    s->begin_ticks = s->last_ticks;
    is_close(s);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode end_operation(struct stream *s, struct stream_item *item,
                                       OTF2_CollectiveOp operation, uint32_t comm, uint32_t root)
{
    s->totals.operations++;
    s->left = true;
    s->left_ticks = s->last_ticks;
    item->key[0] = comm;
    item->key[1] = root;
    item->key[2] = operation;
    return !find_comm(s, comm) || add(s->of, item) ? OTF2_CALLBACK_SUCCESS : fail(s);
}

static OTF2_CallbackCode on_collective_end(RECORD, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
    struct stream *s = user;
    if (!note_record(s, time))
        return fail(s);
    struct stream_item item = item_of(s, STREAM_MEMBER);
    item.gives = sent > 0;
    item.gets = received > 0;
    item.interval = s->began;
    item.other_ticks = s->begin_ticks;
    s->began = false;
    return end_operation(s, &item, operation, comm, root);
}

static OTF2_CallbackCode on_collective_request(RECORD, uint64_t request)
{
    struct stream *s = user;
    int64_t before;
    if (!note_record(s, time) || !note_plain(s))
        return fail(s);
    bool lost = requests_take(&s->operations, request, &before);
    is_close(s);
    return !lost && requests_put(&s->operations, request, s->last_ticks) ? OTF2_CALLBACK_SUCCESS
                                                                         : fail(s);
}

static OTF2_CallbackCode on_collective_complete(RECORD, OTF2_CollectiveOp operation,
                                                OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                                uint64_t received, uint64_t request)
{
    struct stream *s = user;
    if (!note_record(s, time))
        return fail(s);
    struct stream_item item = item_of(s, STREAM_MEMBER);
    item.gives = sent > 0;
    item.gets = received > 0;
    item.interval = requests_take(&s->operations, request, &item.other_ticks);
    return end_operation(s, &item, operation, comm, root);
}

#include "trace/otf2/calls.h"

/* --- Locations ------------------------------------------------------------------------------ */

static void close_stream(struct stream *s)
{
    if (!s)
        return;
    if (s->file)
        OTF2_Reader_CloseEvtReader(s->of->reader, s->file);
    requests_fini(&s->operations);
    postings_fini(&s->receives);
    free(s);
}

static bool open_file(struct stream *s)
{
    OTF2_Reader *reader = s->of->reader;
    const char *suffix; /* the ordinary way will tell */
    return otf2_open_events(s->of->archive, reader, s->location, &s->file, &suffix) ==
               OTF2_SUCCESS &&
           OTF2_Reader_RegisterEvtCallbacks(reader, s->file, s->of->calls, s) == OTF2_SUCCESS;
}

static bool open_next(struct streams *streams)
{
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    *s = (struct stream){.of = streams, .number = streams->next_location};
    s->location = &streams->archive->locations[s->number];
    streams->next_location += streams->part.step;
    streams->left--;
    streams->open[streams->nopen++] = s;
    return open_file(s);
}

/* How far its clock went since its first record. */
static int64_t elapsed(const struct stream *s)
{
    return s->totals.events > 0 ? s->last_ticks - s->totals.first_ticks : -1;
}

static size_t choose(const struct streams *streams)
{
    size_t best = 0;
    for (size_t i = 1; i < streams->nopen; i++)
        if (elapsed(streams->open[i]) < elapsed(streams->open[best]))
            best = i;
    return best;
}

/* The location has no more records: regions that were entered end with it. */
static bool end_stream(struct stream *s)
{
    for (; s->depth > 0; s->depth--)
        if (!note_plain(s))
            return false;
    return hand_on(s, true) && s->operations.count == 0;
}

static bool read_chunk(struct stream *s, bool *ended)
{
    uint64_t n = 0;
    OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(s->of->reader, s->file, CHUNK, &n);
    *ended = n < CHUNK;
    return code == OTF2_SUCCESS && !s->of->failed && (!*ended || end_stream(s));
}

/* One for the next locations; the one before it has come to its end. */
static bool next_reader(struct streams *streams)
{
    if (streams->reader)
        OTF2_Reader_Close(streams->reader);
    streams->reader = NULL;
    streams->left = OTF2_LOCATIONS_A_READER;
    return otf2_open_locations(streams->archive, streams->next_location, streams->part.step,
                               &streams->reader, NULL) == CSY_OK;
}

bool otf2_streams_next(struct streams *streams, struct stream_batch *batch)
{
    bool more = streams->next_location < streams->archive->nlocations;
    bool good = !streams->failed &&
                (!more || streams->left > 0 || streams->nopen > 0 || next_reader(streams));
    while (good && streams->nopen < streams->part.open_most && streams->left > 0 &&
           streams->next_location < streams->archive->nlocations)
        good = open_next(streams);
    if (good && streams->nopen == 0)
        return false;
    size_t i = good ? choose(streams) : 0;
    batch->elapsed_ticks = good ? elapsed(streams->open[i]) : 0;
    streams->count = 0;
    good = good && read_chunk(streams->open[i], &batch->ended);
    streams->failed = !good;
    if (!good)
        return false;
    struct stream *s = streams->open[i];
    batch->location = s->number;
    batch->items = streams->items;
    batch->count = streams->count;
    batch->totals = s->totals;
    if (batch->ended) {
        close_stream(s);
        streams->open[i] = streams->open[--streams->nopen];
    }
    return true;
}

bool otf2_streams_failed(const struct streams *streams)
{
    return streams->failed;
}

csy_status otf2_streams_start(const struct otf2_archive *archive, const struct streams_part *part,
                              struct streams **out, csy_error *error)
{
    struct streams *streams = calloc(1, sizeof *streams);
    *out = streams;
    if (!streams)
        return error_memory(error);
    *streams = (struct streams){.archive = archive, .part = *part, .next_location = part->first};
    streams->open = calloc(part->open_most, sizeof(void *));
    streams->calls = OTF2_EvtReaderCallbacks_New();
    if (!streams->open || !streams->calls)
        return error_memory(error);
    set_calls(streams->calls);
    return CSY_OK;
}

void otf2_streams_stop(struct streams *streams)
{
    if (!streams)
        return;
    while (streams->nopen > 0)
        close_stream(streams->open[--streams->nopen]);
    if (streams->calls)
        OTF2_EvtReaderCallbacks_Delete(streams->calls);
    if (streams->reader)
        OTF2_Reader_Close(streams->reader);
    free(streams->open);
    free(streams->items);
    free(streams);
}
