/* Logs of Dursun's profiler as a source of events: a .pex names them. */
#include "base/error.h"
#include "base/put.h"
#include "trace/event80/log_cursor.h"
#include "trace/event80/log_roles.h"
#include "trace/event80/log_streams.h"
#include "trace/event80/log_values.h"
#include "trace/event80/ticks.h"
#include "trace/pex/record_files.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 16, REMAINDER_DECIMALS = 6, REMAINDER_UNIT = 1000000 };

static const char *const type_names[LOG_TYPES] = {[LOG_PROFILE_START] = "PROFILE_START",
                                                  [LOG_PROFILE_STOP] = "PROFILE_STOP",
                                                  [LOG_E] = "E",
                                                  [LOG_X] = "X",
                                                  [LOG_MPI_SEND] = "MPI_SEND",
                                                  [LOG_MPI_RECV] = "MPI_RECV",
                                                  [LOG_MPI_ALLREDUCE] = "MPI_ALLREDUCE",
                                                  [LOG_MPI_REDUCE] = "MPI_REDUCE",
                                                  [LOG_MPI_BARRIER] = "MPI_BARRIER",
                                                  [LOG_MPI_BCAST] = "MPI_BCAST",
                                                  [LOG_MFC_PUT] = "MFC_PUT",
                                                  [LOG_MFC_PUT64] = "MFC_PUT64",
                                                  [LOG_MFC_GET64] = "MFC_GET64",
                                                  [LOG_MFC_PUT32] = "MFC_PUT32",
                                                  [LOG_MFC_GET32] = "MFC_GET32"};

/* A log that events are of. */
struct speaking {
    struct log_roles *roles;
    char context[NAME_MAX_BYTES];
    size_t context_size;
};

/* A place in them: the state of a trace. */
struct reading {
    struct logs *logs;
    size_t next; /* log to be begun */
    struct log_cursor cursor;
    struct speaking speaking; /* the log that is being read, */
    struct speaking made;     /* and that of an event that is made */
    char values[LOG_VALUES_MAX];
    uint64_t records;               /* of the logs before */
    uint64_t done;                  /* and their bytes */
    bool begun;                     /* a log, and it was not read to its end */
    bool ordered;                   /* something may come before something else */
    struct log_remainder remainder; /* the largest of them */
    const char *remainder_name;
    csy_cut cut; /* the first one */
    bool is_cut;
};

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    (void)trace, (void)error; /* what a pipe begins with is a .pex */
    return CSY_OK;
}

/* Not by what a file begins with. */
static bool probe(const struct head *head)
{
    (void)head;
    return false;
}

/* --- Logs ----------------------------------------------------------------------------------- */

static csy_status find_logs(struct csy_trace *trace, struct logs *logs, csy_error *error)
{
    const struct metadata *m = &trace->metadata;
    csy_status status = CSY_OK;
    int fd;
    logs->items = calloc(m->nfiles, sizeof *logs->items);
    if (!logs->items)
        return error_memory(error);
    while (logs->count < m->nfiles && !status) {
        size_t number = logs->count++;
        struct log_file *log = &logs->items[number];
        log->rank = metadata_self(m, true, m->files[number].context, number);
        status =
            record_file_open(trace, m->files[number].href, &log->name, &fd, &log->bytes, error);
        logs->bytes += log->bytes;
        if (fd >= 0)
            close(fd);
        if (!status) /* which is closed */
            trace->files[trace->nfiles - 1].fd = -1;
    }
    return status ? status : record_files_part(trace, error);
}

/* The first bad place stays, as that of the whole trace. */
static void note_cut(struct reading *reading)
{
    const struct log_reader *reader = &reading->cursor.reader;
    if (!reading->is_cut && reader->is_cut) {
        reading->cut = reader->cut;
        reading->cut.records += reading->records;
        reading->is_cut = true;
    }
}

/* The log that is being read has no more records. */
static void end_log(struct reading *reading)
{
    const struct log_reader *reader = &reading->cursor.reader;
    note_cut(reading);
    reading->records += reader->records;
    reading->done += reading->logs->items[reading->cursor.number].bytes;
    if (reader->remainder.most > reading->remainder.most) {
        reading->remainder = reader->remainder;
        reading->remainder_name = reader->name;
    }
    reading->begun = false;
}

static void speak(struct speaking *speaking, const struct csy_trace *trace, size_t number)
{
    char *end = put_unsigned(speaking->context, "spe", trace->metadata.files[number].context);
    speaking->context_size = (size_t)(end - speaking->context);
    log_roles_begin(speaking->roles, number, (csy_text){speaking->context, speaking->context_size});
}

static csy_status begin_log(const struct csy_trace *trace, struct reading *reading,
                            csy_error *error)
{
    speak(&reading->speaking, trace, reading->next);
    csy_status status =
        log_cursor_begin(&reading->cursor, trace, reading->logs, reading->next++, false, error);
    reading->begun = !status;
    return status;
}

/* The next record in the order of its log, and in the next log that has one; *more is false at the
 * end of all. */
static csy_status next_record(const struct csy_trace *trace, struct reading *reading,
                              struct log_record *out, bool *more, csy_error *error)
{
    csy_status status = CSY_OK;
    for (*more = false; !*more;) {
        if (!reading->begun && reading->next == reading->logs->count)
            return CSY_OK;
        if (!reading->begun)
            status = begin_log(trace, reading, error);
        if (!status)
            status = log_cursor_next(&reading->cursor, trace, out, more, error);
        if (status)
            return status;
        if (!*more)
            end_log(reading);
    }
    return CSY_OK;
}

/* --- The source ----------------------------------------------------------------------------- */

static csy_status start_speaking(struct reading *reading, const struct csy_trace *trace,
                                 csy_error *error)
{
    csy_status status = log_roles_new(&trace->metadata, &reading->speaking.roles, error);
    return status ? status : log_roles_new(&trace->metadata, &reading->made.roles, error);
}

static csy_status rewind_logs(struct csy_trace *trace, csy_error *error)
{
    struct reading *reading = trace->state;
    (void)error;
    log_cursor_close(&reading->cursor);
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
    csy_status status = find_logs(trace, reading->logs, error);
    if (!status)
        status = logs_list_ranks(reading->logs, error);
    return status ? status : start_speaking(reading, trace, error);
}

/* Without any order between clocks nothing can be said. */
static csy_status check_order(const struct csy_trace *trace, const struct reading *reading,
                              csy_error *error)
{
    if (reading->ordered || reading->logs->count < 2)
        return CSY_OK;
    return error_set(error, CSY_INPUT,
                     "%s: no messages between its %zu clocks, and no collective operations",
                     trace->name, reading->logs->count);
}

static void warn_of_remainder(struct csy_trace *trace, const struct log_remainder *remainder,
                              const char *name)
{
    char text[QUOTIENT_TEXT_MAX];
    if (remainder->most == 0 || trace->is_fork || trace->nwarnings > 0)
        return;
    int128 most = (int128)((remainder->most * REMAINDER_UNIT + FINE_TICK - 1) / FINE_TICK);
    snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
             "the seconds of its logs are not whole ticks of %" PRIu64
             " Hz, and are good to half a tick: the largest remainder is %s ticks, at offset "
             "%" PRIu64 " of %.80s",
             trace->timebase_hz, decimal_text(most, REMAINDER_DECIMALS, text), remainder->place,
             name);
}

static csy_status end_all(struct csy_trace *trace, const struct reading *reading, csy_error *error)
{
    warn_of_remainder(trace, &reading->remainder, reading->remainder_name);
    return check_order(trace, reading, error);
}

/* Whether it is before what has a partner of it. */
static bool starts_order(const struct event_roles *roles)
{
    return roles->send.size + roles->members.size + roles->post.size + roles->release.size +
               roles->spawn.size >
           0;
}

/* All that is the same whether it was read or made. */
static csy_status set_event(struct speaking *speaking, const struct log_record *record,
                            struct event *event, csy_error *error)
{
    event->place = record->place;
    event->stamp = (struct named_stamp){.thread = speaking->context,
                                        .thread_size = speaking->context_size,
                                        .core = STAMP_CORE_SPE,
                                        .time_ticks = record->time_ticks,
                                        .interval = record->interval,
                                        .begin_ticks = record->begin_ticks};
    event->raw = (csy_text){0};
    event->record = NULL;
    event->row = NULL;
    return log_roles_read(speaking->roles, record, &event->roles, error);
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct reading *reading = trace->state;
    struct log_record record;
    csy_status status = next_record(trace, reading, &record, more, error);
    if (status || !*more)
        return status ? status : end_all(trace, reading, error);
    const char *name = metadata_event_name(&trace->metadata, log_type_id(record.type), true);
    event->name = name ? name : type_names[record.type];
    event->name_size = strlen(event->name);
    event->bytes = (const uint8_t *)reading->values;
    event->size = log_values_put(&trace->metadata, &record, reading->values);
    status = set_event(&reading->speaking, &record, event, error);
    if (!status && !reading->ordered)
        reading->ordered = starts_order(event->roles);
    return status;
}

static void free_reading(struct reading *reading)
{
    log_cursor_fini(&reading->cursor);
    log_roles_free(reading->speaking.roles);
    log_roles_free(reading->made.roles);
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
        free(logs->items);
        free(logs->ranks);
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
    return start_speaking(reading, trace, error);
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

static const char *place_file(const struct csy_trace *trace)
{
    const struct reading *reading = trace->state;
    return reading->next ? reading->logs->items[reading->next - 1].name : trace->name;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *reading = trace->state;
    const struct bytes *bytes = reading->cursor.reader.bytes;
    *done = reading->done + (bytes ? bytes_file_offset(bytes) : 0);
    *total = reading->logs->bytes;
}

/* --- Logs by themselves ----------------------------------------------------------------------- */

static size_t count_logs(const struct csy_trace *trace)
{
    return ((const struct reading *)trace->state)->logs->count;
}

/* Each log is of a context of its own, as the document was asked to say. */
static csy_status number_clocks(const struct csy_trace *trace, uint32_t *clocks, csy_error *error)
{
    size_t n = count_logs(trace);
    (void)error;
    for (size_t i = 0; i < n; i++)
        clocks[i] = (uint32_t)i;
    return CSY_OK;
}

static csy_status start_streams(const struct csy_trace *trace, const struct streams_part *part,
                                struct streams **out, csy_error *error)
{
    const struct reading *reading = trace->state;
    return log_streams_start(trace, reading->logs, part, out, error);
}

/* A warning that the ordinary way gives. */
static void end_streams(struct csy_trace *trace, struct streams *const *parts, size_t n)
{
    const struct reading *reading = trace->state;
    struct log_remainder most = {0};
    size_t most_log = 0, log;
    for (size_t i = 0; i < n; i++) {
        struct log_remainder of = log_streams_remainder(parts[i], &log);
        if (of.most < most.most || (of.most == most.most && log > most_log))
            continue;
        most = of;
        most_log = log;
    }
    warn_of_remainder(trace, &most, reading->logs->items[most_log].name);
}

/* The document has no roles, by which alone there could be a failure. */
static void make_event(struct csy_trace *trace, size_t number, const struct stream_item *item,
                       struct event *event)
{
    struct reading *reading = trace->state;
    const struct log_record record = log_streams_record(reading->logs, item);
    speak(&reading->made, trace, number);
    event->name = type_names[record.type];
    event->name_size = strlen(event->name);
    event->bytes = NULL;
    event->size = 0;
    set_event(&reading->made, &record, event, NULL);
}

static const struct stream_reading stream_reading = {.count = count_logs,
                                                     .clocks = number_clocks,
                                                     .start = start_streams,
                                                     .next = log_streams_next,
                                                     .failed = log_streams_failed,
                                                     .end = end_streams,
                                                     .stop = log_streams_stop,
                                                     .event = make_event};

const struct source source_event80 = {
    .format = CSY_FORMAT_PEX,
    .written_as = CSY_FORMAT_CSV,
    .title = "a .pex of event80 logs",
    .place = "offset",
    .carried = CARRIED_NOTHING,
    .archive = true,
    .valued = true,
    .probe = probe,
    .look = look,
    .open = open_logs,
    .rewind = rewind_logs,
    .next = next_event,
    .close = close_logs,
    .fork = fork_logs,
    .join = join_logs,
    .cut = cut,
    .place_file = place_file,
    .streams = &stream_reading,
    .progress = progress,
};
