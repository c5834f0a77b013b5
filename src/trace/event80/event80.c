/* Logs of Dursun's profiler as a source of events: a .pex names them. */
#include "base/error.h"
#include "base/put.h"
#include "trace/event80/backlog.h"
#include "trace/event80/log_roles.h"
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

/* A log, which is open only while it is read: there may be more than a process may open. */
struct log_file {
    char *name;
    uint64_t bytes;
};

struct logs {
    struct log_file *items; /* as metadata.files; trace->files has them after the .pex */
    size_t count;
    uint64_t bytes; /* of all */
};

/* A place in them: the state of a trace. */
struct reading {
    struct logs *logs;
    size_t next; /* log to be begun */
    int fd;      /* of the one that is being read, -1 before and after */
    struct log_reader reader;
    struct backlog backlog;
    struct log_roles *roles;
    char context[NAME_MAX_BYTES];
    size_t context_size;
    char values[LOG_VALUES_MAX];
    uint64_t records;               /* of the logs before */
    uint64_t done;                  /* and their bytes */
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
        struct log_file *log = &logs->items[logs->count];
        status = record_file_open(trace, m->files[logs->count++].href, &log->name, &fd, &log->bytes,
                                  error);
        logs->bytes += log->bytes;
        if (fd >= 0)
            close(fd);
        if (!status) /* which is closed: see end_log */
            trace->files[trace->nfiles - 1].fd = -1;
    }
    return status ? status : record_files_part(trace, error);
}

/* The first bad place stays, as that of the whole trace. */
static void note_cut(struct reading *reading)
{
    if (!reading->is_cut && reading->reader.is_cut) {
        reading->cut = reading->reader.cut;
        reading->cut.records += reading->records;
        reading->is_cut = true;
    }
}

static void close_log(struct reading *reading)
{
    bytes_free(reading->reader.bytes);
    if (reading->fd >= 0)
        close(reading->fd);
    reading->reader.bytes = NULL;
    reading->fd = -1;
}

/* The log that is being read has no more records. */
static csy_status end_log(const struct csy_trace *trace, struct reading *reading, csy_error *error)
{
    struct log_reader *reader = &reading->reader;
    note_cut(reading);
    reading->records += reader->records;
    reading->done += reading->logs->items[reading->next - 1].bytes;
    if (reader->remainder.most > reading->remainder.most) {
        reading->remainder = reader->remainder;
        reading->remainder_name = reader->name;
    }
    csy_status status = trace_check_file(trace, reading->next, reading->fd, error);
    close_log(reading);
    return status;
}

static csy_status begin_log(const struct csy_trace *trace, struct reading *reading,
                            csy_error *error)
{
    const struct said_file *said = &trace->metadata.files[reading->next];
    const struct log_file *log = &reading->logs->items[reading->next];
    backlog_clear(&reading->backlog);
    reading->fd = open(log->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (reading->fd < 0)
        return error_io(error, log->name, NULL);
    char *end = put_unsigned(reading->context, "spe", said->context);
    reading->context_size = (size_t)(end - reading->context);
    log_roles_begin(reading->roles, reading->next,
                    (csy_text){reading->context, reading->context_size});
    reading->next++;
    reading->reader =
        (struct log_reader){.name = log->name,
                            .shape = {trace->timebase_hz, said->little, said->ends, said->pages},
                            .in_page = LOG_PAGE_RECORDS,
                            .salvage = trace->salvage};
    csy_status status = trace_check_file(trace, reading->next, reading->fd, error);
    return status ? status
                  : bytes_new(reading->fd, log->name, 0, said->gzip, trace->workers,
                              &reading->reader.bytes, error);
}

/* The next record in the order of its log, and in the next log that has one; *more is false at the
 * end of all. */
static csy_status next_record(const struct csy_trace *trace, struct reading *reading,
                              struct log_record *out, bool *more, csy_error *error)
{
    struct log_record record;
    csy_status status = CSY_OK;
    *more = true;
    while (!status && !backlog_take(&reading->backlog, reading->fd < 0, out)) {
        bool read = false;
        if (reading->fd < 0 && reading->next == reading->logs->count) {
            *more = false;
            return CSY_OK;
        }
        if (reading->fd < 0) {
            status = begin_log(trace, reading, error);
            continue;
        }
        status = log_read(&reading->reader, &record, &read, error);
        if (!status && read && !backlog_put(&reading->backlog, &record))
            return error_memory(error);
        if (!status && !read)
            status = end_log(trace, reading, error);
    }
    return status;
}

/* --- The source ----------------------------------------------------------------------------- */

static csy_status rewind_logs(struct csy_trace *trace, csy_error *error)
{
    struct reading *reading = trace->state;
    (void)error;
    close_log(reading);
    backlog_clear(&reading->backlog);
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
    reading->fd = -1;
    reading->logs = calloc(1, sizeof *reading->logs);
    if (!reading->logs)
        return error_memory(error);
    trace->timebase_hz = trace->metadata.timebase_hz;
    trace->partial = trace->has_begins = trace->independent = true;
    csy_status status = find_logs(trace, reading->logs, error);
    return status ? status : log_roles_new(&trace->metadata, &reading->roles, error);
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

static void warn_of_remainder(struct csy_trace *trace, const struct reading *reading)
{
    char text[QUOTIENT_TEXT_MAX];
    if (reading->remainder.most == 0 || trace->is_fork || trace->nwarnings > 0)
        return;
    int128 most = (int128)((reading->remainder.most * REMAINDER_UNIT + FINE_TICK - 1) / FINE_TICK);
    snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
             "the seconds of its logs are not whole ticks of %" PRIu64
             " Hz, and are good to half a tick: the largest remainder is %s ticks, at offset "
             "%" PRIu64 " of %.80s",
             trace->timebase_hz, decimal_text(most, REMAINDER_DECIMALS, text),
             reading->remainder.place, reading->remainder_name);
}

static csy_status end_all(struct csy_trace *trace, const struct reading *reading, csy_error *error)
{
    warn_of_remainder(trace, reading);
    return check_order(trace, reading, error);
}

/* Whether it is before what has a partner of it. */
static bool starts_order(const struct event_roles *roles)
{
    return roles->send.size + roles->members.size + roles->post.size + roles->release.size +
               roles->spawn.size >
           0;
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
    event->place = record.place;
    event->stamp = (struct named_stamp){.thread = reading->context,
                                        .thread_size = reading->context_size,
                                        .core = STAMP_CORE_SPE,
                                        .time_ticks = record.time_ticks,
                                        .interval = record.interval,
                                        .begin_ticks = record.begin_ticks};
    event->name = name ? name : type_names[record.type];
    event->name_size = strlen(event->name);
    event->bytes = (const uint8_t *)reading->values;
    event->raw = (csy_text){0};
    event->size = log_values_put(&trace->metadata, &record, reading->values);
    event->record = NULL;
    event->row = NULL;
    status = log_roles_read(reading->roles, &record, &event->roles, error);
    if (!status && !reading->ordered)
        reading->ordered = starts_order(event->roles);
    return status;
}

static void free_reading(struct reading *reading)
{
    close_log(reading);
    backlog_fini(&reading->backlog);
    log_roles_free(reading->roles);
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
    if (logs)
        free(logs->items);
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
    reading->fd = -1;
    reading->logs = of->logs;
    return log_roles_new(&trace->metadata, &reading->roles, error);
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
    *done = reading->done + (reading->reader.bytes ? bytes_file_offset(reading->reader.bytes) : 0);
    *total = reading->logs->bytes;
}

const struct source source_event80 = {
    .format = CSY_FORMAT_PEX,
    .written_as = CSY_FORMAT_CSV,
    .title = "a .pex of event80 logs",
    .place = "offset",
    .carried = CARRIED_NOTHING,
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
    .progress = progress,
};
