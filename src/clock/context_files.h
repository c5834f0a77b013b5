/* What a context has in each file of a trace in partial order, and what its own switches tell. */
#ifndef CLOCK_CONTEXT_FILES_H
#define CLOCK_CONTEXT_FILES_H

#include "clock/unwrap.h"
#include "trace/event.h"

/* What a context has in the file that is read now, and in those before; of a trace in partial
 * order. */
struct context_files {
    size_t file;
    bool recorded, cut;   /* it has records; switches */
    uint64_t offset;      /* of the first of these records */
    uint64_t residencies; /* that its switches tell */
    bool has_bare;        /* files before have records without switches: */
    bool has_many;        /* files before have several residencies: */
    size_t bare_file, many_file;
    uint64_t bare_offset, many;
    /* Of blocks: */
    uint64_t touched;   /* residencies since the block before this one had its place */
    uint64_t residency; /* the number of the last one, */
    uint64_t spe;       /* where it was, */
    uint64_t interval;  /* and of the one that its live interval is of */
    uint64_t block;
    bool in_block; /* records of that have come, and its place may be over */
    bool has_out;  /* the last one is over, as the unwrapper is told before the next begins: */
    uint64_t out_position;
    int64_t out_ticks;
    struct unwrapper unwrapper; /* where it is apart */
};

/* Between which stamps of the PPE a context has all its records, in a trace in partial order: those
 * of SPE_THREAD_START and SPE_THREAD_STOP, where they are spawns and joins. */
struct context_life {
    bool started, stopped;
    int64_t start_ticks, stop_ticks;
};

/* Whether a record of the PPE tells of the life of a context.  A start that is stamped when it is
 * over does not. */
bool context_life_tells(const struct event *event, uint32_t *context);

/* It does. */
void context_life_note(struct context_life *life, const struct event *event);

/* Whether it is known to be too short for a gap of a whole wrap. */
bool context_life_is_short(const struct context_life *life, int64_t imprecision_ticks);

/* A context that has records, but no switches, in one file, and switches that tell of several
 * residencies in another one. */
struct uncut {
    uint32_t context;
    size_t file;
    uint64_t offset; /* of its first record there */
    size_t other_file;
    uint64_t residencies; /* there */
};

/* For the context that has something in that file; with an unwrapper like this one. */
csy_status context_files_new(const struct unwrapper *like, size_t file, struct context_files **out,
                             csy_error *error);
void context_files_free(struct context_files *files);

/* It has something in a file.  *begins: the first there. */
csy_status context_files_enter(struct context_files *files, size_t file, bool *begins,
                               csy_error *error);

/* Its last residency is over: what was recorded in it is between two stamps of the PPE. */
csy_status context_files_tell_out(struct context_files *files, csy_error *error);

/* Once all records have passed: whether it is such a one; *out but for its context. */
bool context_files_are_uncut(struct context_files *files, struct uncut *out);

#endif
