/* Reads each location of an OTF2 archive separately, as trace/streams.h describes. */
#include "trace/streams.h"

#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "trace/otf2/archive.h"
#include "trace/otf2/requests.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Receives in the order of posting ------------------------------------------------------ */

/* The greatest number of receives that may wait for the end of an earlier receive. */
#define POSTINGS_MOST ((uint64_t)1 << 16)

struct posting {
    struct stream_item item; /* the completed receive; only valid in the state POSTING_DONE */
    int64_t posted_ticks;
    enum { POSTING_OPEN, POSTING_DONE, POSTING_AWAY } state;
};

struct postings {
    struct requests open; /* maps the id of each open request to the number of its posting */
    struct posting *row;  /* ring buffer of `nrow` elements, a power of 2 */
    size_t nrow;
    uint64_t first, end; /* numbers of the oldest element and of the next one to add */
};

enum { ROW_LEAST = 16 };

static struct posting *at(const struct postings *p, uint64_t number)
{
    return &p->row[number & (p->nrow - 1)];
}

static struct posting *append(struct postings *p, int64_t ticks)
{
    if (p->end - p->first == p->nrow &&
        (p->nrow == POSTINGS_MOST || !RING_GROW(p->row, p->nrow, ROW_LEAST, p->first, p->end)))
        return NULL;
    struct posting *posting = at(p, p->end++);
    posting->posted_ticks = ticks;
    posting->state = POSTING_OPEN;
    return posting;
}

/* Forget a receive request that was cancelled, if it was posted. */
static void postings_cancel(struct postings *p, uint64_t request)
{
    int64_t number;
    if (requests_take(&p->open, request, &number))
        at(p, (uint64_t)number)->state = POSTING_AWAY;
}

/* Store a receive that is complete, until the receives posted before it are complete, too. */
static void note_done(struct postings *p, uint64_t number, const struct stream_item *item)
{
    struct posting *posting = at(p, number);
    posting->item = *item;
    posting->item.other_ticks = posting->posted_ticks;
    posting->state = POSTING_DONE;
}

/* --- Locations being read ------------------------------------------------------------------ */

struct stream {
    struct stream_file base;
    struct streams *of;
    const struct otf2_archive *archive;
    struct otf2_location *location;
    struct otf2_events file;
    uint64_t records;
    size_t depth;      /* number of open regions */
    uint64_t *entered; /* if part.plain: place of the ENTER record of each open region */
    size_t entered_capacity;
    bool began; /* true if a collective operation began at begin_ticks, and has not ended */
    int64_t begin_ticks;
    struct requests operations; /* begin of each open operation, by the id of its request */
    struct postings receives;
    struct otf2_place place; /* result of the last otf2_find_comm */
};

/* The reader of the open locations. It may open `left` more. */
struct shared_reader {
    OTF2_Reader *reader;
    size_t left;
};

/* --- Records -------------------------------------------------------------------------------- */

static inline uint64_t note_event(struct stream *s, uint64_t place)
{
    if (s->base.totals.events == 0)
        s->base.totals.first_ticks = s->base.last_ticks;
    s->base.totals.last_ticks = s->base.last_ticks;
    if ((s->of->part.all || s->of->part.plain) &&
        !streams_add(s->of, &(struct stream_item){.position = s->base.totals.events,
                                                  .place = place,
                                                  .time_ticks = s->base.last_ticks,
                                                  .role = STREAM_PLAIN}))
        s->of->failed = true;
    return s->base.totals.events++;
}

static struct stream_item item_of(struct stream *s, enum stream_role role)
{
    struct stream_item item = {.before_ticks = s->base.totals.last_ticks, .role = (uint8_t)role};
    item.place = s->records - 1;
    item.position = note_event(s, item.place);
    item.time_ticks = s->base.last_ticks;
    return item;
}

/* Add receives to the batch in the order of their posting, up to the first incomplete one. At the
 * end of the location (`ended`), skip incomplete ones. Returns false if memory runs out. */
static bool hand_on(struct stream *s, bool ended)
{
    struct postings *p = &s->receives;
    for (; p->first < p->end; p->first++) {
        const struct posting *posting = at(p, p->first);
        if (posting->state == POSTING_OPEN && !ended)
            return true;
        if (posting->state == POSTING_DONE && !streams_add(s->of, &posting->item))
            return false;
    }
    return true;
}

/* Handle a completed receive. Returns false if it was never posted, or if memory runs out. */
static bool take_receive(struct stream *s, const struct otf2_record *record)
{
    struct postings *p = &s->receives;
    uint32_t comm = (uint32_t)record->message.comm;
    bool known = otf2_find_comm(s->archive, s->location, comm, &s->place);
    struct stream_item item = item_of(s, STREAM_RECV);
    s->base.totals.receives++;
    item.key[0] = comm;
    item.key[1] = (uint32_t)record->message.peer;
    item.key[2] = s->place.self;
    item.key[3] = (uint32_t)record->message.tag;
    if (known && record->kind == OTF2_RECORD_RECEIVE) { /* a blocking receive */
        if (!append(p, item.time_ticks))
            return false;
        note_done(p, p->end - 1, &item);
    } else if (known) {
        int64_t number;
        if (!requests_take(&p->open, record->message.request, &number))
            return false;
        note_done(p, (uint64_t)number, &item);
    } else if (record->kind == OTF2_RECORD_IRECEIVE) {
        postings_cancel(p, record->message.request);
    }
    return hand_on(s, false);
}

/* Handle the end of a collective operation. Returns false if memory runs out. */
static bool end_operation(struct stream *s, const struct otf2_record *record)
{
    enum collective_kind kind;
    struct stream_item item = item_of(s, STREAM_MEMBER);
    if (record->kind == OTF2_RECORD_COLLECTIVE_END) {
        item.interval = s->began;
        item.other_ticks = s->begin_ticks;
        s->began = false;
    } else {
        item.interval = requests_take(&s->operations, record->operation.request, &item.other_ticks);
    }
    s->base.totals.operations++;
    uint32_t root = (uint32_t)record->operation.root, code = (uint32_t)record->operation.code;
    const struct otf2_comm *comm =
        otf2_find_comm(s->archive, s->location, (uint32_t)record->operation.comm, &s->place);
    if (!comm || s->place.self == OTF2_NO_RANK || !otf2_operation_kind(code, &kind))
        return true;
    item.key[0] = comm->id;
    item.key[1] = root;
    item.key[2] = code;
    item.key[3] = s->place.self;
    item.kind = (uint8_t)kind;
    item.gives = record->operation.sent > 0;
    item.gets = record->operation.received > 0;
    item.has_root = root < comm->size;
    item.ranks = (uint32_t)comm->nmembers;
    return streams_add(s->of, &item);
}

/* Handle a record at the time s->base.last_ticks. Returns false to stop reading the location. */
static bool take_kind(struct stream *s, const struct otf2_record *record)
{
    uint8_t kind = record->kind;
    struct stream_item item;
    int64_t before;
    if (s->of->part.plain && kind != OTF2_RECORD_ENTER && kind != OTF2_RECORD_LEAVE &&
        kind != OTF2_RECORD_COLLECTIVE_BEGIN)
        kind = 0;
    switch (kind) {
    case OTF2_RECORD_ENTER:
        if (s->of->part.plain) {
            if (!ARRAY_RESERVE(s->entered, s->entered_capacity, s->depth + 1))
                return false;
            s->entered[s->depth] = s->records - 1;
        }
        s->depth++;
        return true;
    case OTF2_RECORD_LEAVE:
        s->depth -= s->depth > 0;
        break;
    case OTF2_RECORD_SEND:
    case OTF2_RECORD_ISEND:
        item = item_of(s, STREAM_SEND);
        item.other_ticks = item.time_ticks;
        s->base.totals.sends++;
        item.key[0] = (uint32_t)record->message.comm;
        if (!otf2_find_comm(s->archive, s->location, item.key[0], &s->place))
            return true;
        item.key[1] = s->place.self;
        item.key[2] = (uint32_t)record->message.peer;
        item.key[3] = (uint32_t)record->message.tag;
        return streams_add(s->of, &item);
    case OTF2_RECORD_RECEIVE_REQUEST:
        /* If a request with this id is open already, that request was never completed. */
        note_event(s, s->records - 1);
        postings_cancel(&s->receives, record->request);
        return append(&s->receives, s->base.last_ticks) &&
               requests_put(&s->receives.open, record->request, (int64_t)s->receives.end - 1);
    case OTF2_RECORD_CANCELLED:
        postings_cancel(&s->receives, record->request);
        break;
    case OTF2_RECORD_RECEIVE:
    case OTF2_RECORD_IRECEIVE:
        return take_receive(s, record);
    case OTF2_RECORD_COLLECTIVE_BEGIN:
        s->began = true;
        s->begin_ticks = s->base.last_ticks;
        return true;
    case OTF2_RECORD_COLLECTIVE_REQUEST: /* the request must not be open already */
        note_event(s, s->records - 1);
        return !requests_take(&s->operations, record->request, &before) &&
               requests_put(&s->operations, record->request, s->base.last_ticks);
    case OTF2_RECORD_COLLECTIVE_END:
    case OTF2_RECORD_COLLECTIVE_COMPLETE:
        return end_operation(s, record);
    default:
        break;
    }
    note_event(s, s->records - 1);
    return true;
}

static bool take(struct stream *s, const struct otf2_record *record)
{
    bool good = record->time <= INT64_MAX && (int64_t)record->time >= s->base.last_ticks;
    if (good) {
        s->base.last_ticks = (int64_t)record->time;
        s->records++;
        good = take_kind(s, record);
    }
    s->of->failed |= !good;
    return good;
}

/* --- Locations ------------------------------------------------------------------------------ */

static csy_status start(struct streams *streams, csy_error *error)
{
    streams->nfiles = otf2_archive_of(streams->trace)->nlocations;
    streams->own = calloc(1, sizeof(struct shared_reader));
    return streams->own ? CSY_OK : error_memory(error);
}

static void close_reader(struct streams *streams)
{
    struct shared_reader *shared = streams->own;
    if (shared && shared->reader)
        OTF2_Reader_Close(shared->reader);
    if (shared)
        shared->reader = NULL;
}

static void close_location(struct stream_file *file)
{
    struct stream *s = (void *)file;
    otf2_close_events(&s->file);
    requests_fini(&s->operations);
    requests_fini(&s->receives.open);
    FREE_ALL(s->receives.row, s->entered, s);
}

static bool open_location(struct streams *streams, size_t number, struct stream_file **out)
{
    const struct otf2_archive *archive = otf2_archive_of(streams->trace);
    struct shared_reader *shared = streams->own;
    if (shared->left == 0) {
        if (streams->nopen > 0)
            return true;
        close_reader(streams);
        shared->left = OTF2_LOCATIONS_A_READER;
        if (otf2_open_locations(archive, number, streams->part.step, &shared->reader, NULL) !=
            CSY_OK)
            return false;
    }
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    *s = (struct stream){.base = {.first = number, .nlocations = 1},
                         .of = streams,
                         .archive = archive,
                         .location = &archive->locations[number]};
    *out = &s->base;
    shared->left--;
    const char *suffix;
    return otf2_open_events(archive, shared->reader, s->location, &s->file, &suffix) ==
           OTF2_SUCCESS;
}

static bool read_chunk(struct streams *streams, struct stream_file *file)
{
    struct stream *s = (void *)file;
    struct otf2_record record;
    uint64_t n = 0;
    while (n < streams->part.chunk && otf2_next_event(&s->file, &record) && take(s, &record))
        n++;
    file->ended = n < streams->part.chunk;
    if (s->file.checked.records.fault || streams->failed)
        return false;
    if (!file->ended)
        return true;
    for (; s->depth > 0; s->depth--) /* open regions end with the location */
        note_event(s, s->entered ? s->entered[s->depth - 1] : 0);
    return hand_on(s, true) && s->operations.count == 0;
}

/* Receives that wait for an earlier one to complete come in later batches. */
static void give(struct stream_file *file, struct stream_batch *batch)
{
    const struct stream *s = (void *)file;
    for (uint64_t number = s->receives.first; number < s->receives.end; number++) {
        const struct posting *posting = at(&s->receives, number);
        if (posting->state != POSTING_DONE)
            continue;
        if (posting->item.position < batch->known)
            batch->known = posting->item.position;
        if (posting->item.time_ticks < batch->known_ticks)
            batch->known_ticks = posting->item.time_ticks;
    }
}

/* --- The reading ------------------------------------------------------------------------------ */

static size_t count_locations(struct csy_trace *trace)
{
    return otf2_archive_of(trace)->nlocations;
}

static csy_status number_clocks(const struct csy_trace *trace, uint32_t *clocks, csy_error *error)
{
    const struct otf2_archive *archive = otf2_archive_of(trace);
    struct texts texts = {0};
    bool added, good = true;
    for (size_t i = 0; i < archive->nlocations && good; i++) {
        const struct otf2_location *location = &archive->locations[i];
        csy_text name = location->clock.size > 0 ? location->clock : location->thread;
        good = texts_find(&texts, name.bytes, name.size, &clocks[i], &added);
    }
    texts_fini(&texts);
    return good ? CSY_OK : error_memory(error);
}

const struct stream_reading otf2_streams = {.count = count_locations,
                                            .clocks = number_clocks,
                                            .start = start,
                                            .open = open_location,
                                            .read = read_chunk,
                                            .give = give,
                                            .close = close_location,
                                            .stop = close_reader,
                                            .event = otf2_set_item};
