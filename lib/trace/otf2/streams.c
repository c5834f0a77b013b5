/* Reads each location of an OTF2 archive separately, as trace/streams.h describes. */
#include "trace/streams.h"

#include "base/array.h"
#include "base/error.h"
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
    struct streams *of;
    size_t number; /* number of the location */
    struct otf2_location *location;
    struct otf2_events file;
    struct stream_totals totals;
    uint64_t records;
    int64_t last_ticks; /* time of the last record */
    size_t depth;       /* number of open regions */
    uint64_t *entered;  /* if part.plain: place of the ENTER record of each open region */
    size_t entered_capacity;
    bool began; /* true if a collective operation began at begin_ticks, and has not ended */
    int64_t begin_ticks;
    struct requests operations; /* begin of each open operation, by the id of its request */
    struct postings receives;
    struct otf2_place place; /* result of the last otf2_find_comm */
};

struct streams {
    const struct otf2_archive *archive;
    OTF2_Reader *reader;
    struct streams_part part;
    size_t next_location;
    size_t left; /* number of locations that the reader may still open */
    struct stream **open;
    size_t nopen;
    struct stream_item *items; /* items of the current batch */
    size_t count, capacity;
    bool failed;
};

/* --- Records -------------------------------------------------------------------------------- */

static inline bool add(struct streams *streams, const struct stream_item *item)
{
    return ARRAY_PUSH(streams->items, streams->count, streams->capacity, *item);
}

static inline uint64_t note_event(struct stream *s, uint64_t place)
{
    if (s->totals.events == 0)
        s->totals.first_ticks = s->last_ticks;
    s->totals.last_ticks = s->last_ticks;
    if ((s->of->part.all || s->of->part.plain) &&
        !add(s->of, &(struct stream_item){.position = s->totals.events,
                                          .place = place,
                                          .time_ticks = s->last_ticks,
                                          .role = STREAM_PLAIN}))
        s->of->failed = true;
    return s->totals.events++;
}

static struct stream_item item_of(struct stream *s, enum stream_role role)
{
    struct stream_item item = {.before_ticks = s->totals.last_ticks, .role = (uint8_t)role};
    item.place = s->records - 1;
    item.position = note_event(s, item.place);
    item.time_ticks = s->last_ticks;
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
        if (posting->state == POSTING_DONE && !add(s->of, &posting->item))
            return false;
    }
    return true;
}

/* Handle a completed receive. Returns false if it was never posted, or if memory runs out. */
static bool take_receive(struct stream *s, const struct otf2_record *record)
{
    struct postings *p = &s->receives;
    uint32_t comm = (uint32_t)record->message.comm;
    bool known = otf2_find_comm(s->of->archive, s->location, comm, &s->place);
    struct stream_item item = item_of(s, STREAM_RECV);
    s->totals.receives++;
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
    s->totals.operations++;
    uint32_t root = (uint32_t)record->operation.root, code = (uint32_t)record->operation.code;
    const struct otf2_comm *comm =
        otf2_find_comm(s->of->archive, s->location, (uint32_t)record->operation.comm, &s->place);
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
    return add(s->of, &item);
}

/* Handle a record at the time s->last_ticks. Returns false to stop reading the location. */
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
        s->totals.sends++;
        item.key[0] = (uint32_t)record->message.comm;
        if (!otf2_find_comm(s->of->archive, s->location, item.key[0], &s->place))
            return true;
        item.key[1] = s->place.self;
        item.key[2] = (uint32_t)record->message.peer;
        item.key[3] = (uint32_t)record->message.tag;
        return add(s->of, &item);
    case OTF2_RECORD_RECEIVE_REQUEST:
        /* If a request with this id is open already, that request was never completed. */
        note_event(s, s->records - 1);
        postings_cancel(&s->receives, record->request);
        return append(&s->receives, s->last_ticks) &&
               requests_put(&s->receives.open, record->request, (int64_t)s->receives.end - 1);
    case OTF2_RECORD_CANCELLED:
        postings_cancel(&s->receives, record->request);
        break;
    case OTF2_RECORD_RECEIVE:
    case OTF2_RECORD_IRECEIVE:
        return take_receive(s, record);
    case OTF2_RECORD_COLLECTIVE_BEGIN:
        s->began = true;
        s->begin_ticks = s->last_ticks;
        return true;
    case OTF2_RECORD_COLLECTIVE_REQUEST: /* the request must not be open already */
        note_event(s, s->records - 1);
        return !requests_take(&s->operations, record->request, &before) &&
               requests_put(&s->operations, record->request, s->last_ticks);
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
    bool good = record->time <= INT64_MAX && (int64_t)record->time >= s->last_ticks;
    if (good) {
        s->last_ticks = (int64_t)record->time;
        s->records++;
        good = take_kind(s, record);
    }
    s->of->failed |= !good;
    return good;
}

/* --- Locations ------------------------------------------------------------------------------ */

static void close_stream(struct stream *s)
{
    if (!s)
        return;
    otf2_close_events(&s->file);
    requests_fini(&s->operations);
    requests_fini(&s->receives.open);
    FREE_ALL(s->receives.row, s->entered, s);
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
    const char *suffix;
    return otf2_open_events(s->of->archive, s->of->reader, s->location, &s->file, &suffix) ==
           OTF2_SUCCESS;
}

/* Returns the item of part.starts for the location's clock, or NULL. */
static int64_t *start_of(const struct stream *s)
{
    const struct streams_part *part = &s->of->part;
    return part->starts ? &part->starts[part->clocks[s->number]] : NULL;
}

/* Returns the time from the first event on the location's clock (without part.starts: of the
 * location) to the last record. Returns -1 if no event was read. */
static int64_t elapsed(const struct stream *s)
{
    const int64_t *start = start_of(s);
    if (s->totals.events == 0)
        return -1;
    return s->last_ticks - (start ? *start : s->totals.first_ticks);
}

static struct stream_state state_of(const struct streams *streams, size_t i)
{
    const struct stream *s = streams->open[i];
    return (struct stream_state){streams_want(&streams->part, s->number, 1), elapsed(s)};
}

/* Read more records of a location. *ended is true at its end. Returns false if reading fails. */
static bool read_chunk(struct stream *s, bool *ended)
{
    struct otf2_record record;
    uint64_t n = 0;
    while (n < s->of->part.chunk && otf2_next_event(&s->file, &record) && take(s, &record))
        n++;
    *ended = n < s->of->part.chunk;
    int64_t *start = start_of(s);
    if (start && s->totals.events > 0 && s->totals.first_ticks < *start)
        *start = s->totals.first_ticks;
    if (s->file.checked.records.fault || s->of->failed)
        return false;
    if (!*ended)
        return true;
    for (; s->depth > 0; s->depth--) /* open regions end with the location */
        note_event(s, s->entered ? s->entered[s->depth - 1] : 0);
    return hand_on(s, true) && s->operations.count == 0;
}

bool otf2_streams_next(struct streams *streams, struct stream_batch *batch)
{
    bool good = !streams->failed;
    if (good && streams->next_location < streams->archive->nlocations && streams->left == 0 &&
        streams->nopen == 0) {
        if (streams->reader)
            OTF2_Reader_Close(streams->reader);
        streams->reader = NULL;
        streams->left = OTF2_LOCATIONS_A_READER;
        good = otf2_open_locations(streams->archive, streams->next_location, streams->part.step,
                                   &streams->reader, NULL) == CSY_OK;
    }
    while (good && streams->nopen < streams->part.open_most && streams->left > 0 &&
           streams->next_location < streams->archive->nlocations)
        good = open_next(streams);
    if (good && streams->nopen == 0)
        return false;
    size_t i = good ? streams_choose(streams, streams->nopen, state_of) : 0;
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
    batch->known = batch->ended ? UINT64_MAX : s->totals.events;
    batch->known_ticks = batch->ended ? INT64_MAX : s->last_ticks;
    for (uint64_t number = s->receives.first; number < s->receives.end; number++) {
        const struct posting *posting = at(&s->receives, number);
        if (posting->state != POSTING_DONE)
            continue;
        if (posting->item.position < batch->known)
            batch->known = posting->item.position;
        if (posting->item.time_ticks < batch->known_ticks)
            batch->known_ticks = posting->item.time_ticks;
    }
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

csy_status otf2_streams_start(const struct csy_trace *trace, const struct streams_part *part,
                              struct streams **out, csy_error *error)
{
    struct streams *streams = calloc(1, sizeof *streams);
    *out = streams;
    if (!streams)
        return error_memory(error);
    *streams = (struct streams){
        .archive = otf2_archive_of(trace), .part = *part, .next_location = part->first};
    streams->open = calloc(part->open_most, sizeof(void *));
    return streams->open ? CSY_OK : error_memory(error);
}

void otf2_streams_stop(struct streams *streams)
{
    if (!streams)
        return;
    while (streams->nopen > 0)
        close_stream(streams->open[--streams->nopen]);
    if (streams->reader)
        OTF2_Reader_Close(streams->reader);
    FREE_ALL(streams->open, streams->items, streams);
}
