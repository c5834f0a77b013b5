/* A `struct source` describes an input format, and is a row of the table in trace/trace.c. Only the
 * files of a source may depend on its format. All other modules use the members of the struct. */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "trace/csv/csv_facts.h"
#include "trace/event.h"
#include "trace/tracer.h"

/* The first bytes of a file. If the file is compressed by gzip, the bytes are uncompressed. */
struct head {
    const char *name; /* name of the file */
    const uint8_t *bytes;
    size_t size;
};

struct stream_reading; /* trace/streams.h */

struct source {
    csy_format format;     /* CSY_FORMAT_AUTO: users cannot choose this source */
    csy_format written_as; /* the default output format */
    const char *title;     /* name of the format for messages, such as "a CSV" */
    const char *place;     /* the unit of event.place, for messages: "line" */
    const char *called;    /* the noun for an event in messages; NULL: "record" */
    /* How users state that no send is missing. NULL: by sends="complete" in a .pex. The
     * warning about channels with missing messages prints this advice. */
    const char *complete;
    bool named_groups; /* true if each group has a unique name and stands for one operation */
    bool buffer;       /* true if the format guarantees that all threads wrote to one buffer */
    bool folder;       /* true if the trace is a folder, not a file */
    bool archive;      /* true if a trace has many locations with collective operations */
    bool valued;       /* event.bytes contains values between blanks: numbers, or NAME=VALUE */
    /* Rows made from events contain all constraints on their order, so --check can prove a written
     * CSV alone. false: --check refuses the CSV unless --original names the trace. */
    bool rows_keep_order;
    /* events are lines; users may choose columns and the unit of time */
    bool shaped;
    bool spans; /* true if events are spans of services */
    bool calls; /* an interval without another meaning is a call of the routine it names */
    /* Advice to users on how to record calls and messages, if the trace has none. NULL: the advice
     * is to define the meaning of events. */
    const char *record_calls, *record_messages;

    /* Why this build of cellsync cannot read the format, for a message; NULL: it can. Such a source
     * needs no functions except `probe`. */
    const char *absent;

    /* Returns true if the source reads files with this head. The first such source in the table
     * wins, or the last one in the table if no source does. NULL: other code selects the source. */
    bool (*probe)(const struct head *head);
    /* Check the start of the pipe trace->fd. Returns CSY_INPUT if it cannot have the format. NULL:
     * the start is not checked. */
    csy_status (*look)(struct csy_trace *trace, csy_error *error);
    /* Read everything before the first event. `start` is the offset of the trace in trace->fd. If
     * the file is compressed, that is an offset of packed bytes, so a header must be skipped in
     * trace->bytes. */
    csy_status (*open)(struct csy_trace *trace, uint64_t start, csy_error *error);
    /* Go back to the first event. The caller has already rewound trace->bytes to `start`. */
    csy_status (*rewind)(struct csy_trace *trace, csy_error *error);
    /* Read the next event, except members that the timeline sets. *more is false at the end. The
     * message of an error contains the file and the place. */
    csy_status (*next)(struct csy_trace *trace, struct event *event, bool *more, csy_error *error);
    /* Set members of the last event that are seldom needed: bytes, raw, name, routine, call, and
     * about. NULL: the function `next` sets them. */
    csy_status (*describe)(struct csy_trace *trace, struct event *event, csy_error *error);
    void (*close)(struct csy_trace *trace); /* NULL: nothing is to be closed */
    /* Start a second reading of the trace at its first event. `fork` is a copy of `trace` without
     * the members bytes and state, and may use everything that `trace` owns. The function `join`
     * frees what `fork` allocated, even after a failure. NULL: only one reading at a time is
     * possible. */
    csy_status (*fork)(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error);
    void (*join)(struct csy_trace *fork);
    /* Returns the place where the events of a cut-off trace end, once the reading has reached it.
     * Returns NULL until then, and for complete traces. NULL: traces are never cut off. */
    const csy_cut *(*cut)(const struct csy_trace *trace);
    /* Set *decimals such that times are multiples of 10^decimals ticks. Returns false if no number
     * fits, for example for dates. NULL: times are whole ticks. */
    bool (*time_decimals)(const struct csy_trace *trace, unsigned *decimals);
    /* Returns the resolution of the last event's time, in steps per second. 0 or NULL: unknown. */
    uint64_t (*time_steps)(const struct csy_trace *trace);
    /* Returns true if timestamps are dates, so their clocks may be set. NULL: they are no dates. */
    bool (*dates)(const struct csy_trace *trace);
    /* Returns a condition under which the source pairs sends with receives correctly. Reports print
     * it after "bounds hold if". NULL: the format ensures correct pairs. */
    const char *(*keys)(const struct csy_trace *trace);
    /* Returns true if the trace is already synchronized. The function `assumed` returns the number
     * of gaps that were assumed then. NULL: traces of the format are never synchronized. */
    bool (*is_synchronized)(const struct csy_trace *trace);
    uint64_t (*assumed)(const struct csy_trace *trace);
    /* Returns the line of facts of an archive that was synchronized without changing its events.
     * Sets *origin_ticks to the least global time before the synchronization. Size 0: the archive
     * was not synchronized. */
    struct csv_facts (*facts)(const struct csy_trace *trace, uint64_t *origin_ticks);
    /* Compute the CRC-32 of the events of an archive for which `facts` returns a line. */
    csy_status (*sum)(const struct csy_trace *trace, uint32_t *crc32, csy_error *error);
    /* Get the clock offsets that the tracer measured for the thread `index`. Returns false after
     * the last thread. Call the function after the trace was read. *out is valid until the trace is
     * closed. NULL: the format has no such offsets. */
    bool (*tracer)(const struct csy_trace *trace, size_t index, struct tracer_thread *out);
    /* Returns true if several files are one recording by default, because their events refer to
     * each other by keys. NULL: each file is a separate trace. */
    bool (*joins)(const struct csy_trace *trace);
    /* Prepare a joined trace to read trace->parts, and set trace->part_places. The metadata of the
     * parts were already compared and copied. NULL: trace/join.c reads one part after the other. */
    csy_status (*join_parts)(struct csy_trace *trace, csy_error *error);
    /* Returns the name of the file that event.place refers to. NULL: places refer to the file that
     * the user named. */
    const char *(*place_file)(const struct csy_trace *trace);
    /* Functions that read locations separately, several at a time. NULL: this is not possible. */
    const struct stream_reading *streams;
    /* Set *done to the bytes read so far, *total to all bytes. NULL: trace->bytes counts them. */
    void (*progress)(const struct csy_trace *trace, uint64_t *done, uint64_t *total);
};

/* source_pex opens source_event80 if the document names event logs. trace.c opens source_run if the
 * trace is a folder. source_json recognizes the other JSON sources by keys in the file. */
extern const struct source source_pex, source_csv, source_otf2, source_pcap, source_event80,
    source_run;
extern const struct source source_json, source_otlp, source_jaeger, source_zipkin, source_chrome;

/* Returns the source of a format that the user chose, or NULL. */
const struct source *source_of_format(csy_format format);

/* For tests: add a source that is probed before all others. NULL removes it. */
void source_add(const struct source *source);

#endif
