/*
 * Several files as one trace.
 *
 * Each file is opened as a trace of its own, a part.  The joined trace has all events of the first
 * part, then all events of the second part, and so on.  Threads of different parts differ: a thread
 * name that is in two parts is an error unless NAME=FILE makes the names different.  All parts
 * share the keys of sends, receives, groups, and ids.
 *
 * The source of a joined trace is a copy of the source of its parts; `joins` and `join_parts` in
 * trace/source.h say whether and how a format is joined.  Places of a joined trace are numbers that
 * are unique among its parts; trace_place turns them into a file and a place in it.
 */
#ifndef TRACE_JOIN_H
#define TRACE_JOIN_H

#include "base/texts.h"
#include "trace/trace.h"

/* Join n > 0 traces of one format, which the joined trace then owns; after a failure the caller
 * still owns them.  CSY_INPUT, with the names of two files, if they do not fit together. */
csy_status join_traces(struct csy_trace *const *parts, size_t n, struct csy_trace **out,
                       csy_error *error);

/* For sources: the text of a name with the prefix of its part, in *buffer. */
struct join_text {
    char *bytes;
    size_t capacity;
};
csy_status join_name(const struct csy_trace *part, struct join_text *buffer, const char **name,
                     size_t *size, csy_error *error);

/* For sources: note that a thread of this name occurs in a part.  *other is an earlier part with
 * a thread of this name, or otherwise the part itself. */
struct join_threads {
    struct texts names;
    uint32_t *parts; /* by name */
    size_t capacity;
};
void join_threads_fini(struct join_threads *threads);
csy_status join_threads_note(struct join_threads *threads, const char *name, size_t size,
                             size_t part, size_t *other, csy_error *error);

/* CSY_INPUT: a thread of this name is in two parts. place: in the file of `part`. */
csy_status join_refuse_thread(const struct csy_trace *trace, size_t part, size_t other,
                              uint64_t place, csy_text name, csy_error *error);

#endif
