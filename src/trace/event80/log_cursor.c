/* Logs, and a place in one. */
#include "trace/event80/log_cursor.h"

#include "base/error.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { NARROW_BYTES = 32 * 1024 };

static int compare_ranks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

csy_status logs_list_ranks(struct logs *logs, csy_error *error)
{
    logs->ranks = malloc((logs->count + 1) * sizeof *logs->ranks);
    if (!logs->ranks)
        return error_memory(error);
    for (size_t i = 0; i < logs->count; i++)
        logs->ranks[i] = logs->items[i].rank;
    if (logs->count > 1)
        qsort(logs->ranks, logs->count, sizeof *logs->ranks, compare_ranks);
    for (size_t i = 0; i < logs->count; i++)
        if (logs->nranks == 0 || logs->ranks[i] != logs->ranks[logs->nranks - 1])
            logs->ranks[logs->nranks++] = logs->ranks[i];
    return CSY_OK;
}

bool logs_find_rank(const struct logs *logs, uint64_t rank, uint32_t *out)
{
    const uint64_t *found =
        bsearch(&rank, logs->ranks, logs->nranks, sizeof *logs->ranks, compare_ranks);
    *out = found ? (uint32_t)(found - logs->ranks) : 0;
    return found != NULL;
}

void log_cursor_close(struct log_cursor *cursor)
{
    bytes_free(cursor->reader.bytes);
    if (cursor->fd >= 0)
        close(cursor->fd);
    cursor->reader.bytes = NULL;
    cursor->fd = -1;
}

void log_cursor_fini(struct log_cursor *cursor)
{
    log_cursor_close(cursor);
    backlog_fini(&cursor->backlog);
}

/* trace->files has the logs after the .pex. */
static csy_status check_file(const struct log_cursor *cursor, const struct csy_trace *trace,
                             csy_error *error)
{
    return trace_check_file(trace, cursor->number + 1, cursor->fd, error);
}

csy_status log_cursor_begin(struct log_cursor *cursor, const struct csy_trace *trace,
                            const struct logs *logs, size_t number, bool narrow, csy_error *error)
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
    csy_status status = check_file(cursor, trace, error);
    if (!status)
        status = bytes_new(cursor->fd, name, 0, said->gzip, narrow ? 1 : trace->workers,
                           &cursor->reader.bytes, error);
    if (!status && narrow)
        bytes_narrow(cursor->reader.bytes, NARROW_BYTES);
    return status;
}

csy_status log_cursor_next(struct log_cursor *cursor, const struct csy_trace *trace,
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
            status = check_file(cursor, trace, error);
            log_cursor_close(cursor);
        }
    }
    *more = true;
    return status;
}
