/*
 * What an input format is: a row of the table in trace/trace.c.  Nothing but a source's own files
 * asks which format a trace has; what others need to know of it is a member here.
 */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "trace/csv/csv_facts.h"
#include "trace/event.h"
#include "trace/tracer.h"

/* The beginning of a file, unpacked where it is gzip. */
struct head {
    const char *name; /* of the file */
    const uint8_t *bytes;
    size_t size;
};

struct stream_reading; /* trace/streams.h */

struct source {
    csy_format format;     /* as programs know it; CSY_FORMAT_AUTO: not by a number */
    csy_format written_as; /* unless the user says otherwise */
    const char *title;     /* for messages: "a CSV" */
    const char *place;     /* what a place in it is called: "line" */
    const char *called;    /* what events are called in messages; NULL: "record" */
    const char *complete;  /* how a user states that no send is missing; NULL: in its document */
    bool named_groups;     /* a group is one operation, and has a name that no other one has */
    bool buffer;           /* that all threads wrote to one buffer is sure, not only said */
    bool folder;           /* it is one, and not a file */
    bool archive;          /* its locations are many, and operate together */
    bool valued; /* the bytes of its events are their values with blanks between them: numbers, or
                    NAME=VALUE */
    bool shaped; /* its events are lines; the user may choose columns and the unit of time */
    bool calls;  /* an interval without another meaning is a call of the routine it names */
    /* How its recorder is brought to record calls and messages where there are none; NULL: events
     * are only to be told what they mean. */
    const char *record_calls, *record_messages;

    /* Whether a file that begins like this is one; sources are asked in the order of the table. */
    bool (*probe)(const struct head *head);
    /* CSY_INPUT where what has been read of a pipe so far, in trace->fd, shows that it is none. */
    csy_status (*look)(struct csy_trace *trace, csy_error *error);
    /* Read up to the first event.  start: where the trace begins in trace->fd. */
    csy_status (*open)(struct csy_trace *trace, uint64_t start, csy_error *error);
    /* To the first event again; trace->bytes are rewound. */
    csy_status (*rewind)(struct csy_trace *trace, csy_error *error);
    /* The next event but for what clocks make of it; *more is false after the last. */
    csy_status (*next)(struct csy_trace *trace, struct event *event, bool *more, csy_error *error);
    /* Set the members of the last event that most passes do not read: bytes, raw, name, routine,
     * call, and about.  NULL: next sets them. */
    csy_status (*describe)(struct csy_trace *trace, struct event *event, csy_error *error);
    void (*close)(struct csy_trace *trace);
    /* Another reading of the same trace, before its first event: fork is a copy of trace without
     * bytes and state, and may use what trace has.  join frees what fork took, also after a
     * failure.  NULL: it is read in one place at a time. */
    csy_status (*fork)(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error);
    void (*join)(struct csy_trace *fork);
    /* Where events end too early, once that was met, or NULL. */
    const csy_cut *(*cut)(const struct csy_trace *trace);
    /* Times are numbers of a unit of 10^decimals ticks; false: they are not, but dates, for one.
     * NULL: they are ticks. */
    bool (*time_decimals)(const struct csy_trace *trace, unsigned *decimals);
    /* How many steps a second has by the way the time of the last event is written; 0: it does not
     * say.  NULL: it never does. */
    uint64_t (*time_steps)(const struct csy_trace *trace);
    /* Whether timestamps are dates, which clocks show that somebody sets.  NULL: they are not. */
    bool (*dates)(const struct csy_trace *trace);
    /* Whether it was synchronized before; gaps that were assumed then.  NULL: never. */
    bool (*is_synchronized)(const struct csy_trace *trace);
    uint64_t (*assumed)(const struct csy_trace *trace);
    /* Of an archive whose clocks were synchronized, while its events stayed as they were: how, as a
     * CSV says it, and the least global time before that, as origin; size 0: it was not.  And the
     * CRC-32 of its events. */
    struct csv_facts (*facts)(const struct csy_trace *trace, uint64_t *origin_ticks);
    csy_status (*sum)(const struct csy_trace *trace, uint32_t *crc32, csy_error *error);
    /* What the tracer itself took the clock of a thread for, the index-th; false after the last.
     * Known once the trace was read; texts and readings hold until it is closed.  NULL: the format
     * has nothing of the kind. */
    bool (*tracer)(const struct csy_trace *trace, size_t index, struct tracer_thread *out);
    /* The file in which places are; NULL: the one that was named. */
    const char *(*place_file)(const struct csy_trace *trace);
    /* Locations that can be read each by itself; NULL: they cannot. */
    const struct stream_reading *streams;
    /* How many bytes of how many have been read; NULL: as trace->bytes tell. */
    void (*progress)(const struct csy_trace *trace, uint64_t *done, uint64_t *total);
};

/* The last one is opened by source_pex, where the document names logs. */
extern const struct source source_pex, source_csv, source_otf2, source_event80, source_run;

/* The source that a user asked for, NULL where there is none; or that takes such a head. */
const struct source *source_of_format(csy_format format);

/* One source more, asked before the others, until it is NULL: for tests. */
void source_add(const struct source *source);

#endif
