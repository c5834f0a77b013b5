/* Logs, and a place in one: its records in the order in which they end. */
#ifndef TRACE_EVENT80_LOG_CURSOR_H
#define TRACE_EVENT80_LOG_CURSOR_H

#include "trace/event80/backlog.h"
#include "trace/event80/log.h"

/* It is open only while it is read: there may be more than a process may open. */
struct log_file {
    char *name;
    uint64_t bytes;
    uint64_t rank;
};

struct logs {
    struct log_file *items; /* as metadata.files; trace->files has them after the .pex */
    size_t count;
    uint64_t bytes;  /* of all */
    uint64_t *ranks; /* of all, each once, sorted */
    size_t nranks;
};

/* The ranks of the logs that there are are known: list them. */
csy_status logs_list_ranks(struct logs *logs, csy_error *error);

/* The number of a rank among them; false where none has it. */
bool logs_find_rank(const struct logs *logs, uint64_t rank, uint32_t *out);

struct log_cursor {
    struct log_reader reader;
    struct backlog backlog;
    size_t number; /* of the log */
    int fd;        /* -1: none was begun, or it was read to its end */
};

/* Begin one of them; the one before was closed.  narrow: read little at a time, as many logs are
 * read at once. */
csy_status log_cursor_begin(struct log_cursor *cursor, const struct csy_trace *trace,
                            const struct logs *logs, size_t number, bool narrow, csy_error *error);

/* The next record; *more is false after the last. */
csy_status log_cursor_next(struct log_cursor *cursor, const struct csy_trace *trace,
                           struct log_record *out, bool *more, csy_error *error);

/* No log is read any more. */
void log_cursor_close(struct log_cursor *cursor);
void log_cursor_fini(struct log_cursor *cursor);

#endif
