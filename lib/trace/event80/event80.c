/* The source for logs of Dursun's profiler, which a .pex names. */
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "base/sort.h"
#include "trace/event80/log.h"
#include "trace/pex/record_files.h"
#include "trace/pex/record_roles.h"
#include "trace/streams.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- A log and its cursor ------------------------------------------------------------------ */

/* A log. It is open only while it is read, because a process may open only few files. */
struct log_file {
    char *name;
    uint64_t bytes;
    uint64_t rank;
};

struct logs {
    struct log_file *items; /* log n is described by metadata.files[n] */
    size_t count;
    uint64_t bytes;  /* size of all logs in bytes */
    uint64_t *ranks; /* ranks of all logs in ascending order, without duplicates */
    size_t nranks;
};

struct log_cursor {
    struct log_reader reader;
    struct backlog backlog;
    size_t number; /* index of the log in logs.items */
    int fd;        /* descriptor of the log, or -1 unless it is being read */
};

/* Set *out to the index of a rank in logs->ranks. Returns false if no log has the rank. */
static bool logs_find_rank(const struct logs *logs, uint64_t rank, uint32_t *out)
{
    const uint64_t *found = FIND(&rank, logs->ranks, logs->nranks, compare_numbers);
    *out = found ? (uint32_t)(found - logs->ranks) : 0;
    return found != NULL;
}

static void log_cursor_close(struct log_cursor *cursor)
{
    bytes_free(cursor->reader.bytes);
    if (cursor->fd >= 0)
        close(cursor->fd);
    cursor->reader.bytes = NULL;
    cursor->fd = -1;
}

/* Begin to read a log. If `narrow` is true, reads are small, because many logs are read at once. */
static csy_status log_cursor_begin(struct log_cursor *cursor, const struct csy_trace *trace,
                                   const struct logs *logs, size_t number, bool narrow,
                                   csy_error *error)
{
    const char *name = logs->items[number].name;
    const struct said_file *said = &trace->metadata.files[number];
    backlog_clear(&cursor->backlog);
    cursor->number = number;
    cursor->reader =
        (struct log_reader){.name = name,
                            .shape = {trace->timebase_hz, said->little, said->ends, said->pages},
                            .in_page = LOG_PAGE_RECORDS,
                            .salvage = trace->salvage};
    cursor->fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (cursor->fd < 0)
        return error_io(error, name, NULL);
    /* trace->files begins with the .pex, so log n has the index n + 1. */
    csy_status status = trace_check_file(trace, number + 1, cursor->fd, error);
    if (!status)
        status = bytes_new(cursor->fd, name, 0, said->gzip, narrow ? 0 : trace->workers,
                           &cursor->reader.bytes, error);
    return status;
}

static csy_status log_cursor_next(struct log_cursor *cursor, const struct csy_trace *trace,
                                  struct log_record *out, bool *more, csy_error *error)
{
    struct log_record record;
    csy_status status = CSY_OK;
    while (!status && !backlog_take(&cursor->backlog, cursor->fd < 0, out)) {
        *more = cursor->fd >= 0;
        if (!*more)
            return CSY_OK;
        bool read = false;
        status = log_read(&cursor->reader, &record, &read, error);
        if (!status && read && !backlog_put(&cursor->backlog, &record))
            return error_memory(error);
        if (!status && !read) {
            status = trace_check_file(trace, cursor->number + 1, cursor->fd, error);
            log_cursor_close(cursor);
        }
    }
    *more = true;
    return status;
}

/* --- The order that records imply: cellsync-run(5), EVENT LOGS ----------------------------- */

/* Returns the event id of log events of this type in a .pex. */
static uint16_t log_type_id(enum log_type type)
{
    return (uint16_t)(type << 8 | 0x0b);
}

/* Sizes for a log record as a .pex record, with the fields enx, exx, flag, and data. */
enum {
    FIELDS = 3 + LOG_DATA,
    IMAGE_BYTES = RECORD_PPE_BYTES + 8 * FIELDS,
    KEY_MAX = 96,
    NAME_MAX_BYTES = 16
};

/* A log, and the roles of one of its records: how the record orders events. MPI records are
 * messages and collective operations, unless the XML document of the .pex states other roles. */
struct log_roles {
    const struct metadata *metadata;
    struct record_roles *said; /* roles, such as send, in the XML document, or NULL */
    size_t log;
    char context[NAME_MAX_BYTES]; /* name of the log's context, such as "spe3" */
    size_t context_size;
    uint64_t self; /* rank of the log */
    struct event_roles roles;
    char key[KEY_MAX];
};

/* Returns the name of a message's channel: COMMUNICATOR/SENDER>RECEIVER/TAG. */
static csy_text name_channel(struct log_roles *roles, const struct log_record *record)
{
    uint64_t partner = (uint64_t)record->data[LOG_PARTNER];
    bool sends = record->type == LOG_MPI_SEND;
    char *at = number_put(roles->key, record->data[LOG_COMMUNICATOR]);
    at = put_unsigned(at, "/", sends ? roles->self : partner);
    at = put_unsigned(at, ">", sends ? partner : roles->self);
    at = put_number(at, "/", record->data[LOG_TAG]);
    return (csy_text){roles->key, (size_t)(at - roles->key)};
}

static bool is_operation(enum log_type type)
{
    return type >= LOG_MPI_ALLREDUCE && type <= LOG_MPI_BCAST;
}

static const enum collective_kind operation_kinds[LOG_TYPES] = {
    [LOG_MPI_ALLREDUCE] = COLLECTIVE_ALLREDUCE,
    [LOG_MPI_REDUCE] = COLLECTIVE_REDUCE,
    [LOG_MPI_BARRIER] = COLLECTIVE_BARRIER,
    [LOG_MPI_BCAST] = COLLECTIVE_BCAST};

/* --- Values of records --------------------------------------------------------------------- */

/* Size of the text with the values of a record, in bytes. Names that are too long are cut. */
enum { LOG_VALUES_MAX = 1024 };

enum { NAME_BYTES_MAX = 64, NUMBER_MAX = 24 };
_Static_assert(FIELDS *(NAME_BYTES_MAX + NUMBER_MAX) <= LOG_VALUES_MAX, "all fit");

static const char *const mpi[LOG_DATA] = {"partner",  "bytes", "count",
                                          "datatype", "tag",   "communicator"};
static const char *const transfers[LOG_DATA] = {"local", NULL, "bytes", "tag", "high", "low"};

static char *put_address(char *at, const char *name, uint64_t value)
{
    enum { DIGITS = 8 };
    at = put_text(at, name);
    if (value >> 32)
        at = number_put_hex(at, (uint32_t)(value >> 32), DIGITS);
    return number_put_hex(at, (uint32_t)value, DIGITS);
}

/* --- Logs read each by itself -------------------------------------------------------------- */

struct stream {
    struct stream_file base;
    struct log_cursor cursor;
    uint32_t rank, member; /* rank of the log, and its index in logs->ranks */
};

/* The largest distance of a time from a tick in the logs of a part, and the log that has it. */
struct part_remainder {
    struct log_remainder most;
    size_t log;
};

/* Handle the next record. Returns false if the trace must be read in the ordinary way. */
static bool take(struct streams *streams, const struct logs *logs, struct stream *s,
                 const struct log_record *record)
{
    struct stream_totals *totals = &s->base.totals;
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
    totals->last_ticks = s->base.last_ticks = record->time_ticks;
    totals->events++;
    if ((first || streams->part.all || streams->part.plain) && !streams_add(streams, &item))
        return false;
    if (streams->part.plain)
        return true;
    item.interval = true;
    int32_t partner = record->data[LOG_PARTNER]; /* < 0: there is none, or it is unknown */
    bool send = record->type == LOG_MPI_SEND, receive = record->type == LOG_MPI_RECV;
    item.key[0] = (uint32_t)record->data[LOG_COMMUNICATOR];
    if (is_operation(record->type)) {
        item.role = STREAM_MEMBER;
        s->base.totals.operations++;
        item.key[3] = s->member;
        item.kind = (uint8_t)operation_kinds[record->type];
        item.gives = item.gets = record->data[LOG_BYTES] > 0;
        item.ranks = (uint32_t)logs->nranks;
        item.has_root = record->type == LOG_MPI_REDUCE || record->type == LOG_MPI_BCAST;
        return (!item.has_root ||
                (partner >= 0 && logs_find_rank(logs, (uint64_t)partner, &item.key[1]))) &&
               streams_add(streams, &item);
    }
    if (!receive && (!send || partner < 0))
        return true;
    item.role = receive ? STREAM_RECV : STREAM_SEND;
    s->base.totals.receives += receive;
    s->base.totals.sends += send;
    item.key[1] = receive ? (uint32_t)partner : s->rank;
    item.key[2] = receive ? s->rank : (uint32_t)partner;
    item.key[3] = (uint32_t)record->data[LOG_TAG];
    return partner >= 0 && streams_add(streams, &item);
}

/* --- The state of a trace ------------------------------------------------------------------ */

enum { REMAINDER_DECIMALS = 6, REMAINDER_UNIT = 1000000 };

/* in the order of enum log_type */
static const char *const type_names[LOG_TYPES] = {
    "PROFILE_START", "PROFILE_STOP",  "E",          "X",           "MPI_SEND",
    "MPI_RECV",      "MPI_ALLREDUCE", "MPI_REDUCE", "MPI_BARRIER", "MPI_BCAST",
    "MFC_PUT",       "MFC_PUT64",     "MFC_GET64",  "MFC_PUT32",   "MFC_GET32"};

/* How far the logs were read. A fork of the trace (a second reading) has its own copy. */
struct reading {
    struct logs *logs;
    size_t next; /* index of the next log to read */
    struct log_cursor cursor;
    struct log_roles current; /* roles of the records of the current log */
    struct log_roles made;    /* roles of the event that make_event made last */
    struct log_record last;   /* the last record that was read */
    char values[LOG_VALUES_MAX];
    uint64_t records;               /* number of records in logs that were read to their ends */
    uint64_t done;                  /* number of bytes in logs that were read to their ends */
    bool begun;                     /* true while a log is being read */
    bool ordered;                   /* true if events of different logs may have an order */
    struct log_remainder remainder; /* largest distance of a timestamp from a whole tick, in all
                                     * logs */
    const char *remainder_name;
    csy_cut cut; /* place where the first cut-off log ends */
    bool is_cut;
};

static void name_log(struct log_roles *roles, size_t number)
{
    const struct metadata *m = roles->metadata;
    char *end = put_unsigned(roles->context, "spe", m->files[number].context);
    roles->context_size = (size_t)(end - roles->context);
    roles->log = number;
    roles->self = metadata_self(m, true, m->files[number].context, number);
}

/* --- The source ----------------------------------------------------------------------------- */

static csy_status new_roles(struct reading *reading, const struct csy_trace *trace,
                            csy_error *error)
{
    const struct metadata *m = reading->current.metadata = reading->made.metadata =
        &trace->metadata;
    csy_status status = CSY_OK;
    if (m->orders.count > 0)
        status = record_roles_new(m, false, &reading->current.said, error);
    if (!status && m->orders.count > 0)
        status = record_roles_new(m, false, &reading->made.said, error);
    return status;
}

static csy_status rewind_logs(struct csy_trace *trace, csy_error *error)
{
    struct reading *reading = trace->state;
    (void)error;
    log_cursor_close(&reading->cursor);
    trace->record_name = NULL;
    reading->begun = false;
    reading->next = 0;
    reading->records = reading->done = 0;
    reading->ordered = false;
    reading->remainder = (struct log_remainder){0};
    reading->is_cut = false;
    return CSY_OK;
}

static csy_status open_logs(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    struct reading *reading = trace->state = calloc(1, sizeof *reading);
    (void)start;
    if (!reading)
        return error_memory(error);
    reading->cursor.fd = -1;
    reading->logs = calloc(1, sizeof *reading->logs);
    if (!reading->logs)
        return error_memory(error);
    trace->timebase_hz = trace->metadata.timebase_hz;
    trace->partial = trace->has_begins = trace->independent = true;
    trace->sends = trace->metadata.sends_complete ? SENDS_STATED : SENDS_UNKNOWN;
    struct logs *logs = reading->logs;
    const struct metadata *m = &trace->metadata;
    csy_status status = CSY_OK;
    logs->items = calloc(m->nfiles, sizeof *logs->items);
    if (!logs->items)
        return error_memory(error);
    while (logs->count < m->nfiles && !status) {
        size_t number = logs->count++;
        struct log_file *log = &logs->items[number];
        int fd;
        log->rank = metadata_self(m, true, m->files[number].context, number);
        status =
            record_file_open(trace, m->files[number].href, &log->name, &fd, &log->bytes, error);
        logs->bytes += log->bytes;
        if (fd >= 0)
            close(fd);
        if (!status) /* the descriptor is closed */
            trace->files[trace->nfiles - 1].fd = -1;
    }
    status = status ? status : record_files_part(trace, error);
    if (status)
        return status;
    logs->ranks = malloc((logs->count + 1) * sizeof *logs->ranks);
    if (!logs->ranks)
        return error_memory(error);
    for (size_t i = 0; i < logs->count; i++)
        logs->ranks[i] = logs->items[i].rank;
    sort_numbers(logs->ranks, logs->count);
    for (size_t i = 0; i < logs->count; i++)
        if (logs->nranks == 0 || logs->ranks[i] != logs->ranks[logs->nranks - 1])
            logs->ranks[logs->nranks++] = logs->ranks[i];
    return new_roles(reading, trace, error);
}

static void warn_of_remainder(struct csy_trace *trace, const struct log_remainder *remainder,
                              const char *name)
{
    char text[QUOTIENT_TEXT_MAX];
    if (remainder->most == 0 || trace->is_fork || trace->nwarnings > 0)
        return;
    int128 most = (int128)((remainder->most * REMAINDER_UNIT + FINE_TICK - 1) / FINE_TICK);
    trace_warn(
        trace,
        "the times in seconds are not whole ticks of %" PRIu64
        " Hz, so they are rounded by up to half a tick: the largest remainder is %s ticks, at "
        "offset %" PRIu64 " of %.80s",
        trace->timebase_hz, decimal_text(most, REMAINDER_DECIMALS, text), remainder->place, name);
}

/* Set an event and its order constraints (roles). Texts are valid until the next event. */
static csy_status set_event(struct log_roles *log, const struct log_record *record,
                            struct event *event, csy_error *error)
{
    event->place = record->place;
    event->stamp = (struct named_stamp){.thread = log->context,
                                        .thread_size = log->context_size,
                                        .core = STAMP_CORE_SPE,
                                        .time_ticks = record->time_ticks,
                                        .interval = record->interval,
                                        .begin_ticks = record->begin_ticks};
    struct event_roles *own = &log->roles;
    bool has_partner = record->data[LOG_PARTNER] >= 0;
    event->roles = own;
    if (log->said && type_orders_find(&log->metadata->orders, log_type_id(record->type))) {
        uint8_t image[IMAGE_BYTES] = {0};
        struct named_stamp unused;
        const struct event_roles *said;
        uint8_t *values = image + RECORD_PPE_BYTES;
        store64(values, record->enx);
        store64(values + 8, record->exx);
        store64(values + 16, (uint64_t)(int64_t)record->flag);
        for (size_t i = 0; i < LOG_DATA; i++)
            store64(values + 24 + 8 * i, (uint64_t)(int64_t)record->data[i]);
        const struct record as = {.offset = record->place,
                                  .bytes = image,
                                  .size = sizeof image,
                                  .id = log_type_id(record->type),
                                  .npayload = FIELDS,
                                  .thread = log->metadata->files[log->log].context,
                                  .spe = true,
                                  .interval = record->interval,
                                  .stamp = (uint64_t)record->time_ticks,
                                  .begin = (uint64_t)record->begin_ticks};
        csy_status status =
            record_roles_read(log->said, &as, true, log->log, "", &unused, &said, error);
        *own = *said;
        /* a context has only one log, so a stream or buffer adds no order */
        own->stream = own->buffer = (csy_text){NULL, 0};
        return status;
    }
    *own = (struct event_roles){
        .location = {log->context, log->context_size}, .spawned = true, .late = true};
    if (record->type == LOG_MPI_SEND && has_partner) /* no partner: MPI_PROC_NULL */
        own->send = name_channel(log, record);
    else if (record->type == LOG_MPI_RECV && has_partner)
        own->recv = name_channel(log, record);
    /* any sender is accepted, and the log does not state which one sent the message */
    else if (record->type == LOG_MPI_RECV)
        own->lacking = UINT32_C(1) << CSY_END_RECV;
    else if (is_operation(record->type)) {
        char *end = number_put(log->key, record->data[LOG_COMMUNICATOR]);
        bool nothing = record->data[LOG_BYTES] <= 0;
        own->members = (csy_text){log->key, (size_t)(end - log->key)};
        own->collective = (struct event_collective){.kind = operation_kinds[record->type],
                                                    .enters = true,
                                                    .leaves = true,
                                                    .gives_nothing = nothing,
                                                    .gets_nothing = nothing,
                                                    .self = log->self,
                                                    .has_root = has_partner,
                                                    .root = (uint64_t)record->data[LOG_PARTNER]};
    }
    return CSY_OK;
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct reading *reading = trace->state;
    csy_status status = CSY_OK;
    *more = false;
    while (!*more && (reading->begun || reading->next < reading->logs->count)) {
        if (!reading->begun) {
            name_log(&reading->current, reading->next);
            trace->record_name = reading->logs->items[reading->next].name;
            status = log_cursor_begin(&reading->cursor, trace, reading->logs, reading->next++,
                                      false, error);
            reading->begun = !status;
        }
        if (!status)
            status = log_cursor_next(&reading->cursor, trace, &reading->last, more, error);
        if (status)
            return status;
        if (!*more) {
            const struct log_reader *reader = &reading->cursor.reader;
            /* if several logs are cut off, report the first one */
            if (!reading->is_cut && reader->is_cut) {
                reading->cut = reader->cut;
                reading->cut.records += reading->records;
                reading->is_cut = true;
            }
            reading->records += reader->records;
            reading->done += reading->logs->items[reading->cursor.number].bytes;
            if (reader->remainder.most > reading->remainder.most) {
                reading->remainder = reader->remainder;
                reading->remainder_name = reader->name;
            }
            reading->begun = false;
        }
    }
    if (!*more) {
        warn_of_remainder(trace, &reading->remainder, reading->remainder_name);
        if (reading->ordered || reading->logs->count < 2)
            return CSY_OK;
        return error_set(error, CSY_INPUT,
                         "%s: the trace has no messages between its %zu clocks and no collective "
                         "operations, so the clocks cannot be compared",
                         trace->name, reading->logs->count);
    }
    status = set_event(&reading->current, &reading->last, event, error);
    const struct event_roles *roles = event->roles;
    if (!status && !reading->ordered)
        reading->ordered = roles->send.size + roles->members.size + roles->post.size +
                               roles->release.size + roles->spawn.size >
                           0;
    return status;
}

/* Set the event's name, and list those values of the last record that have names. */
static csy_status describe(struct csy_trace *trace, struct event *event, csy_error *error)
{
    struct reading *reading = trace->state;
    const struct event_types *types = &trace->metadata.types;
    const struct log_record *record = &reading->last;
    const struct record_type *type = types_of_id(types, log_type_id(record->type));
    const char *own = types_event_name(types, log_type_id(record->type), true);
    char *text = reading->values, *at = text;
    (void)error;
    const char *const *usual = record->type >= LOG_MFC_PUT    ? transfers
                               : record->type >= LOG_MPI_SEND ? mpi
                                                              : NULL;
    bool said = type && type->nfields > 0;
    if (!said && (record->type == LOG_E || record->type == LOG_X))
        at = put_address(put_address(at, "enx=0x", record->enx), " exx=0x", record->exx);
    for (size_t i = 0; i < FIELDS; i++) {
        const char *name = said              ? types_field_name(types, type, i)
                           : usual && i >= 3 ? usual[i - 3]
                                             : NULL;
        int64_t value = i == 0   ? (int64_t)record->enx
                        : i == 1 ? (int64_t)record->exx
                        : i == 2 ? record->flag
                                 : record->data[i - 3];
        if (!name)
            continue;
        at = put_bytes(put_text(at, at > text ? " " : ""), name, strnlen(name, NAME_BYTES_MAX - 2));
        at = put_number(at, "=", value);
    }
    event->name = *own ? own : type_names[record->type];
    event->name_size = strlen(event->name);
    event->bytes = (const uint8_t *)text;
    event->size = (size_t)(at - text);
    return CSY_OK;
}

static void free_reading(struct reading *reading)
{
    log_cursor_close(&reading->cursor);
    backlog_fini(&reading->cursor.backlog);
    record_roles_free(reading->current.said);
    record_roles_free(reading->made.said);
    free(reading);
}

static void close_logs(struct csy_trace *trace)
{
    struct reading *reading = trace->state;
    struct logs *logs = reading ? reading->logs : NULL;
    if (reading)
        free_reading(reading);
    for (size_t i = 0; logs && i < logs->count; i++)
        free(logs->items[i].name);
    if (logs) {
        FREE_ALL(logs->items, logs->ranks);
    }
    free(logs);
    metadata_fini(&trace->metadata);
}

static csy_status fork_logs(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    const struct reading *of = trace->state;
    struct reading *reading = fork->state = calloc(1, sizeof *reading);
    if (!reading)
        return error_memory(error);
    fork->is_fork = true;
    reading->cursor.fd = -1;
    reading->logs = of->logs;
    return new_roles(reading, trace, error);
}

static void join_logs(struct csy_trace *fork)
{
    if (fork->state)
        free_reading(fork->state);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->is_cut ? &reading->cut : NULL;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *reading = trace->state;
    const struct bytes *bytes = reading->cursor.reader.bytes;
    *done = reading->done + (bytes ? bytes_file_offset(bytes) : 0);
    *total = reading->logs->bytes;
}

/* --- Logs by themselves ----------------------------------------------------------------------- */

static size_t count_logs(struct csy_trace *trace)
{
    return ((const struct reading *)trace->state)->logs->count;
}

/* Give each log a separate clock, because each log was written by a different context. */
static csy_status number_clocks(const struct csy_trace *trace, uint32_t *clocks, csy_error *error)
{
    size_t n = ((const struct reading *)trace->state)->logs->count;
    (void)error;
    for (size_t i = 0; i < n; i++)
        clocks[i] = (uint32_t)i;
    return CSY_OK;
}

static csy_status start_streams(struct streams *streams, csy_error *error)
{
    streams->nfiles = ((const struct reading *)streams->trace->state)->logs->count;
    streams->failed = streams->trace->metadata.orders.count > 0;
    streams->own = calloc(1, sizeof(struct part_remainder));
    return streams->own ? CSY_OK : error_memory(error);
}

static void close_stream(struct stream_file *file)
{
    struct stream *s = (void *)file;
    log_cursor_close(&s->cursor);
    backlog_fini(&s->cursor.backlog);
    free(s);
}

static bool open_stream(struct streams *streams, size_t number, struct stream_file **out)
{
    const struct logs *logs = ((const struct reading *)streams->trace->state)->logs;
    uint64_t rank = logs->items[number].rank;
    struct stream *s = calloc(1, sizeof *s);
    csy_error unused; /* next_event reports the error later */
    if (!s)
        return false;
    *s = (struct stream){
        .base = {.first = number, .nlocations = 1}, .cursor.fd = -1, .rank = (uint32_t)rank};
    *out = &s->base;
    return rank <= UINT32_MAX && logs_find_rank(logs, rank, &s->member) &&
           log_cursor_begin(&s->cursor, streams->trace, logs, number, true, &unused) == CSY_OK;
}

static bool read_stream(struct streams *streams, struct stream_file *file)
{
    const struct logs *logs = ((const struct reading *)streams->trace->state)->logs;
    struct stream *s = (void *)file;
    bool more = true, good = true;
    csy_error error;
    for (size_t n = 0; n < streams->part.chunk && more && good; n++) {
        struct log_record record;
        good = log_cursor_next(&s->cursor, streams->trace, &record, &more, &error) == CSY_OK;
        if (good && more)
            good = take(streams, logs, s, &record);
    }
    file->ended = !more;
    if (!good || more)
        return good;
    const struct log_remainder *remainder = &s->cursor.reader.remainder;
    struct part_remainder *of = streams->own;
    if (remainder->most > of->most.most ||
        (remainder->most == of->most.most && s->cursor.number < of->log))
        *of = (struct part_remainder){*remainder, s->cursor.number};
    return !s->cursor.reader.is_cut;
}

/* Warn of the largest distance of a timestamp from whole ticks, in the first log that has it. */
static void end_streams(struct csy_trace *trace, struct streams *const *parts, size_t n)
{
    const struct reading *reading = trace->state;
    struct part_remainder most = {.log = 0};
    for (size_t i = 0; i < n; i++) {
        const struct part_remainder *of = parts[i]->own;
        if (of->most.most > most.most.most ||
            (of->most.most == most.most.most && of->log <= most.log))
            most = *of;
    }
    warn_of_remainder(trace, &most.most, reading->logs->items[most.log].name);
}

/* Make the event of an item; if the item is NULL, an event that does not affect the order.
 * set_event cannot fail here, because the XML document defines no roles. */
static void make_event(struct csy_trace *trace, size_t number, const struct stream_item *item,
                       struct event *event)
{
    struct reading *reading = trace->state;
    struct log_record record = {.type = LOG_E};
    if (item) {
        bool send = item->role == STREAM_SEND, member = item->role == STREAM_MEMBER;
        record = (struct log_record){.place = item->place,
                                     .type = send ? LOG_MPI_SEND : LOG_MPI_RECV,
                                     .begin_ticks = item->other_ticks,
                                     .time_ticks = item->time_ticks,
                                     .interval = true};
        for (enum log_type type = LOG_MPI_ALLREDUCE; member && type <= LOG_MPI_BCAST; type++)
            if (operation_kinds[type] == item->kind)
                record.type = type;
        record.data[LOG_COMMUNICATOR] = (int32_t)item->key[0];
        record.data[LOG_PARTNER] = !member          ? (int32_t)item->key[send ? 2 : 1]
                                   : item->has_root ? (int32_t)reading->logs->ranks[item->key[1]]
                                                    : -1;
        record.data[LOG_TAG] = member ? 0 : (int32_t)item->key[3];
        record.data[LOG_BYTES] = member && item->gives;
    }
    name_log(&reading->made, number);
    event->name = type_names[record.type];
    event->name_size = strlen(event->name);
    set_event(&reading->made, &record, event, NULL);
}

static const struct stream_reading stream_reading = {.count = count_logs,
                                                     .clocks = number_clocks,
                                                     .start = start_streams,
                                                     .open = open_stream,
                                                     .read = read_stream,
                                                     .close = close_stream,
                                                     .end = end_streams,
                                                     .event = make_event};

const struct source source_event80 = {
    .format = CSY_FORMAT_PEX,
    .written_as = CSY_FORMAT_CSV,
    .title = "a .pex of event80 logs",
    .place = "offset",
    .archive = true,
    .valued = true,
    .open = open_logs,
    .rewind = rewind_logs,
    .next = next_event,
    .describe = describe,
    .close = close_logs,
    .fork = fork_logs,
    .join = join_logs,
    .cut = cut,
    .streams = &stream_reading,
    .progress = progress,
};
