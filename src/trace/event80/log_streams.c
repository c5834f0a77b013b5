/* The logs of a .pex, each read by itself. */
#include "trace/event80/log_streams.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/event80/log_roles.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* So many receives and operations of a log wait at most, for what is close to them. */
enum { RECENT_LEAST = 16, RECENT_MOST = 1 << 16 };

/* A log that is being read. */
struct stream {
    struct log_cursor cursor;
    uint32_t rank, member; /* the latter its number among the ranks of all logs */
    struct stream_totals totals;
    /* Receives and operations that ended less than a window ago, by time: a ring, of a power of 2,
     * of those with these numbers; and those at the last stamp begin with `same`. */
    struct stream_item *recent;
    size_t room;
    uint64_t first, end, same;
};

struct streams {
    const struct csy_trace *trace;
    const struct logs *logs;
    struct streams_part part;
    size_t next_log;
    struct stream **open;
    size_t nopen;
    struct stream_item *items; /* of a batch */
    size_t count, capacity;
    struct log_remainder remainder; /* the largest, and its log */
    size_t remainder_log;
    bool failed;
};

static bool add(struct streams *streams, const struct stream_item *item)
{
    if (!ARRAY_RESERVE(streams->items, streams->capacity, streams->count + 1))
        return false;
    streams->items[streams->count++] = *item;
    return true;
}

/* --- What is close ---------------------------------------------------------------------------- */

static struct stream_item *recent_at(const struct stream *s, uint64_t number)
{
    return &s->recent[number & (s->room - 1)];
}

static bool wait_recent(struct stream *s, const struct stream_item *item)
{
    if (s->end - s->first == s->room &&
        (s->room == RECENT_MOST || !RING_GROW(s->recent, s->room, RECENT_LEAST, s->first, s->end)))
        return false;
    *recent_at(s, s->end++) = *item;
    return true;
}

/* Events at the last stamp have all come: those after a receive follow it. */
static void end_stamp(struct stream *s)
{
    for (; s->same < s->end; s->same++) {
        struct stream_item *item = recent_at(s, s->same);
        uint64_t followers = s->totals.events - 1 - item->position;
        item->followers = followers < UINT32_MAX ? (uint32_t)followers : UINT32_MAX;
    }
}

/* Something begins that may come after what ended before.  Whether it is close to some of that,
 * which hears of it; what began before has told those before these. */
static bool mark_recent(struct stream *s, int64_t begin_ticks, int64_t window_ticks)
{
    bool close = false;
    for (uint64_t i = s->end; i > s->first; i--) {
        struct stream_item *item = recent_at(s, i - 1);
        if (begin_ticks - item->time_ticks >= window_ticks)
            break;
        close = true;
        if (item->close)
            break;
        item->close = true;
    }
    return close;
}

/* What nothing to come is close to: it comes after the last event, or after nothing before it. */
static bool hand_on(struct streams *streams, struct stream *s, bool ended)
{
    for (; s->first < s->end; s->first++) {
        const struct stream_item *item = recent_at(s, s->first);
        if (!ended && s->totals.last_ticks - item->time_ticks < streams->part.window_ticks)
            return true;
        if (!add(streams, item))
            return false;
    }
    return true;
}

/* --- Records ---------------------------------------------------------------------------------- */

static bool take_send(struct streams *streams, struct stream *s, const struct log_record *record,
                      struct stream_item *item)
{
    item->role = STREAM_SEND;
    s->totals.sends++;
    item->key[0] = (uint32_t)record->data[LOG_COMMUNICATOR];
    item->key[1] = s->rank;
    item->key[2] = (uint32_t)record->data[LOG_PARTNER];
    item->key[3] = (uint32_t)record->data[LOG_TAG];
    item->close =
        !stream_is_early(item) && mark_recent(s, item->other_ticks, streams->part.window_ticks);
    return add(streams, item);
}

/* From anybody: its end is left out, and listed. */
static bool take_receive(struct stream *s, const struct log_record *record,
                         struct stream_item *item)
{
    item->role = STREAM_RECV;
    s->totals.receives++;
    item->key[0] = (uint32_t)record->data[LOG_COMMUNICATOR];
    item->key[1] = (uint32_t)record->data[LOG_PARTNER];
    item->key[2] = s->rank;
    item->key[3] = (uint32_t)record->data[LOG_TAG];
    return record->data[LOG_PARTNER] >= 0 && wait_recent(s, item);
}

static bool take_operation(struct streams *streams, struct stream *s,
                           const struct log_record *record, enum collective_kind kind,
                           struct stream_item *item)
{
    int32_t root = record->data[LOG_PARTNER];
    item->role = STREAM_MEMBER;
    s->totals.operations++;
    item->key[0] = (uint32_t)record->data[LOG_COMMUNICATOR];
    item->key[3] = s->member;
    item->kind = (uint8_t)kind;
    item->gives = item->gets = record->data[LOG_BYTES] > 0;
    item->ranks = (uint32_t)streams->logs->nranks;
    item->has_root = kind == COLLECTIVE_REDUCE || kind == COLLECTIVE_BCAST;
    if (item->has_root &&
        (root < 0 || !logs_find_rank(streams->logs, (uint64_t)root, &item->key[1])))
        return false;
    item->close =
        !stream_is_early(item) && mark_recent(s, item->other_ticks, streams->part.window_ticks);
    return wait_recent(s, item);
}

/* What the record says by itself; the document says nothing of it. */
static bool take_role(struct streams *streams, struct stream *s, const struct log_record *record,
                      struct stream_item *item)
{
    enum collective_kind kind;
    if (log_operation_kind(record->type, &kind))
        return take_operation(streams, s, record, kind, item);
    if (record->type == LOG_MPI_RECV)
        return take_receive(s, record, item);
    return record->type != LOG_MPI_SEND || record->data[LOG_PARTNER] < 0 ||
           take_send(streams, s, record, item);
}

/* The next record by its end; false where it cannot be. */
static bool take(struct streams *streams, struct stream *s, const struct log_record *record)
{
    struct stream_totals *totals = &s->totals;
    struct stream_item item = {.position = totals->events,
                               .place = record->place,
                               .time_ticks = record->time_ticks,
                               .other_ticks = record->begin_ticks,
                               .before_ticks = totals->last_ticks,
                               .role = STREAM_PLAIN};
    bool first = totals->events == 0;
    if (first) {
        totals->first_ticks = totals->last_ticks = record->time_ticks;
        totals->first_begin_ticks = record->begin_ticks;
        totals->first_begins = item.interval = record->interval;
    }
    if (record->time_ticks < totals->last_ticks)
        return false;
    if (record->time_ticks > totals->last_ticks)
        end_stamp(s);
    totals->last_ticks = record->time_ticks;
    totals->events++;
    if ((first || streams->part.all) && !add(streams, &item))
        return false;
    item.interval = true;
    return take_role(streams, s, record, &item) && hand_on(streams, s, false);
}

struct log_record log_streams_record(const struct logs *logs, const struct stream_item *item)
{
    static const enum log_type types[COLLECTIVE_KINDS] = {[COLLECTIVE_ALLREDUCE] =
                                                              LOG_MPI_ALLREDUCE,
                                                          [COLLECTIVE_REDUCE] = LOG_MPI_REDUCE,
                                                          [COLLECTIVE_BARRIER] = LOG_MPI_BARRIER,
                                                          [COLLECTIVE_BCAST] = LOG_MPI_BCAST};
    struct log_record record = {.type = LOG_E};
    if (!item)
        return record;
    bool send = item->role == STREAM_SEND, member = item->role == STREAM_MEMBER;
    record.place = item->place;
    record.type = member ? types[item->kind] : send ? LOG_MPI_SEND : LOG_MPI_RECV;
    record.begin_ticks = item->other_ticks;
    record.time_ticks = item->time_ticks;
    record.interval = true;
    record.data[LOG_COMMUNICATOR] = (int32_t)item->key[0];
    record.data[LOG_PARTNER] = (int32_t)item->key[send ? 2 : 1];
    record.data[LOG_TAG] = (int32_t)item->key[3];
    if (!member)
        return record;
    record.data[LOG_PARTNER] = item->has_root ? (int32_t)logs->ranks[item->key[1]] : -1;
    record.data[LOG_BYTES] = item->gives;
    record.data[LOG_TAG] = 0;
    return record;
}

/* --- Logs ------------------------------------------------------------------------------------- */

static void close_stream(struct stream *s)
{
    log_cursor_fini(&s->cursor);
    free(s->recent);
    free(s);
}

static bool open_next(struct streams *streams)
{
    struct stream *s = calloc(1, sizeof *s);
    csy_error error; /* the ordinary way will tell */
    if (!s)
        return false;
    size_t number = streams->next_log;
    uint64_t rank = streams->logs->items[number].rank;
    s->cursor.fd = -1;
    s->rank = (uint32_t)rank;
    streams->next_log += streams->part.step;
    streams->open[streams->nopen++] = s;
    return rank <= UINT32_MAX && logs_find_rank(streams->logs, rank, &s->member) &&
           log_cursor_begin(&s->cursor, streams->trace, streams->logs, number, true, &error) ==
               CSY_OK;
}

/* How far its clock went since its first record. */
static int64_t elapsed(const struct stream *s)
{
    return s->totals.events > 0 ? s->totals.last_ticks - s->totals.first_ticks : -1;
}

static bool is_wanted(const struct streams *streams, size_t i)
{
    const struct streams_part *part = &streams->part;
    return part->wants && part->wants(part->user, streams->open[i]->cursor.number);
}

static size_t choose(const struct streams *streams)
{
    size_t best = 0;
    bool wanted = is_wanted(streams, 0);
    for (size_t i = 1; i < streams->nopen; i++) {
        bool also = is_wanted(streams, i);
        if (also > wanted ||
            (also == wanted && elapsed(streams->open[i]) < elapsed(streams->open[best]))) {
            best = i;
            wanted = also;
        }
    }
    return best;
}

/* It was read, and is whole. */
static bool end_stream(struct streams *streams, struct stream *s)
{
    const struct log_remainder *remainder = &s->cursor.reader.remainder;
    if (remainder->most > streams->remainder.most ||
        (remainder->most == streams->remainder.most && s->cursor.number < streams->remainder_log)) {
        streams->remainder = *remainder;
        streams->remainder_log = s->cursor.number;
    }
    end_stamp(s);
    return !s->cursor.reader.is_cut && hand_on(streams, s, true);
}

static bool read_chunk(struct streams *streams, struct stream *s, bool *ended)
{
    bool more = true, good = true;
    csy_error error;
    for (size_t n = 0; n < streams->part.chunk && more && good; n++) {
        struct log_record record;
        good = log_cursor_next(&s->cursor, streams->trace, &record, &more, &error) == CSY_OK;
        if (good && more)
            good = take(streams, s, &record);
    }
    *ended = !more;
    return good && (more || end_stream(streams, s));
}

/* Before this position all items of a log have been handed on. */
static uint64_t known_of(const struct stream *s, bool ended)
{
    return ended               ? UINT64_MAX
           : s->first < s->end ? recent_at(s, s->first)->position
                               : s->totals.events;
}

/* How many logs are read at a time, as it is now. */
static size_t open_most(const struct streams *streams)
{
    const struct streams_part *part = &streams->part;
    return part->widens && part->widens(part->user) ? part->open_limit : part->open_most;
}

bool log_streams_next(struct streams *streams, struct stream_batch *batch)
{
    bool good = !streams->failed;
    size_t most = open_most(streams);
    while (good && streams->nopen < most && streams->next_log < streams->logs->count)
        good = open_next(streams);
    if (good && streams->nopen == 0)
        return false;
    size_t i = good ? choose(streams) : 0;
    struct stream *s = streams->nopen > 0 ? streams->open[i] : NULL;
    streams->count = 0;
    streams->failed = !good || !s || !read_chunk(streams, s, &batch->ended);
    if (streams->failed)
        return false;
    *batch = (struct stream_batch){.location = s->cursor.number,
                                   .items = streams->items,
                                   .count = streams->count,
                                   .elapsed_ticks = elapsed(s),
                                   .known = known_of(s, batch->ended),
                                   .known_ticks = batch->ended ? INT64_MAX : INT64_MIN,
                                   .ended = batch->ended,
                                   .totals = s->totals};
    if (batch->ended) {
        close_stream(s);
        streams->open[i] = streams->open[--streams->nopen];
    }
    return true;
}

bool log_streams_failed(const struct streams *streams)
{
    return streams->failed;
}

struct log_remainder log_streams_remainder(const struct streams *streams, size_t *log)
{
    *log = streams->remainder_log;
    return streams->remainder;
}

csy_status log_streams_start(const struct csy_trace *trace, const struct logs *logs,
                             const struct streams_part *part, struct streams **out,
                             csy_error *error)
{
    struct streams *streams = calloc(1, sizeof *streams);
    *out = streams;
    if (!streams)
        return error_memory(error);
    *streams = (struct streams){.trace = trace, .logs = logs, .part = *part};
    streams->next_log = part->first;
    streams->failed = trace->metadata.orders.count > 0; /* which may say anything */
    streams->open = calloc(part->open_limit, sizeof(struct stream *));
    return streams->open ? CSY_OK : error_memory(error);
}

void log_streams_stop(struct streams *streams)
{
    if (!streams)
        return;
    while (streams->nopen > 0)
        close_stream(streams->open[--streams->nopen]);
    free(streams->open);
    free(streams->items);
    free(streams);
}
