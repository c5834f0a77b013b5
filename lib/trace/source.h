/* An input format is a `struct source`, a row of the table in trace/trace.c. Only the files of a
 * source may depend on its format. All other modules read the members below. */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "trace/csv/csv_facts.h"
#include "trace/event.h"
#include "trace/tracer.h"

/* The first bytes of a file, unpacked if gzip compressed it. */
struct head {
    const char *name; /* name of the file */
    const uint8_t *bytes;
    size_t size;
};

struct stream_reading; /* trace/streams.h */

struct source {
    csy_format format;     /* CSY_FORMAT_AUTO: users cannot choose this source */
    csy_format written_as; /* the default output format */
    const char *title;     /* for messages: "a CSV" */
    const char *place;     /* the unit of event.place, for messages: "line" */
    const char *called;    /* the noun for an event in messages; NULL: "record" */
    const char *complete;  /* how users state that no send is missing; NULL: in the document */
    bool named_groups;     /* each group is one operation with a unique name */
    bool buffer;           /* the format guarantees that all threads wrote to one buffer */
    bool folder;           /* the trace is a folder, not a file */
    bool archive;          /* the trace has many locations with collective operations */
    bool valued;           /* the bytes of an event are its values, separated by blanks: numbers, or
                    NAME=VALUE */
    bool rows_keep_order;  /* columns of rows made from events contain their whole order */
    bool shaped;           /* events are lines; users may choose columns and the unit of time */
    bool spans;            /* events are spans of services */
    bool calls; /* an interval without another meaning is a call of the routine in its name */
    /* Advice on how to record calls and messages if the trace has none. NULL: advise the user to
     * define the meaning of events instead. */
    const char *record_calls, *record_messages;

    /* Returns true if the source reads files with this head. The first source in the table wins.
     * probe and look may be NULL if the source is not in the table. */
    bool (*probe)(const struct head *head);
    /* Check the begin of a pipe, in trace->fd. CSY_INPUT if it cannot have this format. */
    csy_status (*look)(struct csy_trace *trace, csy_error *error);
    /* Read everything before the first event. start: offset of the trace in trace->fd. */
    csy_status (*open)(struct csy_trace *trace, uint64_t start, csy_error *error);
    /* Go back to the first event; trace->bytes is already rewound. */
    csy_status (*rewind)(struct csy_trace *trace, csy_error *error);
    /* Read the next event, without members that the timeline sets. *more is false after the last
     * one. */
    csy_status (*next)(struct csy_trace *trace, struct event *event, bool *more, csy_error *error);
    /* Set the members of the last event that most passes do not read: bytes, raw, name, routine,
     * call, and about. NULL: next sets them. */
    csy_status (*describe)(struct csy_trace *trace, struct event *event, csy_error *error);
    void (*close)(struct csy_trace *trace);
    /* Start a second reading of the trace at its first event. `fork` is a copy of `trace` without
     * bytes and state, and may use everything that `trace` owns. join frees what fork allocated,
     * even if fork failed. NULL: only one reading at a time is possible. */
    csy_status (*fork)(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error);
    void (*join)(struct csy_trace *fork);
    /* Returns the place where events end too early, once the reading has reached it, or NULL. */
    const csy_cut *(*cut)(const struct csy_trace *trace);
    /* Find out if times are multiples of 10^decimals ticks. Returns false if not, for example if
     * they are dates. NULL: times are whole ticks. */
    bool (*time_decimals)(const struct csy_trace *trace, unsigned *decimals);
    /* Resolution of the last event's time as written, in steps per second, or 0. NULL: unknown. */
    uint64_t (*time_steps)(const struct csy_trace *trace);
    /* Returns true if timestamps are dates, from clocks that may be set. NULL: they are not. */
    bool (*dates)(const struct csy_trace *trace);
    /* The premise of the pairs of sends and receives that the source makes, for reports: "bounds
     * hold if ...". NULL: the format ensures that they belong together. */
    const char *(*keys)(const struct csy_trace *trace);
    /* Returns true if the trace is already synchronized. `assumed` returns how many gaps were
     * assumed then. NULL: traces of this format are never synchronized. */
    bool (*is_synchronized)(const struct csy_trace *trace);
    uint64_t (*assumed)(const struct csy_trace *trace);
    /* Returns the line of facts of an archive that was synchronized without changing its events,
     * with the least global time before that as origin. Its size is 0 if it was not
     * synchronized. */
    struct csv_facts (*facts)(const struct csy_trace *trace, uint64_t *origin_ticks);
    /* The CRC-32 of the events of such an archive. */
    csy_status (*sum)(const struct csy_trace *trace, uint32_t *crc32, csy_error *error);
    /* Get the clock offsets that the tracer measured for the thread with this index. Returns false
     * after the last thread. Call it after the trace was read. Texts and readings are valid until
     * the trace is closed. NULL: the format has no such offsets. */
    bool (*tracer)(const struct csy_trace *trace, size_t index, struct tracer_thread *out);
    /* Returns true if several files of this format are one recording by default, because their
     * events refer to each other by keys. NULL: each file is a separate trace. */
    bool (*joins)(const struct csy_trace *trace);
    /* Prepare the joined trace to read its parts (trace->parts), whose metadata were compared and
     * copied, and set the places of the parts. NULL: trace/join.c reads the events of one part
     * after the other, with the functions of each part's source. */
    csy_status (*join_parts)(struct csy_trace *trace, csy_error *error);
    /* Returns the name of the file that places refer to. NULL: the file that the user named. */
    const char *(*place_file)(const struct csy_trace *trace);
    /* Reads locations separately, several at a time. NULL: not possible. */
    const struct stream_reading *streams;
    /* Bytes read so far and in total. NULL: trace->bytes counts them. */
    void (*progress)(const struct csy_trace *trace, uint64_t *done, uint64_t *total);
};

/* source_pex opens source_event80 if the document names event logs. trace.c opens source_run if
 * the trace is a folder. source_json opens the source of the format that its keys show. */
extern const struct source source_pex, source_csv, source_otf2, source_pcap, source_event80,
    source_run;
extern const struct source source_json, source_otlp, source_jaeger, source_zipkin, source_chrome;

/* Returns the source of a format that the user chose, or NULL. */
const struct source *source_of_format(csy_format format);

/* For tests: add a source that is probed before all others. NULL removes it. */
void source_add(const struct source *source);

#endif
