/* A source describes an input format. Only its own files depend on the format; all other modules
 * use the members of this struct. */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "trace/csv/csv.h"
#include "trace/event.h"
#include "trace/tracer.h"

/* The first bytes of a file, uncompressed. */
struct head {
    const char *name;
    const uint8_t *bytes;
    size_t size;
};

struct stream_reading; /* defined in trace/streams.h */

struct source {
    csy_format format;     /* the format; CSY_FORMAT_AUTO if users cannot choose this source */
    csy_format written_as; /* the default output format */
    const char *title;     /* name of the format for messages, such as "a CSV" */
    const char *place;     /* how messages name event.place: "line" if it is the number of a line */
    const char *called;    /* noun for an event in messages; NULL means "record" */
    /* How users can state that no send is missing. NULL: by sends="complete" in the .pex. */
    const char *complete;
    bool named_groups; /* true if groups of different collective operations differ in name */
    bool buffer;       /* true if the format guarantees that all threads wrote to one buffer */
    bool folder;       /* true if the trace is a folder, not a file */
    bool archive;      /* true if traces often have many locations and collective operations */
    bool valued;       /* true if event.bytes has values, as "3 4" or "a=3 b=4" */
    /* True if a CSV made from the events contains all constraints on their order. Otherwise,
     * `cellsync --check` also needs the original trace (--original). */
    bool rows_keep_order;
    bool shaped; /* true if users may choose columns and the unit of time */
    bool spans;  /* true if events are spans, that is, requests that services handled */
    bool calls;  /* true if intervals are calls of routines, unless the trace states otherwise */
    /* Advice to users if their trace lacks calls or messages: how to record them. NULL: the advice
     * is to define the meaning of events. */
    const char *record_calls, *record_messages;

    /* The part that this build lacks to read the format, or NULL. Then, only `probe` is needed. */
    const char *absent;

    /* Returns true if a file with these first bytes has this format. The last source needs no
     * match. NULL: the user or another source selects the source. */
    bool (*probe)(const struct head *head);
    /* Check the first bytes of the pipe trace->fd. NULL: they are not checked. */
    csy_status (*look)(struct csy_trace *trace, csy_error *error);
    /* Read everything before the first event. The trace begins at the byte offset `start` of
     * trace->fd. To skip a header within a gzip file, skip bytes of trace->bytes. */
    csy_status (*open)(struct csy_trace *trace, uint64_t start, csy_error *error);
    /* Go back to the first event. The caller has already moved trace->bytes to the offset `start`
     * that was passed to `open`. */
    csy_status (*rewind)(struct csy_trace *trace, csy_error *error);
    /* Read the next event. The caller has cleared bytes, size, raw, record, and row of *event.
     * *more is false at the end. An error names the file and the place. */
    csy_status (*next)(struct csy_trace *trace, struct event *event, bool *more, csy_error *error);
    /* Set the members bytes, raw, name, routine, call, and about of *event. NULL if `next` already
     * sets them. */
    csy_status (*describe)(struct csy_trace *trace, struct event *event, csy_error *error);
    void (*close)(struct csy_trace *trace); /* NULL if nothing is to be closed */
    /* Begin a second reading. `fork` is a copy of `trace` without bytes and state, and may use data
     * of `trace`. The caller must call `join`, even after a failure. NULL: not possible. */
    csy_status (*fork)(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error);
    void (*join)(struct csy_trace *fork);
    /* Returns where a cut-off trace ends, or NULL if this is not known yet. NULL: never cut off. */
    const csy_cut *(*cut)(const struct csy_trace *trace);
    /* Set *decimals such that all times are multiples of 10^decimals ticks. Returns false if no
     * such number is known, for example for dates. NULL: times are whole ticks. */
    bool (*time_decimals)(const struct csy_trace *trace, unsigned *decimals);
    /* Returns the resolution of the last event's time in steps per second. NULL or 0: unknown. */
    uint64_t (*time_steps)(const struct csy_trace *trace);
    /* Returns the resolution of the coarsest clock in steps per second, or 0 if there is no clock.
     * Call after `rewind`. *clock becomes the name of this clock, or NULL if all clocks have its
     * resolution. NULL: only time_steps is known. */
    uint64_t (*coarsest_steps)(const struct csy_trace *trace, const char **clock);
    /* Returns true if timestamps are dates, from clocks that may be set. NULL: they are not. */
    bool (*dates)(const struct csy_trace *trace);
    /* Returns the condition under which sends and receives with equal keys belong together. Reports
     * write it after "bounds hold if". NULL: the format ensures it. */
    const char *(*keys)(const struct csy_trace *trace);
    /* Returns true if the trace is already synchronized. NULL: it never is. */
    bool (*is_synchronized)(const struct csy_trace *trace);
    /* Returns the number of gaps between records for which an earlier run assumed a length. NULL:
     * 0. */
    uint64_t (*assumed)(const struct csy_trace *trace);
    /* Returns the line "# cellsync KEY=VALUE ..." of an archive that cellsync synchronized without
     * changes of events, or an empty line. *origin_ticks is the least original global time. */
    struct csv_facts (*facts)(const struct csy_trace *trace, uint64_t *origin_ticks);
    /* Compute the CRC-32 of the events of an archive with a line from `facts`. */
    csy_status (*sum)(const struct csy_trace *trace, uint32_t *crc32, csy_error *error);
    /* Get the clock offsets that the tracer measured for the thread `index`, after the trace was
     * read. Returns false after the last thread. *out is valid until the trace is closed. */
    bool (*tracer)(const struct csy_trace *trace, size_t index, struct tracer_thread *out);
    /* Returns true if several files form one trace, because their events have common keys, for
     * example of messages. NULL: they do not. */
    bool (*joins)(const struct csy_trace *trace);
    /* Prepare a joined trace (one trace of several files) to read trace->parts, and set
     * trace->part_places. All other members are already set. Necessary if `joins` is not NULL. */
    csy_status (*join_parts)(struct csy_trace *trace, csy_error *error);
    /* Returns the name of the file of event.place. NULL: trace->record_name. */
    const char *(*place_file)(const struct csy_trace *trace);
    /* functions that read several locations at the same time; NULL: this is not possible */
    const struct stream_reading *streams;
    /* Get the numbers of bytes read so far, and of all bytes. NULL: trace->bytes counts them. */
    void (*progress)(const struct csy_trace *trace, uint64_t *done, uint64_t *total);
};

/* All sources. source_pex selects source_event80 for logs, trace.c selects source_run for a folder,
 * and source_json selects one of the other JSON sources by keys in the file. */
extern const struct source source_pex, source_csv, source_otf2, source_pcap, source_event80,
    source_run;
extern const struct source source_json, source_otlp, source_jaeger, source_zipkin, source_chrome;

/* The functions `probe` for JSON and OTF2. They exist in all builds, also in those that cannot read
 * these formats. JSON is recognized by its first bytes, and OTF2 by the name of the file. */
bool json_probe(const struct head *head);
bool otf2_probe(const struct head *head);

/* Returns the source of a format that the user chose, or NULL. */
const struct source *source_of_format(csy_format format);

/* For tests: add a source that is tried before all others, or remove it with NULL. */
void source_add(const struct source *source);

#endif
