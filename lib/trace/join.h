/* Joins several files to one trace.
 *
 * Each file is opened as a trace, called a part. The joined trace has all events of the first part,
 * then all events of the second part, and so on. A thread name in two parts is an error, unless
 * NAME=FILE makes the names different. Keys of sends, receives, groups, and ids are common to all
 * parts.
 *
 * The source of a joined trace is a copy of the source of its parts; `joins` and `join_parts` in
 * trace/source.h define whether and how a format is joined. Places in a joined trace are numbers
 * that are unique among its parts. trace_place converts them to a file and a place in it. */
#ifndef TRACE_JOIN_H
#define TRACE_JOIN_H

#include "base/texts.h"
#include "trace/trace.h"

/* Memory for "NAME/name", by which join_name replaces *name if the operand was NAME=FILE. */
struct join_text {
    char *bytes;
    size_t capacity;
};
csy_status join_name(const struct csy_trace *part, struct join_text *buffer, const char **name,
                     size_t *size, csy_error *error);

/* Thread names of all parts. join_threads_note sets *other to the first part with a name. */
struct join_threads {
    struct texts names;
    uint32_t *parts; /* for each name: index of the first part that has it */
    size_t capacity;
};
void join_threads_fini(struct join_threads *threads);
csy_status join_threads_note(struct join_threads *threads, const char *name, size_t size,
                             size_t part, size_t *other, csy_error *error);

/* Set the error that two parts have the same thread. `place` is a place in the file of `part`. */
csy_status join_refuse_thread(const struct csy_trace *trace, size_t part, size_t other,
                              uint64_t place, csy_text name, csy_error *error);

#endif
